#include "study/edges.h"

#include <inttypes.h>
#include <stdlib.h>

static struct wm_edge *slot_of(
	const struct wm_edges *edges, uint64_t from, uint64_t to, bool stretch)
{
	uint64_t hash = (from * 3 + stretch) * UINT64_C(0x9E3779B97F4A7C15) ^
			to * UINT64_C(0xC2B2AE3D27D4EB4F);
	uint64_t slot = (hash ^ hash >> 29) & (edges->slots - 1);
	for (;; slot = (slot + 1) & (edges->slots - 1)) {
		struct wm_edge *edge = &edges->edge[slot];
		if (!edge->count ||
			(edge->from == from && edge->to == to && edge->stretch == stretch))
			return edge;
	}
}

static void grow(struct wm_edges *edges)
{
	struct wm_edge *old = edges->edge;
	uint64_t slots = edges->slots;
	edges->slots = slots ? 2 * slots : 1 << 14;
	edges->edge = calloc(edges->slots, sizeof *edges->edge);
	if (!edges->edge)
		abort();
	for (uint64_t i = 0; i < slots; i++)
		if (old[i].count)
			*slot_of(edges, old[i].from, old[i].to, old[i].stretch) = old[i];
	free(old);
}

static void count(struct wm_edges *edges, uint64_t from, uint64_t to, bool stretch, uint64_t missed)
{
	if (2 * edges->used >= edges->slots)
		grow(edges);
	struct wm_edge *edge = slot_of(edges, from, to, stretch);
	edges->used += edge->count == 0;
	edge->from = from;
	edge->to = to;
	edge->stretch = stretch;
	edge->count++;
	edge->mispredicted += missed;
}

static void take_branch(void *context, const struct wm_stream_branch *told)
{
	struct wm_edges *edges = context;
	const struct wm_branch *branch = &told->branch;
	if (!branch->taken)
		return;
	if (edges->since && edges->since <= branch->at)
		count(edges, edges->since, branch->at, true, 0);
	count(edges, branch->at, branch->to, false,
		branch->counts ? branch->counts[WM_HPP_EVENT_MISPREDICTIONS] : 0);
	edges->since = branch->to;
}

/* Nothing is known of what ran before. */
static void forget(void *context)
{
	((struct wm_edges *)context)->since = 0;
}

static void take_number(void *context, uint64_t number)
{
	(void)number;
	forget(context);
}

struct wm_stream_sink wm_edges_sink(struct wm_edges *edges)
{
	return (struct wm_stream_sink){.context = edges,
		.begin = take_number,
		.branch = take_branch,
		.thread = take_number,
		.signal = take_number,
		.sigreturn = forget,
		.gap = forget};
}

void wm_edges_write_bolt(const struct wm_edges *edges, const struct wm_hpp_profile *profile,
	const struct wm_hpp_object *object, FILE *out)
{
	for (uint64_t i = 0; i < edges->slots; i++) {
		const struct wm_edge *edge = &edges->edge[i];
		if (!edge->count || wm_hpp_object_at(profile, edge->from) != object ||
			wm_hpp_object_at(profile, edge->to) != object)
			continue;
		fprintf(out, "%c %" PRIx64 " %" PRIx64 " %" PRIu64, edge->stretch ? 'F' : 'B',
			edge->from - object->bias, edge->to - object->bias, edge->count);
		if (!edge->stretch)
			fprintf(out, " %" PRIu64, edge->mispredicted);
		fputc('\n', out);
	}
}

void wm_edges_free(struct wm_edges *edges)
{
	free(edges->edge);
	*edges = (struct wm_edges){0};
}
