/* How often each taken branch went where, and which stretches between taken branches ran: what BOLT calls
 * a pre-aggregated profile. Exact, and without a processor that records branches. */
#ifndef WM_STUDY_EDGES_H
#define WM_STUDY_EDGES_H

#include <stdio.h>

#include "profile/hpp_profile.h"
#include "stream/stream.h"

struct wm_edge {
	uint64_t from, to, count, mispredicted;
	bool stretch; /* from..to ran straight through; else a branch */
};

struct wm_edges {
	struct wm_edge *edge; /* a hash table; count 0: free */
	uint64_t slots, used;
	uint64_t since;	 /* where the last taken branch of this thread went; 0: not known */
};

struct wm_stream_sink wm_edges_sink(struct wm_edges *edges);

/* Lines B FROM TO COUNT MISPREDICTED and F START END COUNT of those in the object, as addresses in its
 * file. */
void wm_edges_write_bolt(const struct wm_edges *edges, const struct wm_hpp_profile *profile,
	const struct wm_hpp_object *object, FILE *out);

void wm_edges_free(struct wm_edges *edges);

#endif
