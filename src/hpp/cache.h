/* A cache: sets of lines, the least recently used line leaves, writes allocate, nothing is
 * prefetched. An access to two lines touches both and is at most one miss, which is cachegrind's
 * rule: with equal geometry the counts are equal.
 */
#ifndef WM_HPP_CACHE_H
#define WM_HPP_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wm_cache_shape {
	uint32_t bytes, ways, line;
};

struct wm_cache {
	struct wm_cache_shape shape;
	uint32_t set_mask, line_bits;
	uint64_t *tag; /* of each set, the last used first */
	uint64_t accesses, misses;
};

/* NULL, or what is wrong. */
const char *wm_cache_shape_check(const struct wm_cache_shape *shape);

size_t wm_cache_bytes(const struct wm_cache_shape *shape);

void wm_cache_init(struct wm_cache *cache, const struct wm_cache_shape *shape, void *memory);

/* Whether it is a miss. */
bool wm_cache_access(struct wm_cache *cache, uint64_t address, uint32_t bytes);

#endif
