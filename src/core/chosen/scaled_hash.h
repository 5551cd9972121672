/* The scaled hash: a table for path sums that needs no hash function (ours).
 *
 * Multiplication by an odd constant K is a bijection modulo 2^64, so the upper bits of sum * K are
 * a place for every sum, and the sum itself is the tag that tells those of one place apart. If the
 * sums that matter are known, K is searched so that they meet as rarely as possible. A sum whose
 * place is taken stands in a free place, linked to the one where it was expected. */
#ifndef WM_CORE_SCALED_HASH_H
#define WM_CORE_SCALED_HASH_H

#include <stdint.h>

#include "core/base/arena.h"

struct wm_scaled_hash {
	uint64_t multiplier; /* K, odd */
	uint32_t bits;	     /* the table has 2^bits slots; at least 1 */
	uint32_t *slot;	     /* by key: where it stands */
	uint32_t *next;	     /* by slot: where to look on, WM_NONE if nowhere */
	uint64_t extra;	     /* slots looked at in vain if each key is searched for once */
};

/* The slot where the search for any key begins. */
static inline uint32_t wm_scaled_hash_home(const struct wm_scaled_hash *hash, uint64_t key)
{
	return (uint32_t)(key * hash->multiplier >> (64 - hash->bits));
}

/* A table for these keys, all different, of which there are at most 2^28: at most three slots for
 * each (two for a single one). Keys with larger weights come first and are found first; weights may
 * be NULL. Tries some thousand multipliers, more if the keys meet often. */
void wm_scaled_hash_choose(struct wm_arena *arena, const uint64_t *keys, const double *weight,
	uint32_t count, struct wm_scaled_hash *hash);

#endif
