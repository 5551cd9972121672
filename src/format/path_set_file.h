/* Sets of paths that outlive a build: .wmp files.
 *
 * Text, a line per function, sorted, so that a set can be kept beside the sources and compared:
 *
 *	waymark paths 1
 *	# together, build-id 598ed753a98965ff, 412 runs
 *	price	/src/together.c	48ca490f	91c2d4e07a35bb10	0,3,17-25,31p
 *
 * The linker's name of the function, its file, the hash of its shape (names/path_name.h), the hash
 * of its code (16 digits, zeros if it is not known), and the ids of its paths as rising ranges,
 * between tabs. `p` marks paths that were left early. In names a backslash stands before n, t and
 * another backslash, for a line end, a tab and itself. Lines that start with # are comments.
 */
#ifndef WM_FORMAT_PATH_SET_FILE_H
#define WM_FORMAT_PATH_SET_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base/arena.h"
#include "core/base/error.h"

#define WM_PATH_SET_FILE_ENDING ".wmp"

struct wm_saved_range {
	uint64_t first;
	uint64_t last; /* first, or larger */
	bool partial;
};

struct wm_saved_function {
	const char *name; /* as the linker knows it */
	const char *file; /* empty: not known */
	uint32_t shape;	  /* wm_path_cfg_hash */
	uint64_t code;	  /* of the description; 0: not known */
	size_t range_count;
	struct wm_saved_range *ranges; /* rising, none overlaps another */
};

struct wm_saved_paths {
	size_t count;
	struct wm_saved_function *functions; /* by rising name, file, shape and code; none twice */
};

/* Below zero, zero or above, as `left` stands before, beside or behind `right` in a set. */
int wm_saved_function_compare(
	const struct wm_saved_function *left, const struct wm_saved_function *right);

/* How many folders and names two paths have in common, from the right: 0 if even the files are
 * called differently. A tree of sources may stand elsewhere in another build. */
size_t wm_saved_file_likeness(const char *left, const char *right);

/* Reads the text, which is untrusted; `path` is for messages. WM_ERROR_INPUT: it is no such text,
 * or of another version, or not sorted; the text says in which line. */
int wm_saved_paths_parse(struct wm_arena *arena, const char *path, const char *text, size_t bytes,
	struct wm_saved_paths *saved, struct wm_error *error);

/* The same for a file. WM_ERROR_SYSTEM: it cannot be read. */
int wm_saved_paths_read(struct wm_arena *arena, const char *path, struct wm_saved_paths *saved,
	struct wm_error *error);

/* Writes the file's text; `about` becomes its comment. */
void wm_saved_paths_write(const struct wm_saved_paths *saved, const char *about, FILE *out);

/* The functions with this name; *count says how many they are. */
const struct wm_saved_function *wm_saved_paths_named(
	const struct wm_saved_paths *saved, const char *name, size_t *count);

#endif
