/* Sets of hashes: added one by one, then sorted once, then asked. */
#ifndef WM_REPORT_KEY_SET_H
#define WM_REPORT_KEY_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"

struct wm_key_set {
	size_t count;
	size_t capacity;
	uint64_t *list; /* sorted once all are there */
};

void wm_key_set_add(struct wm_arena *arena, struct wm_key_set *set, uint64_t key);

/* After the last is added: each key once, in order. */
void wm_key_set_sort(struct wm_key_set *set);

bool wm_key_set_has(const struct wm_key_set *set, uint64_t key);

/* Hashes of a hash and what comes behind it. */
uint64_t wm_key_mix(uint64_t hash, uint64_t number);
uint64_t wm_key_mix_text(uint64_t hash, const char *text);

#endif
