/* Where pieces of the text stand outside of macros, and which branches can be named by that: those
 * that one macro holds stand at one place. */
#ifndef WM_LLVM_SOURCE_PLACES_H
#define WM_LLVM_SOURCE_PLACES_H

#include "llvm/source/text.h"

enum wm_place_use {
	WM_PLACE_SHARED,  /* with other branches: the place says nothing of this one */
	WM_PLACE_WRITTEN, /* shared, but what is written at the place is this one's condition */
	WM_PLACE_OWN
};

struct wm_places {
	struct wm_text *text;
	const struct wm_coverage_function *mapping;
	enum wm_place_use *uses; /* by region; of branches */
	size_t branch_count;
	struct wm_source_place *branches; /* places of branches in the code, sorted */
};

struct wm_places wm_places_make(struct wm_text *text, const struct wm_coverage_function *mapping);

/* Where the region starts, or the macro that holds it. */
struct wm_source_place wm_places_outermost(struct wm_text *text,
	const struct wm_coverage_function *mapping, const struct wm_coverage_region *region);

/* Whether several branches stand at the place. */
bool wm_places_is_shared(const struct wm_places *places, const struct wm_source_place *place);

#endif
