/* The brute-force oracle for paths: instrumented code calls it at each block, and it counts all
 * sequences of blocks that ran, by key (format/oracle_key.h). Ordinary C functions.
 */
#include "format/oracle_key.h"
#include "runtime/count/tables.h"

/* The block is entered with the path so far, by a cut edge or not; returns the path with it. */
uint64_t __waymark_oracle_enter(const uint64_t *site, uint64_t state, uint32_t block, uint32_t cut)
{
	if (cut) {
		wm_table_count(site, wm_oracle_end_key(state, block));
		state = WM_ORACLE_START;
	}
	state = wm_oracle_key(state, block);
	wm_table_count(site, state);
	return state;
}

/* The path leaves the function. */
void __waymark_oracle_end(const uint64_t *site, uint64_t state, uint32_t exit)
{
	wm_table_count(site, wm_oracle_end_key(state, exit));
}
