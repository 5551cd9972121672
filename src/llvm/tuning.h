/* Every tuned number of the plug-in. Prices of instructions are in core/cost/prices.h, settings of
 * LLVM's code generator in emit/code_generator.c. What was measured is in docs/experiments.
 */
#ifndef WM_LLVM_TUNING_H
#define WM_LLVM_TUNING_H

#include <stdint.h>

enum {
	/* Histories of a probe that have a counter each. Where more routes meet, paths are cut. */
	WM_MAX_ROUTES = 256,
	/* The same for classic paths, which go on in a prehistory. */
	WM_MAX_ROUTES_CLASSIC = 512,
	/* Routes into a loop that the one register still tells apart in all of its iterations. */
	WM_MAX_ROUTES_INTO_LOOP = 256,
	/* Counters that a function may have however little code it has. */
	WM_MIN_COUNTERS = 128,

	/* Instructions of a loop that runs no longer than a store and a load of the same word. A
	 * loop with several exits is mostly left after an iteration or two, so it must be shorter.
	 */
	WM_SHORT_LOOP_WITH_ONE_EXIT = 13,
	WM_SHORT_LOOP_WITH_SEVERAL_EXITS = 8,
	/* In functions of more blocks, values lack registers even without counters. */
	WM_MAX_BLOCKS_WITH_LOOP_REGISTERS = 200,
	/* Exits of a loop that get a flush each. */
	WM_MAX_LOOP_EXITS = 16,

	/* In functions of more blocks the jumps that copies save count for more. */
	WM_MAX_BLOCKS_TO_HOLD = 200,
	/* Blocks of more instructions are not copied anyway. */
	WM_MAX_INSTRUCTIONS_TO_HOLD = 8,

	/* Instructions by which any module may grow for paths that cross calls. */
	WM_SEGMENTS_MIN_GROWTH = 1000,

	/* Selected paths of a function; where there are more, all paths are counted. */
	WM_MAX_SELECTED_PATHS = 256,
	/* Paths that get counters of their own although nobody knows which of them run. */
	WM_MAX_NAMED_PATHS = 4096,
	/* Tested paths of a function with sentinels. */
	WM_MAX_TESTED_PATHS = 65536,
	/* Sums below this are numbers of counters. */
	WM_MAX_SUM_IN_ARRAY = 256,
	/* Preferred paths by intervals: beyond these limits intervals do not pay. */
	WM_MAX_PREFERRED_PATHS = 1024,
	WM_MAX_PREFERRED_SLOTS = 1 << 14,
	WM_MAX_PREFERRED_LOWER_BITS = 18,
	WM_PREFERRED_ORDERS_TO_TRY = 32,

	/* Metrics: the paths of a shorter innermost loop have one cost together. */
	WM_MAX_INSTRUCTIONS_OF_GROUP = 100
};

/* A file holds the counters three times from the second run on (two totals and a thread), and takes
 * at most twice the room of the code. An instruction takes about eight bytes of it. Classic paths
 * would go to tables instead, which costs too much time. */
static const double wm_max_counters_per_instruction = 0.5;

/* Prehistories of classic paths. A path that goes on through more hardly ever runs twice. */
static const uint64_t wm_max_prehistories = (uint64_t)1 << 28;

/* Paths of a function that sums can tell apart: a sum travels in the register, times 8, beside an
 * address. */
static const uint64_t wm_max_paths_by_sums = (uint64_t)1 << 40;

/* Iterations for each entry of a loop before a register pays for its flush. LLVM expects 32 of
 * loops that are left at one place, 16 at two places, and so on, whatever the loop does. A loop
 * that looks for something in a list often finds it sooner. So a longer loop must also be stepped.
 */
static const double wm_min_iterations_of_short_loop = 8; /* as LLVM expects */
static const double wm_min_iterations_measured = 16;
static const double wm_min_iterations_expected = 30; /* as LLVM expects of a longer loop */

#endif
