/* Objects and .wmk files made for tests, byte by byte after the format's description. */
#ifndef WM_TESTS_SYNTHETIC_H
#define WM_TESTS_SYNTHETIC_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "format/description.h"
#include "format/profile_file.h"
#include "profile/profile.h"

/* A loop: blocks 0 -> 1, 1 -> 1, 1 -> 2, 2 -> EXIT; counters on edge 1 (the loop) and edge 3 (the
 * return). Block 0 is line 10, block 1 is lines 11 and 12, block 2 is line 13 of /src/loop.c; they
 * have 1, 5 and 2 instructions. */
struct wm_function synthetic_loop(const char *name);

/* A loop with an if, cut as --paths=auto does, and a profile of it. Blocks 0 -> 1, 1 -> 2 or 5,
 * 2 -> 3 or 4, 3 -> 4, 4 -> 1 or, in a call that does not come back, EXIT, 5 -> EXIT; lines 20, 21,
 * 22, 23 and 24, 26, 28 of /src/walk.c; 1, 2, 3, 4, 5 and 1 instructions. Six paths: 0 and 1 run
 * through 1 2 3 4 and are left early or turn, 2 and 3 the same through 1 2 4, 4 is 1 5 and 5 is 0.
 * It was called twice: path 1 ran 10 times, 3 five times, 5 twice, 4 and the partial 0 once. */
struct wm_function synthetic_walk(const char *name);
struct wm_profile_function synthetic_walk_profile(const struct wm_function *walk);

/* Three blocks in a row, lines 40 to 42, each a path of its own: 2, 0 and 1 in this order. Called 7
 * times. One instruction each. */
struct wm_function synthetic_chain(const char *name);
struct wm_profile_function synthetic_chain_profile(const struct wm_function *chain);

struct synthetic_object {
	const struct wm_function *functions;
	size_t function_count;
	uint8_t build_id; /* each of its 20 bytes */
	int without_build_id;
	int without_description;
};

/* Writes an ELF shared object. Function number k has its counters after those of the functions
 * before. */
void synthetic_write_object(const char *path, const struct synthetic_object *object);

/* A chunk of one unit after the two of totals. */
struct synthetic_block {
	uint8_t kind; /* 0: counters, or free if its state is 0 */
	uint32_t state;
	uint64_t counter; /* value of every counter */
	uint32_t thread;
	uint32_t ended;
	uint32_t status;
	uint32_t process; /* 0: 77, of a namespace that nobody knows */
};

struct synthetic_file {
	const char *object_path;
	uint8_t build_id; /* each of its 20 bytes */
	size_t counter_count;
	uint64_t totals[2]; /* value of every counter of each totals block */
	uint64_t runs[2];
	uint64_t cut_short[2];
	uint32_t status[2];
	uint64_t commit;
	const struct synthetic_block *blocks;
	size_t block_count;
};

/* Writes the file; the header is consistent, whatever the rest says, and so are the checksums of
 * totals with a run. A block's process is of this program's namespace if it is given. */
void synthetic_write_file(const char *path, const struct synthetic_file *file);

/* Sets one counter of a block (0 and 1 are the totals) of a written file, but no checksum. */
void synthetic_set_counter(
	const char *path, size_t counter_count, size_t block, size_t counter, uint64_t value);

/* Whole files in and out; the bytes are the caller's to free. */
uint8_t *synthetic_slurp(const char *path, size_t *bytes);
void synthetic_spill(const char *path, const uint8_t *bytes, size_t count);

/* Changes a file in place. */
void synthetic_cut(const char *path, size_t bytes);
void synthetic_flip(const char *path, size_t byte, uint8_t bits);

/* Before and after a group of tests: makes a folder of its own for them and goes there, and removes
 * it. */
int synthetic_enter(void **state);
int synthetic_leave(void **state);

#endif
