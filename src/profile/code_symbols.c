/* Each function is listed under the linker's name and, if that is mangled, under those that perf
 * shows instead: with and without parameters. */
#include "profile/code_symbols.h"

#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

#include "profile/elf_file.h"
#include "profile/object_parts.h"

/* What is mapped keeps its place in a page, whatever its address. */
enum { PAGE = 4096 };

static int compare_names(const void *left, const void *right)
{
	const struct wm_code_symbol *a = left, *b = right;
	int order = strcmp(a->name, b->name);
	return order ? order : (a->start > b->start) - (a->start < b->start);
}

static int compare_starts(const void *left, const void *right)
{
	const struct wm_code_symbol *a = left, *b = right;
	return a->start != b->start ? (a->start > b->start) - (a->start < b->start)
				    : strcmp(a->name, b->name);
}

static void add(
	struct wm_arena *arena, struct wm_code_symbols *symbols, struct wm_code_symbol symbol)
{
	symbols->by_name = wm_arena_grow(arena, symbols->by_name, symbols->count,
		&symbols->capacity, sizeof *symbols->by_name);
	symbols->by_name[symbols->count++] = symbol;
}

static void add_demangled(struct wm_arena *arena, struct wm_code_symbols *symbols,
	struct wm_code_symbol symbol, int options)
{
	char *text = cplus_demangle(symbol.linker, options);
	if (!text)
		return;
	symbol.name = wm_arena_copy_text(arena, text);
	add(arena, symbols, symbol);
	free(text);
}

static void read_table(struct wm_arena *arena, struct wm_elf *file, Elf_Scn *section,
	const GElf_Shdr *header, struct wm_code_symbols *symbols)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t count = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
	for (size_t i = 0; data && i < count; i++) {
		GElf_Sym entry;
		if (!gelf_getsym(data, (int)i, &entry))
			return;
		const char *name = elf_strptr(file->elf, header->sh_link, entry.st_name);
		unsigned type = GELF_ST_TYPE(entry.st_info);
		if (!name || !name[0] || entry.st_shndx == SHN_UNDEF ||
			(type != STT_FUNC && type != STT_GNU_IFUNC))
			continue;
		name = wm_arena_copy_text(arena, name);
		struct wm_code_symbol symbol = {name, name, entry.st_value, entry.st_size};
		add(arena, symbols, symbol);
		if (name[0] == '_') {
			add_demangled(arena, symbols, symbol, DMGL_NO_OPTS);
			add_demangled(arena, symbols, symbol, DMGL_PARAMS | DMGL_ANSI);
		}
	}
}

static void read_symbols(
	struct wm_arena *arena, struct wm_elf *file, struct wm_code_symbols *symbols)
{
	static const GElf_Word types[] = {SHT_SYMTAB, SHT_DYNSYM};
	for (size_t i = 0; i < 2 && symbols->count == 0; i++)
		for (Elf_Scn *section = NULL; (section = elf_nextscn(file->elf, section));) {
			GElf_Shdr header;
			if (gelf_getshdr(section, &header) && header.sh_type == types[i])
				read_table(arena, file, section, &header, symbols);
		}
	if (symbols->count == 0)
		return;
	symbols->by_start = wm_arena_alloc(arena, symbols->count, sizeof *symbols->by_start);
	memcpy(symbols->by_start, symbols->by_name, symbols->count * sizeof *symbols->by_name);
	qsort(symbols->by_name, symbols->count, sizeof *symbols->by_name, compare_names);
	qsort(symbols->by_start, symbols->count, sizeof *symbols->by_start, compare_starts);
}

static void read_segments(
	struct wm_arena *arena, struct wm_elf *file, struct wm_code_symbols *symbols)
{
	GElf_Ehdr head;
	size_t count = 0;
	symbols->fixed = gelf_getehdr(file->elf, &head) && head.e_type == ET_EXEC;
	if (elf_getphdrnum(file->elf, &count) != 0)
		count = 0;
	symbols->segments = wm_arena_alloc(arena, count + 1, sizeof *symbols->segments);
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr segment;
		if (!gelf_getphdr(file->elf, (int)i, &segment) || segment.p_type != PT_LOAD ||
			!(segment.p_flags & PF_X))
			continue;
		symbols->segments[symbols->segment_count++] = (struct wm_code_segment){
			segment.p_vaddr, segment.p_offset, segment.p_filesz};
	}
}

int wm_code_symbols_read(struct wm_arena *arena, const char *path, const struct wm_build_id *id,
	struct wm_code_symbols *symbols, struct wm_error *error)
{
	struct wm_elf file;
	struct wm_object_parts parts;
	*symbols = (struct wm_code_symbols){.count = 0};
	int status = wm_elf_open(&file, path, error);
	if (status == 0)
		status = wm_object_parts_read(&file, &parts, error);
	if (status == 0 && !wm_build_id_equal(&parts.build_id, id))
		status = wm_error_set(error, WM_ERROR_MISMATCH,
			"%s is another build than the one that was counted; name a copy of that "
			"one "
			"with --binary=PATH",
			path);
	if (status == 0) {
		read_segments(arena, &file, symbols);
		read_symbols(arena, &file, symbols);
	}
	if (status == 0 && symbols->count == 0)
		status = wm_error_set(error, WM_ERROR_MISMATCH,
			"%s has no symbols: samples cannot be laid onto it; do not strip it", path);
	wm_elf_close(&file);
	return status;
}

/* In by_name, the first that is not before the word. */
static size_t first_of(const struct wm_code_symbols *symbols, struct wm_perf_word word)
{
	size_t low = 0, high = symbols->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const char *name = symbols->by_name[middle].name;
		int order = strncmp(name, word.text, word.length);
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The innermost symbol that holds the address. */
static const struct wm_code_symbol *at(const struct wm_code_symbols *symbols, uint64_t address)
{
	enum { LOOK_BACK = 64 };
	size_t low = 0, high = symbols->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (symbols->by_start[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	for (size_t i = low; i > 0 && low - i < LOOK_BACK; i--)
		if (address - symbols->by_start[i - 1].start < symbols->by_start[i - 1].size)
			return &symbols->by_start[i - 1];
	return NULL;
}

static bool from_offset(const struct wm_code_symbols *symbols, uint64_t offset, uint64_t *address)
{
	for (size_t i = 0; i < symbols->segment_count; i++) {
		const struct wm_code_segment *segment = &symbols->segments[i];
		if (offset - segment->offset >= segment->bytes)
			continue;
		*address = offset - segment->offset + segment->address;
		return true;
	}
	return false;
}

/* Of a sample without a symbol. */
static bool from_address(const struct wm_code_symbols *symbols, uint64_t told, uint64_t *address)
{
	for (size_t i = 0; i < symbols->segment_count && symbols->fixed; i++) {
		if (told - symbols->segments[i].address >= symbols->segments[i].bytes)
			continue;
		*address = told;
		return true;
	}
	return from_offset(symbols, told, address);
}

/* How many addresses in the symbol the sample may have, and the first of them. */
static uint64_t places_in(
	const struct wm_code_symbol *symbol, const struct wm_perf_sample *sample, uint64_t *address)
{
	uint64_t skip = (sample->address - symbol->start) % PAGE;
	if (!sample->has_offset) {
		*address = symbol->start + skip;
		return skip < symbol->size ? (symbol->size - skip - 1) / PAGE + 1 : 0;
	}
	*address = symbol->start + sample->offset;
	return sample->offset < symbol->size && sample->offset % PAGE == skip;
}

static const struct wm_code_symbol *find_named(const struct wm_code_symbols *symbols,
	const struct wm_perf_sample *sample, uint64_t *address)
{
	const struct wm_code_symbol *found = NULL;
	struct wm_perf_word word = sample->symbol;
	for (size_t i = first_of(symbols, word); i < symbols->count; i++) {
		const struct wm_code_symbol *symbol = &symbols->by_name[i];
		uint64_t place, places;
		if (strncmp(symbol->name, word.text, word.length) != 0 || symbol->name[word.length])
			break;
		if (found && found->start == symbol->start)
			continue; /* one function of two tables, or names */
		places = places_in(symbol, sample, &place);
		if (places == 0)
			continue;
		if (found)
			return NULL;
		found = symbol;
		*address = places == 1 ? place : UINT64_MAX;
	}
	return found;
}

const struct wm_code_symbol *wm_code_symbols_find(const struct wm_code_symbols *symbols,
	const struct wm_perf_sample *sample, uint64_t *address)
{
	if (sample->has_object_offset)
		return from_offset(symbols, sample->object_offset, address) ? at(symbols, *address)
									    : NULL;
	if (sample->symbol.length > 0)
		return find_named(symbols, sample, address);
	return from_address(symbols, sample->address, address) ? at(symbols, *address) : NULL;
}
