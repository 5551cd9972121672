/* Trees of calls: every activation, with what called it. */
#ifndef WM_TESTS_CALL_TREE_H
#define WM_TESTS_CALL_TREE_H

#include "core/contexts/contexts.h"
#include "support/random_graph.h"

enum { MAX_CALLS = 40, MAX_FUNCTIONS = 6, MAX_SITES = 3 };

/* Activations in the order in which they began. */
struct call_tree {
	uint32_t count;
	uint32_t parent[MAX_CALLS]; /* WM_NONE: called from outside */
	uint32_t function[MAX_CALLS];
	uint32_t site[MAX_CALLS]; /* in the parent's function */
};

/* "A(B(C)D)": letters are functions, brackets hold what they call. All sites are the same. */
struct call_tree parse_calls(const char *text);

/* Every call that is open calls again with equal chance. Without recursion, callees have greater
 * numbers than their callers. */
struct call_tree make_random_calls(struct random_source *source, bool recursive);

/* Each call counted once; by call: its record. */
struct wm_contexts follow_calls(
	struct wm_arena *arena, const struct call_tree *tree, uint32_t *record);

/* Whether the call is one of the function, or below one. */
bool is_active(const struct call_tree *tree, uint32_t call, uint32_t function);

#endif
