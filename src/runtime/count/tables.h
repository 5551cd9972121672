/* Counting by key: exact counts of (site, key) for sites with too many keys for an array.
 *
 * Instrumented code calls
 *
 *	__waymark_count(const uint64_t *site, const uint64_t *entry);
 *
 * where `site` is the static address of a counter of the same object, which gives the table its
 * name, and `entry` is where the key would be counted in an array that started there: the key is
 * the distance of the two, in counters. Neither is ever touched. The function keeps all general
 * registers but rax, rdx and r11, its arguments included, and all vector registers; flags are lost.
 * That is LLVM's preserve_all for a function that returns two words, which mean nothing. It can
 * also be called as an ordinary C function. It takes no stack if the key is known, and some
 * kilobytes if it is new.
 *
 * It may be called from the first instruction of a program on (but not by an ifunc resolver of a
 * statically linked program, which runs before there is thread-local storage), by any thread, in
 * handlers of signals, between fork or vfork and exec. Each thread has tables of its own, as levels
 * (level.h); all of them are extents, or memory where that cannot be used.
 */
#ifndef WM_RUNTIME_TABLES_H
#define WM_RUNTIME_TABLES_H

#include "runtime/count/level.h"

void __waymark_count(const uint64_t *site, const uint64_t *entry);

/* The same as a function of C alone, for any key. */
void wm_table_count(const uint64_t *site, uint64_t key);

/* What the start of the runtime calls; may be called again. */
void wm_table_start(void);

/* What places are relative to; 0 before the runtime has started. */
extern uint64_t wm_table_origin;

/* The level that the calling thread counts into, or NULL. */
extern __thread struct wm_level *wm_table_current
	__attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Which tables the calling thread counts into, or NULL without memory. Under the state's lock, once
 * the runtime has started. */
struct wm_key_table *wm_table_of_caller(void);

/* A cell for a key that is not in the thread's newest level: in a larger one if need be. NULL if it
 * is not to be counted, or is lost. Takes the state's lock. */
struct wm_table_cell *wm_table_make_room(uint64_t place, uint64_t key);

/* The same for cells that are not found by key: claims an extent for them, in memory if it must be.
 * Returns -1 without memory. */
int wm_table_claim(const struct wm_extent_wish *wish, struct wm_extent *extent);

/* Visits all of these, NULL if there are none: they are in the sum of all tables. */
extern int (*wm_table_others)(int (*visit)(const struct wm_table_cell *cells, uint64_t count));

/* Where the file cannot be opened any more: moves counts to a level of the calling thread that is
 * mapped. Returns -1 if not all could be moved. */
int wm_table_receive(struct wm_table_cell *cells, uint64_t count);

#endif
