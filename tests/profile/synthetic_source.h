/* Source records made by hand. */
#ifndef WM_TESTS_SYNTHETIC_SOURCE_H
#define WM_TESTS_SYNTHETIC_SOURCE_H

#include "core/base/arena.h"
#include "format/source.h"
#include "profile/source_records.h"

/* Of this text in /src/sum.c; the call in block 2 may not come back:
 *
 *	10	int sum(int n) {                blocks: 0
 *	11	        int s = 0;                      0
 *	12	        while (n > 0) {                 1
 *	13	                if (odd(n))             2
 *	14	                        s += n;         3
 *	15	                n--;                    4
 *	16	        }
 *	17	        return s;                       5
 *	18	}
 *
 * Edges: 0 to 1, 1 to 2 or 5, 2 to 3 or 4, 3 to 4, 4 to 1, 5 to EXIT. */
struct wm_source synthetic_sum(void);

/* A straight text of one block, line 5 of /src/NAME.c, which calls these functions once each. */
struct wm_source synthetic_straight(
	struct wm_arena *arena, const char *name, const char *const *callees, uint32_t count);

/* The records read back from what these write. */
struct wm_source_records synthetic_records(
	struct wm_arena *arena, const struct wm_source *const *sources, size_t count);

/* A body with its head, padded, as it stands in the section. */
struct synthetic_section {
	uint8_t *bytes;
	size_t count;
};
void synthetic_add_source(
	struct wm_arena *arena, struct synthetic_section *section, const struct wm_source *source);
void synthetic_add_keys(struct wm_arena *arena, struct synthetic_section *section, uint32_t magic,
	const uint64_t *keys, size_t count);

#endif
