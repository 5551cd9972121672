/* Tests and field, read and compared. An error ends the tool with one line. */
#ifndef WM_CLI_RESIDUAL_SIDES_H
#define WM_CLI_RESIDUAL_SIDES_H

#include "report/residual.h"

struct wm_residual_sides {
	const char *tested; /* --tested: sets, stores, profiles and folders, with commas;
				or none */
	const char *accept; /* --accept, or NULL */
	bool across_shape;
	const char *binary; /* of the field, or NULL */

	/* Filled in. */
	struct wm_ran_paths tests, field, accepted;
	size_t profile_count;
	struct wm_profile *profiles; /* of the field */
	struct wm_residual_request request;
};

/* The words are profiles of the field. */
void wm_residual_sides_read(struct wm_arena *arena, const char *command, char **words,
	size_t count, struct wm_residual_sides *sides, struct wm_residual *residual);

#endif
