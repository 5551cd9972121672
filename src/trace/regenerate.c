/* The walk. A frame is in front of a call, waits in it, or has none left in its block.
 *
 * What a unit asks for that the frames do not have is damage, and ends the walk: everything up to
 * there is right. */
#include "trace/regenerate.h"

#include <string.h>

#include "core/base/none.h"

enum state { IN_BLOCK, WAITING, AT_END };

struct frame {
	const struct wm_traced_function *function;
	uint32_t block;
	uint32_t call; /* of the description: the next one, or the one it waits in */
	enum state state;
	uint32_t again; /* what tells the frame in units AGAIN; 0: not known yet */
	bool is_handler;
	bool resumed;	   /* what it called was left by an exception, which goes on */
	uint64_t position; /* of a handler: what the bits of the interrupted code were at */
	uint64_t started;  /* the running sum where it started */
};

struct bits {
	const struct wm_trace_pieces *pieces;
	uint64_t number; /* of the piece at hand */
	const uint8_t *bytes;
	bool has_piece;
};

struct wm_trace_walk {
	struct wm_arena *arena;
	struct wm_trace_functions *functions;
	const struct wm_trace_thread *thread;
	struct frame *frames;
	uint32_t depth;
	size_t capacity;
	struct bits bits;
	uint64_t position; /* in bits */
	uint64_t limit;	   /* bits from here on are not known */
	uint64_t first;	   /* nor are those before here, of a ring */
	uint64_t ring;	   /* as of the file */
	uint64_t units;	   /* read so far */
	uint64_t unit_limit;
	uint64_t unit_piece; /* number of the piece at hand */
	const uint8_t *unit_bytes;
	uint32_t idle; /* blocks since anything was read */
	struct wm_trace_step step;
	bool started, ended, full;
	uint32_t pending_passed; /* a block to be told before a tail call leaves; or WM_NONE */
	struct wm_error error;
};

static struct frame *top_of(struct wm_trace_walk *walk)
{
	return &walk->frames[walk->depth - 1];
}

/* Bits. */

static bool bit_at(struct bits *bits, uint64_t position)
{
	uint64_t number = position / WM_TRACE_PIECE_BITS, within = position % WM_TRACE_PIECE_BITS;
	if (!bits->has_piece || bits->number != number) {
		bits->bytes = wm_trace_piece_bytes(bits->pieces, number);
		bits->number = number;
		bits->has_piece = true;
	}
	return bits->bytes && (bits->bytes[within / 8] >> within % 8 & 1);
}

static uint32_t code_at(struct bits *bits, uint64_t position, uint32_t count)
{
	uint32_t code = 0;
	for (uint32_t i = 0; i < count; i++)
		code |= (uint32_t)bit_at(bits, position + i) << i;
	return code;
}

static uint64_t last_one(const struct wm_trace_pieces *pieces)
{
	for (uint32_t i = pieces->count; i-- > 0;)
		for (uint32_t k = WM_TRACE_PIECE_BYTES; k-- > 0;)
			if (pieces->piece[i].bytes[k]) {
				uint32_t bit = 7;
				while (!(pieces->piece[i].bytes[k] >> bit & 1))
					bit--;
				return pieces->piece[i].number * WM_TRACE_PIECE_BITS + k * 8u + bit;
			}
	return 0;
}

/* Units. */

static uint32_t unit_at(struct wm_trace_walk *walk, uint64_t unit)
{
	uint64_t byte = 2 * unit, number = byte / WM_TRACE_PIECE_BYTES;
	uint16_t value = 0;
	if (unit >= walk->unit_limit)
		return WM_TRACE_NOTHING;
	if (number != walk->unit_piece) {
		walk->unit_piece = number;
		walk->unit_bytes = wm_trace_piece_bytes(&walk->thread->calls, number);
	}
	if (walk->unit_bytes)
		memcpy(&value, walk->unit_bytes + byte % WM_TRACE_PIECE_BYTES, sizeof value);
	return value;
}

/* What is left of a region of addresses is zero. Elsewhere zero is a unit that was not written when
 * the process was killed: nothing follows. */
static bool go_to_next_region(struct wm_trace_walk *walk)
{
	const uint64_t units = (uint64_t)WM_TRACE_REGION_PIECES * WM_TRACE_PIECE_BYTES / 2;
	uint64_t next = (walk->units / units + 1) * units;
	if (next >= walk->unit_limit)
		return false;
	walk->units = next;
	return true;
}

static uint32_t peek(struct wm_trace_walk *walk)
{
	for (;;) {
		uint32_t unit = unit_at(walk, walk->units);
		if ((unit & WM_TRACE_MASK) == WM_TRACE_RESTART && (walk->depth || !walk->ring))
			walk->units += 1 + wm_trace_more_units(unit, walk->ring);
		else if (unit != WM_TRACE_NOTHING || !go_to_next_region(walk))
			return unit;
	}
}

static uint32_t word_at(struct wm_trace_walk *walk, uint64_t unit)
{
	return unit_at(walk, unit) | unit_at(walk, unit + 1) << 16;
}

static uint64_t long_at(struct wm_trace_walk *walk, uint64_t unit)
{
	return word_at(walk, unit) | (uint64_t)word_at(walk, unit + 2) << 32;
}

static void take(struct wm_trace_walk *walk, uint32_t unit)
{
	walk->units += 1 + wm_trace_more_units(unit, walk->ring);
	walk->idle = 0;
}

/* Steps. */

static const struct wm_trace_step *tell(struct wm_trace_walk *walk, enum wm_trace_step_kind kind)
{
	const struct frame *top = walk->depth ? top_of(walk) : NULL;
	walk->step = (struct wm_trace_step){.kind = kind,
		.function = top ? top->function : NULL,
		.depth = walk->depth ? walk->depth - 1 : 0,
		.block = top ? top->block : 0,
		.edge = WM_NONE,
		.call = top ? top->call : 0};
	return &walk->step;
}

static const struct wm_trace_step *end(struct wm_trace_walk *walk, enum wm_trace_end end)
{
	tell(walk, WM_TRACE_STEP_END);
	walk->step.end = walk->full && end != WM_TRACE_END_DAMAGED ? WM_TRACE_END_FULL : end;
	walk->ended = true;
	return &walk->step;
}

static const struct wm_trace_step *damaged(struct wm_trace_walk *walk, const char *reason)
{
	wm_error_set(&walk->error, WM_ERROR_INPUT,
		"thread %u: at bit %llu and byte %llu of the calls: %s",
		walk->thread->control.thread, (unsigned long long)walk->position,
		(unsigned long long)walk->units * 2, reason);
	return end(walk, WM_TRACE_END_DAMAGED);
}

static enum wm_call_class class_of(const struct frame *frame)
{
	return frame->function->function->trace->call_class[frame->call];
}

static void come_to_block(struct frame *frame, uint32_t block)
{
	frame->block = block;
	frame->call = frame->function->graph.first_call[block];
	frame->state = IN_BLOCK;
}

static void go_on_behind_call(struct frame *frame)
{
	frame->call++;
	frame->state = IN_BLOCK;
}

static const struct wm_trace_step *leave(
	struct wm_trace_walk *walk, enum wm_trace_left left, uint32_t edge)
{
	tell(walk, WM_TRACE_STEP_LEAVE);
	walk->step.left = left;
	walk->step.edge = edge;
	walk->depth--;
	walk->idle = 0;
	if (!walk->depth)
		return &walk->step;
	struct frame *below = top_of(walk);
	below->resumed = left == WM_TRACE_LEFT_RESUME;
	return &walk->step;
}

static struct frame *push(struct wm_trace_walk *walk, const struct wm_traced_function *function)
{
	walk->frames = wm_arena_grow(
		walk->arena, walk->frames, walk->depth, &walk->capacity, sizeof *walk->frames);
	struct frame *frame = &walk->frames[walk->depth++];
	*frame = (struct frame){.function = function};
	return frame;
}

/* The running sum of which the ring holds the lower half: the one nearest to the end. */
static uint64_t whole_sum(const struct wm_trace_walk *walk, uint32_t lower)
{
	return walk->limit + (uint64_t)(int64_t)(int32_t)(lower - (uint32_t)walk->limit);
}

static const struct wm_trace_step *enter(struct wm_trace_walk *walk, uint32_t unit, bool handler)
{
	struct wm_error reason;
	uint32_t address = word_at(walk, walk->units) & ~(uint32_t)WM_TRACE_MASK;
	const struct wm_traced_function *function =
		wm_trace_function_at(walk->functions, address, &reason);
	if (!function)
		return damaged(walk, reason.text);
	if (walk->ring && !walk->depth)
		walk->position = whole_sum(walk, word_at(walk, walk->units + 2));
	take(walk, unit);
	struct frame *frame = push(walk, function);
	frame->is_handler = handler;
	come_to_block(frame, 0);
	tell(walk, WM_TRACE_STEP_ENTER);
	walk->step.is_handler = handler;
	return &walk->step;
}

/* The handler's first unit is behind this one. */
static const struct wm_trace_step *start_handler(struct wm_trace_walk *walk, uint32_t unit)
{
	uint64_t interrupted = walk->position, started = long_at(walk, walk->units + 1);
	take(walk, unit);
	uint32_t next = peek(walk);
	if ((next & WM_TRACE_MASK) != WM_TRACE_ENTRY)
		return next == WM_TRACE_NOTHING
			       ? end(walk, WM_TRACE_END_IN_CALL)
			       : damaged(walk, "no function follows the start of a handler");
	walk->position = started + WM_TRACE_GAP;
	const struct wm_trace_step *step = enter(walk, next, true);
	if (!walk->ended) {
		top_of(walk)->position = interrupted;
		top_of(walk)->started = started;
	}
	return step;
}

/* The handler has told its end and now returns. */
static const struct wm_trace_step *end_handler(struct wm_trace_walk *walk, uint32_t edge)
{
	const struct frame handler = *top_of(walk);
	uint32_t unit = peek(walk);
	if ((unit & WM_TRACE_MASK) == WM_TRACE_SIGNAL_END) {
		uint64_t ended = long_at(walk, walk->units + 1);
		take(walk, unit);
		walk->position = handler.position + (ended - handler.started);
	}
	return leave(walk, WM_TRACE_LEFT_RETURN, edge);
}

/* Units that come back to a frame which may be further down: what is above was left. */
static const struct wm_trace_step *leave_above(struct wm_trace_walk *walk)
{
	return leave(walk, WM_TRACE_LEFT_EARLY, WM_NONE);
}

static uint32_t find_returned(
	const struct wm_trace_walk *walk, uint32_t mark, const struct wm_traced_function *function)
{
	for (uint32_t i = walk->depth; i-- > 0;) {
		const struct frame *frame = &walk->frames[i];
		if (frame->state == WAITING && class_of(frame) != WM_CALL_KNOWN &&
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
		return damaged(walk, "a call came back that its function does not have");
	struct frame *frame = push(walk, function);
	walk->position = whole_sum(walk, word_at(walk, walk->units + 3));
	take(walk, unit);
	frame->block = function->function->calls[call].block;
	frame->call = call;
	tell(walk, WM_TRACE_STEP_BACK);
	go_on_behind_call(frame);
	return &walk->step;
}

static const struct wm_trace_step *come_back(struct wm_trace_walk *walk, uint32_t unit)
{
	uint32_t mark = unit >> WM_TRACE_MARK_SHIFT;
	const struct wm_traced_function *function = NULL;
	struct wm_error reason;
	if (walk->ring)
		function = wm_trace_function_at(
			walk->functions, word_at(walk, walk->units + 1), &reason);
	if (walk->ring && !function)
		return damaged(walk, reason.text);
	uint32_t to = find_returned(walk, mark, function);
	if (to == WM_NONE && walk->ring)
		return walk->depth ? leave_above(walk) : come_to_light(walk, unit, function, mark);
	if (to == WM_NONE)
		return damaged(walk, "a call came back that no frame has made");
	if (to + 1 < walk->depth)
		return leave_above(walk);
	struct frame *frame = top_of(walk);
	take(walk, unit);
	tell(walk, WM_TRACE_STEP_BACK);
	go_on_behind_call(frame);
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
	uint32_t mark = unit >> WM_TRACE_MARK_SHIFT, place = word_at(walk, walk->units + 1);
	struct frame *top = top_of(walk);
	if (top->state == WAITING && class_of(top) == WM_CALL_AGAIN &&
		top->function->mark[top->call] == mark && (!top->again || top->again == place)) {
		top->again = place;
		take(walk, unit);
		tell(walk, WM_TRACE_STEP_BACK);
		go_on_behind_call(top);
		return &walk->step;
	}
	uint32_t call = WM_NONE, at = walk->depth;
	while (call == WM_NONE && at-- > 0)
		if (walk->frames[at].again == place)
			call = find_call(walk->frames[at].function, mark);
	if (call == WM_NONE && walk->ring)
		return leave_above(walk);
	if (call == WM_NONE)
		return damaged(walk, "a jump leads to a frame that is not there");
	if (at + 1 < walk->depth)
		return leave_above(walk);
	take(walk, unit);
	come_to_block(top, top->function->function->calls[call].block);
	top->call = call;
	tell(walk, WM_TRACE_STEP_AGAIN);
	go_on_behind_call(top);
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
	uint32_t block = unit_at(walk, walk->units + 1);
	const struct wm_traced_function *function =
		wm_trace_function_at(walk->functions, word_at(walk, walk->units + 2), &reason);
	if (!function)
		return damaged(walk, reason.text);
	uint32_t at = walk->depth;
	while (at-- > 0) {
		const struct frame *frame = &walk->frames[at];
		if (frame->function == function && frame->state == WAITING &&
			class_of(frame) == WM_CALL_INVOKE &&
			function->function->trace->pad[frame->call] == block)
			break;
	}
	if (at == WM_NONE && walk->ring)
		return leave_above(walk);
	if (at == WM_NONE)
		return damaged(walk, "an exception landed in no frame");
	if (at + 1 < walk->depth)
		return leave_above(walk);
	take(walk, unit);
	uint32_t edge = find_edge(&function->graph, top_of(walk)->block, block);
	come_to_block(top_of(walk), block);
	tell(walk, WM_TRACE_STEP_LAND);
	walk->step.edge = edge;
	return &walk->step;
}

/* Control is at the end of a block; what came before it was overwritten. */
static const struct wm_trace_step *restart(struct wm_trace_walk *walk, uint32_t unit)
{
	struct wm_error reason;
	uint32_t block = unit_at(walk, walk->units + 1);
	const struct wm_traced_function *function =
		wm_trace_function_at(walk->functions, word_at(walk, walk->units + 2), &reason);
	const bool at_start = block & WM_TRACE_RESTART_AT_START;
	block &= ~(uint32_t)WM_TRACE_RESTART_AT_START;
	if (!function || block >= function->function->block_count ||
		(at_start ? function->graph.target_code[block] == WM_NONE
			  : !function->graph.bits[block]))
		return damaged(walk, function ? "it names no branch" : reason.text);
	struct frame *frame = push(walk, function);
	walk->position = long_at(walk, walk->units + 4);
	take(walk, unit);
	come_to_block(frame, block);
	if (at_start)
		walk->position += function->graph.target_bits;
	else
		frame->call = function->graph.first_call[block + 1];
	return tell(walk, WM_TRACE_STEP_BLOCK);
}

/* What a unit says of the place that control is at. */
static bool tells_place(struct wm_trace_walk *walk, uint32_t unit, uint64_t *sum)
{
	switch (unit & WM_TRACE_MASK) {
	case WM_TRACE_ENTRY:
		*sum = whole_sum(walk, word_at(walk, walk->units + 2));
		return true;
	case WM_TRACE_RETURN:
		*sum = whole_sum(walk, word_at(walk, walk->units + 3));
		return true;
	case WM_TRACE_RESTART:
		*sum = long_at(walk, walk->units + 4);
		return true;
	default:
		return false;
	}
}

/* In a ring, while no frame is known: passes over what does not say where control is, and over
 * places whose bits were overwritten. */
static uint32_t find_place(struct wm_trace_walk *walk)
{
	uint64_t sum;
	uint32_t unit = peek(walk);
	while (unit != WM_TRACE_NOTHING && !(tells_place(walk, unit, &sum) && sum >= walk->first)) {
		take(walk, unit);
		unit = peek(walk);
	}
	return unit;
}

/* A frame waits in a call, or there is none. */
static const struct wm_trace_step *take_unit(struct wm_trace_walk *walk)
{
	uint32_t unit = walk->ring && !walk->depth ? find_place(walk) : peek(walk);
	if (walk->ring && !walk->depth && (unit & WM_TRACE_MASK) == WM_TRACE_RESTART)
		return restart(walk, unit);
	if (unit == WM_TRACE_NOTHING)
		return end(walk, walk->depth ? WM_TRACE_END_IN_CALL : WM_TRACE_END_RETURNED);
	if (!walk->depth && !walk->ring && (unit & WM_TRACE_MASK) != WM_TRACE_ENTRY &&
		(unit & WM_TRACE_MASK) != WM_TRACE_SIGNAL)
		return damaged(walk, "something comes back though nothing was called");
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
		return start_handler(walk, unit);
	default:
		return damaged(walk, "a unit is of an unknown kind");
	}
}

static const struct wm_trace_step *make_call(struct wm_trace_walk *walk)
{
	struct frame *top = top_of(walk);
	top->state = WAITING;
	top->resumed = false;
	return tell(walk, WM_TRACE_STEP_CALL);
}

/* What stands behind a call in tail position is passed before it. */
static const struct wm_trace_step *make_tail_call(struct wm_trace_walk *walk)
{
	struct frame *top = top_of(walk);
	const struct wm_trace_graph *graph = &top->function->graph;
	const uint32_t block = top->block, passed = graph->passed[block];
	const uint32_t out = graph->cfg->out_start[block];
	if (passed == WM_NONE)
		return leave(walk, WM_TRACE_LEFT_TAIL, graph->edge[graph->cfg->out_edge[out]]);
	top->block = passed;
	top->call = graph->first_call[passed + 1];
	walk->pending_passed = graph->exit_edge[block];
	tell(walk, WM_TRACE_STEP_BLOCK);
	walk->step.edge = graph->edge[graph->cfg->out_edge[out]];
	return &walk->step;
}

static const struct wm_trace_step *leave_passed(struct wm_trace_walk *walk)
{
	uint32_t edge = top_of(walk)->function->graph.edge[walk->pending_passed];
	walk->pending_passed = WM_NONE;
	return leave(walk, WM_TRACE_LEFT_TAIL, edge);
}

static const struct wm_trace_step *follow(struct wm_trace_walk *walk, uint32_t edge)
{
	struct frame *top = top_of(walk);
	const struct wm_trace_graph *graph = &top->function->graph;
	if (edge == WM_NONE)
		return damaged(walk, "a branch has no successor of that code");
	uint32_t target = graph->cfg->target[edge], source = graph->cfg->source[edge];
	if (target != graph->cfg->exit) {
		if (graph->target_code[target] != WM_NONE)
			walk->position += graph->target_bits;
		come_to_block(top, target);
		tell(walk, WM_TRACE_STEP_BLOCK);
		walk->step.edge = graph->edge[edge];
		return &walk->step;
	}
	if (graph->resumes[source])
		return leave(walk, WM_TRACE_LEFT_RESUME, graph->edge[edge]);
	return top->is_handler ? end_handler(walk, graph->edge[edge])
			       : leave(walk, WM_TRACE_LEFT_RETURN, graph->edge[edge]);
}

static uint32_t invoke_edge(const struct frame *frame)
{
	const struct wm_trace_graph *graph = &frame->function->graph;
	uint32_t pad = frame->function->function->trace->pad[frame->call - 1];
	for (uint32_t k = graph->cfg->out_start[frame->block];
		k < graph->cfg->out_start[frame->block + 1]; k++)
		if (graph->cfg->target[graph->cfg->out_edge[k]] != pad)
			return graph->cfg->out_edge[k];
	return WM_NONE;
}

/* Where the running sum was when the handler at hand ended, if it did; units are searched. */
static bool find_handler_end(struct wm_trace_walk *walk, uint64_t *sum)
{
	uint32_t open = 0;
	for (uint64_t unit = walk->units; unit < walk->unit_limit;) {
		uint32_t value = unit_at(walk, unit), kind = value & WM_TRACE_MASK;
		open += kind == WM_TRACE_SIGNAL;
		if (kind == WM_TRACE_SIGNAL_END && --open == 0) {
			*sum = long_at(walk, unit + 1);
			return true;
		}
		unit += value ? 1 + wm_trace_more_units(value, walk->ring) : 1;
	}
	return false;
}

/* Whether a handler ran before this branch. */
static bool was_interrupted(struct wm_trace_walk *walk, uint32_t bits)
{
	uint64_t ended, started;
	if ((peek(walk) & WM_TRACE_MASK) != WM_TRACE_SIGNAL)
		return false;
	started = long_at(walk, walk->units + 1);
	int64_t ahead = (int64_t)(walk->position - started);
	if (ahead < -WM_TRACE_MAX_DISTANCE || ahead > WM_TRACE_MAX_DISTANCE)
		return ahead > 0;
	if (code_at(&walk->bits, walk->position, bits))
		return false;
	return find_handler_end(walk, &ended) &&
	       code_at(&walk->bits, walk->position + (ended - started), bits) != 0;
}

/* The edge to the target whose code comes next; its bits are read when it is entered. */
static uint32_t jump_edge(const struct frame *top, uint32_t code)
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
	struct frame *top = top_of(walk);
	const struct wm_trace_graph *graph = &top->function->graph;
	bool jumps = graph->jumps[top->block];
	uint32_t bits = jumps ? graph->target_bits : graph->bits[top->block];
	if (walk->position >= walk->limit && (peek(walk) & WM_TRACE_MASK) != WM_TRACE_SIGNAL)
		return end(walk, WM_TRACE_END_IN_CODE);
	if (was_interrupted(walk, bits))
		return start_handler(walk, peek(walk));
	uint32_t code = code_at(&walk->bits, walk->position, bits);
	walk->idle = 0;
	if (jumps)
		return follow(walk, jump_edge(top, code));
	walk->position += bits;
	return follow(
		walk, top->function->edge_of_code[top->function->first_code[top->block] + code]);
}

static const struct wm_trace_step *leave_block(struct wm_trace_walk *walk)
{
	struct frame *top = top_of(walk);
	const struct wm_trace_graph *graph = &top->function->graph;
	const uint32_t first = graph->first_call[top->block];
	if (graph->bits[top->block] || graph->jumps[top->block])
		return branch(walk);
	if (top->call > first &&
		top->function->function->trace->call_class[top->call - 1] == WM_CALL_INVOKE)
		return follow(walk, invoke_edge(top));
	if (walk->idle++ > graph->cfg->vertex_count)
		return (peek(walk) & WM_TRACE_MASK) == WM_TRACE_SIGNAL
			       ? start_handler(walk, peek(walk))
			       : end(walk, WM_TRACE_END_IN_CODE);
	return follow(walk, top->function->edge_of_code[top->function->first_code[top->block]]);
}

/* What was called has returned, which is not told of a known call. */
static bool is_back(const struct frame *frame, const struct wm_trace_step *last)
{
	return class_of(frame) == WM_CALL_KNOWN && last->kind == WM_TRACE_STEP_LEAVE &&
	       last->left == WM_TRACE_LEFT_RETURN && !frame->resumed;
}

const struct wm_trace_step *wm_trace_walk_next(struct wm_trace_walk *walk)
{
	if (walk->ended)
		return &walk->step;
	if (walk->pending_passed != WM_NONE)
		return leave_passed(walk);
	const struct wm_trace_step last = walk->step;
	if (!walk->depth) {
		bool fresh = !walk->started;
		walk->started = true;
		return !fresh && peek(walk) == WM_TRACE_NOTHING ? end(walk, WM_TRACE_END_RETURNED)
								: take_unit(walk);
	}
	struct frame *top = top_of(walk);
	if (last.kind == WM_TRACE_STEP_ENTER || last.kind == WM_TRACE_STEP_LAND)
		return tell(walk, WM_TRACE_STEP_BLOCK);
	if (top->state == WAITING) {
		if (!is_back(top, &last) || last.depth != walk->depth)
			return take_unit(walk);
		tell(walk, WM_TRACE_STEP_BACK);
		go_on_behind_call(top);
		return &walk->step;
	}
	const struct wm_traced_function *function = top->function;
	const uint32_t calls = function->graph.first_call[top->block + 1];
	while (top->call < calls && class_of(top) == WM_CALL_SILENT)
		top->call++;
	if (top->call == calls)
		return leave_block(walk);
	enum wm_call_class class = class_of(top);
	return class == WM_CALL_TAIL_OPEN || class == WM_CALL_TAIL_KNOWN ? make_tail_call(walk)
									 : make_call(walk);
}

static void copy_frames(struct wm_trace_walk *walk, const struct wm_trace_walk *parent)
{
	walk->capacity = parent->depth;
	walk->depth = parent->depth;
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
		walk->units = calls->piece[oldest].number * (WM_TRACE_PIECE_BYTES / 2) +
			      control->first_unit[calls->piece[oldest].number % ring];
}

struct wm_trace_walk *wm_trace_walk_start(struct wm_arena *arena,
	struct wm_trace_functions *functions, const struct wm_trace_file *file,
	const struct wm_trace_thread *thread, const struct wm_trace_walk *parent)
{
	struct wm_trace_walk *walk = wm_arena_alloc(arena, 1, sizeof *walk);
	const struct wm_trace_stream *control = &thread->control;
	const struct wm_trace_pieces *calls = &thread->calls;
	uint64_t last = calls->count ? calls->piece[calls->count - 1].number + 1 : 0;
	uint64_t ones = last_one(&thread->bits);
	*walk = (struct wm_trace_walk){.arena = arena,
		.functions = functions,
		.thread = thread,
		.bits = {.pieces = &thread->bits},
		.ring = file->ring,
		.unit_piece = UINT64_MAX,
		.unit_limit =
			smaller(control->cursor - control->calls, last * WM_TRACE_PIECE_BYTES) / 2,
		.limit = control->position > ones ? control->position : ones + 1,
		.full = control->stopped || (file->status & WM_TRACE_FULL),
		.pending_passed = WM_NONE};
	if (file->ring)
		start_in_ring(walk, file->ring);
	if (control->stopped)
		walk->limit = smaller(walk->limit, control->stopped - 1);
	if (parent)
		copy_frames(walk, parent);
	return walk;
}

uint32_t wm_trace_walk_function_count(const struct wm_trace_walk *walk)
{
	return walk->functions->object->function_count;
}

uint64_t wm_trace_walk_bits(const struct wm_trace_walk *walk)
{
	return walk->position;
}

uint64_t wm_trace_walk_calls(const struct wm_trace_walk *walk)
{
	return walk->units * 2;
}

bool wm_trace_walk_is_at_fork(const struct wm_trace_walk *walk, const struct wm_trace_stream *child)
{
	return walk->units * 2 >= child->parent_calls && walk->position >= child->parent_position &&
	       walk->depth && walk->frames[walk->depth - 1].state == WAITING;
}

const char *wm_trace_walk_reason(const struct wm_trace_walk *walk)
{
	return walk->error.text;
}
