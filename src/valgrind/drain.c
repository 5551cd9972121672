/* From block numbers to branches. A block's events wait with its thread until the next block tells
 * where the branch went. */
#include "valgrind/tool.h"

#include "format/hpp_wire.h"
#include <pub_tool_libcbase.h>
#include <pub_tool_libcfile.h>
#include <pub_tool_mallocfree.h>

uint64_t wm_buffer[WM_BUFFER_WORDS + WM_MAX_SLOTS + 8];
uint64_t *wm_cursor = wm_buffer;
struct wm_profiler wm_profiler_state;
struct wm_machine wm_machine_state;

enum { NO_BLOCK = 0xffffffff, MAX_SIGNALS = 16 };

/* Where a thread is. */
struct place {
	uint32_t block; /* the last that began, or NO_BLOCK */
	uint64_t stack;
	uint32_t instructions;
	uint32_t counts[WM_HPP_COUNTS];
};

struct thread {
	struct place place;
	struct place interrupted[MAX_SIGNALS];
	uint32_t signals;
	bool begins;  /* its next block is its first */
	bool handler; /* its next block is a handler's first */
	bool known;
};

static struct thread *threads;
static uint32_t thread_capacity;
static struct thread *current;
static ThreadId current_id;

static struct wm_hpp_wire wire[1024];
static uint32_t wires;

static void send_wires(void)
{
	const char *next = (const char *)wire;
	uint64_t left = wires * sizeof *wire;
	wires = 0;
	while (left && wm_tool.stream >= 0) {
		Int sent = VG_(write)(wm_tool.stream, next, left > 1 << 30 ? 1 << 30 : (Int)left);
		if (sent <= 0) { /* nobody reads any more */
			VG_(close)(wm_tool.stream);
			wm_tool.stream = -1;
			return;
		}
		next += sent;
		left -= (uint64_t)sent;
	}
}

static struct wm_hpp_wire *next_wire(void)
{
	if (wires == sizeof wire / sizeof *wire)
		send_wires();
	return &wire[wires++];
}

static void tell(enum wm_hpp_wire_kind kind, uint64_t at)
{
	if (wm_tool.stream >= 0)
		*next_wire() = (struct wm_hpp_wire){.kind = (uint8_t)kind, .at = at};
}

static void tell_branch(const struct wm_branch *branch, int kind)
{
	struct wm_hpp_wire *told;
	if (wm_tool.stream < 0)
		return;
	told = next_wire();
	*told = (struct wm_hpp_wire){branch->at, branch->after, branch->to, branch->target,
		branch->stack, branch->instructions, (uint8_t)kind, branch->taken, {0}, {0}};
	if (branch->counts)
		VG_(memcpy)(told->counts, branch->counts, sizeof told->counts);
}

void wm_drain_start(void)
{
	void *memory = VG_(malloc)("waymark", wm_machine_bytes(&wm_tool.machine));
	wm_machine_init(&wm_machine_state, &wm_tool.machine, memory);
	wm_profiler_init(&wm_profiler_state, &wm_tool.profiler, wm_tool_resize);
}

/* What the block did to the caches. */
static void access_memory(const struct wm_block *block, const uint64_t *slots, uint32_t *counts)
{
	const struct wm_block_access *access = wm_accesses + block->first_access;
	for (uint32_t i = 0; i < block->accesses; i++, access++) {
		if (access->kind == WM_ACCESS_FETCH)
			wm_machine_fetch(&wm_machine_state, block->info.start + access->where,
				access->bytes, counts);
		else if (slots[access->where])
			wm_machine_data(&wm_machine_state, slots[access->where], access->bytes,
				access->kind == WM_ACCESS_STORE, counts);
	}
}

static void clear_counts(struct place *place)
{
	place->instructions = 0;
	if (wm_tool.modelled)
		VG_(memset)(place->counts, 0, sizeof place->counts);
}

/* The branch at the end of the last block went there. */
static void finish_block(struct place *place, uint64_t to)
{
	const struct wm_block *block = &wm_blocks[place->block];
	uint8_t kind = block->info.kind;
	if (kind >= WM_BRANCH_NONE) {
		/* A repeated instruction is one, which its last block counts. */
		if (kind == WM_BRANCH_REPEAT && to == block->at)
			place->instructions--;
		return;
	}
	bool taken = kind != WM_BRANCH_CONDITIONAL || to == block->info.target;
	struct wm_branch branch = {.at = block->at,
		.after = block->after,
		.to = to,
		.target = block->info.target ? block->info.target : to,
		.stack = place->stack,
		.instructions = place->instructions,
		.kind = kind,
		.taken = taken};
	uint8_t event = wm_tool.profiler.control.event;
	uint32_t cycles = 0;
	if (wm_tool.modelled) {
		wm_machine_branch(&wm_machine_state, &branch, place->counts);
		branch.counts = place->counts;
		branch.events = event ? place->counts[event] : 0;
		cycles = place->counts[WM_HPP_EVENT_CYCLES];
	} else if (event == WM_HPP_EVENT_INSTRUCTIONS) {
		branch.events = place->instructions;
	} else if (event) {
		branch.events = event == WM_HPP_EVENT_BRANCHES || kind <= WM_BRANCH_CALL_INDIRECT;
	}
	tell_branch(&branch, kind);
	wm_profiler_branch(&wm_profiler_state, &branch, cycles);
	clear_counts(place);
}

/* Instructions that no branch will follow. */
static void count_rest(struct place *place)
{
	struct wm_branch rest = {.instructions = place->instructions};
	uint8_t event = wm_tool.profiler.control.event;
	if (place->block == NO_BLOCK || !place->instructions)
		return;
	rest.at = wm_blocks[place->block].at;
	if (wm_tool.modelled) {
		wm_machine_block(&wm_machine_state, place->instructions, place->counts);
		rest.counts = place->counts;
		rest.events = event ? place->counts[event] : 0;
		wm_profiler_state.cycles += place->counts[WM_HPP_EVENT_CYCLES];
	} else if (event == WM_HPP_EVENT_INSTRUCTIONS) {
		rest.events = place->instructions;
	}
	tell_branch(&rest, WM_WIRE_REST);
	wm_profiler_count(&wm_profiler_state, &rest);
	clear_counts(place);
}

static void begin_somehow(uint64_t start)
{
	if (current->handler) {
		tell(WM_WIRE_SIGNAL, start);
		wm_profiler_signal(&wm_profiler_state, start);
	} else if (current->begins) {
		tell(WM_WIRE_BEGIN, start);
		wm_profiler_begin(&wm_profiler_state, start);
	}
	current->begins = current->handler = false;
}

/* Most branches only add an outcome to the path on top of the stack. Whether this one did so. */
static bool extend_path(struct place *place, uint64_t to)
{
	const struct wm_block *block = &wm_blocks[place->block];
	struct wm_path_stack *stack = &wm_profiler_state.current->stack;
	bool conditional = block->info.kind == WM_BRANCH_CONDITIONAL, taken;
	struct wm_path_entry *top;
	if (!conditional && block->info.kind != WM_BRANCH_JUMP)
		return false;
	taken = !conditional || to == block->info.target;
	if ((taken && to <= block->at) || !stack->entries)
		return false;
	top = wm_path_stack_entry(stack, 0);
	if (top->length + 1 >= stack->control.length)
		return false;
	top->outcomes |= (uint32_t)taken << top->length++;
	top->count[WM_HPP_EVENT_INSTRUCTIONS] += place->instructions;
	wm_profiler_state.instructions += place->instructions;
	wm_profiler_state.branches++;
	wm_profiler_state.kind[block->info.kind]++;
	wm_profiler_state.service += wm_profiler_state.latencies.update;
	place->instructions = 0;
	return true;
}

/* Nothing is counted but instructions and outcomes. */
static bool is_simple(void)
{
	const struct wm_profiler_options *options = &wm_tool.profiler;
	return !wm_tool.modelled && wm_tool.stream < 0 && !options->queues &&
	       options->control.event == WM_HPP_EVENT_FREQUENCY &&
	       !options->control.static_backward && !options->control.extension &&
	       options->control.row[WM_TYPE_FORWARD] == WM_UPDATE &&
	       options->control.row[WM_TYPE_BACKWARD] == (WM_UPDATE | WM_POP | WM_PUSH) &&
	       !wm_profiler_state.failed;
}

/* Where a path begins behind a backward branch. */
struct beginning {
	const uint64_t *behind; /* its first block, in the buffer; NULL: not there */
	uint32_t head;
};

/* A path ended, and behind `next` another may begin. */
static void note_beginning(
	struct beginning *path, const struct wm_block *last, const uint64_t *next, uint32_t number)
{
	const struct wm_block *block = &wm_blocks[number];
	bool backward = block->info.start <= last->at &&
			(last->info.kind == WM_BRANCH_JUMP ||
				(last->info.kind == WM_BRANCH_CONDITIONAL &&
					block->info.start == last->info.target));
	if (last->info.kind == WM_BRANCH_NONE)
		return;
	if (path->behind && backward)
		wm_known_path_learn(path->head, path->behind, (uint64_t)(next - path->behind));
	*path = (struct beginning){backward ? next + block->slots : NULL, number};
}

/* The next block, if it ends a path that is known. */
static const uint64_t *follow(struct place *place, struct beginning *path, const uint64_t *next)
{
	uint32_t number = place->block;
	const struct wm_block *block = &wm_blocks[number];
	if (next != path->behind || place->instructions != block->info.instructions ||
		!wm_profiler_begins(&wm_profiler_state, block->info.start))
		return NULL;
	next = wm_known_path_follow(&number, next, wm_cursor);
	if (!next)
		return NULL;
	block = &wm_blocks[number];
	place->block = number;
	place->instructions = block->info.instructions;
	place->stack = block->has_stack ? next[-1] : 0;
	*path = (struct beginning){next, number};
	return next;
}

void wm_drain(void)
{
	const uint64_t *next = wm_buffer, *behind;
	struct place *place = &current->place;
	struct beginning path = {NULL, 0};
	bool simple = is_simple();
	while (next < wm_cursor) {
		if (next == path.behind && (behind = follow(place, &path, next))) {
			next = behind;
			continue;
		}
		uint32_t number = (uint32_t)*next++;
		const struct wm_block *block = &wm_blocks[number];
		if (place->block != NO_BLOCK) {
			if (!simple || !extend_path(place, block->info.start)) {
				uint32_t last = place->block;
				finish_block(place, block->info.start);
				if (simple)
					note_beginning(&path, &wm_blocks[last], next, number);
			}
		} else if (current->begins || current->handler)
			begin_somehow(block->info.start);
		place->block = number;
		place->instructions += block->info.instructions;
		if (wm_tool.modelled)
			access_memory(block, next, place->counts);
		next += block->slots;
		place->stack = block->has_stack ? next[-1] : 0;
	}
	wm_cursor = wm_buffer;
}

void wm_drain_thread(ThreadId id)
{
	if (id == current_id)
		return;
	if (current)
		wm_drain();
	while (id >= thread_capacity) {
		uint32_t more = thread_capacity ? 2 * thread_capacity : 16;
		threads = VG_(realloc)("waymark", threads, more * sizeof *threads);
		VG_(memset)(
			threads + thread_capacity, 0, (more - thread_capacity) * sizeof *threads);
		thread_capacity = more;
	}
	current_id = id;
	current = &threads[id];
	if (!current->known) {
		current->known = current->begins = true;
		current->place.block = NO_BLOCK;
	}
	tell(WM_WIRE_THREAD, id);
	wm_profiler_thread(&wm_profiler_state, id);
}

void wm_drain_thread_exit(ThreadId id)
{
	wm_drain_thread(id);
	wm_drain();
	count_rest(&current->place);
	tell(WM_WIRE_END_THREAD, 0);
	wm_profiler_end_thread(&wm_profiler_state);
	VG_(memset)(current, 0, sizeof *current);
	current_id = 0; /* the number may be used again at once */
}

void wm_drain_signal(ThreadId id)
{
	wm_drain_thread(id);
	wm_drain();
	if (current->signals == MAX_SIGNALS) {
		VG_(memmove)(current->interrupted, current->interrupted + 1,
			(MAX_SIGNALS - 1) * sizeof *current->interrupted);
		current->signals--;
	}
	current->interrupted[current->signals++] = current->place;
	VG_(memset)(&current->place, 0, sizeof current->place);
	current->place.block = NO_BLOCK;
	current->handler = true;
}

void wm_drain_sigreturn(ThreadId id)
{
	wm_drain_thread(id);
	wm_drain();
	if (!current->signals)
		return;
	count_rest(&current->place);
	tell(WM_WIRE_SIGRETURN, 0);
	wm_profiler_sigreturn(&wm_profiler_state);
	current->place = current->interrupted[--current->signals];
	current->handler = false;
}

void wm_drain_finish(void)
{
	if (!current)
		return;
	wm_drain();
	for (uint32_t i = 0; i < thread_capacity; i++) {
		if (!threads[i].known)
			continue;
		wm_drain_thread(i);
		count_rest(&current->place);
		tell(WM_WIRE_END_THREAD, 0);
	}
	send_wires();
	wm_profiler_finish(&wm_profiler_state);
}

/* The child's profile begins where it was forked, and the stream is its parent's. */
void wm_drain_forked(void)
{
	wires = 0;
	if (wm_tool.stream >= 0)
		VG_(close)(wm_tool.stream);
	wm_tool.stream = -1;
	wm_profiler_clear(&wm_profiler_state);
	wm_known_paths_forget();
	for (uint32_t i = 0; i < thread_capacity; i++)
		if (&threads[i] != current)
			VG_(memset)(&threads[i], 0, sizeof threads[i]);
	current->place.instructions = 0;
	VG_(memset)(current->place.counts, 0, sizeof current->place.counts);
}
