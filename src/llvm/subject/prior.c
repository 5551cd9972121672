/* Finding functions in an earlier profile, and weights from their counts. */
#include "llvm/subject/prior.h"

#include <stdlib.h>
#include <string.h>

/* What is left of the compiler's expectation: enough to decide between what never ran. */
static const double trace = 1e-6;

static int compare_names(const void *left, const void *right)
{
	const struct wm_profile_function *const *a = left, *const *b = right;
	int order = strcmp((*a)->function->name, (*b)->function->name);
	return order ? order : (*a > *b) - (*a < *b);
}

int wm_prior_load(struct wm_arena *arena, const char *file, const char *binary,
	struct wm_prior *prior, struct wm_error *error)
{
	struct wm_file counts;
	int status = wm_file_read(arena, file, &counts, error);
	if (!status)
		status = wm_profile_make(arena, &counts, binary, &prior->profile, error);
	if (status)
		return status;
	uint32_t count = prior->profile.function_count;
	prior->by_name = wm_arena_alloc(arena, count, sizeof(*prior->by_name));
	for (uint32_t i = 0; i < count; i++)
		prior->by_name[i] = &prior->profile.functions[i];
	if (count)
		qsort(prior->by_name, count, sizeof(*prior->by_name), compare_names);
	return 0;
}

static bool same_graph(const struct wm_function *a, const struct wm_function *b)
{
	if (a->block_count != b->block_count || a->edge_count != b->edge_count)
		return false;
	for (uint32_t e = 0; e < a->edge_count; e++)
		if (a->edge_source[e] != b->edge_source[e] ||
			a->edge_target[e] != b->edge_target[e] ||
			(a->edge_flags[e] ^ b->edge_flags[e]) & WM_EDGE_ABANDONED)
			return false;
	return true;
}

/* The first of the sorted functions that has this name or a later one. */
static uint32_t first_of_name(const struct wm_prior *prior, const char *name)
{
	uint32_t low = 0, high = prior->profile.function_count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (strcmp(prior->by_name[middle]->function->name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct wm_profile_function *wm_prior_find(
	const struct wm_prior *prior, const struct wm_function *function)
{
	const struct wm_profile_function *found = NULL;
	for (uint32_t i = first_of_name(prior, function->name); i < prior->profile.function_count;
		i++) {
		const struct wm_function *known = prior->by_name[i]->function;
		if (strcmp(known->name, function->name))
			break;
		if (!same_graph(known, function))
			continue;
		if (!strcmp(known->scopes[0].file, function->scopes[0].file))
			return prior->by_name[i];
		if (!found)
			found = prior->by_name[i];
	}
	return found;
}

bool wm_prior_was_peeled(const struct wm_prior *prior, const char *name, bool otherwise)
{
	uint32_t i = first_of_name(prior, name);
	if (i == prior->profile.function_count || strcmp(prior->by_name[i]->function->name, name))
		return otherwise;
	return prior->by_name[i]->function->flags & WM_DESCRIPTION_PEELED;
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
static void share_out_blocks(
	const struct wm_profile_function *known, uint64_t calls, double *edge_weight)
{
	const struct wm_function *function = known->function;
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

void wm_prior_weigh(
	const struct wm_profile_function *known, double *edge_weight, double *vertex_weight)
{
	const struct wm_function *function = known->function;
	uint64_t calls = (int64_t)known->calls > 0 ? known->calls : 1;
	if (!known->edge)
		share_out_blocks(known, calls, edge_weight);
	for (uint32_t e = 0; known->edge && e < function->edge_count; e++)
		edge_weight[e] = trace * edge_weight[e] + executions(known->edge[e], calls);
	for (uint32_t v = 0; v < function->block_count; v++)
		vertex_weight[v] = trace * vertex_weight[v] + executions(known->block[v], calls);
}
