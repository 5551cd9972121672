#include "hpp/path_stack.h"

#include <string.h>

/* A stack pointer that moves by more belongs to another stack: nothing follows from it. */
static const uint64_t one_stack = 1 << 20;

/* What an entry inherits from the one before it in the same frame. */
struct frame {
	uint64_t address, stack;
	uint8_t flags;
};

size_t wm_path_stack_bytes(uint32_t capacity, const struct wm_control *control)
{
	return capacity * (sizeof(struct wm_path_entry) + control->maximum * sizeof(uint64_t));
}

static void place(struct wm_path_stack *stack, void *memory, uint32_t capacity)
{
	stack->entry = memory;
	stack->capacity = capacity;
	stack->returns = (uint64_t *)(void *)(stack->entry + capacity);
}

void wm_path_stack_init(struct wm_path_stack *stack, const struct wm_control *control, void *memory,
	uint32_t capacity)
{
	memset(stack, 0, sizeof *stack);
	stack->control = *control;
	stack->depth = 32;
	stack->event_top = 255;
	place(stack, memory, capacity);
	memset(memory, 0, capacity * sizeof *stack->entry);
}

void wm_path_stack_counter_bits(struct wm_path_stack *stack, unsigned bits)
{
	stack->event_top = bits ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
}

static uint32_t slot_of(const struct wm_path_stack *stack, uint32_t below)
{
	return (stack->first + stack->entries - 1 - below) & (stack->capacity - 1);
}

struct wm_path_entry *wm_path_stack_entry(const struct wm_path_stack *stack, uint32_t below)
{
	return &stack->entry[slot_of(stack, below)];
}

static uint64_t *returns_of(const struct wm_path_stack *stack, uint32_t slot)
{
	return stack->returns + (size_t)slot * stack->control.maximum;
}

bool wm_path_stack_is_full(const struct wm_path_stack *stack)
{
	return stack->entries + stack->control.maximum + 2 > stack->capacity;
}

void wm_path_stack_move(struct wm_path_stack *stack, void *memory, uint32_t capacity)
{
	struct wm_path_stack old = *stack;
	size_t bytes = stack->control.maximum * sizeof(uint64_t);
	place(stack, memory, capacity);
	memset(memory, 0, capacity * sizeof *stack->entry);
	stack->first = 0;
	for (uint32_t i = 0; i < old.entries; i++) {
		uint32_t from = (old.first + i) & (old.capacity - 1);
		stack->entry[i] = old.entry[from];
		memcpy(returns_of(stack, i), returns_of(&old, from), bytes);
	}
}

static void emit(struct wm_path_stack *stack, const struct wm_path_entry *path,
	enum wm_path_ending ending)
{
	stack->figures.emitted++;
	if (path->flags & WM_ENTRY_STUCK)
		stack->figures.saturated++;
	if (stack->sink)
		stack->sink(stack->context, path, ending);
}

static void start_entry(struct wm_path_entry *entry, uint64_t start, const struct frame *frame)
{
	/* Clearing what is clear takes longer than all the rest. */
	if (entry->flags & WM_ENTRY_COUNTED)
		memset(entry->count, 0, sizeof entry->count);
	entry->count[WM_HPP_EVENT_INSTRUCTIONS] = 0;
	entry->events = 0;
	entry->outcomes = 0;
	entry->length = entry->extension = 0;
	entry->start = start;
	entry->frame_return = frame->address;
	entry->frame_stack = frame->stack;
	entry->flags = frame->flags;
}

static struct frame frame_of(const struct wm_path_entry *entry)
{
	return (struct frame){entry->frame_return, entry->frame_stack,
		entry->flags & (WM_ENTRY_HAS_RETURN | WM_ENTRY_SIGNAL)};
}

static void push(struct wm_path_stack *stack, uint64_t start, const struct frame *frame)
{
	uint32_t limit = stack->depth && !stack->spill ? stack->depth : stack->capacity;
	stack->work.pushes++;
	if (stack->entries == limit) {
		stack->first = (stack->first + 1) & (stack->capacity - 1);
		stack->entries--;
		stack->figures.dropped++;
	}
	stack->entries++;
	if (stack->spill && stack->entries > stack->depth)
		stack->figures.spills++;
	if (stack->entries > stack->figures.deepest)
		stack->figures.deepest = stack->entries;
	start_entry(wm_path_stack_entry(stack, 0), start, frame);
}

static void drop_top(struct wm_path_stack *stack)
{
	if (stack->spill && stack->entries > stack->depth)
		stack->figures.refills++;
	stack->entries--;
}

static void abandon_top(struct wm_path_stack *stack)
{
	emit(stack, wm_path_stack_entry(stack, 0), WM_ENDING_ABANDONED);
	drop_top(stack);
}

void wm_path_stack_begin(struct wm_path_stack *stack, uint64_t address)
{
	push(stack, address, &(struct frame){.flags = WM_ENTRY_PARTIAL});
}

/* The path stood for its own frame and for those of the extended calls that it is inside of. The
 * callers' paths go on where they will be returned to. Returns the innermost frame. */
static struct frame open_frames(
	struct wm_path_stack *stack, const struct wm_path_entry *ended, const uint64_t *returns)
{
	struct frame frame = frame_of(ended);
	if (stack->control.extension != WM_EXTEND_CALLS || stack->as_published)
		return frame;
	for (unsigned i = 0; i < ended->extension; i++) {
		push(stack, returns[i], &frame);
		frame = (struct frame){returns[i], 0, WM_ENTRY_HAS_RETURN};
	}
	return frame;
}

/* The frame on top goes on, but not where its path was going. */
static void redirect_top(struct wm_path_stack *stack, uint64_t to)
{
	struct wm_path_entry *top = wm_path_stack_entry(stack, 0);
	struct frame frame = frame_of(top);
	emit(stack, top, WM_ENDING_ABANDONED);
	start_entry(top, to, &frame);
}

static bool is_gone(const struct frame *frame, uint64_t pointer)
{
	return pointer && frame->stack && frame->stack < pointer &&
	       pointer - frame->stack <= one_stack;
}

static void abandon_gone(struct wm_path_stack *stack, uint64_t pointer)
{
	while (stack->entries) {
		struct frame frame = frame_of(wm_path_stack_entry(stack, 0));
		if (!is_gone(&frame, pointer))
			return;
		abandon_top(stack);
	}
}

/* The frame was not left to the one below it: frames were left without return (longjmp, an
 * exception), or the return was used as a jump. */
static void repair_return(struct wm_path_stack *stack, const struct wm_branch *branch)
{
	for (uint32_t i = 0; i < stack->entries; i++) {
		const struct wm_path_entry *entry = wm_path_stack_entry(stack, i);
		if (!(entry->flags & WM_ENTRY_HAS_RETURN) || entry->frame_return != branch->to)
			continue;
		stack->figures.repairs++;
		for (uint32_t left = i + 1; left; left--)
			abandon_top(stack);
		return;
	}
	abandon_gone(stack, branch->stack);
	if (stack->entries) {
		stack->figures.repairs++;
		redirect_top(stack, branch->to);
	}
}

static void after_return(struct wm_path_stack *stack, const struct wm_path_entry *ended,
	const uint64_t *returns, const struct wm_branch *branch)
{
	struct frame frame = open_frames(stack, ended, returns);
	if (frame.flags & WM_ENTRY_SIGNAL) {
		push(stack, branch->to,
			&(struct frame){.flags = WM_ENTRY_PARTIAL | WM_ENTRY_SIGNAL});
		return;
	}
	if (frame.flags & WM_ENTRY_HAS_RETURN && frame.address != branch->to)
		repair_return(stack, branch);
	if (stack->entries)
		return;
	stack->figures.underflows++;
	wm_path_stack_begin(stack, branch->to);
	stack->work.pushes--;
}

/* The same frame goes on with a new path; a jump may have left frames, as longjmp does. */
static void go_on(struct wm_path_stack *stack, const struct wm_path_entry *ended,
	const uint64_t *returns, const struct wm_branch *branch)
{
	struct frame frame = open_frames(stack, ended, returns);
	if (branch->kind != WM_BRANCH_JUMP_INDIRECT || !is_gone(&frame, branch->stack)) {
		push(stack, branch->to, &frame);
		return;
	}
	stack->figures.repairs++;
	abandon_gone(stack, branch->stack);
	if (stack->entries)
		redirect_top(stack, branch->to);
	else
		wm_path_stack_begin(stack, branch->to);
}

void wm_path_stack_count(struct wm_path_stack *stack, const struct wm_branch *branch)
{
	struct wm_path_entry *top = wm_path_stack_entry(stack, 0);
	top->events += branch->events;
	if (top->events > stack->event_top) {
		top->events = stack->event_top;
		top->flags |= WM_ENTRY_STUCK;
	}
	if (!branch->counts) {
		top->count[WM_HPP_EVENT_INSTRUCTIONS] += branch->instructions;
		return;
	}
	top->flags |= WM_ENTRY_COUNTED;
	for (int i = 0; i < WM_HPP_COUNTS; i++)
		top->count[i] += branch->counts[i];
}

/* The row's operations, or what takes their place in an extended path. */
static unsigned operations(
	struct wm_path_stack *stack, enum wm_branch_type type, const struct wm_branch *branch)
{
	const struct wm_control *control = &stack->control;
	uint32_t slot = slot_of(stack, 0);
	struct wm_path_entry *top = &stack->entry[slot];
	if (control->extension == WM_EXTEND_LOOPS && type == WM_TYPE_BACKWARD &&
		top->extension < control->maximum) {
		top->extension++;
		return WM_UPDATE;
	}
	if (control->extension != WM_EXTEND_CALLS)
		return control->row[type];
	uint64_t *returns = returns_of(stack, slot);
	if (branch->kind == WM_BRANCH_CALL && top->extension < control->maximum) {
		returns[top->extension++] = branch->after;
		return WM_UPDATE_COUNT;
	}
	if (type == WM_TYPE_RETURN && top->extension &&
		(stack->as_published || returns[top->extension - 1] == branch->to)) {
		top->extension--;
		return WM_UPDATE_COUNT;
	}
	return control->row[type];
}

static const enum wm_path_ending ending_of[WM_TYPES] = {WM_ENDING_CALL, WM_ENDING_RETURN,
	WM_ENDING_FORWARD, WM_ENDING_BACKWARD, WM_ENDING_INDIRECT};

/* The rule: the frame goes on with a new path in the same place, or returns to where it was called
 * from. False if it is an exception to the rule. */
static bool end_simply(
	struct wm_path_stack *stack, const struct wm_branch *branch, bool is_return)
{
	struct wm_path_entry *top = wm_path_stack_entry(stack, 0);
	struct frame frame = frame_of(top);
	if (stack->control.extension == WM_EXTEND_CALLS || frame.flags & WM_ENTRY_SIGNAL)
		return false;
	if (!is_return) {
		if (branch->kind == WM_BRANCH_JUMP_INDIRECT && branch->stack)
			return false;
		stack->work.pushes++;
		start_entry(top, branch->to, &frame);
		return true;
	}
	if (!frame.flags || frame.address != branch->to || stack->entries == 1)
		return false;
	drop_top(stack);
	return true;
}

/* The top leaves. It is copied, since its place is taken at once. */
static void end_path(struct wm_path_stack *stack, const struct wm_branch *branch,
	enum wm_path_ending ending, bool is_return)
{
	uint32_t slot = slot_of(stack, 0);
	emit(stack, &stack->entry[slot], ending);
	stack->work.pops++;
	if (end_simply(stack, branch, is_return))
		return;
	struct wm_path_entry ended = stack->entry[slot];
	drop_top(stack);
	if (is_return)
		after_return(stack, &ended, returns_of(stack, slot), branch);
	else
		go_on(stack, &ended, returns_of(stack, slot), branch);
}

void wm_path_stack_step(struct wm_path_stack *stack, const struct wm_branch *branch)
{
	enum wm_branch_type type = wm_control_type(&stack->control, branch);
	unsigned row = operations(stack, type, branch);
	enum wm_path_ending ending = ending_of[type];
	struct wm_path_entry *top = wm_path_stack_entry(stack, 0);
	stack->work = (struct wm_path_work){0};
	wm_path_stack_count(stack, branch);
	if (row & WM_UPDATE) {
		stack->work.updates = 1;
		top->outcomes |= (uint32_t)branch->taken << top->length;
		if (++top->length == stack->control.length && !(row & WM_POP)) {
			row |= WM_POP | WM_PUSH;
			ending = WM_ENDING_SPLIT;
			stack->figures.splits++;
		}
	}
	stack->work.update_counts = (row & WM_UPDATE_COUNT) != 0;
	if (row & WM_POP)
		end_path(stack, branch, ending, type == WM_TYPE_RETURN && !(row & WM_PUSH));
	else if (row & WM_PUSH)
		push(stack, branch->to,
			&(struct frame){branch->after, branch->stack, WM_ENTRY_HAS_RETURN});
}

void wm_path_stack_signal(struct wm_path_stack *stack, uint64_t address)
{
	push(stack, address, &(struct frame){.flags = WM_ENTRY_SIGNAL});
}

void wm_path_stack_sigreturn(struct wm_path_stack *stack)
{
	uint32_t i = 0;
	while (i < stack->entries && !(wm_path_stack_entry(stack, i)->flags & WM_ENTRY_SIGNAL))
		i++;
	if (i == stack->entries)
		return;
	for (; i + 1; i--)
		abandon_top(stack);
}

void wm_path_stack_finish(struct wm_path_stack *stack)
{
	while (stack->entries)
		abandon_top(stack);
}

void wm_path_stack_control(
	struct wm_path_stack *stack, const struct wm_control *control, uint64_t address)
{
	bool begins = control->enabled && !stack->control.enabled;
	stack->control = *control;
	if (begins) {
		stack->entries = 0;
		wm_path_stack_begin(stack, address);
	}
}
