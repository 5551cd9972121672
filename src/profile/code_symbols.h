/* The functions in an object's symbol table, by name and by address. */
#ifndef WM_PROFILE_CODE_SYMBOLS_H
#define WM_PROFILE_CODE_SYMBOLS_H

#include "profile/build_id.h"
#include "profile/perf_script.h"

struct wm_code_symbol {
	const char *name;   /* as samples may have it: the linker's, or as in the source */
	const char *linker; /* the linker's */
	uint64_t start;
	uint64_t size;
};

struct wm_code_symbols {
	size_t count;
	size_t capacity;
	struct wm_code_symbol *by_name;
	struct wm_code_symbol *by_start;
	bool fixed; /* is loaded where the file says (ET_EXEC) */
	size_t segment_count;
	struct wm_code_segment {
		uint64_t address, offset, bytes;
	} *segments; /* with code */
};

/* WM_ERROR_SYSTEM: the file cannot be read; WM_ERROR_INPUT: it is no ELF file; WM_ERROR_MISMATCH:
 * it is of another build, or has no symbols. */
int wm_code_symbols_read(struct wm_arena *arena, const char *path, const struct wm_build_id *id,
	struct wm_code_symbols *symbols, struct wm_error *error);

/* Where a sample lies in the object. Returns its symbol, or NULL if there is not exactly one that
 * it may be in. *address is that in the file, or UINT64_MAX where several in the symbol are
 * possible: perf prints addresses in memory, of which only the place in a page is known. */
const struct wm_code_symbol *wm_code_symbols_find(const struct wm_code_symbols *symbols,
	const struct wm_perf_sample *sample, uint64_t *address);

#endif
