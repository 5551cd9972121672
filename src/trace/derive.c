/* A frame that is left inside a call takes the edge of its block that stands for that. A setjmp has
 * two edges one after the other, to EXIT and from there to what follows; a second return takes the
 * latter only (format/trace_graph.h). */
#include "trace/derive.h"

#include "core/base/none.h"

struct active {
	const struct wm_traced_function *function;
	uint32_t block;
	bool again; /* control has come back to an earlier call */
};

struct counter {
	struct wm_arena arena;
	struct wm_known_counts *counts;
	struct active *stack;
	size_t depth, capacity;
};

struct wm_known_counts *wm_trace_counts_start(
	struct wm_arena *arena, const struct wm_object *object)
{
	struct wm_known_counts *counts =
		wm_arena_alloc(arena, object->function_count, sizeof *counts);
	for (uint32_t i = 0; i < object->function_count; i++) {
		const struct wm_function *function = &object->functions[i].function;
		counts[i].block =
			wm_arena_alloc(arena, function->block_count, sizeof *counts[i].block);
		counts[i].edge =
			wm_arena_alloc(arena, function->edge_count, sizeof *counts[i].edge);
	}
	return counts;
}

static struct active *top(struct counter *counter)
{
	return &counter->stack[counter->depth - 1];
}

static void push(struct counter *counter, const struct wm_traced_function *function)
{
	counter->stack = wm_arena_grow(&counter->arena, counter->stack, counter->depth,
		&counter->capacity, sizeof *counter->stack);
	counter->stack[counter->depth++] = (struct active){.function = function};
}

static void count_edge(struct counter *counter, uint32_t edge)
{
	const struct active *active = top(counter);
	const struct wm_function *function = active->function->function;
	uint64_t *edges = counter->counts[active->function->number].edge;
	if (edge == WM_NONE)
		return;
	edges[edge]++;
	if (function->edge_source[edge] == function->block_count && !active->again)
		edges[edge - 1]++;
}

/* Inside the call that the block makes. */
static void count_left_early(struct counter *counter)
{
	const struct active *active = top(counter);
	const struct wm_function *function = active->function->function;
	uint64_t *edges = counter->counts[active->function->number].edge;
	for (uint32_t e = 0; e < function->edge_count; e++)
		if (function->edge_source[e] == active->block &&
			(function->edge_flags[e] & (WM_EDGE_ABANDONED | WM_EDGE_NO_RETURN))) {
			edges[e]++;
			return;
		}
}

static void count_block(struct counter *counter, const struct wm_trace_step *step)
{
	count_edge(counter, step->edge);
	top(counter)->block = step->block;
	top(counter)->again = false;
	counter->counts[step->function->number].block[step->block]++;
}

static void leave(struct counter *counter, const struct wm_trace_step *step)
{
	if (step->edge != WM_NONE)
		count_edge(counter, step->edge);
	else
		count_left_early(counter);
	counter->depth--;
}

static void take(struct counter *counter, const struct wm_trace_step *step)
{
	switch (step->kind) {
	case WM_TRACE_STEP_ENTER:
		push(counter, step->function);
		break;
	case WM_TRACE_STEP_BLOCK:
		count_block(counter, step);
		break;
	case WM_TRACE_STEP_LAND:
		count_edge(counter, step->edge);
		break;
	case WM_TRACE_STEP_AGAIN:
		count_left_early(counter);
		top(counter)->block = step->block;
		top(counter)->again = true;
		break;
	case WM_TRACE_STEP_LEAVE:
		leave(counter, step);
		break;
	default:
		break;
	}
}

void wm_trace_counts_add(struct wm_trace_walk *walk, struct wm_known_counts *counts)
{
	struct counter counter = {.counts = counts};
	const struct wm_trace_step *step;
	while ((step = wm_trace_walk_next(walk))->kind != WM_TRACE_STEP_END)
		if (counter.depth > 0 || step->kind == WM_TRACE_STEP_ENTER)
			take(&counter, step);
	for (; counter.depth > 0; counter.depth--)
		count_left_early(&counter);
	wm_arena_reset(&counter.arena);
}
