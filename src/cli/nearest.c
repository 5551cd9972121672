/* Edit distance with swaps of neighbours (the most common mistake of all).
 *
 * Words longer than the table never match: no command or option comes close to that length. */
#include "cli/nearest.h"

#include <stdint.h>
#include <string.h>

enum { LONGEST_WORD = 62 };

static size_t smaller(size_t left, size_t right)
{
	return left < right ? left : right;
}

size_t wm_nearest_distance(const char *left, const char *right)
{
	size_t left_length = strlen(left), right_length = strlen(right);
	if (left_length > LONGEST_WORD || right_length > LONGEST_WORD)
		return SIZE_MAX;
	size_t row[LONGEST_WORD + 2][LONGEST_WORD + 2];
	for (size_t i = 0; i <= left_length; i++)
		row[i][0] = i;
	for (size_t j = 0; j <= right_length; j++)
		row[0][j] = j;
	for (size_t i = 1; i <= left_length; i++) {
		for (size_t j = 1; j <= right_length; j++) {
			size_t change = row[i - 1][j - 1] + (left[i - 1] != right[j - 1]);
			size_t best = smaller(change, 1 + smaller(row[i - 1][j], row[i][j - 1]));
			if (i > 1 && j > 1 && left[i - 1] == right[j - 2] &&
				left[i - 2] == right[j - 1])
				best = smaller(best, row[i - 2][j - 2] + 1);
			row[i][j] = best;
		}
	}
	return row[left_length][right_length];
}

void wm_nearest_offer(struct wm_nearest *nearest, const char *candidate)
{
	size_t distance = wm_nearest_distance(nearest->word, candidate);
	size_t tolerated = strlen(candidate) / 2;
	if (distance > tolerated || (nearest->best && distance >= nearest->distance))
		return;
	nearest->best = candidate;
	nearest->distance = distance;
}
