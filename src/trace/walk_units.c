/* What the units of the calls say. What a unit asks for that the frames do not have is damage, and
 * ends the walk: everything up to there is right. */
#include "trace/walk.h"

uint32_t wm_walk_peek(struct wm_trace_walk *walk)
{
	for (;;) {
		uint32_t unit = wm_walk_unit(walk, 0);
		if (unit == WM_TRACE_STOPPED ||
			(unit == WM_TRACE_RESTART && (walk->depth || !walk->ring)))
			walk->units.next += 1 + wm_trace_more_units(unit, walk->ring);
		else if (unit != WM_TRACE_NOTHING || !wm_trace_units_skip_region(&walk->units))
			return unit;
	}
}

uint32_t wm_walk_unit(struct wm_trace_walk *walk, uint32_t distance)
{
	return wm_trace_unit_at(&walk->units, walk->units.next + distance);
}

uint32_t wm_walk_word(struct wm_trace_walk *walk, uint32_t distance)
{
	return wm_trace_unit_word(&walk->units, walk->units.next + distance);
}

uint64_t wm_walk_long(struct wm_trace_walk *walk, uint32_t distance)
{
	return wm_trace_unit_long(&walk->units, walk->units.next + distance);
}

void wm_walk_take(struct wm_trace_walk *walk, uint32_t unit)
{
	walk->units.next += 1 + wm_trace_more_units(unit, walk->ring);
	wm_walk_note_reading(walk);
}

/* The running sum of which the ring holds the lower half: the one nearest to the end. */
static uint64_t whole_sum(const struct wm_trace_walk *walk, uint32_t lower)
{
	return walk->limit + (uint64_t)(int64_t)(int32_t)(lower - (uint32_t)walk->limit);
}

static const struct wm_trace_step *enter(struct wm_trace_walk *walk, uint32_t unit, bool handler)
{
	struct wm_error reason;
	uint32_t address = wm_walk_word(walk, 0) & ~(uint32_t)WM_TRACE_MASK;
	const struct wm_traced_function *function =
		wm_trace_function_at(walk->functions, address, &reason);
	if (!function)
		return wm_walk_damaged(walk, reason.text);
	if (walk->ring && !walk->depth)
		walk->position = whole_sum(walk, wm_walk_word(walk, 2));
	wm_walk_take(walk, unit);
	struct wm_trace_frame *frame = wm_walk_push(walk, function);
	frame->is_handler = handler;
	wm_walk_come_to_block(frame, 0);
	wm_walk_tell(walk, WM_TRACE_STEP_ENTER);
	walk->step.is_handler = handler;
	return &walk->step;
}

/* The handler's first unit is behind this one. */
const struct wm_trace_step *wm_walk_start_handler(struct wm_trace_walk *walk, uint32_t unit)
{
	uint64_t interrupted = walk->position, started = wm_walk_long(walk, 1);
	const uint64_t at = walk->units.next;
	wm_walk_take(walk, unit);
	uint32_t next = wm_walk_peek(walk);
	if (next == WM_TRACE_STARTED)
		return wm_walk_take_unit(walk);
	if (next == WM_TRACE_NOTHING)
		walk->units.next = at; /* more may come, if the walk goes on */
	if ((next & WM_TRACE_MASK) != WM_TRACE_ENTRY)
		return next == WM_TRACE_NOTHING
			       ? wm_walk_end(walk, WM_TRACE_END_IN_CALL)
			       : wm_walk_damaged(
					 walk, "no function follows the start of a handler");
	walk->position = started + WM_TRACE_GAP;
	const struct wm_trace_step *step = enter(walk, next, true);
	if (!walk->ended) {
		wm_walk_top(walk)->position = interrupted;
		wm_walk_top(walk)->started = started;
	}
	return step;
}

/* The handler has told its end and now returns. */
const struct wm_trace_step *wm_walk_end_handler(struct wm_trace_walk *walk, uint32_t edge)
{
	const struct wm_trace_frame handler = *wm_walk_top(walk);
	uint32_t unit = wm_walk_peek(walk);
	if ((unit & WM_TRACE_MASK) == WM_TRACE_SIGNAL_END) {
		uint64_t ended = wm_walk_long(walk, 1);
		wm_walk_take(walk, unit);
		walk->position = handler.position + (ended - handler.started);
	}
	return wm_walk_leave(walk, WM_TRACE_LEFT_RETURN, edge);
}

/* Units that come back to a frame which may be further down: what is above was left. */
static const struct wm_trace_step *leave_above(struct wm_trace_walk *walk)
{
	return wm_walk_leave(walk, WM_TRACE_LEFT_EARLY, WM_NONE);
}

static uint32_t find_returned(
	const struct wm_trace_walk *walk, uint32_t mark, const struct wm_traced_function *function)
{
	for (uint32_t i = walk->depth; i-- > 0;) {
		const struct wm_trace_frame *frame = &walk->frames[i];
		if (frame->state == WM_FRAME_WAITING && wm_walk_class(frame) != WM_CALL_KNOWN &&
			frame->function->mark[frame->call] == mark &&
			(!function || frame->function == function))
			return i;
	}
	return WM_NONE;
}

/* In a ring: what came back is not known yet, because its call was overwritten. */
static const struct wm_trace_step *come_to_light(struct wm_trace_walk *walk, uint32_t unit,
	const struct wm_traced_function *function, uint32_t mark)
{
	uint32_t call = 0;
	while (call < function->function->call_count &&
		(function->mark[call] != mark ||
			function->function->trace->call_class[call] == WM_CALL_SILENT))
		call++;
	if (call == function->function->call_count)
		return wm_walk_damaged(walk, "a call came back that its function does not have");
	struct wm_trace_frame *frame = wm_walk_push(walk, function);
	walk->position = whole_sum(walk, wm_walk_word(walk, 3));
	wm_walk_take(walk, unit);
	frame->block = function->function->calls[call].block;
	frame->call = call;
	wm_walk_tell(walk, WM_TRACE_STEP_BACK);
	wm_walk_go_on_behind_call(frame);
	return &walk->step;
}

static const struct wm_trace_step *come_back(struct wm_trace_walk *walk, uint32_t unit)
{
	uint32_t mark = unit >> WM_TRACE_MARK_SHIFT;
	const struct wm_traced_function *function = NULL;
	struct wm_error reason;
	if (walk->ring)
		function = wm_trace_function_at(walk->functions, wm_walk_word(walk, 1), &reason);
	if (walk->ring && !function)
		return wm_walk_damaged(walk, reason.text);
	uint32_t to = find_returned(walk, mark, function);
	if (to == WM_NONE && walk->ring)
		return walk->depth ? leave_above(walk) : come_to_light(walk, unit, function, mark);
	if (to == WM_NONE)
		return wm_walk_damaged(walk, "a call came back that no frame has made");
	if (to + 1 < walk->depth)
		return leave_above(walk);
	struct wm_trace_frame *frame = wm_walk_top(walk);
	wm_walk_take(walk, unit);
	wm_walk_tell(walk, WM_TRACE_STEP_BACK);
	wm_walk_go_on_behind_call(frame);
	return &walk->step;
}

/* A call of the function that may come back again, with that mark. */
static uint32_t find_call(const struct wm_traced_function *function, uint32_t mark)
{
	for (uint32_t i = 0; i < function->function->call_count; i++)
		if (function->function->trace->call_class[i] == WM_CALL_AGAIN &&
			function->mark[i] == mark)
			return i;
	return WM_NONE;
}

static const struct wm_trace_step *come_again(struct wm_trace_walk *walk, uint32_t unit)
{
	uint32_t mark = unit >> WM_TRACE_MARK_SHIFT, place = wm_walk_word(walk, 1);
	struct wm_trace_frame *top = wm_walk_top(walk);
	if (top->state == WM_FRAME_WAITING && wm_walk_class(top) == WM_CALL_AGAIN &&
		top->function->mark[top->call] == mark && (!top->again || top->again == place)) {
		top->again = place;
		wm_walk_take(walk, unit);
		wm_walk_tell(walk, WM_TRACE_STEP_BACK);
		wm_walk_go_on_behind_call(top);
		return &walk->step;
	}
	uint32_t call = WM_NONE, at = walk->depth;
	while (call == WM_NONE && at-- > 0)
		if (walk->frames[at].again == place)
			call = find_call(walk->frames[at].function, mark);
	if (call == WM_NONE && walk->ring)
		return leave_above(walk);
	if (call == WM_NONE)
		return wm_walk_damaged(walk, "a jump leads to a frame that is not there");
	if (at + 1 < walk->depth)
		return leave_above(walk);
	wm_walk_take(walk, unit);
	wm_walk_come_to_block(top, top->function->function->calls[call].block);
	top->call = call;
	wm_walk_tell(walk, WM_TRACE_STEP_AGAIN);
	wm_walk_go_on_behind_call(top);
	return &walk->step;
}

/* The description's edge between the blocks. */
static uint32_t find_edge(const struct wm_trace_graph *graph, uint32_t source, uint32_t target)
{
	const struct wm_cfg *cfg = graph->cfg;
	for (uint32_t k = cfg->out_start[source]; k < cfg->out_start[source + 1]; k++)
		if (cfg->target[cfg->out_edge[k]] == target)
			return graph->edge[cfg->out_edge[k]];
	return WM_NONE;
}

static const struct wm_trace_step *land(struct wm_trace_walk *walk, uint32_t unit)
{
	struct wm_error reason;
	uint32_t block = wm_walk_unit(walk, 1);
	const struct wm_traced_function *function =
		wm_trace_function_at(walk->functions, wm_walk_word(walk, 2), &reason);
	if (!function)
		return wm_walk_damaged(walk, reason.text);
	uint32_t at = walk->depth;
	while (at-- > 0) {
		const struct wm_trace_frame *frame = &walk->frames[at];
		if (frame->function == function && frame->state == WM_FRAME_WAITING &&
			wm_walk_class(frame) == WM_CALL_INVOKE &&
			function->function->trace->pad[frame->call] == block)
			break;
	}
	if (at == WM_NONE && walk->ring)
		return leave_above(walk);
	if (at == WM_NONE)
		return wm_walk_damaged(walk, "an exception landed in no frame");
	if (at + 1 < walk->depth)
		return leave_above(walk);
	wm_walk_take(walk, unit);
	uint32_t edge = find_edge(&function->graph, wm_walk_top(walk)->block, block);
	wm_walk_come_to_block(wm_walk_top(walk), block);
	wm_walk_tell(walk, WM_TRACE_STEP_LAND);
	walk->step.edge = edge;
	return &walk->step;
}

/* Control is at the end of a block; what came before it was overwritten. */
static const struct wm_trace_step *restart(struct wm_trace_walk *walk, uint32_t unit)
{
	struct wm_error reason;
	uint32_t block = wm_walk_unit(walk, 1);
	const struct wm_traced_function *function =
		wm_trace_function_at(walk->functions, wm_walk_word(walk, 2), &reason);
	const bool at_start = block & WM_TRACE_RESTART_AT_START;
	block &= ~(uint32_t)WM_TRACE_RESTART_AT_START;
	if (!function || block >= function->function->block_count ||
		(at_start ? function->graph.target_code[block] == WM_NONE
			  : !function->graph.bits[block]))
		return wm_walk_damaged(walk, function ? "it names no branch" : reason.text);
	struct wm_trace_frame *frame = wm_walk_push(walk, function);
	walk->position = wm_walk_long(walk, 4);
	wm_walk_take(walk, unit);
	wm_walk_come_to_block(frame, block);
	if (at_start)
		walk->position += function->graph.target_bits;
	else
		frame->call = function->graph.first_call[block + 1];
	return wm_walk_tell(walk, WM_TRACE_STEP_BLOCK);
}

/* What a unit says of the place that control is at. */
static bool tells_place(struct wm_trace_walk *walk, uint32_t unit, uint64_t *sum)
{
	switch (unit & WM_TRACE_MASK) {
	case WM_TRACE_ENTRY:
		*sum = whole_sum(walk, wm_walk_word(walk, 2));
		return true;
	case WM_TRACE_RETURN:
		*sum = whole_sum(walk, wm_walk_word(walk, 3));
		return true;
	case WM_TRACE_RESTART:
		*sum = unit == WM_TRACE_RESTART ? wm_walk_long(walk, 4) : 0;
		return unit == WM_TRACE_RESTART;
	default:
		return false;
	}
}

/* In a ring, while no frame is known: passes over what does not say where control is, and over
 * places whose bits were overwritten. */
static uint32_t find_place(struct wm_trace_walk *walk)
{
	uint64_t sum;
	uint32_t unit = wm_walk_peek(walk);
	while (unit != WM_TRACE_NOTHING && !(tells_place(walk, unit, &sum) && sum >= walk->first)) {
		wm_walk_take(walk, unit);
		unit = wm_walk_peek(walk);
	}
	return unit;
}

static const struct wm_trace_step *tell_note(struct wm_trace_walk *walk, uint32_t unit)
{
	uint64_t note = wm_walk_long(walk, 1);
	wm_walk_take(walk, unit);
	wm_walk_tell(walk, WM_TRACE_STEP_NOTE);
	walk->step.note = note;
	return &walk->step;
}

/* A frame waits in a call, or there is none. */
const struct wm_trace_step *wm_walk_take_unit(struct wm_trace_walk *walk)
{
	uint32_t unit = walk->ring && !walk->depth ? find_place(walk) : wm_walk_peek(walk);
	if (walk->ring && !walk->depth && unit == WM_TRACE_RESTART)
		return restart(walk, unit);
	wm_walk_unit(walk, wm_trace_more_units(unit, walk->ring)); /* all of it must be there */
	if (walk->units.unpacked.damaged)
		return wm_walk_damaged(walk, "the calls from here on are lost");
	if (unit == WM_TRACE_NOTHING)
		return wm_walk_end(
			walk, walk->depth ? WM_TRACE_END_IN_CALL : WM_TRACE_END_RETURNED);
	if (!walk->depth && !walk->ring && (unit & WM_TRACE_MASK) != WM_TRACE_ENTRY &&
		(unit & WM_TRACE_MASK) != WM_TRACE_SIGNAL)
		return wm_walk_damaged(walk, "something comes back though nothing was called");
	if (unit == WM_TRACE_NOTE)
		return tell_note(walk, unit);
	if (unit == WM_TRACE_STARTED && walk->depth)
		return leave_above(walk);
	switch (unit & WM_TRACE_MASK) {
	case WM_TRACE_ENTRY:
		return enter(walk, unit, false);
	case WM_TRACE_RETURN:
		return come_back(walk, unit);
	case WM_TRACE_AGAIN:
		return come_again(walk, unit);
	case WM_TRACE_LANDING:
		return land(walk, unit);
	case WM_TRACE_SIGNAL:
		return wm_walk_start_handler(walk, unit);
	default:
		return wm_walk_damaged(walk, "a unit is of an unknown kind");
	}
}
