/* Reading of instrumented objects with elfutils.
 *
 * A record holds the distance from itself to its function's counters, so the addresses the linker
 * gave to the two sections are all that is needed to tell which counter belongs to which function;
 * where the object is loaded plays no part.
 */
#include "profile/object.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "profile/elf_file.h"

struct section {
	bool found;
	uint64_t address;
	uint64_t bytes;
	const uint8_t *data; /* NULL for the counters: their contents do not matter */
};

struct reader {
	struct wm_arena *arena;
	const char *path;
	struct wm_elf file;
	struct section descriptions;
	struct section counters;
	struct section sources;
	struct wm_object *object;
	struct wm_error *error;
};

static int damaged(struct reader *reader, uint64_t offset, const char *reason)
{
	return wm_error_set(reader->error, WM_ERROR_INPUT,
		"%s: the description at offset %" PRIu64 " is damaged: %s", reader->path, offset,
		reason);
}

static void read_notes(struct reader *reader, Elf_Data *data)
{
	GElf_Nhdr note;
	size_t offset = 0, name, description;
	struct wm_build_id *id = &reader->object->build_id;
	while ((offset = gelf_getnote(data, offset, &note, &name, &description)) > 0) {
		const char *bytes = data->d_buf;
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof(ELF_NOTE_GNU) ||
			memcmp(bytes + name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) != 0)
			continue;
		id->bytes = note.n_descsz < WM_BUILD_ID_BYTES ? note.n_descsz : WM_BUILD_ID_BYTES;
		memcpy(id->byte, bytes + description, id->bytes);
	}
}

static int read_section(
	struct reader *reader, Elf_Scn *scn, const char *name, const GElf_Shdr *header)
{
	struct section *section = strcmp(name, WM_DESCRIPTION_SECTION) == 0 ? &reader->descriptions
				  : strcmp(name, WM_COUNTERS_SECTION) == 0  ? &reader->counters
				  : strcmp(name, WM_SOURCE_SECTION) == 0    ? &reader->sources
									    : NULL;
	if (!section)
		return 0;
	section->found = true;
	section->address = header->sh_addr;
	section->bytes = header->sh_size;
	if (section == &reader->counters)
		return 0;
	Elf_Data *data = elf_rawdata(scn, NULL);
	if (!data || !data->d_buf || data->d_size != header->sh_size)
		return wm_error_set(reader->error, WM_ERROR_INPUT,
			"%s: the file is truncated: section %s is not all there", reader->path,
			name);
	section->data = data->d_buf;
	return 0;
}

static int read_sections(struct reader *reader)
{
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(reader->file.elf, scn));) {
		GElf_Shdr header;
		if (!gelf_getshdr(scn, &header))
			continue;
		int status = read_section(
			reader, scn, wm_elf_section_name(&reader->file, &header), &header);
		if (status < 0)
			return status;
		Elf_Data *notes = header.sh_type == SHT_NOTE ? elf_getdata(scn, NULL) : NULL;
		if (notes)
			read_notes(reader, notes);
	}
	return 0;
}

/* Checks the record at the offset; *head is a copy, since records in a hostile file need not be
 * aligned. */
static int check_head(struct reader *reader, uint64_t offset, struct wm_description_head *head)
{
	const struct section *section = &reader->descriptions;
	uint64_t left = section->bytes - offset;
	if (left < sizeof *head)
		return damaged(reader, offset, "it ends in its head");
	memcpy(head, section->data + offset, sizeof *head);
	if ((head->magic & 0xffffff) == (WM_DESCRIPTION_MAGIC & 0xffffff) &&
		head->magic < WM_DESCRIPTION_MAGIC)
		return wm_error_set(reader->error, WM_ERROR_INPUT,
			"%s: was built by an older waymark; build it again", reader->path);
	if (head->magic != WM_DESCRIPTION_MAGIC)
		return damaged(reader, offset, "it does not start with the magic number");
	if (head->bytes < sizeof *head || head->bytes > left)
		return damaged(reader, offset, "it is longer than its section");
	const uint8_t *body = section->data + offset + sizeof *head;
	if (wm_description_hash(body, head->bytes - sizeof *head) != head->hash)
		return damaged(reader, offset, "its hash does not match its contents");
	return 0;
}

static int find_counters(struct reader *reader, uint64_t offset,
	const struct wm_description_head *head, struct wm_object_function *result)
{
	uint64_t count = result->function.counter_count;
	uint64_t distance = reader->descriptions.address + offset + (uint64_t)head->counters -
			    reader->counters.address;
	if (count == 0)
		return 0;
	if (distance % 8 != 0)
		return damaged(reader, offset, "its counters are not aligned");
	if (distance > reader->counters.bytes || count > (reader->counters.bytes - distance) / 8)
		return damaged(reader, offset, "its counters lie outside their section");
	result->first_counter = distance / 8;
	return 0;
}

/* Moves to the next record: over the zero words that pad between them. */
static uint64_t skip_padding(const struct section *section, uint64_t offset)
{
	offset = (offset + 7) & ~(uint64_t)7;
	while (offset + 8 <= section->bytes) {
		uint64_t word;
		memcpy(&word, section->data + offset, sizeof word);
		if (word != 0)
			return offset;
		offset += 8;
	}
	return section->bytes;
}

static int count_records(struct reader *reader, uint32_t *count)
{
	struct wm_description_head head;
	const struct section *section = &reader->descriptions;
	*count = 0;
	for (uint64_t offset = skip_padding(section, 0); offset < section->bytes;
		offset = skip_padding(section, offset + head.bytes)) {
		int status = check_head(reader, offset, &head);
		if (status < 0)
			return status;
		++*count;
	}
	return 0;
}

static int read_records(struct reader *reader)
{
	struct wm_object *object = reader->object;
	const struct section *section = &reader->descriptions;
	int status = count_records(reader, &object->function_count);
	if (status < 0)
		return status;
	object->functions =
		wm_arena_alloc(reader->arena, object->function_count, sizeof *object->functions);
	uint64_t offset = 0;
	for (uint32_t i = 0; i < object->function_count; i++) {
		struct wm_description_head head;
		offset = skip_padding(section, offset);
		memcpy(&head, section->data + offset, sizeof head);
		struct wm_object_function *result = &object->functions[i];
		status = wm_description_decode(reader->arena, section->data + offset + sizeof head,
			head.bytes - sizeof head, &result->function, reader->error);
		if (status == 0)
			status = find_counters(reader, offset, &head, result);
		if (status < 0)
			return status;
		offset += head.bytes;
	}
	return 0;
}

static int read_elf(struct reader *reader)
{
	int status = read_sections(reader);
	if (status < 0)
		return status;
	if (!reader->descriptions.found)
		return wm_error_set(reader->error, WM_ERROR_INPUT,
			"%s: was not built with waymark cc: it has no section %s", reader->path,
			WM_DESCRIPTION_SECTION);
	if (reader->object->build_id.bytes == 0)
		return wm_error_set(reader->error, WM_ERROR_INPUT,
			"%s: has no build-id; link it with waymark cc or -Wl,--build-id",
			reader->path);
	reader->object->counter_count = reader->counters.bytes / 8;
	status = read_records(reader);
	if (status == 0 && reader->sources.found)
		status = wm_source_records_read(reader->arena, reader->path, reader->sources.data,
			reader->sources.bytes, &reader->object->sources, reader->error);
	return status;
}

int wm_object_read(
	struct wm_arena *arena, const char *path, struct wm_object *object, struct wm_error *error)
{
	*object = (struct wm_object){.path = wm_arena_copy_text(arena, path)};
	struct reader reader = {
		.arena = arena, .path = object->path, .object = object, .error = error};
	int status = wm_elf_open(&reader.file, object->path, error);
	object->modified = reader.file.modified;
	if (status == 0)
		status = read_elf(&reader);
	wm_elf_close(&reader.file);
	return status;
}
