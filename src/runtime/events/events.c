/* What waymark.h says of running sums. Nothing here takes a lock but the sum over all threads, and
 * nothing calls into the system. */
#define _GNU_SOURCE
#include "runtime/events/events.h"

#include "runtime/count/delta.h"
#include "runtime/count/slot.h"
#include "waymark.h"

/* The words of this object, where code sums events; and by module how far they may be off. */
extern uint64_t __waymark_events[] __attribute__((weak, visibility("hidden")));
extern const char __waymark_event_words[] __attribute__((weak, visibility("hidden")));
extern const uint64_t __start_waymark_event_bounds[] __attribute__((weak, visibility("hidden")));
extern const uint64_t __stop_waymark_event_bounds[] __attribute__((weak, visibility("hidden")));

/* NULL where nothing is summed. */
static const uint64_t *words_in(const uint64_t *counters)
{
	if (!__waymark_events || !wm_state.object.counters)
		return NULL;
	return counters + (__waymark_events - wm_state.object.counters);
}

static const uint64_t *words_of(const struct wm_slot *slot)
{
	return words_in(wm_slot_counters(slot));
}

/* Both parts of a sum. */
static uint64_t sum_in(const uint64_t *words, int kind)
{
	const volatile uint64_t *parts = words + kind;
	return parts[0] + parts[WM_EVENT_WORDS];
}

void wm_events_take(struct wm_slot *slot)
{
	const uint64_t *words = words_of(slot);
	for (int k = 0; words && k < WM_EVENT_WORDS; k++)
		slot->events_base[k] = sum_in(words, k) + slot->events_carried[k];
}

/* The words that code adds to, paused or not. */
static uint64_t *live_words(const struct wm_slot *slot)
{
	return (uint64_t *)words_in(wm_chunk_counters(slot->chunk.header));
}

struct wm_events_words wm_events_read(const struct wm_slot *slot)
{
	struct wm_events_words read = {{0}};
	const volatile uint64_t *words = live_words(slot);
	for (int k = 0; words && k < WM_EVENT_WORDS; k++)
		read.word[k] = words[k];
	return read;
}

void wm_events_go_on(const struct wm_slot *slot, const struct wm_events_words *from)
{
	uint64_t *words = live_words(slot);
	for (int k = 0; words && !__waymark_event_words && k < WM_EVENT_WORDS; k++) {
		uint64_t difference = from->word[k] - ((volatile uint64_t *)words)[k];
		__asm__ volatile("addq %1,%0" : "+m"(words[k]) : "r"(difference));
		__asm__ volatile("subq %1,%0" : "+m"(words[k + WM_EVENT_WORDS]) : "r"(difference));
	}
}

void wm_events_before_fork(struct wm_slot *slot)
{
	const uint64_t *words = words_of(slot);
	slot->events_words_at_fork = wm_events_read(slot);
	for (int k = 0; words && k < WM_EVENT_WORDS; k++)
		slot->events_at_fork[k] = sum_in(words, k);
}

void wm_events_in_child(struct wm_slot *slot)
{
	wm_events_go_on(slot, &slot->events_words_at_fork);
	for (int k = 0; k < WM_EVENT_WORDS; k++)
		slot->events_carried[k] += slot->events_at_fork[k];
}

void wm_events_carry(struct wm_slot *slot, const uint64_t *counters)
{
	const uint64_t *words = words_in(counters);
	for (int k = 0; words && k < WM_EVENT_WORDS; k++)
		slot->events_carried[k] += sum_in(words, k);
}

void wm_events_move(struct wm_slot *from, struct wm_slot *to)
{
	const uint64_t *words = words_of(from);
	for (int k = 0; words && k < WM_EVENT_WORDS; k++) {
		from->events_carried[k] += sum_in(words, k);
		to->events_carried[k] -= sum_in(words, k);
	}
}

/* Slots are used again and never given back, so the one of the last question can be looked at. */
static struct wm_slot *own_slot(void)
{
	static __attribute__((tls_model("initial-exec"))) __thread struct wm_slot *last;
	int64_t delta = wm_delta_get();
	if (!delta)
		return NULL;
	if (!last || wm_slot_delta(last) != delta)
		last = wm_slot_of_caller();
	return last;
}

const struct wm_slot *wm_events_slot(void)
{
	return own_slot();
}

uint64_t waymark_events(unsigned kind)
{
	if (kind >= WM_EVENT_WORDS || !__waymark_events)
		return 0;
	const struct wm_slot *slot = own_slot();
	if (!slot)
		return sum_in(__waymark_events, (int)kind);
	return sum_in(words_of(slot), (int)kind) + slot->events_carried[kind] -
	       slot->events_base[kind];
}

/* As a probe does it: where the thread counts, paused or not. */
void __waymark_region_end(struct __waymark_region *region)
{
	uint64_t events = waymark_events(0) - region->before;
	if (region->kind < 0 || region->kind >= WM_EVENT_WORDS || !__waymark_events)
		return;
	char *word = (char *)&__waymark_events[region->kind] + wm_delta_get();
	__asm__ volatile("addq %1,%0" : "+m"(*(uint64_t *)word) : "r"(events));
}

uint64_t waymark_events_all(unsigned kind)
{
	uint64_t before, sum;
	if (kind >= WM_EVENT_WORDS || !__waymark_events)
		return 0;
	wm_state_lock(&before);
	sum = sum_in(__waymark_events, (int)kind);
	for (const struct wm_slot *slot = wm_state.slots; slot; slot = slot->next)
		if (slot != wm_state.reset)
			sum += sum_in(words_of(slot), (int)kind) + slot->events_carried[kind];
	wm_state_unlock(&before);
	return sum;
}

uint64_t waymark_events_bound(unsigned kind)
{
	uint64_t bound = 0;
	if (kind >= WM_EVENT_WORDS)
		return 0;
	for (const uint64_t *at = __start_waymark_event_bounds; at < __stop_waymark_event_bounds;
		at += WM_EVENT_WORDS)
		if (at[kind] > bound)
			bound = at[kind];
	return bound;
}
