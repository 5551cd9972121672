/* The names of source files in DWARF 5's line tables, with the checksums of their texts. */
#ifndef WM_PROFILE_LINE_TABLE_H
#define WM_PROFILE_LINE_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/md5.h"

/* Contents of a section; NULL if it is not there. */
struct wm_bytes {
	const uint8_t *data;
	size_t count;
};

struct wm_line_table {
	struct wm_bytes lines;	      /* .debug_line */
	struct wm_bytes line_strings; /* .debug_line_str */
	struct wm_bytes strings;      /* .debug_str */
};

struct wm_checksum {
	const char *path; /* as the compiler has it, without double slashes and needless dots */
	struct wm_md5 md5;
};

struct wm_checksums {
	size_t count;
	size_t capacity;
	struct wm_checksum *list;
};

/* Adds the files of all tables that have checksums. The bytes are untrusted: a table that makes no
 * sense is left out. */
void wm_line_table_read(
	struct wm_arena *arena, const struct wm_line_table *table, struct wm_checksums *checksums);

/* The path without double slashes and needless dots, in the arena: paths of one file that compilers
 * write in different ways become the same text. */
char *wm_line_table_path(struct wm_arena *arena, const char *path);

#endif
