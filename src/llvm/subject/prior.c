/* Finding functions in a prior, and weights from their counts. */
#include "llvm/subject/prior.h"

#include <string.h>

/* What is left of the compiler's expectation: enough to decide between what never ran. */
static const double trace = 1e-6;

static bool same_graph(
	const struct wm_prior_function *known, const struct wm_function *function, uint64_t graph)
{
	return known->block_count == function->block_count &&
	       known->edge_count == function->edge_count && known->graph == graph;
}

const struct wm_prior_function *wm_prior_find(
	struct wm_arena *arena, const struct wm_prior *prior, const struct wm_function *function)
{
	uint64_t graph = wm_prior_graph_hash(function);
	uint32_t number = wm_prior_first(prior, function->name);
	struct wm_prior_record record, *found = NULL;
	bool same_file = false;
	while (!same_file && wm_prior_next(arena, prior, function->name, &number, &record)) {
		if (!same_graph(&record.function, function, graph))
			continue;
		same_file = !strcmp(record.function.file, function->scopes[0].file);
		if (found && !same_file)
			continue;
		found = wm_arena_alloc(arena, 1, sizeof *found);
		*found = record;
	}
	return found && wm_prior_counts(arena, found) ? &found->function : NULL;
}

bool wm_prior_was_peeled(const struct wm_prior *prior, const char *name, bool otherwise)
{
	struct wm_arena scratch = {0};
	struct wm_prior_record record;
	uint32_t number = wm_prior_first(prior, name);
	bool found = wm_prior_next(&scratch, prior, name, &number, &record);
	wm_arena_reset(&scratch);
	return found ? record.function.flags & WM_PRIOR_PEELED : otherwise;
}

/* After a fork, counts of what did not come back may be negative. */
static double executions(uint64_t count, uint64_t calls)
{
	return (int64_t)count > 0 ? (double)count / (double)calls : 0;
}

/* By vertex: what is expected of all edges that leave it. */
static double *expected_of_vertices(
	struct wm_arena *scratch, const struct wm_function *function, const double *expected)
{
	double *sum = wm_arena_alloc(scratch, (size_t)function->block_count + 1, sizeof(*sum));
	for (uint32_t e = 0; e < function->edge_count; e++)
		sum[function->edge_source[e]] += expected[e];
	return sum;
}

/* Where only blocks were counted, their executions are shared out as the compiler expects. */
static void share_out_blocks(const struct wm_prior_function *known,
	const struct wm_function *function, uint64_t calls, double *edge_weight)
{
	struct wm_arena scratch = {0};
	const double *sum = expected_of_vertices(&scratch, function, edge_weight);
	for (uint32_t e = 0; e < function->edge_count; e++) {
		uint32_t source = function->edge_source[e];
		if (source != function->block_count && sum[source] > 0)
			edge_weight[e] *=
				trace + executions(known->block[source], calls) / sum[source];
	}
	wm_arena_reset(&scratch);
}

void wm_prior_weigh(const struct wm_prior_function *known, const struct wm_function *function,
	double *edge_weight, double *vertex_weight)
{
	uint64_t calls = (int64_t)known->block[0] > 0 ? known->block[0] : 1;
	if (!known->edge)
		share_out_blocks(known, function, calls, edge_weight);
	for (uint32_t e = 0; known->edge && e < function->edge_count; e++)
		edge_weight[e] = trace * edge_weight[e] + executions(known->edge[e], calls);
	for (uint32_t v = 0; v < function->block_count; v++)
		vertex_weight[v] = trace * vertex_weight[v] + executions(known->block[v], calls);
}
