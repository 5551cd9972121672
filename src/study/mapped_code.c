#include "study/mapped_code.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hpp/amd64.h"
#include "profile/instruction_text.h"

enum { FIRST_SLOTS = 1 << 12, MAX_INSTRUCTION = 16, INSTRUCTION_TEXT = 256 };

struct wm_mapped_file {
	uint64_t start, end, offset;
	const char *name;
	const uint8_t *bytes; /* of the file, mapped; NULL: not there */
	uint64_t size;
};

struct wm_mapped_instruction {
	uint64_t address; /* 0: free */
	struct wm_stream_instruction instruction;
};

static void open_file(struct wm_mapped_file *file)
{
	struct stat status;
	int descriptor = open(file->name, O_RDONLY | O_CLOEXEC);
	void *bytes = MAP_FAILED;
	if (descriptor < 0)
		return;
	if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
		bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
	close(descriptor);
	if (bytes == MAP_FAILED)
		return;
	file->bytes = bytes;
	file->size = (uint64_t)status.st_size;
}

static void add_file(void *context, uint64_t start, uint64_t bytes, uint64_t offset,
	const char *name, size_t length)
{
	struct wm_mapped_code *map = context;
	char *copy = wm_arena_alloc(map->arena, length + 1, 1);
	memcpy(copy, name, length);
	map->file = wm_arena_grow(
		map->arena, map->file, map->files, &map->file_capacity, sizeof *map->file);
	map->file[map->files] = (struct wm_mapped_file){start,
		bytes > UINT64_MAX - start ? UINT64_MAX : start + bytes, offset, copy, NULL, 0};
	open_file(&map->file[map->files++]);
}

/* The newest mapping wins: others may have been there before. */
static const uint8_t *code_at(const struct wm_mapped_code *map, uint64_t address, size_t *count)
{
	for (size_t i = map->files; i-- > 0;) {
		const struct wm_mapped_file *file = &map->file[i];
		uint64_t at = address - file->start + file->offset, left = file->end - address;
		if (address < file->start || address >= file->end)
			continue;
		if (!file->bytes || at >= file->size)
			return NULL;
		left = left < file->size - at ? left : file->size - at;
		*count = left < MAX_INSTRUCTION ? (size_t)left : MAX_INSTRUCTION;
		return file->bytes + at;
	}
	return NULL;
}

static struct wm_stream_instruction decode(const struct wm_mapped_code *map, uint64_t address)
{
	struct wm_stream_instruction instruction = {0};
	char text[INSTRUCTION_TEXT];
	size_t count = 0, length;
	const uint8_t *code = code_at(map, address, &count);
	if (!code)
		return instruction;
	length = wm_instruction_text(code, count, address, text, sizeof text);
	if (length == 0 || length > count)
		return instruction;
	instruction.bytes = (uint8_t)length;
	instruction.kind = wm_classify(code, (uint32_t)length);
	instruction.target = wm_direct_target(code, (uint32_t)length, address + length);
	return instruction;
}

static struct wm_mapped_instruction *slot_of(const struct wm_mapped_code *map, uint64_t address)
{
	size_t slot = (size_t)(address * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (map->slots - 1);
	while (map->known[slot].address && map->known[slot].address != address)
		slot = (slot + 1) & (map->slots - 1);
	return &map->known[slot];
}

static void make_room(struct wm_mapped_code *map)
{
	struct wm_mapped_instruction *old = map->known;
	size_t count = map->slots;
	if (2 * map->used < map->slots)
		return;
	map->slots = count ? 2 * count : FIRST_SLOTS;
	map->known = wm_arena_alloc(map->arena, map->slots, sizeof *map->known);
	for (size_t i = 0; i < count; i++)
		if (old[i].address)
			*slot_of(map, old[i].address) = old[i];
}

static struct wm_stream_instruction instruction_at(void *context, uint64_t address)
{
	struct wm_mapped_code *map = context;
	struct wm_mapped_instruction *slot;
	if (address == 0)
		return (struct wm_stream_instruction){0};
	make_room(map);
	slot = slot_of(map, address);
	if (slot->address)
		return slot->instruction;
	*slot = (struct wm_mapped_instruction){address, decode(map, address)};
	map->used++;
	return slot->instruction;
}

struct wm_stream_code wm_mapped_code_open(struct wm_mapped_code *map, struct wm_arena *arena)
{
	*map = (struct wm_mapped_code){.arena = arena};
	return (struct wm_stream_code){map, add_file, instruction_at};
}

const char *wm_mapped_code_wrong(const struct wm_mapped_code *map)
{
	static const uint8_t nothing[] = {0x90};
	char text[INSTRUCTION_TEXT];
	if (wm_instruction_text(nothing, sizeof nothing, 0, text, sizeof text) == 0)
		return "branches that were not taken are found in the code, which needs libLLVM-19";
	if (map->files == 0)
		return "it names no files; use perf script --show-mmap-events";
	for (size_t i = 0; i < map->slots; i++)
		if (map->known[i].instruction.bytes)
			return NULL;
	return "none of the files that it names holds the code that ran";
}

/* Address in memory less that in the file, by the segment that was mapped. */
static uint64_t bias_of(const struct wm_mapped_file *file)
{
	Elf64_Ehdr head;
	if (!file->bytes || file->size < sizeof head)
		return file->start - file->offset;
	memcpy(&head, file->bytes, sizeof head);
	for (uint64_t i = 0; memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 && i < head.e_phnum; i++) {
		Elf64_Phdr part;
		if (head.e_phoff > file->size || (i + 1) * sizeof part > file->size - head.e_phoff)
			break;
		memcpy(&part, file->bytes + head.e_phoff + i * sizeof part, sizeof part);
		if (part.p_type == PT_LOAD && part.p_offset <= file->offset + 0xfff &&
			file->offset < part.p_offset + part.p_filesz)
			return file->start - (part.p_vaddr + file->offset - part.p_offset);
	}
	return file->start - file->offset;
}

void wm_mapped_code_name(const struct wm_mapped_code *map, struct wm_hpp_profile *profile)
{
	struct wm_hpp_object *object = wm_arena_alloc(map->arena, map->files, sizeof *object);
	size_t bytes = 0;
	char *text;
	for (size_t i = 0; i < map->files; i++)
		bytes += strlen(map->file[i].name) + 1;
	text = wm_arena_alloc(map->arena, bytes, 1);
	bytes = 0;
	for (size_t i = 0; i < map->files; i++) {
		const struct wm_mapped_file *file = &map->file[map->files - 1 - i];
		object[i] = (struct wm_hpp_object){
			file->start, file->end, bias_of(file), (uint32_t)bytes, 0, {0}};
		strcpy(text + bytes, file->name);
		bytes += strlen(file->name) + 1;
	}
	profile->object = object;
	profile->objects = map->files;
	profile->text = text;
	profile->text_bytes = bytes;
}

void wm_mapped_code_close(struct wm_mapped_code *map)
{
	for (size_t i = 0; i < map->files; i++)
		if (map->file[i].bytes)
			munmap((void *)map->file[i].bytes, map->file[i].size);
	map->files = 0;
}
