/* The same tree where calls of one function from several sites of a context are not told apart. */
#ifndef WM_CORE_CONTEXTS_BY_FUNCTION_H
#define WM_CORE_CONTEXTS_BY_FUNCTION_H

#include "core/contexts/contexts.h"

/* Sites of the outside stay, the others are 0. Chains lose their loops by functions alone, so
 * contexts that become equal are added up and nothing else changes. */
struct wm_contexts_by_function {
	struct wm_contexts contexts;
	const uint32_t *record_of; /* by record of the tree by sites */
};

struct wm_contexts_by_function wm_contexts_merge_sites(
	struct wm_arena *arena, const struct wm_contexts *contexts);

/* By record of the merged tree, of figures by record of the other. */
uint64_t *wm_contexts_merge_figures(struct wm_arena *arena, const struct wm_contexts *contexts,
	const struct wm_contexts_by_function *merged, const uint64_t *figures);

#endif
