/* Numbers for keys: equal bytes have the same number, and numbers count from 0. */
#ifndef WM_CORE_INTERN_H
#define WM_CORE_INTERN_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"

struct wm_intern_key {
	const void *bytes;
	size_t count;
	uint64_t hash;
};

/* A struct with the arena set and the rest zero is empty. */
struct wm_intern {
	struct wm_arena *arena;
	uint32_t count;
	struct wm_intern_key *keys; /* by number, copied */
	size_t capacity;
	uint32_t *slot; /* a number + 1, or 0 */
	uint32_t slot_count;
};

/* The number of the key. If it is new, it is the count before the call. */
uint32_t wm_intern(struct wm_intern *intern, const void *bytes, size_t count);

uint32_t wm_intern_text(struct wm_intern *intern, const char *text);

#endif
