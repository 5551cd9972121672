/* The interesting paths of a function as a tree of their prefixes.
 *
 * A node is a prefix; its edge is the prefix's last one. Node 0 is the empty prefix. Nodes stand
 * behind their parents. The nodes of one edge are listed together. */
#ifndef WM_CORE_PATH_TRIE_H
#define WM_CORE_PATH_TRIE_H

#include "core/paths/paths.h"

struct wm_path_trie {
	uint32_t path_count;
	uint32_t node_count;
	uint32_t *parent;     /* by node; WM_NONE for node 0 */
	uint32_t *edge;	      /* by node: of the paths' graph; WM_NONE for node 0 */
	uint32_t *edge_start; /* by edge of the paths' graph: its nodes are edge_node[edge_start[e]
				 .. edge_start[e+1]-1] */
	uint32_t *edge_node;
	uint32_t *leaf; /* by path, in the order given: its last node */
};

/* The paths' numbers are below paths->count and need not be sorted. */
struct wm_path_trie wm_path_trie_build(struct wm_arena *arena, const struct wm_paths *paths,
	const uint64_t *numbers, uint32_t count);

#endif
