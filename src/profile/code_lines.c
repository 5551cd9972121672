/* Through libdw of elfutils, which also looks for separate debug files. */
#include "profile/code_lines.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <libiberty/demangle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Views ask for the same address several times. */
enum { LOOKED_UP = 1 << 12 };

struct symbol {
	GElf_Addr start, end;
	bool local; /* of several names of a function, users know the global one */
	const char *name;
};

/* Code of one source line. */
struct row {
	GElf_Addr start, end;
	const char *file;
	int line;
};

struct object {
	const struct wm_hpp_object *object;
	bool tried;
	Dwfl *dwfl;
	Dwfl_Module *module;
	struct symbol *symbols; /* by address; libdw would look through all of them each time */
	size_t symbol_count;
	bool has_rows;	  /* they were read */
	struct row *rows; /* by address */
	size_t row_count, row_capacity;
};

struct wm_code_lines {
	struct wm_arena *arena;
	const struct wm_hpp_profile *profile;
	struct object *objects;
	char *debug_path;
	Dwfl_Callbacks callbacks;
	char warning[512];
	struct {
		bool known;
		uint64_t address;
		struct wm_code_place place;
	} looked_up[LOOKED_UP]; /* by address; the last asked for */
};

struct wm_code_lines *wm_code_lines_open(
	struct wm_arena *arena, const struct wm_hpp_profile *profile)
{
	struct wm_code_lines *lines = wm_arena_alloc(arena, 1, sizeof *lines);
	lines->arena = arena;
	lines->profile = profile;
	lines->objects = wm_arena_alloc(arena, profile->objects + 1, sizeof *lines->objects);
	lines->callbacks = (Dwfl_Callbacks){.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
		.debuginfo_path = &lines->debug_path};
	for (uint64_t i = 0; i < profile->objects; i++)
		lines->objects[i].object = &profile->object[i];
	return lines;
}

static void warn(struct wm_code_lines *lines, const char *name, const char *why)
{
	if (!lines->warning[0])
		snprintf(lines->warning, sizeof lines->warning, "%s: %s; its lines are left out",
			name, why);
}

static bool is_that_build(struct object *object)
{
	const unsigned char *id;
	GElf_Addr address;
	int bytes = dwfl_module_build_id(object->module, &id, &address);
	const struct wm_hpp_object *told = object->object;
	return !told->id_bytes || (bytes > 0 && (uint32_t)bytes == told->id_bytes &&
					  memcmp(id, told->id, told->id_bytes) == 0);
}

static int by_start(const void *left, const void *right)
{
	const struct symbol *a = left, *b = right;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end < b->end ? 1 : -1;
	return a->local != b->local ? a->local - b->local : strcmp(a->name, b->name);
}

static void read_symbols(struct wm_code_lines *lines, struct object *object)
{
	int count = dwfl_module_getsymtab(object->module);
	if (count <= 0)
		return;
	object->symbols = wm_arena_alloc(lines->arena, (size_t)count, sizeof *object->symbols);
	for (int i = 1; i < count; i++) {
		GElf_Sym symbol;
		GElf_Addr start;
		const char *name = dwfl_module_getsym_info(
			object->module, i, &symbol, &start, NULL, NULL, NULL);
		unsigned type = GELF_ST_TYPE(symbol.st_info);
		bool is_code = type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE;
		if (!name || !name[0] || !is_code || symbol.st_shndx == SHN_UNDEF)
			continue;
		object->symbols[object->symbol_count++] = (struct symbol){start,
			start + symbol.st_size, GELF_ST_BIND(symbol.st_info) == STB_LOCAL, name};
	}
	qsort(object->symbols, object->symbol_count, sizeof *object->symbols, by_start);
}

static void open_object(struct wm_code_lines *lines, struct object *object)
{
	const char *name = wm_hpp_object_name(lines->profile, object->object);
	object->tried = true;
	if (name[0] != '/')
		return;
	object->dwfl = dwfl_begin(&lines->callbacks);
	if (!object->dwfl)
		return;
	dwfl_report_begin(object->dwfl);
	object->module = dwfl_report_elf(object->dwfl, name, name, -1, 0, false);
	dwfl_report_end(object->dwfl, NULL, NULL);
	if (!object->module) {
		warn(lines, name, "cannot be read");
		return;
	}
	if (!is_that_build(object)) {
		warn(lines, name, "is another build than the one that ran");
		object->module = NULL;
		return;
	}
	read_symbols(lines, object);
}

static struct object *object_at(struct wm_code_lines *lines, uint64_t address)
{
	const struct wm_hpp_object *found = wm_hpp_object_at(lines->profile, address);
	if (!found)
		return NULL;
	struct object *object = &lines->objects[found - lines->profile->object];
	if (!object->tried)
		open_object(lines, object);
	return object;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static const char *readable(struct wm_code_lines *lines, const char *name)
{
	char *text = cplus_demangle(name, DMGL_NO_OPTS);
	const char *kept = text ? wm_arena_copy_text(lines->arena, text) : name;
	free(text);
	return kept;
}

static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	const char *name =
		dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));
	return name ? name : dwarf_diename(die);
}

/* The scopes at the address, the innermost first. */
static size_t inlined_at(struct wm_code_lines *lines, struct object *object, Dwarf_Addr address,
	const char **names, size_t max)
{
	Dwarf_Addr bias;
	Dwarf_Die *unit = dwfl_module_addrdie(object->module, address, &bias), *scopes = NULL;
	size_t found = 0;
	int count = unit ? dwarf_getscopes(unit, address - bias, &scopes) : 0;
	for (int i = 0; i < count && found < max; i++) {
		if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram)
			break;
		if (dwarf_tag(&scopes[i]) == DW_TAG_inlined_subroutine && name_of(&scopes[i]))
			names[found++] = readable(lines, name_of(&scopes[i]));
	}
	if (count > 0)
		free(scopes);
	return found;
}

/* The innermost symbol that holds the address. */
static void add_symbol(struct wm_code_lines *lines, const struct object *object, GElf_Addr address,
	struct wm_code_place *place)
{
	enum { LOOK_BACK = 64 };
	size_t low = 0, high = object->symbol_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (object->symbols[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	for (size_t i = low; i > 0 && low - i < LOOK_BACK; i--) {
		const struct symbol *symbol = &object->symbols[i - 1];
		if (symbol->end <= address && symbol->start != address)
			continue;
		while (i > 1 && symbol[-1].start == symbol->start && symbol[-1].end == symbol->end)
			symbol--, i--; /* of several names the first */
		place->function = readable(lines, symbol->name);
		place->offset = address - symbol->start;
		return;
	}
}

static int by_address(const void *left, const void *right)
{
	const struct row *a = left, *b = right;
	return (a->start > b->start) - (a->start < b->start);
}

/* Functions that the linker dropped have address 0. */
static void read_unit(
	struct wm_code_lines *lines, struct object *object, Dwarf_Die *unit, Dwarf_Addr bias)
{
	Dwarf_Lines *table;
	size_t count;
	if (dwarf_getsrclines(unit, &table, &count) != 0)
		return;
	for (size_t i = 0; i + 1 < count; i++) {
		Dwarf_Line *line = dwarf_onesrcline(table, i);
		Dwarf_Addr start, end;
		int number = 0;
		bool ends = true;
		if (dwarf_lineaddr(line, &start) != 0 || start == 0 ||
			dwarf_lineaddr(dwarf_onesrcline(table, i + 1), &end) != 0 || end <= start ||
			dwarf_lineendsequence(line, &ends) != 0 || ends ||
			dwarf_lineno(line, &number) != 0)
			continue;
		object->rows = wm_arena_grow(lines->arena, object->rows, object->row_count,
			&object->row_capacity, sizeof *object->rows);
		object->rows[object->row_count++] = (struct row){
			start + bias, end + bias, dwarf_linesrc(line, NULL, NULL), number};
	}
}

/* Without a table of which unit has which addresses (.debug_aranges, which clang does not write),
 * libdw finds no line: then all units are read. */
static const struct row *find_row(
	struct wm_code_lines *lines, struct object *object, Dwarf_Addr address)
{
	Dwarf_Addr bias;
	size_t low = 0, high;
	if (!object->has_rows) {
		object->has_rows = true;
		for (Dwarf_Die *unit = NULL;
			(unit = dwfl_module_nextcu(object->module, unit, &bias));)
			read_unit(lines, object, unit, bias);
		if (object->row_count)
			qsort(object->rows, object->row_count, sizeof *object->rows, by_address);
	}
	for (high = object->row_count; low < high;) {
		size_t middle = low + (high - low) / 2;
		if (object->rows[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && address < object->rows[low - 1].end ? &object->rows[low - 1] : NULL;
}

static struct wm_code_place look_up(struct wm_code_lines *lines, uint64_t address)
{
	struct wm_code_place place = {.in_object = address};
	struct object *object = object_at(lines, address);
	if (!object)
		return place;
	place.object = base_name(wm_hpp_object_name(lines->profile, object->object));
	place.in_object = address - object->object->bias;
	if (!object->module)
		return place;
	GElf_Addr bias;
	if (!dwfl_module_getelf(object->module, &bias))
		return place;
	Dwarf_Addr here = place.in_object + bias;
	add_symbol(lines, object, here, &place);
	Dwfl_Line *line = dwfl_module_getsrc(object->module, here);
	int number = 0;
	const char *file = line ? dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL) : NULL;
	const struct row *row = line ? NULL : find_row(lines, object, here);
	if (row) {
		file = row->file;
		number = row->line;
	}
	if (file) {
		place.file = base_name(file);
		place.line = (unsigned)number;
	}
	return place;
}

struct wm_code_place wm_code_lines_at(struct wm_code_lines *lines, uint64_t address)
{
	size_t slot = address * UINT64_C(0x9E3779B97F4A7C15) >> 52;
	if (!lines->looked_up[slot].known || lines->looked_up[slot].address != address) {
		lines->looked_up[slot].place = look_up(lines, address);
		lines->looked_up[slot].address = address;
		lines->looked_up[slot].known = true;
	}
	return lines->looked_up[slot].place;
}

size_t wm_code_lines_inlined(
	struct wm_code_lines *lines, uint64_t address, const char **names, size_t max)
{
	struct object *object = object_at(lines, address);
	GElf_Addr bias;
	if (!object || !object->module || !dwfl_module_getelf(object->module, &bias))
		return 0;
	return inlined_at(lines, object, address - object->object->bias + bias, names, max);
}

const char *wm_code_lines_warning(struct wm_code_lines *lines)
{
	return lines->warning[0] ? lines->warning : NULL;
}

void wm_code_lines_close(struct wm_code_lines *lines)
{
	for (uint64_t i = 0; i < lines->profile->objects; i++)
		if (lines->objects[i].dwfl)
			dwfl_end(lines->objects[i].dwfl);
}
