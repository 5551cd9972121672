#include "hpp/profiler.h"

#include <string.h>

const uint8_t wm_queue_slots[WM_QUEUE_SIZES] = {0, 1, 2, 4, 8, 16};
const uint8_t wm_queue_speed[WM_QUEUE_SPEEDS] = {0, 12, 8, 6, 4, 3};

const struct wm_profiler_options wm_profiler_defaults = {
	.control = {{0xa, 0x6, 0x1, 0xd, 0xd}, 0, 0, 32, 0, false, true},
	.depth = 32,
	.counter_bits = 8,
	.table = {512, 4, WM_INDEX_FOLD, WM_POLICY_LFU, 0, false},
	.limit = 16 << 20,
};

enum { FIRST_PATHS = 1 << 12, FIRST_SPILL = 64, MAX_SPILL = 1 << 22 };

/* One more element; true if there is room for it. */
static bool grow_exact(struct wm_profiler *profiler)
{
	struct wm_exact_table *exact = &profiler->exact;
	uint32_t capacity = exact->capacity ? exact->capacity * 2 : FIRST_PATHS;
	size_t old_bytes = exact->capacity * sizeof *exact->path;
	uint32_t *index = profiler->resize(0, 0, 2 * capacity * sizeof *index);
	struct wm_exact_path *path =
		index ? profiler->resize(exact->path, old_bytes, capacity * sizeof *path) : 0;
	uint32_t *old_index = exact->index, old_size = exact->index_size;
	if (!path) {
		if (index)
			profiler->resize(index, 2 * capacity * sizeof *index, 0);
		return false;
	}
	wm_exact_table_move(exact, path, capacity, index, 2 * capacity);
	if (old_index)
		profiler->resize(old_index, old_size * sizeof *old_index, 0);
	return true;
}

/* Paths beyond the limit, or beyond the memory there is, go to a table of fixed size. */
static void add_beyond(struct wm_profiler *profiler, uint64_t start, uint64_t rest, uint32_t weight)
{
	struct wm_hot_table *sketch = &profiler->sketch;
	profiler->beyond_limit++;
	if (!sketch->cell) {
		struct wm_hot_shape shape = {4096, 4, WM_INDEX_FOLD, WM_POLICY_ADMIT, 0, false};
		void *memory = profiler->resize(0, 0, wm_hot_table_bytes(&shape));
		if (!memory)
			return;
		wm_hot_table_init(sketch, &shape, memory);
	}
	wm_hot_table_add(sketch, start, rest, weight);
}

/* Returns the path's number, and stores its set. */
static uint32_t note_exactly(struct wm_profiler *profiler, const struct wm_path_entry *entry,
	uint64_t rest, enum wm_path_ending ending, uint32_t weight, uint32_t *set)
{
	struct wm_exact_table *exact = &profiler->exact;
	struct wm_exact_path *path;
	if (exact->paths < profiler->options.limit && wm_exact_table_is_full(exact))
		grow_exact(profiler);
	path = exact->paths < profiler->options.limit
		       ? wm_exact_table_path(exact, entry->start, rest)
		       : wm_exact_table_find(exact, entry->start, rest);
	if (!path) {
		add_beyond(profiler, entry->start, rest, weight);
		*set = wm_hot_table_set(&profiler->table, entry->start, rest);
		return UINT32_MAX;
	}
	if (!path->count)
		path->set = wm_hot_table_set(&profiler->table, entry->start, rest);
	*set = path->set;
	wm_exact_path_add(path, entry, ending);
	return (uint32_t)(path - exact->path);
}

static void take_path(void *context, const struct wm_path_entry *entry, enum wm_path_ending ending)
{
	struct wm_profiler *profiler = context;
	if (profiler->options.complete_only && entry->flags & WM_ENTRY_PARTIAL)
		return;
	uint64_t rest = (uint64_t)entry->length << 32 | entry->outcomes;
	uint32_t weight = entry->events > UINT32_MAX ? UINT32_MAX : (uint32_t)entry->events;
	if (profiler->options.control.event == WM_HPP_EVENT_FREQUENCY)
		weight = 1;
	uint32_t set, number = note_exactly(profiler, entry, rest, ending, weight, &set);
	enum wm_hot_result result =
		wm_hot_table_add_to(&profiler->table, set, entry->start, rest, weight);
	profiler->presented += result != WM_HOT_NOTHING;
	profiler->missed += result == WM_HOT_MISS;
	if (profiler->consumer)
		profiler->consumer(profiler->context, number, entry, weight);
}

bool wm_profiler_init(
	struct wm_profiler *profiler, const struct wm_profiler_options *options, wm_resize resize)
{
	void *cells = resize(0, 0, wm_hot_table_bytes(&options->table));
	memset(profiler, 0, sizeof *profiler);
	profiler->options = *options;
	profiler->resize = resize;
	if (!cells)
		return false;
	wm_hot_table_init(&profiler->table, &options->table, cells);
	profiler->latencies = wm_latencies_of(options->table.ways);
	for (int speed = 0; speed < WM_QUEUE_SPEEDS; speed++)
		for (int size = 0; size < WM_QUEUE_SIZES; size++)
			profiler->queue[speed][size].slots = wm_queue_slots[size];
	return grow_exact(profiler);
}

void wm_profiler_free(struct wm_profiler *profiler)
{
	struct wm_exact_table *exact = &profiler->exact;
	wm_resize resize = profiler->resize;
	for (uint32_t i = 0; i < profiler->threads; i++)
		resize(profiler->thread[i].memory, profiler->thread[i].bytes, 0);
	resize(profiler->thread, profiler->thread_capacity * sizeof *profiler->thread, 0);
	resize(profiler->table.cell, wm_hot_table_bytes(&profiler->table.shape), 0);
	resize(profiler->sketch.cell, wm_hot_table_bytes(&profiler->sketch.shape), 0);
	resize(exact->path, exact->capacity * sizeof *exact->path, 0);
	resize(exact->index, exact->index_size * sizeof *exact->index, 0);
	memset(profiler, 0, sizeof *profiler);
}

static uint32_t capacity_for(const struct wm_profiler_options *options)
{
	uint32_t capacity = FIRST_SPILL;
	while (!options->spill && capacity < options->depth)
		capacity *= 2;
	return capacity;
}

static bool add_thread(struct wm_profiler *profiler, uint64_t number)
{
	const struct wm_profiler_options *options = &profiler->options;
	uint32_t capacity = capacity_for(options);
	struct wm_profiler_thread *thread;
	if (profiler->threads == profiler->thread_capacity) {
		uint32_t more = profiler->thread_capacity * 2 + 4;
		thread = profiler->resize(profiler->thread,
			profiler->thread_capacity * sizeof *thread, more * sizeof *thread);
		if (!thread)
			return false;
		profiler->thread = thread;
		profiler->thread_capacity = more;
	}
	thread = &profiler->thread[profiler->threads];
	thread->number = number;
	thread->bytes = wm_path_stack_bytes(capacity, &options->control);
	thread->memory = profiler->resize(0, 0, thread->bytes);
	if (!thread->memory)
		return false;
	wm_path_stack_init(&thread->stack, &options->control, thread->memory, capacity);
	wm_path_stack_counter_bits(&thread->stack, options->counter_bits);
	thread->stack.depth = options->depth;
	thread->stack.spill = options->spill;
	thread->stack.as_published = options->as_published;
	thread->stack.sink = take_path;
	thread->stack.context = profiler;
	profiler->threads++;
	return true;
}

void wm_profiler_thread(struct wm_profiler *profiler, uint64_t number)
{
	uint32_t i = 0;
	if (profiler->current && profiler->current->number == number)
		return;
	profiler->switches += profiler->current != 0;
	while (i < profiler->threads && profiler->thread[i].number != number)
		i++;
	if (i == profiler->threads && !add_thread(profiler, number)) {
		profiler->failed = true;
		profiler->current = 0;
		return;
	}
	profiler->current = &profiler->thread[i];
}

/* The current thread's stack with an entry on it, or NULL. */
static struct wm_path_stack *current(struct wm_profiler *profiler, uint64_t address)
{
	if (!profiler->current && !profiler->failed)
		wm_profiler_thread(profiler, 1);
	if (!profiler->current)
		return 0;
	if (!profiler->current->stack.entries)
		wm_path_stack_begin(&profiler->current->stack, address);
	return &profiler->current->stack;
}

static void make_room(struct wm_profiler *profiler)
{
	struct wm_profiler_thread *thread = profiler->current;
	struct wm_path_stack *stack = &thread->stack;
	uint32_t capacity = 2 * stack->capacity;
	if (!stack->spill || capacity > MAX_SPILL || !wm_path_stack_is_full(stack))
		return;
	size_t bytes = wm_path_stack_bytes(capacity, &stack->control);
	void *memory = profiler->resize(0, 0, bytes);
	if (!memory)
		return;
	wm_path_stack_move(stack, memory, capacity);
	profiler->resize(thread->memory, thread->bytes, 0);
	thread->memory = memory;
	thread->bytes = bytes;
}

void wm_profiler_begin(struct wm_profiler *profiler, uint64_t address)
{
	struct wm_path_stack *stack;
	if (profiler->current)
		wm_path_stack_finish(&profiler->current->stack);
	stack = current(profiler, address);
	if (stack)
		wm_path_stack_entry(stack, 0)->start = address;
}

static void serve(struct wm_profiler *profiler, uint32_t service)
{
	for (int speed = 0; speed < WM_QUEUE_SPEEDS; speed++) {
		uint64_t time = wm_queue_speed[speed]
					? profiler->instructions * wm_queue_speed[speed]
					: profiler->cycles * WM_QUEUE_UNIT;
		for (int size = 0; size < WM_QUEUE_SIZES; size++)
			wm_commit_queue_add(&profiler->queue[speed][size], time,
				(uint64_t)service * WM_QUEUE_UNIT);
	}
}

void wm_profiler_branch(
	struct wm_profiler *profiler, const struct wm_branch *branch, uint32_t cycles)
{
	struct wm_path_stack *stack = current(profiler, branch->at);
	uint32_t service;
	if (!stack)
		return;
	if (stack->spill)
		make_room(profiler);
	profiler->presented = profiler->missed = 0;
	profiler->instructions += branch->instructions;
	profiler->branches++;
	profiler->kind[branch->kind]++;
	profiler->cycles += cycles;
	wm_path_stack_step(stack, branch);
	service = wm_service(
		&profiler->latencies, &stack->work, profiler->presented, profiler->missed);
	profiler->service += service;
	if (profiler->options.queues)
		serve(profiler, service);
}

bool wm_profiler_begins(const struct wm_profiler *profiler, uint64_t address)
{
	const struct wm_path_entry *top;
	if (!profiler->current || !profiler->current->stack.entries)
		return false;
	top = wm_path_stack_entry(&profiler->current->stack, 0);
	return top->start == address && top->length == 0 &&
	       top->count[WM_HPP_EVENT_INSTRUCTIONS] == 0 && !(top->flags & ~WM_ENTRY_HAS_RETURN);
}

void wm_profiler_again(struct wm_profiler *profiler, const struct wm_path_again *again,
	uint64_t times, uint64_t to)
{
	struct wm_path_stack *stack = &profiler->current->stack;
	struct wm_path_entry *top = wm_path_stack_entry(stack, 0);
	struct wm_exact_path *path = &profiler->exact.path[again->number];
	uint64_t branches = (uint64_t)again->conditionals + again->jumps;
	struct wm_path_work work = {.updates = (uint32_t)branches, .pops = 1, .pushes = 1};
	top->count[WM_HPP_EVENT_INSTRUCTIONS] = again->instructions;
	wm_exact_path_add_times(path, top, WM_ENDING_BACKWARD, times);
	uint64_t missed = wm_hot_table_add_times(
		&profiler->table, path->set, path->start, path->rest, 1, times);
	profiler->instructions += times * again->instructions;
	profiler->branches += times * branches;
	profiler->kind[WM_BRANCH_CONDITIONAL] += times * again->conditionals;
	profiler->kind[WM_BRANCH_JUMP] += times * again->jumps;
	profiler->service += (times - missed) * wm_service(&profiler->latencies, &work, 1, 0) +
			     missed * wm_service(&profiler->latencies, &work, 1, 1);
	stack->figures.emitted += times;
	top->count[WM_HPP_EVENT_INSTRUCTIONS] = 0;
	top->start = to;
}

void wm_profiler_count(struct wm_profiler *profiler, const struct wm_branch *rest)
{
	struct wm_path_stack *stack = current(profiler, rest->at);
	if (!stack)
		return;
	profiler->instructions += rest->instructions;
	wm_path_stack_count(stack, rest);
}

void wm_profiler_signal(struct wm_profiler *profiler, uint64_t address)
{
	struct wm_path_stack *stack = current(profiler, address);
	if (stack)
		wm_path_stack_signal(stack, address);
}

void wm_profiler_sigreturn(struct wm_profiler *profiler)
{
	if (profiler->current)
		wm_path_stack_sigreturn(&profiler->current->stack);
}

void wm_profiler_end_thread(struct wm_profiler *profiler)
{
	if (profiler->current)
		wm_path_stack_finish(&profiler->current->stack);
}

void wm_profiler_finish(struct wm_profiler *profiler)
{
	for (uint32_t i = 0; i < profiler->threads; i++)
		wm_path_stack_finish(&profiler->thread[i].stack);
}

void wm_profiler_clear(struct wm_profiler *profiler)
{
	struct wm_exact_table *exact = &profiler->exact;
	exact->paths = 0;
	wm_exact_table_move(exact, exact->path, exact->capacity, exact->index, exact->index_size);
	wm_hot_table_init(&profiler->table, &profiler->options.table, profiler->table.cell);
	profiler->instructions = profiler->branches = profiler->cycles = profiler->service = 0;
	profiler->beyond_limit = profiler->switches = 0;
	memset(profiler->kind, 0, sizeof profiler->kind);
	for (uint32_t i = 0; i < profiler->threads; i++)
		memset(&profiler->thread[i].stack.figures, 0,
			sizeof profiler->thread[i].stack.figures);
}

struct wm_path_stack_figures wm_profiler_figures(const struct wm_profiler *profiler)
{
	struct wm_path_stack_figures sum = {0};
	for (uint32_t i = 0; i < profiler->threads; i++) {
		const struct wm_path_stack_figures *one = &profiler->thread[i].stack.figures;
		sum.emitted += one->emitted;
		sum.dropped += one->dropped;
		sum.underflows += one->underflows;
		sum.saturated += one->saturated;
		sum.repairs += one->repairs;
		sum.splits += one->splits;
		sum.spills += one->spills;
		sum.refills += one->refills;
		if (one->deepest > sum.deepest)
			sum.deepest = one->deepest;
	}
	return sum;
}
