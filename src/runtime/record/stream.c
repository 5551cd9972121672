/* Traces: where the code of each thread tells what it does (format/trace_file.h).
 *
 * A thread's words for this stand among its counters, where code finds them at once. When they are
 * used for the first time, a page of the .wmt file, the stream's control page, is put in their
 * place. So what they hold survives the process. Code asks the runtime where a word says that
 * nothing is mapped for the next unit, or for the next bit.
 *
 * A unit's place is taken by one instruction (xadd) before the unit is written, so a handler of
 * signals may do the same at any moment. One piece of calls is always mapped ahead. What is not
 * needed any more becomes memory that nobody reads: code that was interrupted for long may still
 * write there.
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <string.h>

#include "runtime/count/delta.h"
#include "runtime/count/slot.h"
#include "runtime/state.h"
#include "runtime/store.h"
#include "runtime/system.h"
#include "runtime/record/trace_file.h"

enum { REGION_BYTES = WM_TRACE_REGION_PIECES * WM_TRACE_PIECE_BYTES, KEPT_PIECES = 8 };

/* Behind the head of a chunk, what is here becomes a page of its own. */
enum { CONTROL_OFFSET = WM_TRACE_PAGE_BYTES - WM_CHUNK_HEADER_BYTES };
static __attribute__((used, aligned(4096),
	section("waymark_counters"))) char control_space[2 * WM_TRACE_PAGE_BYTES];
__asm__(".globl __waymark_trace\n"
	".hidden __waymark_trace\n"
	".set __waymark_trace,control_space+4032\n");
_Static_assert(CONTROL_OFFSET == 4032, "the words stand where the assembler is told");
_Static_assert(sizeof(struct wm_trace_stream) <= WM_TRACE_PAGE_BYTES, "a page");

extern char __waymark_trace[] __attribute__((visibility("hidden")));
extern int64_t __waymark_attach(void) __attribute__((visibility("hidden")));
extern const struct wm_store *wm_trace_store_entry;

struct place {
	uint64_t position, bits;
};

static uint32_t stream_count;
static uint32_t threads_are_quiet; /* those that start now are so, too */
static char nowhere[64];	   /* where units go that are not kept */

/* The forked child's only thread goes on with its parent's stream. */
static struct wm_trace_stream parent;

static struct wm_trace_stream *stream_at(int64_t delta)
{
	return (void *)(__waymark_trace + delta);
}

/* NULL: the thread has no words of its own yet. */
static struct wm_trace_stream *stream_of_caller(void)
{
	int64_t delta = wm_delta_get();
	if (!delta && !wm_state_is_held())
		delta = __waymark_attach();
	return delta && wm_state.started && !wm_state_is_held() ? stream_at(delta) : NULL;
}

/* Memory that costs nothing until it is written. */
static char *reserve_region(void)
{
	return wm_system_map(
		NULL, REGION_BYTES, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

static void let_go(char *piece)
{
	wm_system_map(
		piece, WM_TRACE_PIECE_BYTES, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

/* Calls fill their pages one behind the other. Of bits only those pages are needed that have ones.
 */
static int map_new_piece(const struct wm_trace_entry *entry, char *address, uint32_t *piece)
{
	if (wm_trace_file_map(entry, address, piece))
		return -1;
	if (entry->kind == WM_TRACE_BITS)
		wm_system_expect_random(address, WM_TRACE_PIECE_BYTES);
	else
		wm_system_make_pages(address, WM_TRACE_PIECE_BYTES);
	return 0;
}

/* A ring uses its pieces again and again. */
static int map_piece(struct wm_trace_stream *stream, uint32_t kind, uint64_t number, char *address)
{
	const struct wm_trace_entry entry = {stream->number, kind, number};
	uint32_t unused;
	if (!__waymark_trace_ring)
		return map_new_piece(&entry, address, &unused);
	int bits = kind == WM_TRACE_BITS;
	uint32_t *piece = &stream->ring_piece[bits][number % __waymark_trace_ring];
	uint64_t lost;
	if (!*piece)
		return map_new_piece(&entry, address, piece);
	if (wm_trace_file_map_again(&entry, address, *piece, &lost))
		return -1;
	if (lost >= stream->lost[bits])
		stream->lost[bits] = lost + 1;
	return 0;
}

/* What is used again must not be mapped twice. */
static uint64_t kept_pieces(void)
{
	return __waymark_trace_ring && __waymark_trace_ring < KEPT_PIECES + 2
		       ? __waymark_trace_ring - 2
		       : KEPT_PIECES;
}

/* The stream ends here: the program goes on, and nothing more is kept. */
static void stop(struct wm_trace_stream *stream)
{
	stream->stopped = stream->position + 1;
	stream->calls_end = 0;
	stream->bits_end = 0;
}

static uint64_t calls_number(const struct wm_trace_stream *stream, uint64_t address)
{
	return (address - stream->calls) / WM_TRACE_PIECE_BYTES;
}

/* Makes what follows start in a region of its own, with the piece of that number. */
static int start_calls(struct wm_trace_stream *stream, uint64_t number)
{
	char *region = reserve_region();
	if (!region)
		return -1;
	stream->calls_region = stream->calls_mapped = (uint64_t)(uintptr_t)region;
	stream->calls = stream->calls_region - number * WM_TRACE_PIECE_BYTES;
	return 0;
}

static int map_more_calls(struct wm_trace_stream *stream)
{
	char *at = (char *)(uintptr_t)stream->calls_mapped;
	if (stream->calls_mapped - stream->calls_region >= kept_pieces() * WM_TRACE_PIECE_BYTES)
		let_go(at - kept_pieces() * WM_TRACE_PIECE_BYTES);
	if (map_piece(stream, WM_TRACE_CALLS, calls_number(stream, stream->calls_mapped), at))
		return -1;
	stream->calls_mapped += WM_TRACE_PIECE_BYTES;
	return 0;
}

/* One piece is always mapped ahead. */
static uint64_t calls_limit(const struct wm_trace_stream *stream)
{
	return stream->calls_mapped - WM_TRACE_PIECE_BYTES;
}

/* Units that start in a region of their own, in the piece of that number. */
static int open_calls(struct wm_trace_stream *stream, uint64_t number)
{
	if (start_calls(stream, number) || map_more_calls(stream) || map_more_calls(stream))
		return -1;
	stream->cursor = stream->calls_region;
	stream->calls_end = calls_limit(stream);
	return 0;
}

static int begin(struct wm_trace_stream *stream)
{
	struct wm_trace_entry entry = {++stream_count, WM_TRACE_CONTROL, 0};
	uint32_t unused;
	if (((uintptr_t)stream & (WM_TRACE_PAGE_BYTES - 1)) ||
		wm_trace_file_map(&entry, stream, &unused))
		return -1;
	*stream = (struct wm_trace_stream){.number = stream_count,
		.thread = (uint32_t)wm_system_thread(),
		.parent_process = parent.parent_process,
		.parent_stream = parent.parent_stream,
		.parent_position = parent.parent_position,
		.parent_calls = parent.parent_calls};
	parent.parent_process = 0;
	if (open_calls(stream, 0))
		return -1;
	stream->wants_quiet = threads_are_quiet;
	if (stream->wants_quiet)
		stream->calls_end = 0;
	__atomic_store_n(&stream->magic, WM_TRACE_STREAM_MAGIC, __ATOMIC_RELEASE);
	return 0;
}

/* A stream starts where a function is entered, or in a child of fork. */
static int is_ready(struct wm_trace_stream *stream, uint64_t unit)
{
	if (stream->magic == WM_TRACE_STREAM_MAGIC)
		return !stream->stopped;
	if (stream->stopped || ((unit & WM_TRACE_MASK) != WM_TRACE_ENTRY && !parent.parent_process))
		return 0;
	if (!begin(stream))
		return 1;
	stop(stream);
	return 0;
}

static int is_in_region(const struct wm_trace_stream *stream, uint64_t address)
{
	return address >= stream->calls_region && address < stream->calls_region + REGION_BYTES;
}

static uint64_t take_units(struct wm_trace_stream *stream, uint64_t bytes)
{
	uint64_t taken = stream->cursor;
	stream->cursor += bytes;
	return taken;
}

/* A ring can be read from the first unit of a piece on. */
static void note_first(struct wm_trace_stream *stream, uint64_t taken)
{
	uint64_t byte = taken - stream->calls, number = byte / WM_TRACE_PIECE_BYTES;
	if (__waymark_trace_ring)
		stream->first_unit[number % __waymark_trace_ring] =
			(uint16_t)(byte % WM_TRACE_PIECE_BYTES / 2);
}

/* The unit's place, if nothing was mapped behind the one that code took. */
static uint64_t place_unit(struct wm_trace_stream *stream, uint64_t taken, uint64_t bytes)
{
	if (!is_in_region(stream, taken))
		taken = take_units(stream, bytes);
	while (taken >= calls_limit(stream)) {
		int at_end = stream->calls_mapped + WM_TRACE_PIECE_BYTES >
			     stream->calls_region + REGION_BYTES;
		if (at_end) {
			if (start_calls(stream, calls_number(stream, stream->calls_mapped)) ||
				map_more_calls(stream))
				return 0;
			stream->cursor = stream->calls_region;
			taken = take_units(stream, bytes);
		}
		note_first(stream, taken);
		if (map_more_calls(stream))
			return 0;
	}
	stream->calls_end = stream->wants_quiet ? 0 : calls_limit(stream);
	return taken;
}

/* While a thread is quiet, no place that its code takes can be one for a unit. */
static const uint64_t quiet_places = (uint64_t)1 << 63;

/* The unit's place is filled with units that say nothing. */
static void become_quiet(struct wm_trace_stream *stream, uint64_t taken, uint64_t bytes)
{
	volatile uint16_t *place = (void *)(uintptr_t)place_unit(stream, taken, bytes);
	for (uint64_t i = 0; place && i < bytes / sizeof *place; i++)
		place[i] = WM_TRACE_STOPPED;
	stream->quiet_cursor = stream->cursor;
	stream->cursor = quiet_places;
	stream->calls_end = stream->bits_end = 0;
	stream->is_quiet = 1;
}

static void start_again(struct wm_trace_stream *stream)
{
	const uint64_t bytes = 2;
	stream->cursor = stream->quiet_cursor;
	stream->is_quiet = 0;
	uint64_t place = place_unit(stream, take_units(stream, bytes), bytes);
	if (place)
		*(volatile uint16_t *)(uintptr_t)place = WM_TRACE_STARTED;
}

/* The thread becomes quiet, or goes on, where control is in a call: no bits are missing then of
 * what came before. */
static void obey(struct wm_trace_stream *stream, uint64_t unit, uint64_t taken, uint64_t bytes)
{
	uint64_t kind = unit & WM_TRACE_MASK;
	if (stream->is_quiet == stream->wants_quiet ||
		(kind != WM_TRACE_ENTRY && kind != WM_TRACE_RETURN))
		return;
	if (stream->is_quiet)
		start_again(stream);
	else
		become_quiet(stream, taken, bytes);
}

/* Code took that place for the unit, and nothing is mapped there. Returns the place to use. */
__attribute__((used)) uint64_t wm_trace_more(uint64_t taken, uint64_t unit)
{
	struct wm_trace_stream *stream = stream_of_caller();
	uint64_t before, bytes = 2 * (1 + (uint64_t)wm_trace_more_units(
						  (unsigned)unit, __waymark_trace_ring));
	if (!stream || stream->stopped || (stream->is_quiet && stream->wants_quiet))
		return (uint64_t)(uintptr_t)nowhere;
	wm_state_lock(&before);
	int ready = is_ready(stream, unit);
	if (ready)
		obey(stream, unit, taken, bytes);
	uint64_t place = ready && !stream->is_quiet ? place_unit(stream, taken, bytes) : 0;
	if (!place && stream->magic && !stream->is_quiet)
		stop(stream);
	wm_state_unlock(&before);
	return place ? place : (uint64_t)(uintptr_t)nowhere;
}

static char *bits_address(const struct wm_trace_stream *stream, uint64_t number)
{
	return (char *)(uintptr_t)(stream->bits + number * WM_TRACE_PIECE_BYTES);
}

/* Bits still come in the piece before, if that is mapped: it is mapped there as well. */
static int start_bits(struct wm_trace_stream *stream, uint64_t number)
{
	char *region = reserve_region();
	int goes_on =
		stream->bits_region && stream->bits_mapped == number && number > stream->bits_first;
	if (!region || (goes_on && !wm_system_remap(bits_address(stream, number - 1), 0,
					   WM_TRACE_PIECE_BYTES, region)))
		return -1;
	stream->bits_region = (uint64_t)(uintptr_t)region;
	stream->bits_first = stream->bits_mapped = number;
	stream->bits = stream->bits_region - (number - 1) * WM_TRACE_PIECE_BYTES;
	return 0;
}

/* Maps the piece of that number, and the one before it if bits may still come there. Pieces between
 * those that were mapped and these stay zero. */
static int map_bits(struct wm_trace_stream *stream, uint64_t position)
{
	const uint64_t last_in_region = REGION_BYTES / WM_TRACE_PIECE_BYTES - 2;
	uint64_t number = position / WM_TRACE_PIECE_BITS;
	uint64_t first = number > 0 ? number - 1 : 0;
	if (first < stream->bits_mapped)
		first = stream->bits_mapped;
	if (!stream->bits_region || number + 1 >= stream->bits_first + last_in_region) {
		if (start_bits(stream, first))
			return -1;
	}
	for (; first <= number + 1; first++) {
		if (first >= stream->bits_first + kept_pieces())
			let_go(bits_address(stream, first - kept_pieces()));
		if (map_piece(stream, WM_TRACE_BITS, first, bits_address(stream, first)))
			return -1;
		stream->bits_mapped = first + 1;
	}
	stream->bits_end = stream->bits_mapped * WM_TRACE_PIECE_BITS - 64;
	return 0;
}

static struct place no_place(void)
{
	return (struct place){0, (uint64_t)(uintptr_t)nowhere};
}

/* Control is at the end of the function's block, whose branch has bits at the position. */
static void tell_restart(
	struct wm_trace_stream *stream, uint64_t position, uint64_t function, uint64_t block)
{
	const uint64_t bytes = 16, unit = WM_TRACE_RESTART;
	const uint64_t words[2] = {unit | block << 16 | function << 32, position};
	uint64_t taken = __atomic_fetch_add(&stream->cursor, bytes, __ATOMIC_RELAXED);
	if (taken >= stream->calls_end)
		taken = wm_trace_more(taken, unit);
	volatile uint64_t *to = (void *)(uintptr_t)taken; /* the kind last, in case of a kill */
	to[1] = words[1];
	to[0] = words[0];
}

/* Nothing is mapped for a bit at the position. */
__attribute__((used)) struct place wm_trace_place_bits(
	uint64_t position, uint64_t function, uint64_t block)
{
	struct wm_trace_stream *stream = stream_of_caller();
	uint64_t before;
	if (!stream || stream->stopped || stream->magic != WM_TRACE_STREAM_MAGIC ||
		stream->is_quiet || (int64_t)position < 0)
		return no_place();
	wm_state_lock(&before);
	if (position >= stream->bits_end && map_bits(stream, position))
		stop(stream);
	struct place place = stream->stopped ? no_place() : (struct place){position, stream->bits};
	wm_state_unlock(&before);
	if (__waymark_trace_ring && !stream->stopped)
		tell_restart(stream, position, function, block);
	return place;
}

/* What code calls: keeps all registers but those of the result. */
__asm__(".pushsection .text.__waymark_trace_more,\"ax\",@progbits\n"
	".globl __waymark_trace_more\n"
	".hidden __waymark_trace_more\n"
	".type __waymark_trace_more,@function\n"
	"__waymark_trace_more:\n"
	"	push %rbp\n"
	"	mov %rsp,%rbp\n"
	"	push %rcx\n	push %rdx\n	push %rsi\n	push %rdi\n"
	"	push %r8\n	push %r9\n	push %r10\n	push %r11\n"
	"	and $-16,%rsp\n"
	"	mov %rax,%rdi\n"
	"	mov %rcx,%rsi\n"
	"	call wm_trace_more\n"
	"	lea -64(%rbp),%rsp\n"
	"	pop %r11\n	pop %r10\n	pop %r9\n	pop %r8\n"
	"	pop %rdi\n	pop %rsi\n	pop %rdx\n	pop %rcx\n"
	"	pop %rbp\n"
	"	ret\n"
	".size __waymark_trace_more,.-__waymark_trace_more\n"
	".globl __waymark_trace_bits\n"
	".hidden __waymark_trace_bits\n"
	".type __waymark_trace_bits,@function\n"
	"__waymark_trace_bits:\n"
	"	push %rbp\n"
	"	mov %rsp,%rbp\n"
	"	push %rdx\n	push %rsi\n	push %rdi\n"
	"	push %r8\n	push %r9\n	push %r10\n	push %r11\n"
	"	and $-16,%rsp\n"
	"	mov %rax,%rdi\n"
	"	mov %rcx,%rsi\n"
	"	mov 16(%rbp),%rdx\n"
	"	call wm_trace_place_bits\n"
	"	mov %rdx,%rcx\n"
	"	lea -56(%rbp),%rsp\n"
	"	pop %r11\n	pop %r10\n	pop %r9\n	pop %r8\n"
	"	pop %rdi\n	pop %rsi\n	pop %rdx\n"
	"	pop %rbp\n"
	"	ret\n"
	".size __waymark_trace_bits,.-__waymark_trace_bits\n"
	".popsection\n");

/* mov $15,%rax; syscall: what the kernel lets handlers return to. */
static int is_return_from_signal(const unsigned char *code)
{
	static const unsigned char long_form[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
	static const unsigned char short_form[] = {0xb8, 0x0f, 0, 0, 0, 0x0f, 0x05};
	size_t i = 0, k = 0;
	while (i < sizeof long_form && code[i] == long_form[i])
		i++;
	while (k < sizeof short_form && code[k] == short_form[k])
		k++;
	return i == sizeof long_form || k == sizeof short_form;
}

static void tell_number(struct wm_trace_stream *stream, uint64_t unit, uint64_t number)
{
	const uint64_t bytes = 10;
	uint64_t taken = __atomic_fetch_add(&stream->cursor, bytes, __ATOMIC_RELAXED);
	if (taken >= stream->calls_end)
		taken = wm_trace_more(taken, unit);
	uint16_t units[5] = {(uint16_t)unit, (uint16_t)number, (uint16_t)(number >> 16),
		(uint16_t)(number >> 32), (uint16_t)(number >> 48)};
	volatile uint16_t *to = (void *)(uintptr_t)taken;
	for (size_t i = sizeof units / sizeof *units; i-- > 0;)
		to[i] = units[i];
}

/* Called where a function that may be a handler of signals is entered, with the place that it
 * returns to. Whether it is one now. The running sum makes a gap on each side of its bits. */
int __waymark_trace_signal(const unsigned char *code)
{
	struct wm_trace_stream *stream = stream_of_caller();
	if (!stream || !is_return_from_signal(code) || stream->magic != WM_TRACE_STREAM_MAGIC)
		return 0;
	tell_number(stream, WM_TRACE_SIGNAL, stream->position);
	stream->position += WM_TRACE_GAP;
	return 1;
}

/* Called where it returns. */
void __waymark_trace_signal_end(int is_handler)
{
	struct wm_trace_stream *stream = is_handler ? stream_of_caller() : NULL;
	if (!stream || stream->magic != WM_TRACE_STREAM_MAGIC)
		return;
	stream->position += WM_TRACE_GAP;
	tell_number(stream, WM_TRACE_SIGNAL_END, stream->position);
}

/* What other builds tell cannot be read from the middle on. */
static int set_quiet(int quiet)
{
	if (!__waymark_trace_ring)
		return -1;
	threads_are_quiet = (uint32_t)quiet;
	for (struct wm_slot *slot = wm_state.slots; slot; slot = slot->next) {
		struct wm_trace_stream *stream = stream_at(wm_slot_delta(slot));
		if (stream->magic != WM_TRACE_STREAM_MAGIC)
			continue;
		stream->wants_quiet = (uint32_t)quiet;
		stream->calls_end = 0;
	}
	return 0;
}

static int note(uint64_t number)
{
	struct wm_trace_stream *stream = stream_of_caller();
	if (!stream || stream->magic != WM_TRACE_STREAM_MAGIC || stream->stopped)
		return -1;
	tell_number(stream, WM_TRACE_NOTE, number);
	return 0;
}

/* What was told before the start is not kept. */
static void start(void)
{
	memset(__waymark_trace, 0, WM_CHUNK_HEADER_BYTES);
	struct wm_trace_stream *stream = stream_at(wm_slot_delta(wm_state.first));
	if (!stream->magic)
		memset(stream, 0, WM_CHUNK_HEADER_BYTES);
	wm_slot_set_apart((uint64_t)((char *)stream - (char *)wm_slot_header(wm_state.first)));
}

static int nothing(void)
{
	return 0;
}

static void before_fork(void)
{
	int64_t delta = wm_delta_get();
	const struct wm_trace_stream *stream = delta ? stream_at(delta) : NULL;
	parent.parent_process = 0;
	if (!stream || stream->magic != WM_TRACE_STREAM_MAGIC)
		return;
	parent = (struct wm_trace_stream){.parent_process = (uint32_t)wm_system_process(),
		.parent_stream = stream->number,
		.parent_position = stream->position,
		.parent_calls =
			(stream->is_quiet ? stream->quiet_cursor : stream->cursor) - stream->calls};
}

static void after_fork(void)
{
	parent.parent_process = 0;
}

/* A new thread goes on with the counters of one that is dead. */
static void renew(struct wm_slot *slot)
{
	struct wm_trace_stream *stream = stream_at(wm_slot_delta(slot));
	if (stream->magic == WM_TRACE_STREAM_MAGIC)
		wm_system_map(stream, WM_TRACE_PAGE_BYTES, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* The child's words are zero. */
static void start_in_child(void)
{
	struct wm_slot *own = wm_slot_of_caller();
	if (own)
		renew(own);
	wm_trace_file_forget();
	stream_count = 0;
}

static void release(void)
{
}

static uint64_t image_units(void)
{
	return 0;
}

static int write_image(void *to, uint64_t units, uint64_t library)
{
	(void)to, (void)units, (void)library;
	return 0;
}

static const struct wm_store store = {.start = start,
	.needs_saving = nothing,
	.save = nothing,
	.reset = nothing,
	.pause = nothing,
	.resume = nothing,
	.move = nothing,
	.start_in_child = start_in_child,
	.release = release,
	.image_units = image_units,
	.write_image = write_image,
	.before_fork = before_fork,
	.after_fork = after_fork,
	.renew = renew,
	.set_quiet = set_quiet,
	.note = note};

WM_STORE_ENTRY const struct wm_store *wm_trace_store_entry = &store;
