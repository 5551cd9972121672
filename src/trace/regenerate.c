/* The walk: along the graphs of functions, with the bits at each branch. What units say is in
 * walk_units.c. */
#include <string.h>

#include "trace/walk.h"

/* What a known call enters is not told. */
static bool find_pending_entry(struct wm_trace_walk *walk)
{
	const struct wm_trace_frame *top = wm_walk_top(walk);
	enum wm_call_class class = wm_walk_class(top);
	struct wm_error error;
	if (class != WM_CALL_KNOWN && class != WM_CALL_TAIL_KNOWN)
		return true;
	walk->pending_entry =
		wm_trace_function_callee(walk->functions, top->function, top->call, &error);
	if (!walk->pending_entry)
		wm_walk_damaged(walk, error.text);
	return walk->pending_entry != NULL;
}

static const struct wm_trace_step *make_call(struct wm_trace_walk *walk)
{
	struct wm_trace_frame *top = wm_walk_top(walk);
	top->state = WM_FRAME_WAITING;
	top->resumed = false;
	return find_pending_entry(walk) ? wm_walk_tell(walk, WM_TRACE_STEP_CALL) : &walk->step;
}

/* Where code runs forever without a branch or a call that is told, a handler has ended that, or the
 * process did. */
static const struct wm_trace_step *leave_idle(struct wm_trace_walk *walk)
{
	uint32_t unit = wm_walk_peek(walk);
	walk->pending_entry = NULL;
	return (unit & WM_TRACE_MASK) == WM_TRACE_SIGNAL ? wm_walk_start_handler(walk, unit)
							 : wm_walk_end(walk, WM_TRACE_END_IN_CODE);
}

static const struct wm_trace_step *enter_known(struct wm_trace_walk *walk)
{
	if (walk->depth > walk->least + wm_trace_walk_function_count(walk))
		return leave_idle(walk); /* some function calls itself */
	struct wm_trace_frame *frame = wm_walk_push(walk, walk->pending_entry);
	walk->pending_entry = NULL;
	wm_walk_come_to_block(frame, 0);
	return wm_walk_tell(walk, WM_TRACE_STEP_ENTER);
}

/* What stands behind a call in tail position is passed before it. */
static const struct wm_trace_step *make_tail_call(struct wm_trace_walk *walk)
{
	struct wm_trace_frame *top = wm_walk_top(walk);
	const struct wm_trace_graph *graph = &top->function->graph;
	const uint32_t block = top->block, passed = graph->passed[block];
	const uint32_t out = graph->cfg->out_start[block];
	if (!find_pending_entry(walk))
		return &walk->step;
	if (passed == WM_NONE)
		return wm_walk_leave(
			walk, WM_TRACE_LEFT_TAIL, graph->edge[graph->cfg->out_edge[out]]);
	top->block = passed;
	top->call = graph->first_call[passed + 1];
	walk->pending_passed = graph->exit_edge[block];
	wm_walk_tell(walk, WM_TRACE_STEP_BLOCK);
	walk->step.edge = graph->edge[graph->cfg->out_edge[out]];
	return &walk->step;
}

static const struct wm_trace_step *leave_passed(struct wm_trace_walk *walk)
{
	uint32_t edge = wm_walk_top(walk)->function->graph.edge[walk->pending_passed];
	walk->pending_passed = WM_NONE;
	return wm_walk_leave(walk, WM_TRACE_LEFT_TAIL, edge);
}

static const struct wm_trace_step *follow(struct wm_trace_walk *walk, uint32_t edge)
{
	struct wm_trace_frame *top = wm_walk_top(walk);
	const struct wm_trace_graph *graph = &top->function->graph;
	if (edge == WM_NONE)
		return wm_walk_damaged(walk, "a branch has no successor of that code");
	uint32_t target = graph->cfg->target[edge], source = graph->cfg->source[edge];
	if (target != graph->cfg->exit) {
		if (graph->target_code[target] != WM_NONE)
			walk->position += graph->target_bits;
		wm_walk_come_to_block(top, target);
		wm_walk_tell(walk, WM_TRACE_STEP_BLOCK);
		walk->step.edge = graph->edge[edge];
		return &walk->step;
	}
	if (graph->resumes[source])
		return wm_walk_leave(walk, WM_TRACE_LEFT_RESUME, graph->edge[edge]);
	return top->is_handler ? wm_walk_end_handler(walk, graph->edge[edge])
			       : wm_walk_leave(walk, WM_TRACE_LEFT_RETURN, graph->edge[edge]);
}

static uint32_t invoke_edge(const struct wm_trace_frame *frame)
{
	const struct wm_trace_graph *graph = &frame->function->graph;
	uint32_t pad = frame->function->function->trace->pad[frame->call - 1];
	for (uint32_t k = graph->cfg->out_start[frame->block];
		k < graph->cfg->out_start[frame->block + 1]; k++)
		if (graph->cfg->target[graph->cfg->out_edge[k]] != pad)
			return graph->cfg->out_edge[k];
	return WM_NONE;
}

/* Where the running sum was when the handler that starts with the unit ended, if it did; the unit
 * becomes the one behind that. */
static bool find_handler_end(struct wm_trace_walk *walk, uint64_t *unit, uint64_t *sum)
{
	uint32_t open = 0;
	while (*unit < walk->units.limit) {
		uint64_t at = *unit;
		uint32_t value = wm_trace_unit_at(&walk->units, at), kind = value & WM_TRACE_MASK;
		*unit += value ? 1 + wm_trace_more_units(value, walk->ring) : 1;
		open += kind == WM_TRACE_SIGNAL;
		if (kind == WM_TRACE_SIGNAL_END && --open == 0) {
			*sum = wm_trace_unit_long(&walk->units, at + 1);
			return true;
		}
	}
	return false;
}

/* Whether the branch has bits behind the handlers that come next, one after the other, and that may
 * have come before it. */
static bool has_bits_behind(struct wm_trace_walk *walk, uint32_t bits)
{
	uint64_t unit = walk->units.next, position = walk->position, ended;
	while ((wm_trace_unit_at(&walk->units, unit) & WM_TRACE_MASK) == WM_TRACE_SIGNAL) {
		uint64_t started = wm_trace_unit_long(&walk->units, unit + 1);
		if ((int64_t)(position - started) < -WM_TRACE_MAX_DISTANCE ||
			!find_handler_end(walk, &unit, &ended))
			return false;
		position += ended - started;
		if (wm_trace_bits_code(&walk->bits, position, bits))
			return true;
	}
	return false;
}

/* Whether a handler ran before this branch. */
static bool was_interrupted(struct wm_trace_walk *walk, uint32_t bits)
{
	if ((wm_walk_peek(walk) & WM_TRACE_MASK) != WM_TRACE_SIGNAL)
		return false;
	int64_t ahead = (int64_t)(walk->position - wm_walk_long(walk, 1));
	if (ahead < -WM_TRACE_MAX_DISTANCE || ahead > WM_TRACE_MAX_DISTANCE)
		return ahead > 0;
	return !wm_trace_bits_code(&walk->bits, walk->position, bits) &&
	       has_bits_behind(walk, bits);
}

/* The edge to the target whose code comes next; its bits are read when it is entered. */
static uint32_t jump_edge(const struct wm_trace_frame *top, uint32_t code)
{
	const struct wm_trace_graph *graph = &top->function->graph;
	uint32_t target = graph->target_of[code];
	for (uint32_t k = graph->cfg->out_start[top->block];
		k < graph->cfg->out_start[top->block + 1]; k++)
		if (graph->cfg->target[graph->cfg->out_edge[k]] == target)
			return graph->cfg->out_edge[k];
	return WM_NONE;
}

static const struct wm_trace_step *branch(struct wm_trace_walk *walk)
{
	struct wm_trace_frame *top = wm_walk_top(walk);
	const struct wm_trace_graph *graph = &top->function->graph;
	bool jumps = graph->jumps[top->block];
	uint32_t bits = jumps ? graph->target_bits : graph->bits[top->block];
	if (walk->position >= walk->limit &&
		(wm_walk_peek(walk) & WM_TRACE_MASK) != WM_TRACE_SIGNAL)
		return wm_walk_end(walk, WM_TRACE_END_IN_CODE);
	if (was_interrupted(walk, bits))
		return wm_walk_start_handler(walk, wm_walk_peek(walk));
	uint32_t code = wm_trace_bits_code(&walk->bits, walk->position, bits);
	if (walk->bits.unpacked.damaged)
		return wm_walk_damaged(walk, "the bits from here on are lost");
	wm_walk_note_reading(walk);
	if (jumps)
		return follow(walk, jump_edge(top, code));
	walk->position += bits;
	return follow(
		walk, top->function->edge_of_code[top->function->first_code[top->block] + code]);
}

static const struct wm_trace_step *leave_block(struct wm_trace_walk *walk)
{
	struct wm_trace_frame *top = wm_walk_top(walk);
	const struct wm_trace_graph *graph = &top->function->graph;
	const uint32_t first = graph->first_call[top->block];
	if (graph->bits[top->block] || graph->jumps[top->block])
		return branch(walk);
	if (top->call > first &&
		top->function->function->trace->call_class[top->call - 1] == WM_CALL_INVOKE)
		return follow(walk, invoke_edge(top));
	if (top->idle_since != walk->readings)
		top->idle = 0;
	top->idle_since = walk->readings;
	if (top->idle++ > graph->cfg->vertex_count)
		return leave_idle(walk);
	return follow(walk, top->function->edge_of_code[top->function->first_code[top->block]]);
}

/* What was called has returned, which is not told of a known call. */
static bool is_back(const struct wm_trace_frame *frame, const struct wm_trace_step *last)
{
	return wm_walk_class(frame) == WM_CALL_KNOWN && last->kind == WM_TRACE_STEP_LEAVE &&
	       last->left == WM_TRACE_LEFT_RETURN && !frame->resumed;
}

const struct wm_trace_step *wm_trace_walk_next(struct wm_trace_walk *walk)
{
	if (walk->ended)
		return &walk->step;
	if (walk->pending_passed != WM_NONE)
		return leave_passed(walk);
	if (walk->pending_entry)
		return enter_known(walk);
	const struct wm_trace_step last = walk->step;
	if (!walk->depth) {
		bool fresh = !walk->started;
		walk->started = true;
		return !fresh && wm_walk_peek(walk) == WM_TRACE_NOTHING
			       ? wm_walk_end(walk, WM_TRACE_END_RETURNED)
			       : wm_walk_take_unit(walk);
	}
	struct wm_trace_frame *top = wm_walk_top(walk);
	if (last.kind == WM_TRACE_STEP_ENTER || last.kind == WM_TRACE_STEP_LAND)
		return wm_walk_tell(walk, WM_TRACE_STEP_BLOCK);
	if (top->state == WM_FRAME_WAITING) {
		if (!is_back(top, &last) || last.depth != walk->depth)
			return wm_walk_take_unit(walk);
		wm_walk_tell(walk, WM_TRACE_STEP_BACK);
		wm_walk_go_on_behind_call(top);
		return &walk->step;
	}
	const struct wm_traced_function *function = top->function;
	const uint32_t calls = function->graph.first_call[top->block + 1];
	while (top->call < calls && wm_walk_class(top) == WM_CALL_SILENT)
		top->call++;
	if (top->call == calls)
		return leave_block(walk);
	enum wm_call_class class = wm_walk_class(top);
	return class == WM_CALL_TAIL_OPEN || class == WM_CALL_TAIL_KNOWN ? make_tail_call(walk)
									 : make_call(walk);
}

static void copy_frames(struct wm_trace_walk *walk, const struct wm_trace_walk *parent)
{
	walk->capacity = parent->depth;
	walk->depth = walk->least = parent->depth;
	walk->readings = parent->readings;
	walk->frames = wm_arena_alloc(walk->arena, parent->depth, sizeof *walk->frames);
	memcpy(walk->frames, parent->frames, parent->depth * sizeof *walk->frames);
	walk->step = parent->step;
	walk->started = true;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Starts with the first unit of the oldest piece of calls. */
static void start_in_ring(struct wm_trace_walk *walk, uint64_t ring)
{
	const struct wm_trace_stream *control = &walk->thread->control;
	const struct wm_trace_pieces *calls = &walk->thread->calls;
	uint32_t oldest = 0;
	while (oldest < calls->count && calls->piece[oldest].number < control->lost[0])
		oldest++;
	walk->first = control->lost[1] * WM_TRACE_PIECE_BITS;
	if (oldest < calls->count && calls->piece[oldest].number)
		walk->units.next = calls->piece[oldest].number * (WM_TRACE_PIECE_BYTES / 2) +
				   control->first_unit[calls->piece[oldest].number % ring];
}

/* How far the walk can go, as of what was read. */
static void set_limits(struct wm_trace_walk *walk, const struct wm_trace_file *file,
	const struct wm_trace_thread *thread)
{
	const struct wm_trace_stream *control = &thread->control;
	const struct wm_trace_pieces *calls = &thread->calls;
	uint64_t last = calls->count ? calls->piece[calls->count - 1].number + 1 : 0;
	uint64_t told = control->cursor - control->calls;
	walk->thread = thread;
	walk->bits.pieces = &thread->bits;
	walk->units.pieces = calls;
	uint64_t ones = wm_trace_bits_last_one(&walk->bits);
	walk->bits.unpacked.damaged = false;
	walk->units.limit =
		(calls->truncated ? told : smaller(told, last * WM_TRACE_PIECE_BYTES)) / 2;
	walk->limit = control->position > ones ? control->position : ones + 1;
	walk->full = control->stopped || (file->status & WM_TRACE_FULL);
	if (control->stopped)
		walk->limit = smaller(walk->limit, control->stopped - 1);
}

struct wm_trace_walk *wm_trace_walk_start(struct wm_arena *arena,
	struct wm_trace_functions *functions, const struct wm_trace_file *file,
	const struct wm_trace_thread *thread, const struct wm_trace_walk *parent)
{
	struct wm_trace_walk *walk = wm_arena_alloc(arena, 1, sizeof *walk);
	*walk = (struct wm_trace_walk){.arena = arena,
		.functions = functions,
		.bits = {.unpacked = wm_trace_unpacked_for(arena, file)},
		.units = {.unpacked = wm_trace_unpacked_for(arena, file), .number = UINT64_MAX},
		.ring = file->ring,
		.pending_passed = WM_NONE};
	set_limits(walk, file, thread);
	if (file->ring)
		start_in_ring(walk, file->ring);
	if (parent)
		copy_frames(walk, parent);
	return walk;
}

void wm_trace_walk_extend(struct wm_trace_walk *walk, const struct wm_trace_file *file,
	const struct wm_trace_thread *thread, bool certain)
{
	const uint64_t position = thread->control.position;
	set_limits(walk, file, thread);
	if (!certain)
		walk->limit = smaller(walk->limit,
			position > WM_TRACE_MAX_DISTANCE ? position - WM_TRACE_MAX_DISTANCE : 0);
	walk->bits.has_piece = false;
	walk->units.number = UINT64_MAX;
	walk->ended = false;
}

uint32_t wm_trace_walk_function_count(const struct wm_trace_walk *walk)
{
	return walk->functions->object->function_count;
}

uint32_t wm_trace_walk_depth(const struct wm_trace_walk *walk)
{
	return walk->depth;
}

const struct wm_traced_function *wm_trace_walk_function(
	const struct wm_trace_walk *walk, uint32_t frame)
{
	return walk->frames[frame].function;
}

uint64_t wm_trace_walk_bits(const struct wm_trace_walk *walk)
{
	return walk->position;
}

uint64_t wm_trace_walk_calls(const struct wm_trace_walk *walk)
{
	return walk->units.next * 2;
}

bool wm_trace_walk_is_at_fork(const struct wm_trace_walk *walk, const struct wm_trace_stream *child)
{
	const struct wm_trace_frame *top = walk->depth ? &walk->frames[walk->depth - 1] : NULL;
	return walk->units.next * 2 >= child->parent_calls &&
	       walk->position >= child->parent_position && top && !walk->pending_entry &&
	       top->state == WM_FRAME_WAITING && wm_walk_class(top) != WM_CALL_KNOWN;
}

const char *wm_trace_walk_reason(const struct wm_trace_walk *walk)
{
	return walk->error.text;
}
