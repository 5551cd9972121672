/* The machine whose events are counted: caches, predictor, cycles and power, by fixed rules.
 *
 * A block is fetched instruction by instruction, each followed by its accesses to data. The events
 * of a block travel with the branch at its end (thesis, section 5.3), so those of a misprediction
 * are the branch's own.
 */
#ifndef WM_HPP_MACHINE_H
#define WM_HPP_MACHINE_H

#include "hpp/cache.h"
#include "hpp/predictor.h"

/* Costs of an access, in units of the cheapest. */
struct wm_power {
	uint32_t icache, dcache, l2, memory;
};

struct wm_machine_shape {
	struct wm_cache_shape l1i, l1d, l2;
	uint32_t width; /* instructions in a cycle */
	uint32_t l2_cycles, memory_cycles, misprediction_cycles;
	struct wm_power power;
	uint8_t small_predictor;
	struct wm_cache_shape other[WM_HPP_OTHERS]; /* second levels of which only misses are counted */
	uint32_t others;
};

struct wm_machine {
	struct wm_machine_shape shape;
	struct wm_cache l1i, l1d, l2, other[WM_HPP_OTHERS];
	struct wm_predictor predictor;
	uint64_t instructions, penalties, cycles;
};

/* The baseline of table 5.3. What it does not tell is ours: L2 lines of 64 bytes. */
extern const struct wm_machine_shape wm_machine_thesis;

/* 48 KB and 32 KB of 8 ways, 2 MB of 16, lines of 64 bytes, 6 instructions a cycle. */
extern const struct wm_machine_shape wm_machine_modern;

const char *wm_machine_check(const struct wm_machine_shape *shape);
size_t wm_machine_bytes(const struct wm_machine_shape *shape);
void wm_machine_init(struct wm_machine *machine, const struct wm_machine_shape *shape, void *memory);

/* One access; adds to the events of the block. */
void wm_machine_fetch(struct wm_machine *machine, uint64_t at, uint32_t bytes, uint32_t *events);
void wm_machine_data(struct wm_machine *machine, uint64_t at, uint32_t bytes, bool store, uint32_t *events);

/* The branch at the end of the block: what it mispredicted, and the block's cycles and power, for
 * which the instructions, loads and stores must be there. */
void wm_machine_branch(
	struct wm_machine *machine, const struct wm_branch *branch, uint32_t *events);

/* The same of a block without a branch. */
void wm_machine_block(struct wm_machine *machine, uint32_t instructions, uint32_t *events);

/* Power of n accesses of one cache in a cycle, in halves: two ports; figure 5.5 of the thesis. */
uint32_t wm_power_of_cycle(uint32_t cost, uint32_t accesses);

/* What an access of a cache costs, in those of a direct-mapped cache of 32 KB with lines of 32
 * bytes, by its geometry: ways x bits of a line x rows, of which at most 256 count. */
uint32_t wm_power_of_cache(const struct wm_cache_shape *shape);

#endif
