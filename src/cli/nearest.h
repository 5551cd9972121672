/* What a mistyped word was probably meant to be. */
#ifndef WM_CLI_NEAREST_H
#define WM_CLI_NEAREST_H

#include <stddef.h>

/* Keeps the best candidate seen so far. A zeroed struct with `word` set is ready for use. */
struct wm_nearest {
	const char *word; /* as typed */
	const char *best; /* NULL: nothing is near enough to guess */
	size_t distance;  /* of best */
};

/* Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other.
 */
size_t wm_nearest_distance(const char *left, const char *right);

/* Makes the candidate the best if it is nearer than the best so far, and near at all. */
void wm_nearest_offer(struct wm_nearest *nearest, const char *candidate);

#endif
