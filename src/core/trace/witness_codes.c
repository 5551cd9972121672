/* A walk against the free edges from a witness meets every predicate that may see it come next, and
 * the out-edge that leads to it. Two routes to one predicate are what a solution must not have. */
#include "core/trace/witness_codes.h"

#include "core/base/none.h"
#include "core/base/order.h"

enum { ROW = WM_WITNESS_MAX_CODE + 1 };

/* A vertex from which one witness, or a stop, is the next; `edge` is the out-edge that leads there.
 */
struct seen {
	uint32_t vertex;
	uint32_t edge;
};

struct coding {
	const struct wm_trace_problem *problem;
	const bool *witness;
	struct wm_witness_codes *codes;
	struct wm_error *error;
	struct seen *seen; /* of the present walk */
	uint32_t seen_count;
	uint32_t *last_walk; /* by vertex: the latest walk that met it */
	uint32_t walk;
};

static int refuse_routes(const struct coding *coding, uint32_t vertex)
{
	return wm_error_set(coding->error, WM_ERROR_UNSOLVABLE,
		"the witnesses do not tell where control goes from %s: two routes from there write "
		"the same",
		wm_trace_name_of(coding->problem, vertex).text);
}

/* Notes that `edge` leads from its source to what the walk started from. */
static int meet(struct coding *coding, uint32_t edge)
{
	uint32_t v = coding->problem->cfg->source[edge];
	if (coding->last_walk[v] == coding->walk)
		return coding->problem->predicate[v] ? refuse_routes(coding, v) : 0;
	coding->last_walk[v] = coding->walk;
	coding->seen[coding->seen_count++] = (struct seen){v, edge};
	return 0;
}

static int meet_free_edges_into(struct coding *coding, uint32_t vertex)
{
	const struct wm_cfg *cfg = coding->problem->cfg;
	int status = 0;
	for (uint32_t i = cfg->in_start[vertex]; status == 0 && i < cfg->in_start[vertex + 1];
		i++) {
		uint32_t e = cfg->in_edge[i];
		if (e != wm_cfg_closing_edge(cfg) && !coding->witness[e])
			status = meet(coding, e);
	}
	return status;
}

static int walk_back(struct coding *coding)
{
	int status = 0;
	for (uint32_t i = 0; status == 0 && i < coding->seen_count; i++)
		status = meet_free_edges_into(coding, coding->seen[i].vertex);
	return status;
}

static void begin_walk(struct coding *coding)
{
	coding->walk++;
	coding->seen_count = 0;
}

static uint32_t *entry(const struct coding *coding, uint32_t vertex, uint32_t code)
{
	return &coding->codes->next[(size_t)coding->codes->row[vertex] * ROW + code];
}

static bool fits(const struct coding *coding, uint32_t code)
{
	for (uint32_t i = 0; i < coding->seen_count; i++) {
		const struct seen *seen = &coding->seen[i];
		if (!coding->problem->predicate[seen->vertex])
			continue;
		uint32_t taken = *entry(coding, seen->vertex, code);
		if (taken != WM_NONE && taken != seen->edge)
			return false;
	}
	return true;
}

static void enter(const struct coding *coding, uint32_t code)
{
	for (uint32_t i = 0; i < coding->seen_count; i++)
		if (coding->problem->predicate[coding->seen[i].vertex])
			*entry(coding, coding->seen[i].vertex, code) = coding->seen[i].edge;
}

static int give_code(struct coding *coding, uint32_t edge)
{
	uint32_t code = WM_WITNESS_END + 1;
	begin_walk(coding);
	if (meet(coding, edge) < 0 || walk_back(coding) < 0)
		return WM_ERROR_UNSOLVABLE;
	while (code <= WM_WITNESS_MAX_CODE && !fits(coding, code))
		code++;
	if (code > WM_WITNESS_MAX_CODE)
		return wm_error_set(coding->error, WM_ERROR_UNSOLVABLE,
			"the function needs more than %d different witnesses", WM_WITNESS_MAX_CODE);
	enter(coding, code);
	coding->codes->code[edge] = (uint8_t)code;
	if (code > coding->codes->max_code)
		coding->codes->max_code = code;
	return 0;
}

static int give_codes(struct wm_arena *scratch, struct coding *coding)
{
	const struct wm_trace_problem *problem = coding->problem;
	const uint32_t *order =
		wm_order_by_weight(scratch, problem->weight, problem->cfg->edge_count, false);
	int status = 0;
	for (uint32_t i = 0; status == 0 && i < problem->cfg->edge_count; i++)
		if (coding->witness[order[i]])
			status = give_code(coding, order[i]);
	return status;
}

static int refuse_stop(const struct coding *coding, uint32_t predicate, uint32_t stop)
{
	return wm_error_set(coding->error, WM_ERROR_UNSOLVABLE,
		"no witness stands between %s and the call or end at %s",
		wm_trace_name_of(coding->problem, predicate).text,
		wm_trace_name_of(coding->problem, stop).text);
}

static int check_stop(struct coding *coding, uint32_t stop)
{
	begin_walk(coding);
	if (meet_free_edges_into(coding, stop) < 0 || walk_back(coding) < 0)
		return WM_ERROR_UNSOLVABLE;
	for (uint32_t i = 0; i < coding->seen_count; i++)
		if (coding->problem->predicate[coding->seen[i].vertex])
			return refuse_stop(coding, coding->seen[i].vertex, stop);
	return 0;
}

static int check_stops(struct coding *coding)
{
	int status = 0;
	for (uint32_t v = 0; status == 0 && v < coding->problem->cfg->vertex_count; v++)
		if (coding->problem->stop[v])
			status = check_stop(coding, v);
	return status;
}

/* A function that has a trace of its own: its end is told by the end of the trace. */
static int give_end(struct coding *coding)
{
	uint32_t exit = coding->problem->cfg->exit;
	if (coding->problem->stop[exit])
		return 0;
	begin_walk(coding);
	if (meet_free_edges_into(coding, exit) < 0 || walk_back(coding) < 0)
		return WM_ERROR_UNSOLVABLE;
	enter(coding, WM_WITNESS_END);
	return 0;
}

/* Takes vertices without a free in-edge away until none is left, or only what a cycle holds. */
static int check_cycles(struct wm_arena *scratch, const struct coding *coding)
{
	const struct wm_cfg *cfg = coding->problem->cfg;
	uint32_t *in = wm_arena_alloc(scratch, cfg->vertex_count, sizeof *in);
	uint32_t *ready = wm_arena_alloc_unset(scratch, cfg->vertex_count, sizeof *ready);
	uint32_t count = 0;
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		in[cfg->target[e]] += !coding->witness[e];
	for (uint32_t v = 0; v < cfg->vertex_count; v++)
		if (in[v] == 0)
			ready[count++] = v;
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = cfg->out_start[ready[i]]; k < cfg->out_start[ready[i] + 1]; k++) {
			uint32_t e = cfg->out_edge[k];
			if (e < cfg->edge_count && !coding->witness[e] && --in[cfg->target[e]] == 0)
				ready[count++] = cfg->target[e];
		}
	for (uint32_t v = 0; count < cfg->vertex_count && v < cfg->vertex_count; v++)
		if (in[v])
			return wm_error_set(coding->error, WM_ERROR_UNSOLVABLE,
				"no witness stands on a loop through %s",
				wm_trace_name_of(coding->problem, v).text);
	return 0;
}

static void make_table(struct wm_arena *arena, const struct wm_trace_problem *problem,
	struct wm_witness_codes *codes)
{
	uint32_t rows = 0;
	codes->max_code = 0;
	codes->code = wm_arena_alloc(arena, problem->cfg->edge_count, sizeof *codes->code);
	codes->row = wm_none_array(arena, problem->cfg->vertex_count);
	for (uint32_t v = 0; v < problem->cfg->vertex_count; v++)
		if (problem->predicate[v])
			codes->row[v] = rows++;
	codes->next = wm_none_array(arena, (size_t)rows * ROW);
}

int wm_witness_codes_make(struct wm_arena *arena, const struct wm_trace_problem *problem,
	const bool *witness, struct wm_witness_codes *codes, struct wm_error *error)
{
	struct wm_arena scratch = {0};
	uint32_t vertices = problem->cfg->vertex_count;
	struct coding coding = {problem, witness, codes, error, NULL, 0, NULL, 0};
	coding.seen = wm_arena_alloc_unset(&scratch, vertices, sizeof *coding.seen);
	coding.last_walk = wm_arena_alloc(&scratch, vertices, sizeof *coding.last_walk);
	make_table(arena, problem, codes);
	int status = check_cycles(&scratch, &coding);
	if (status == 0)
		status = check_stops(&coding);
	if (status == 0)
		status = give_end(&coding);
	if (status == 0)
		status = give_codes(&scratch, &coding);
	wm_arena_reset(&scratch);
	return status;
}
