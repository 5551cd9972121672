/* The settings of LLVM's code generator that probes call for. Its defaults are tuned for code
 * without them; what each of these gains is in docs/experiments. */
#include "llvm/emit/code_generator.h"

#include <pthread.h>
#include <stddef.h>

#include "llvm/bridge/bridge.h"

struct setting {
	const char *option, *value;
	bool only_for_histories;
};

/* Of several values for one option the first counts. */
static const struct setting settings[] = {
	/* Paths counted by history make more code, and a value that lives nearly everywhere. With
	 * LLVM's defaults these four searches would take much longer and find nothing that runs
	 * less. */
	/* Blocks of a chain. */
	{.option = "ext-tsp-max-chain-size", .value = "8", .only_for_histories = true},
	/* Chains stay apart if one runs more often than the other by this factor. */
	{.option = "ext-tsp-max-merge-density-ratio", .value = "10", .only_for_histories = true},
	/* Equal ends of blocks are not looked for again when the blocks have an order. */
	{.option = "branch-fold-placement", .value = "false", .only_for_histories = true},
	/* Edges looked at for where a value could have a register. */
	{.option = "grow-region-complexity-budget", .value = "2000", .only_for_histories = true},
	/* Probes on edges are blocks of their own: LLVM's usual walk from block to block no longer
	 * finds the order with the fewest jumps. */
	{.option = "enable-ext-tsp-block-placement", .value = "true"},
	{.option = "ext-tsp-apply-without-profile", .value = "true"},
	/* Its search takes time that grows with these, and finds nothing better beyond them. */
	{.option = "ext-tsp-chain-split-threshold", .value = "16"},
	{.option = "ext-tsp-max-chain-size", .value = "32"},
	/* Instructions of a block that is copied instead of jumped to, at -O2 and at -O3: one more
	 * than usual, for the probe. */
	{.option = "tail-dup-placement-threshold", .value = "3"},
	{.option = "tail-dup-placement-aggressive-threshold", .value = "5"},
	/* The first use of a register that must be saved. LLVM takes it to be free; here it costs
	 * one access to memory in each call of the function. In units of 1/16384. */
	{.option = "regalloc-csr-first-time-cost", .value = "16384"},
};

/* This pass takes the square of the number of blocks. In functions of more blocks than this they
 * stay in the order that they have. With paths counted by history the interpreter of sqlite3, of
 * 2600 blocks, loses 0.002 of its instructions by that, and no time. With edges it would lose 0.007
 * of its time, so the limit is higher. With classic paths, when it has 4140 blocks, it would lose
 * 0.015 of its instructions, so the limit is above that. The interpreter of lua, of 1033 blocks,
 * would lose 0.03 of its time, though no instruction. */
static const char order_of_blocks[] = "Branch Probability Basic Block Placement";
enum {
	MAX_BLOCKS_TO_ORDER = 3000,
	MAX_BLOCKS_WITH_HISTORIES = 2000,
	MAX_BLOCKS_WITH_CLASSIC_PATHS = 5000
};

/* The linker compiles several modules at a time. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void wm_code_generator_prepare(LLVMModuleRef module, const struct wm_plugin_options *options)
{
	if (options->sentinels)
		return;
	bool paths = wm_measure_is(options->measure, WM_QUANTITY_PATHS, WM_PLACEMENT_OPTIMAL);
	bool classic = paths && options->classic_paths, histories = paths && !classic;
	wm_bridge_skip_pass(module, order_of_blocks,
		classic	    ? MAX_BLOCKS_WITH_CLASSIC_PATHS
		: histories ? MAX_BLOCKS_WITH_HISTORIES
			    : MAX_BLOCKS_TO_ORDER);
	pthread_mutex_lock(&mutex);
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		if (histories || !settings[i].only_for_histories)
			wm_bridge_prefer_option(settings[i].option, settings[i].value);
	pthread_mutex_unlock(&mutex);
}
