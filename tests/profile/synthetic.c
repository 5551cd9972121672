/* The two file formats written from their description, independently of the readers under test:
 * plain writes for .wmk, libelf's writer for objects. */
#define _GNU_SOURCE /* nftw, mkdtemp */
#include "synthetic.h"

#include <assert.h>
#include <fcntl.h>
#include <ftw.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUILD_ID_BYTES = 20, DESCRIPTIONS_ADDRESS = 0x10000, COUNTERS_ADDRESS = 0x400000 };

static char folder[] = "/tmp/waymark-test-XXXXXX";

struct wm_function synthetic_loop(const char *name)
{
	static struct wm_scope scope = {.function = "loop", .file = "/src/loop.c", .line = 9};
	static struct wm_position positions[] = {
		{.line = 10}, {.line = 11}, {.line = 12}, {.line = 13}};
	static struct wm_block blocks[] = {
		{.instructions = 1, .first_position = 0, .position_count = 1},
		{.instructions = 5, .first_position = 1, .position_count = 2},
		{.instructions = 2, .first_position = 3, .position_count = 1},
	};
	static uint32_t source[] = {0, 1, 1, 2}, target[] = {1, 1, 2, 3};
	static uint8_t flags[] = {0, 0, 0, 0};
	static struct wm_probe probes[] = {
		{.kind = WM_PROBE_EDGE, .index = 1}, {.kind = WM_PROBE_EDGE, .index = 3}};
	static const struct wm_counters_section counters = {
		.head = {.measure = {WM_QUANTITY_EDGES, WM_PLACEMENT_OPTIMAL}, .counter_count = 2},
		.probe_count = 2,
		.probes = probes};
	return (struct wm_function){.name = name,
		.block_count = 3,
		.blocks = blocks,
		.position_count = 4,
		.positions = positions,
		.scope_count = 1,
		.scopes = &scope,
		.edge_count = 4,
		.edge_source = source,
		.edge_target = target,
		.edge_flags = flags,
		.counter_count = 2,
		.counters = &counters};
}

struct wm_function synthetic_walk(const char *name)
{
	static struct wm_scope scope = {.function = "walk", .file = "/src/walk.c", .line = 19};
	static struct wm_position positions[] = {{.line = 20}, {.line = 21}, {.line = 22},
		{.line = 24}, {.line = 23}, {.line = 26}, {.line = 28}};
	static struct wm_block blocks[] = {
		{.instructions = 1, .first_position = 0, .position_count = 1},
		{.instructions = 2, .first_position = 1, .position_count = 1},
		{.instructions = 3, .first_position = 2, .position_count = 1},
		{.instructions = 4, .first_position = 3, .position_count = 2},
		{.instructions = 5, .first_position = 5, .position_count = 1},
		{.instructions = 1, .first_position = 6, .position_count = 1},
	};
	static uint32_t source[] = {0, 1, 1, 2, 2, 3, 4, 4, 5},
			target[] = {1, 2, 5, 3, 4, 4, 1, 6, 6};
	static uint8_t flags[] = {WM_EDGE_CUT, 0, 0, 0, 0, 0, WM_EDGE_CUT,
		WM_EDGE_CUT | WM_EDGE_ABANDONED | WM_EDGE_UNCOUNTABLE, WM_EDGE_CUT};
	return (struct wm_function){.name = name,
		.block_count = 6,
		.blocks = blocks,
		.position_count = 7,
		.positions = positions,
		.scope_count = 1,
		.scopes = &scope,
		.edge_count = 9,
		.edge_source = source,
		.edge_target = target,
		.edge_flags = flags};
}

struct wm_profile_function synthetic_walk_profile(const struct wm_function *walk)
{
	static const uint64_t block[] = {2, 17, 16, 11, 16, 1};
	static const uint64_t edge[] = {2, 16, 1, 11, 5, 11, 15, 1, 1};
	static const uint32_t with[] = {1, 2, 3, 4}, without[] = {1, 2, 4}, last[] = {1, 5},
			      first[] = {0};
	static const struct wm_profile_path paths[] = {
		{.id = 0,
			.count = 1,
			.partial = true,
			.block_count = 4,
			.blocks = with,
			.end_edge = 7},
		{.id = 1, .count = 10, .block_count = 4, .blocks = with, .end_edge = 6},
		{.id = 3, .count = 5, .block_count = 3, .blocks = without, .end_edge = 6},
		{.id = 4, .count = 1, .block_count = 2, .blocks = last, .end_edge = 8},
		{.id = 5, .count = 2, .block_count = 1, .blocks = first, .end_edge = 0},
	};
	return (struct wm_profile_function){.function = walk,
		.block = block,
		.edge = edge,
		.path_count = 5,
		.paths = paths,
		.possible_paths = 6,
		.calls = 2,
		.instructions = 209,
		.block_entries = 63};
}

struct wm_function synthetic_chain(const char *name)
{
	static struct wm_scope scope = {.function = "chain", .file = "/src/walk.c", .line = 39};
	static struct wm_position positions[] = {{.line = 40}, {.line = 41}, {.line = 42}};
	static struct wm_block blocks[] = {
		{.instructions = 1, .first_position = 0, .position_count = 1},
		{.instructions = 1, .first_position = 1, .position_count = 1},
		{.instructions = 1, .first_position = 2, .position_count = 1},
	};
	static uint32_t source[] = {0, 1, 2}, target[] = {1, 2, 3};
	static uint8_t flags[] = {WM_EDGE_CUT, WM_EDGE_CUT, WM_EDGE_CUT};
	return (struct wm_function){.name = name,
		.block_count = 3,
		.blocks = blocks,
		.position_count = 3,
		.positions = positions,
		.scope_count = 1,
		.scopes = &scope,
		.edge_count = 3,
		.edge_source = source,
		.edge_target = target,
		.edge_flags = flags};
}

struct wm_profile_function synthetic_chain_profile(const struct wm_function *chain)
{
	static const uint64_t count[] = {7, 7, 7};
	static const uint32_t number[] = {0, 1, 2};
	static const struct wm_profile_path paths[] = {
		{.id = 0, .count = 7, .block_count = 1, .blocks = &number[1], .end_edge = 1},
		{.id = 1, .count = 7, .block_count = 1, .blocks = &number[2], .end_edge = 2},
		{.id = 2, .count = 7, .block_count = 1, .blocks = &number[0], .end_edge = 0},
	};
	return (struct wm_profile_function){.function = chain,
		.block = count,
		.edge = count,
		.path_count = 3,
		.paths = paths,
		.possible_paths = 3,
		.calls = 7,
		.instructions = 21,
		.block_entries = 21};
}

static uint8_t *make_descriptions(struct wm_arena *arena, const struct synthetic_object *object,
	size_t *bytes, size_t *counters)
{
	uint8_t *section = wm_arena_alloc(arena, 1, 1 << 20);
	*bytes = *counters = 0;
	for (size_t i = 0; i < object->function_count; i++) {
		size_t body_bytes;
		const uint8_t *body =
			wm_description_encode(arena, &object->functions[i], &body_bytes);
		struct wm_description_head head = {.magic = WM_DESCRIPTION_MAGIC,
			.bytes = (uint32_t)(sizeof head + body_bytes),
			.counters = (int64_t)(COUNTERS_ADDRESS + 8 * *counters -
					      DESCRIPTIONS_ADDRESS - *bytes),
			.hash = wm_description_hash(body, body_bytes)};
		assert(*bytes + sizeof head + body_bytes + 16 < 1 << 20);
		memcpy(section + *bytes, &head, sizeof head);
		memcpy(section + *bytes + sizeof head, body, body_bytes);
		/* One zero word more than the padding needs: linkers leave such gaps. */
		*bytes = ((*bytes + sizeof head + body_bytes + 7) & ~(size_t)7) + 8;
		*counters += object->functions[i].counter_count;
	}
	return section;
}

static void add_section(
	Elf *elf, uint32_t name, uint32_t type, uint64_t address, void *bytes, size_t count)
{
	Elf_Scn *section = elf_newscn(elf);
	Elf_Data *data = elf_newdata(section);
	GElf_Shdr header;
	data->d_align = type == SHT_NOTE ? 4 : 8;
	data->d_buf = bytes;
	data->d_size = count;
	data->d_type = ELF_T_BYTE;
	gelf_getshdr(section, &header);
	header.sh_name = name;
	header.sh_type = type;
	header.sh_addr = address;
	header.sh_flags = type == SHT_STRTAB ? 0 : SHF_ALLOC;
	gelf_update_shdr(section, &header);
}

static size_t make_note(const struct synthetic_object *object, uint8_t *bytes)
{
	Elf64_Nhdr note = {.n_namesz = 4, .n_descsz = BUILD_ID_BYTES, .n_type = NT_GNU_BUILD_ID};
	memcpy(bytes, &note, sizeof note);
	memcpy(bytes + sizeof note, "GNU", 4);
	memset(bytes + sizeof note + 4, object->build_id, BUILD_ID_BYTES);
	return sizeof note + 4 + BUILD_ID_BYTES;
}

void synthetic_write_object(const char *path, const struct synthetic_object *object)
{
	static char names[] =
		"\0.shstrtab\0.note.gnu.build-id\0" WM_DESCRIPTION_SECTION "\0" WM_COUNTERS_SECTION;
	enum { NAME_NAMES = 1, NAME_NOTE = 11, NAME_DESCRIPTIONS = 30, NAME_COUNTERS = 51 };
	struct wm_arena arena = {0};
	size_t bytes, counters;
	uint8_t note[64];
	uint8_t *descriptions = make_descriptions(&arena, object, &bytes, &counters);
	elf_version(EV_CURRENT);
	int descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	Elf *elf = elf_begin(descriptor, ELF_C_WRITE, NULL);
	gelf_newehdr(elf, ELFCLASS64);
	GElf_Ehdr header;
	gelf_getehdr(elf, &header);
	header.e_ident[EI_DATA] = ELFDATA2LSB;
	header.e_machine = EM_X86_64;
	header.e_type = ET_DYN;
	header.e_version = EV_CURRENT;
	header.e_shstrndx = 1;
	gelf_update_ehdr(elf, &header);
	add_section(elf, NAME_NAMES, SHT_STRTAB, 0, names, sizeof names);
	if (!object->without_build_id)
		add_section(elf, NAME_NOTE, SHT_NOTE, 0x200, note, make_note(object, note));
	if (!object->without_description)
		add_section(elf, NAME_DESCRIPTIONS, SHT_PROGBITS, DESCRIPTIONS_ADDRESS,
			descriptions, bytes);
	add_section(elf, NAME_COUNTERS, SHT_NOBITS, COUNTERS_ADDRESS, NULL, counters * 8);
	if (elf_update(elf, ELF_C_WRITE) < 0) {
		fprintf(stderr, "libelf: %s\n", elf_errmsg(-1));
		abort();
	}
	elf_end(elf);
	close(descriptor);
	wm_arena_reset(&arena);
}

static void write_all(FILE *file, const void *bytes, size_t count)
{
	if (fwrite(bytes, 1, count, file) != count)
		abort();
}

static void write_block(FILE *file, struct wm_chunk_header header, uint64_t counter,
	size_t counter_count, uint64_t stride)
{
	static const uint8_t zero[4096];
	write_all(file, &header, sizeof header);
	for (size_t i = 0; i < counter_count; i++)
		write_all(file, &counter, sizeof counter);
	write_all(file, zero, stride - sizeof header - 8 * counter_count);
}

/* FNV-1a by 8-byte words. */
static uint64_t hash_word(uint64_t hash, uint64_t word)
{
	return (hash ^ word) * 0x100000001b3u;
}

static void write_totals(
	FILE *file, const struct synthetic_file *source, int generation, uint64_t stride)
{
	struct wm_chunk_header totals = {.kind = source->runs[generation] ? 1 : 0,
		.span = source->runs[generation] ? 1 : 0,
		.runs = source->runs[generation],
		.cut_short = source->cut_short[generation],
		.status = source->status[generation]};
	uint64_t hash = hash_word(0xcbf29ce484222325u, totals.runs);
	hash = hash_word(hash_word(hash, totals.cut_short), totals.status);
	for (size_t i = 0; i < source->counter_count; i++)
		hash = hash_word(hash, source->totals[generation]);
	totals.checksum = totals.runs ? hash : 0;
	write_block(file, totals, source->totals[generation], source->counter_count, stride);
}

static struct wm_chunk_header head_of(const struct synthetic_block *block)
{
	struct stat status;
	struct wm_chunk_header head = {.kind = block->kind    ? block->kind
					       : block->state ? 2
							      : 0,
		.state = (uint8_t)block->state,
		.span = 1,
		.process = block->process ? block->process : 77,
		.runs = 1,
		.thread = block->thread,
		.ended = (uint8_t)block->ended,
		.status = block->status};
	if (block->process && stat("/proc/self/ns/pid", &status) == 0)
		head.pid_namespace = status.st_ino;
	return head;
}

void synthetic_write_file(const char *path, const struct synthetic_file *source)
{
	uint8_t page[4096] = {0};
	struct wm_file_header header = {.version = 4,
		.header_bytes = 4096,
		.counter_bytes = 8 * source->counter_count,
		.build_id_bytes = BUILD_ID_BYTES,
		.commit = source->commit,
		.unit_count = 2 + source->block_count};
	header.unit_bytes = (64 + header.counter_bytes + 4095) / 4096 * 4096;
	memcpy(header.magic, "WAYMARK1", 8);
	memset(header.build_id, source->build_id, BUILD_ID_BYTES);
	strcpy(header.object_path, source->object_path);
	header.identity_checksum = wm_file_identity_checksum(&header);
	memcpy(page, &header, sizeof header);
	FILE *file = fopen(path, "we");
	write_all(file, page, sizeof page);
	for (int i = 0; i < 2; i++)
		write_totals(file, source, i, header.unit_bytes);
	for (size_t i = 0; i < source->block_count; i++)
		write_block(file, head_of(&source->blocks[i]), source->blocks[i].counter,
			source->counter_count, header.unit_bytes);
	fclose(file);
}

void synthetic_set_counter(
	const char *path, size_t counter_count, size_t block, size_t counter, uint64_t value)
{
	size_t stride = (64 + 8 * counter_count + 4095) / 4096 * 4096;
	FILE *file = fopen(path, "r+e");
	fseek(file, (long)(4096 + block * stride + 64 + 8 * counter), SEEK_SET);
	write_all(file, &value, sizeof value);
	fclose(file);
}

uint8_t *synthetic_slurp(const char *path, size_t *bytes)
{
	FILE *file = fopen(path, "re");
	fseek(file, 0, SEEK_END);
	*bytes = (size_t)ftell(file);
	rewind(file);
	uint8_t *contents = malloc(*bytes + 1);
	if (fread(contents, 1, *bytes, file) != *bytes)
		abort();
	fclose(file);
	return contents;
}

void synthetic_spill(const char *path, const uint8_t *bytes, size_t count)
{
	FILE *file = fopen(path, "we");
	write_all(file, bytes, count);
	fclose(file);
}

void synthetic_cut(const char *path, size_t bytes)
{
	if (truncate(path, (off_t)bytes) != 0)
		abort();
}

void synthetic_flip(const char *path, size_t byte, uint8_t bits)
{
	uint8_t value;
	int descriptor = open(path, O_RDWR);
	if (pread(descriptor, &value, 1, (off_t)byte) != 1)
		abort();
	value ^= bits;
	if (pwrite(descriptor, &value, 1, (off_t)byte) != 1)
		abort();
	close(descriptor);
}

int synthetic_enter(void **state)
{
	(void)state;
	return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status, (void)type, (void)walk;
	return remove(path);
}

int synthetic_leave(void **state)
{
	(void)state;
	return chdir("/") == 0 ? nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS) : -1;
}
