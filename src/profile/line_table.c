/* DWARF Version 5, section 6.2.4: each unit of .debug_line starts with its length and a header, in
 * which two lists stand, of directories and of files. In front of each list stands its format:
 * which facts each entry has, and in which form. A form says how many bytes a fact takes, so that
 * facts that are of no use here are passed over. The line programs behind the headers are not
 * looked at. Earlier versions have no checksums.
 */
#include "profile/line_table.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

enum { VERSION = 5, MAX_FACTS = 32 };

/* The names of section 7.22, table 7.27, and of section 7.5.6, table 7.6. */
enum { DW_LNCT_path = 1, DW_LNCT_directory_index = 2, DW_LNCT_MD5 = 5 };
enum {
	DW_FORM_data2 = 0x05,
	DW_FORM_data4 = 0x06,
	DW_FORM_data8 = 0x07,
	DW_FORM_string = 0x08,
	DW_FORM_block = 0x09,
	DW_FORM_data1 = 0x0b,
	DW_FORM_strp = 0x0e,
	DW_FORM_udata = 0x0f,
	DW_FORM_data16 = 0x1e,
	DW_FORM_line_strp = 0x1f
};

/* What is left of a unit, or of the section. Once something is missing, all reads give zero. */
struct cursor {
	const uint8_t *next;
	const uint8_t *end;
	bool failed;
};

struct unit {
	struct wm_arena *arena;
	const struct wm_line_table *table;
	struct cursor cursor;
	unsigned offset_bytes; /* of DWARF's two formats: 4 or 8 */
	size_t directory_count;
	const char **directories;
	struct wm_checksums *checksums;
};

struct fact {
	uint64_t content;
	uint64_t form;
};

/* One entry of a list. */
struct entry {
	const char *name;
	uint64_t directory;
	const uint8_t *md5;
};

static size_t left(const struct cursor *cursor)
{
	return (size_t)(cursor->end - cursor->next);
}

static const uint8_t *take(struct cursor *cursor, uint64_t bytes)
{
	const uint8_t *taken = cursor->next;
	if (cursor->failed || bytes > left(cursor)) {
		cursor->failed = true;
		return NULL;
	}
	cursor->next += bytes;
	return taken;
}

static uint64_t take_number(struct cursor *cursor, unsigned bytes)
{
	uint64_t number = 0;
	const uint8_t *taken = take(cursor, bytes);
	if (taken)
		memcpy(&number, taken, bytes);
	return number;
}

static uint64_t take_leb(struct cursor *cursor)
{
	uint64_t number = 0;
	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint64_t byte = take_number(cursor, 1);
		number |= (byte & 0x7f) << shift;
		if (byte < 0x80)
			return number;
	}
	cursor->failed = true;
	return 0;
}

/* A text with its end mark, at an offset of a section of texts. */
static const char *text_at(struct cursor *cursor, const struct wm_bytes *texts, uint64_t offset)
{
	if (offset < texts->count && memchr(texts->data + offset, 0, texts->count - offset))
		return (const char *)texts->data + offset;
	cursor->failed = true;
	return NULL;
}

static const char *take_text(struct cursor *cursor)
{
	const uint8_t *end = memchr(cursor->next, 0, left(cursor));
	return end ? (const char *)take(cursor, (uint64_t)(end + 1 - cursor->next))
		   : (const char *)take(cursor, UINT64_MAX);
}

static void take_name(struct unit *unit, uint64_t form, struct entry *entry)
{
	struct cursor *cursor = &unit->cursor;
	if (form == DW_FORM_string)
		entry->name = take_text(cursor);
	else if (form == DW_FORM_line_strp)
		entry->name = text_at(cursor, &unit->table->line_strings,
			take_number(cursor, unit->offset_bytes));
	else if (form == DW_FORM_strp)
		entry->name = text_at(
			cursor, &unit->table->strings, take_number(cursor, unit->offset_bytes));
	else
		cursor->failed = true;
}

static uint64_t take_form(struct unit *unit, uint64_t form)
{
	struct cursor *cursor = &unit->cursor;
	switch (form) {
	case DW_FORM_data1:
		return take_number(cursor, 1);
	case DW_FORM_data2:
		return take_number(cursor, 2);
	case DW_FORM_data4:
		return take_number(cursor, 4);
	case DW_FORM_data8:
		return take_number(cursor, 8);
	case DW_FORM_udata:
		return take_leb(cursor);
	case DW_FORM_data16:
		take(cursor, sizeof(struct wm_md5));
		return 0;
	case DW_FORM_block:
		take(cursor, take_leb(cursor));
		return 0;
	case DW_FORM_string:
		take_text(cursor);
		return 0;
	case DW_FORM_line_strp:
	case DW_FORM_strp:
		return take_number(cursor, unit->offset_bytes);
	default:
		cursor->failed = true;
		return 0;
	}
}

static struct entry take_entry(struct unit *unit, const struct fact *facts, uint64_t fact_count)
{
	struct entry entry = {.name = NULL};
	for (uint64_t i = 0; i < fact_count; i++) {
		if (facts[i].content == DW_LNCT_path)
			take_name(unit, facts[i].form, &entry);
		else if (facts[i].content == DW_LNCT_MD5 && facts[i].form == DW_FORM_data16)
			entry.md5 = take(&unit->cursor, sizeof(struct wm_md5));
		else if (facts[i].content == DW_LNCT_directory_index)
			entry.directory = take_form(unit, facts[i].form);
		else
			take_form(unit, facts[i].form);
	}
	return entry;
}

/* The format of a list, and how many entries it has. An entry without a name is of no use, and one
 * with a name takes a byte at least. */
static uint64_t take_format(struct unit *unit, struct fact *facts, uint64_t *fact_count)
{
	bool has_name = false;
	*fact_count = take_number(&unit->cursor, 1);
	if (*fact_count > MAX_FACTS)
		unit->cursor.failed = true;
	for (uint64_t i = 0; i < *fact_count && !unit->cursor.failed; i++) {
		facts[i].content = take_leb(&unit->cursor);
		facts[i].form = take_leb(&unit->cursor);
		has_name |= facts[i].content == DW_LNCT_path;
	}
	uint64_t count = take_leb(&unit->cursor);
	if (count > left(&unit->cursor) || (count > 0 && !has_name))
		unit->cursor.failed = true;
	return unit->cursor.failed ? 0 : count;
}

/* Directory 0 is that of the compilation; the others may be relative to it. A path that is too long
 * for a file would only take memory. */
static const char *join(struct unit *unit, const char *folder, const char *name)
{
	size_t folder_length = strlen(folder), length = strlen(name);
	if (name[0] == '/' || !folder_length)
		return name;
	if (folder_length + length > PATH_MAX) {
		unit->cursor.failed = true;
		return "";
	}
	char *path = wm_arena_alloc_unset(unit->arena, folder_length + length + 2, 1);
	memcpy(path, folder, folder_length);
	path[folder_length] = '/';
	memcpy(path + folder_length + 1, name, length + 1);
	return path;
}

static void read_directories(struct unit *unit)
{
	struct fact facts[MAX_FACTS];
	uint64_t fact_count, count = take_format(unit, facts, &fact_count);
	unit->directories = wm_arena_alloc(unit->arena, count, sizeof *unit->directories);
	for (uint64_t i = 0; i < count; i++) {
		const char *name = take_entry(unit, facts, fact_count).name;
		if (unit->cursor.failed)
			return;
		unit->directories[unit->directory_count++] =
			i == 0 ? name : join(unit, unit->directories[0], name);
	}
}

static void add_file(struct unit *unit, const struct entry *entry)
{
	struct wm_checksums *checksums = unit->checksums;
	if (!entry->md5 || entry->directory >= unit->directory_count)
		return;
	const char *path = join(unit, unit->directories[entry->directory], entry->name);
	if (unit->cursor.failed)
		return;
	checksums->list = wm_arena_grow(unit->arena, checksums->list, checksums->count,
		&checksums->capacity, sizeof *checksums->list);
	struct wm_checksum *checksum = &checksums->list[checksums->count++];
	checksum->path = wm_line_table_path(unit->arena, path);
	memcpy(checksum->md5.byte, entry->md5, sizeof checksum->md5.byte);
}

static void read_files(struct unit *unit)
{
	struct fact facts[MAX_FACTS];
	uint64_t fact_count, count = take_format(unit, facts, &fact_count);
	for (uint64_t i = 0; i < count; i++) {
		struct entry entry = take_entry(unit, facts, fact_count);
		if (unit->cursor.failed)
			return;
		add_file(unit, &entry);
	}
}

/* Everything between the unit's length and its two lists. */
static void read_unit(struct unit *unit)
{
	struct cursor *cursor = &unit->cursor;
	if (take_number(cursor, 2) != VERSION)
		return;
	take(cursor, 2);		  /* sizes of addresses and of segments' selectors */
	take(cursor, unit->offset_bytes); /* length of the header */
	take(cursor, 5); /* instructions, operations, is_stmt, lines' base and range */
	uint64_t opcodes = take_number(cursor, 1);
	take(cursor, opcodes > 0 ? opcodes - 1 : 0);
	read_directories(unit);
	read_files(unit);
}

void wm_line_table_read(
	struct wm_arena *arena, const struct wm_line_table *table, struct wm_checksums *checksums)
{
	struct cursor all = {.next = table->lines.data};
	all.end = table->lines.data ? table->lines.data + table->lines.count : NULL;
	while (all.next < all.end && !all.failed) {
		struct unit unit = {.arena = arena, .table = table, .checksums = checksums};
		uint64_t bytes = take_number(&all, 4);
		bool is_long = bytes == 0xffffffff;
		if (is_long)
			bytes = take_number(&all, 8);
		unit.offset_bytes = is_long ? 8 : 4;
		unit.cursor.next = take(&all, bytes);
		if (all.failed)
			return;
		unit.cursor.end = unit.cursor.next + bytes;
		read_unit(&unit);
	}
}

/* Whether a part of a path, between two slashes, says nothing. */
static bool is_needless(const char *part, size_t length)
{
	return length == 0 || (length == 1 && part[0] == '.');
}

char *wm_line_table_path(struct wm_arena *arena, const char *path)
{
	char *result = wm_arena_alloc_unset(arena, strlen(path) + 1, 1), *next = result;
	if (path[0] == '/')
		*next++ = '/';
	for (const char *part = path; *part;) {
		size_t length = strcspn(part, "/");
		if (!is_needless(part, length)) {
			if (next > result && next[-1] != '/')
				*next++ = '/';
			memcpy(next, part, length);
			next += length;
		}
		part += length + (part[length] == '/');
	}
	*next = '\0';
	return result;
}
