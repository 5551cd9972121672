/* Comparison and printing of build-ids. */
#include "profile/build_id.h"

#include <stdio.h>
#include <string.h>

bool wm_build_id_equal(const struct wm_build_id *left, const struct wm_build_id *right)
{
	return left->bytes == right->bytes && memcmp(left->byte, right->byte, left->bytes) == 0;
}

struct wm_build_id_text wm_build_id_text(const struct wm_build_id *id)
{
	struct wm_build_id_text result = {"none"};
	for (uint32_t i = 0; i < id->bytes; i++)
		snprintf(result.text + 2 * i, 3, "%02x", id->byte[i]);
	return result;
}
