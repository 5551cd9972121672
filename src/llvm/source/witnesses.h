/* What the places of a function's code say about the texts that it was made from: the section
 * `source` of its description. */
#ifndef WM_LLVM_SOURCE_WITNESSES_H
#define WM_LLVM_SOURCE_WITNESSES_H

#include "format/description.h"
#include "llvm/source/copies.h"

/* Requires: the marks are still in the captured code. `untouched`: the optimiser has not changed
 * the function's own text. NULL: the module has no source records. */
const struct wm_source_section *wm_witnesses_find(struct wm_arena *arena, struct wm_bridge *bridge,
	const struct wm_texts *texts, const struct wm_capture *capture, bool untouched);

#endif
