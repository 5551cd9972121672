/* Build-ids: the linker's identity of an object. A profile belongs to exactly one. */
#ifndef WM_PROFILE_BUILD_ID_H
#define WM_PROFILE_BUILD_ID_H

#include <stdbool.h>
#include <stdint.h>

#include "format/profile_file.h"

struct wm_build_id {
	uint32_t bytes; /* at most WM_BUILD_ID_BYTES */
	uint8_t byte[WM_BUILD_ID_BYTES];
};

struct wm_build_id_text {
	char text[2 * WM_BUILD_ID_BYTES + 1]; /* hexadecimal, or "none" */
};

bool wm_build_id_equal(const struct wm_build_id *left, const struct wm_build_id *right);

struct wm_build_id_text wm_build_id_text(const struct wm_build_id *id);

#endif
