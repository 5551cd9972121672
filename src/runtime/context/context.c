/* Contexts: which chain of calls leads to each activation, and how often.
 *
 * Before a call the code stores its position: the number of its record and the site. The function
 * that is called asks for the record that a call of it at this position leads to, and counts the
 * call by key (format/context_key.h). Records are shared by all threads and are never given up, so
 * a frame may keep its record's number across longjmp, switches of stacks and fork.
 *
 * Records and links are in private memory. The file holds only counts by key: a kill loses nothing,
 * and what a reader finds does not depend on the order in which things were found here.
 *
 * Links are found by hash without a lock. They are made under the state's lock, while signals wait;
 * a table that became too small stays where it is, because others may be searching it.
 */
#define _GNU_SOURCE
#include <stddef.h>

#include "format/context_key.h"
#include "runtime/count/cell.h"
#include "runtime/count/tables.h"
#include "runtime/state.h"
#include "runtime/system.h"

enum { PIECE_BYTES = 1 << 18, FIRST_SLOTS = 1 << 10, NO_RECORD = 0, OUTSIDE = 0 };

/* Records beyond this number are folded. */
enum { MAX_RECORDS = 1 << 20, RECORDS_IN_PIECE = 1 << 12 };

struct record {
	uint64_t chain;
	const uint64_t *function; /* its counter; NULL: outside */
	uint32_t parent;
	uint32_t site;
};

struct link {
	uint64_t position; /* record of the caller in the upper half, site in the lower */
	const uint64_t *function;
	uint64_t key;
	uint32_t target;
};

struct slots {
	uint64_t count; /* a power of two */
	uint64_t used;
	const struct link *link[];
};

/* Where the thread made its last call, as in a link, and what holds again when it has returned. */
__thread uint64_t __waymark_position, __waymark_position_behind;

extern uint64_t __start_waymark_counters[] __attribute__((weak, visibility("hidden")));

static struct record *pieces[MAX_RECORDS / RECORDS_IN_PIECE + 256];
static uint32_t record_count = 1; /* number 0 is outside */
static struct slots *table;
static char *piece;
static size_t piece_left;

static struct record *record_of(uint32_t number)
{
	return &pieces[number / RECORDS_IN_PIECE][number % RECORDS_IN_PIECE];
}

static void *take(size_t bytes)
{
	if (bytes > piece_left) {
		size_t size = bytes > PIECE_BYTES ? bytes : PIECE_BYTES;
		char *mapped = wm_system_map(NULL, size, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (!mapped)
			return NULL;
		piece = mapped;
		piece_left = size;
	}
	void *taken = piece;
	piece += bytes;
	piece_left -= bytes;
	return taken;
}

static uint64_t hash_of(uint64_t position, const uint64_t *function)
{
	return (position + (uint64_t)(uintptr_t)function) * 0x9e3779b97f4a7c15u >> 32;
}

static inline const struct link *find(
	const struct slots *slots, uint64_t position, const uint64_t *function)
{
	uint64_t at = hash_of(position, function);
	const struct link *link;
	do
		link = __atomic_load_n(&slots->link[at++ & (slots->count - 1)], __ATOMIC_ACQUIRE);
	while (link && (link->position != position || link->function != function));
	return link;
}

static const struct link *find_in_table(uint64_t position, const uint64_t *function)
{
	const struct slots *slots = __atomic_load_n(&table, __ATOMIC_ACQUIRE);
	return slots ? find(slots, position, function) : NULL;
}

static void enter(struct slots *slots, const struct link *link)
{
	uint64_t at = hash_of(link->position, link->function) & (slots->count - 1);
	while (slots->link[at])
		at = (at + 1) & (slots->count - 1);
	slots->used++;
	__atomic_store_n(&slots->link[at], link, __ATOMIC_RELEASE);
}

/* Room for one more link. */
static int make_room(void)
{
	if (table && table->used * 4 < table->count)
		return 1;
	uint64_t count = table ? table->count * 2 : FIRST_SLOTS;
	struct slots *larger = wm_system_map(NULL, sizeof *larger + count * sizeof *larger->link,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!larger)
		return 0;
	larger->count = count;
	for (uint64_t i = 0; table && i < table->count; i++)
		if (table->link[i])
			enter(larger, table->link[i]);
	__atomic_store_n(&table, larger, __ATOMIC_RELEASE);
	return 1;
}

static uint32_t make_record(uint64_t position, uint64_t chain, const uint64_t *function)
{
	struct record **at = &pieces[record_count / RECORDS_IN_PIECE];
	if (!*at)
		*at = take(RECORDS_IN_PIECE * sizeof **at);
	if (!*at)
		return NO_RECORD;
	*record_of(record_count) =
		(struct record){chain, function, (uint32_t)(position >> 32), (uint32_t)position};
	return record_count++;
}

static uint32_t find_above(uint32_t record, const uint64_t *function)
{
	while (record != OUTSIDE && record_of(record)->function != function)
		record = record_of(record)->parent;
	return record;
}

static uint64_t key_of(uint64_t position)
{
	uint32_t record = (uint32_t)(position >> 32);
	return wm_context_key(record == OUTSIDE ? WM_CONTEXT_START : record_of(record)->chain,
		(uint32_t)position);
}

static const struct link *make_link(uint64_t position, const uint64_t *function);

/* The one record of the function that stands for all contexts beyond the limit. */
static uint32_t fold(const uint64_t *function)
{
	const struct link *link = find_in_table(WM_CONTEXT_SITE_FOLDED, function);
	if (!link)
		link = make_link(WM_CONTEXT_SITE_FOLDED, function);
	return link ? link->target : NO_RECORD;
}

static uint32_t find_target(uint64_t position, uint64_t key, const uint64_t *function)
{
	uint32_t caller = (uint32_t)(position >> 32), above = find_above(caller, function);
	if (above != OUTSIDE)
		return above;
	if (record_count >= MAX_RECORDS && position != WM_CONTEXT_SITE_FOLDED)
		return fold(function);
	uint64_t counter = (uint64_t)(function - __start_waymark_counters);
	return make_record(position, wm_context_chain(key, counter), function);
}

/* Under the lock. */
static const struct link *make_link(uint64_t position, const uint64_t *function)
{
	uint64_t key = key_of(position);
	uint32_t target = find_target(position, key, function);
	struct link *link = target != NO_RECORD && make_room() ? take(sizeof *link) : NULL;
	if (!link)
		return NULL;
	*link = (struct link){position, function, key, target};
	enter(table, link);
	return link;
}

static const struct link *find_or_make(uint64_t position, const uint64_t *function)
{
	uint64_t before;
	if (wm_state_is_held())
		return NULL;
	wm_state_lock(&before);
	const struct link *link = find_in_table(position, function);
	if (!link)
		link = make_link(position, function);
	wm_state_unlock(&before);
	return link;
}

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

static int is_below_signal(uint32_t record)
{
	uint32_t site = WM_CONTEXT_SITE_OUTSIDE;
	for (; record != OUTSIDE; record = record_of(record)->parent)
		site = record_of(record)->site;
	return site == WM_CONTEXT_SITE_SIGNAL;
}

/* Also what a handler calls in tail position returns there. Then the two words differ. */
static int is_called_by_kernel(uint64_t position, const unsigned char *code)
{
	return is_return_from_signal(code) && (__waymark_position_behind == position ||
						      !is_below_signal((uint32_t)(position >> 32)));
}

static __attribute__((noinline)) uint64_t enter_slowly(
	const uint64_t *function, uint64_t position, const unsigned char *code)
{
	if (code && is_called_by_kernel(position, code))
		position = WM_CONTEXT_SITE_SIGNAL;
	const struct link *link = find_in_table(position, function);
	if (!link)
		link = find_or_make(position, function);
	wm_table_count(function, link ? link->key : key_of(WM_CONTEXT_SITE_FOLDED));
	return link ? (uint64_t)link->target << 32 : WM_CONTEXT_SITE_FOLDED;
}

/* The function with this counter is entered from the position; `code` is where it returns to if it
 * may be a handler of signals, or NULL. Returns the number of its record, in the upper half. What
 * is known already takes no lock. */
uint64_t __waymark_context_enter(
	const uint64_t *function, uint64_t position, const unsigned char *code)
{
	const struct slots *slots = __atomic_load_n(&table, __ATOMIC_ACQUIRE);
	const struct wm_level *level = wm_table_current;
	if (code || !slots || !level)
		return enter_slowly(function, position, code);
	const struct link *link = find(slots, position, function);
	if (!link)
		return enter_slowly(function, position, code);
	uint64_t place = (uint64_t)(uintptr_t)function - wm_table_origin;
	uint64_t at = wm_table_home(place, link->key) & level->mask;
	struct wm_table_cell *cell = (void *)((char *)level->cells + at);
	while (cell->place != place || cell->key != link->key) {
		if (!cell->place || at == level->mask)
			return enter_slowly(function, position, code);
		at += WM_TABLE_CELL_BYTES;
		cell++;
	}
	wm_cell_add(cell, 1);
	return (uint64_t)link->target << 32;
}
