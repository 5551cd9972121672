/* Which counts differ from run to run of one command, and why. */
#ifndef WM_CLI_RUN_TO_RUN_H
#define WM_CLI_RUN_TO_RUN_H

#include <stdio.h>

#include "report/snapshot.h"

struct wm_varying {
	size_t function;	    /* of the snapshot */
	struct wm_interval *counts; /* by kind: the smallest and the largest */
	const char *calls; /* what it calls that differs from run to run, or is called for that; or
			      an empty text */
};

struct wm_run_to_run {
	uint64_t runs;
	size_t count;
	struct wm_varying *varying; /* by how much the first kind varies */
	bool by_addresses;	    /* with fixed addresses they did not vary */
	bool has_threads;	    /* the program made some */
	int status;		    /* the first exit status that is not 0 */
};

/* Runs the command until it has run `runs` times, `first` included, and marks the functions of the
 * snapshot that vary. If some do, it runs with fixed addresses, too. */
void wm_run_to_run(struct wm_arena *arena, const char *command, char **words, const char *program,
	uint64_t runs, struct wm_snapshot *first, struct wm_run_to_run *result);

void wm_run_to_run_print(const struct wm_run_to_run *result, const struct wm_snapshot *snapshot,
	size_t top, FILE *out);

#endif
