/* Slots live in pages of their own and are used again, never given back: there are as many as
 * threads ran at one time. */
#define _GNU_SOURCE
#include "runtime/count/slot.h"

#include <stdlib.h>

#include "runtime/count/delta.h"
#include "runtime/events/events.h"
#include "runtime/file/name.h"
#include "runtime/file/process.h"
#include "runtime/store.h"
#include "runtime/system.h"

static struct wm_slot *unused;

/* Where in each chunk a page is that holds no counters and stays as it is; 0: nowhere. */
static uint64_t page_apart;

enum { PAGE_BYTES = 4096 };

struct part {
	uint64_t from, bytes;
};

static uint64_t chunk_bytes(void)
{
	return wm_object_chunk_bytes(&wm_state.object);
}

/* What of a chunk is before the page apart, and what is behind it. */
static void find_parts(struct part part[2])
{
	const uint64_t bytes = chunk_bytes(), behind = page_apart + PAGE_BYTES;
	part[0] = (struct part){0, page_apart ? page_apart : bytes};
	part[1] = (struct part){behind, page_apart && behind < bytes ? bytes - behind : 0};
}

/* Puts what is at the second address at the first one, and lets go of it. */
static int replace(struct wm_chunk_header *to, struct wm_chunk_header *from)
{
	struct part part[2];
	find_parts(part);
	for (int i = 0; i < 2; i++)
		if (part[i].bytes && !wm_system_remap((char *)from + part[i].from, part[i].bytes,
					     part[i].bytes, (char *)to + part[i].from))
			return -1;
	if (page_apart)
		wm_system_unmap((char *)from + page_apart, PAGE_BYTES);
	return 0;
}

void wm_slot_set_apart(uint64_t offset)
{
	page_apart = offset;
}

static struct wm_slot *new_slot(void)
{
	const size_t bytes = 4096;
	if (!unused) {
		struct wm_slot *page =
			wm_system_map(NULL, bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (!page)
			return NULL;
		for (size_t i = 0; i < bytes / sizeof(*page); i++) {
			page[i].next = unused;
			unused = &page[i];
		}
	}
	struct wm_slot *slot = unused;
	unused = slot->next;
	*slot = (struct wm_slot){0};
	return slot;
}

static int claim(struct wm_slot *slot, int fold)
{
	static char name[PATH_MAX]; /* static: a thread's stack may be small */
	void *address = slot->chunk.header;
	if (!wm_name_expand(wm_state.object.host, wm_state.pattern, name) &&
		!wm_chunk_claim(&wm_state.object, name, address, fold, &slot->chunk))
		return 0;
	if (wm_chunk_in_memory(&wm_state.object, address, &slot->chunk))
		return -1;
	if (wm_state.first)
		wm_slot_header(wm_state.first)->status |= WM_STATUS_THREADS_IN_MEMORY;
	return 0;
}

struct wm_slot *wm_slot_make(void)
{
	struct wm_slot *slot = new_slot();
	if (!slot)
		return NULL;
	if (claim(slot, !wm_state.first)) {
		slot->next = unused;
		unused = slot;
		return NULL;
	}
	slot->next = wm_state.slots;
	wm_state.slots = slot;
	if (wm_state.paused)
		wm_slot_pause(slot);
	return slot;
}

/* Slots that threads get which are to be told apart: a file must not grow without end. */
enum { SLOTS_APART = 1000 };

void wm_slot_choose(void)
{
	const char *apart = secure_getenv("WAYMARK_THREADS");
	wm_state.slots_left = apart && apart[0] == '1' && !apart[1] ? SLOTS_APART : 0;
}

static struct wm_slot *use_again(void)
{
	for (struct wm_slot *slot = wm_state.slots; slot; slot = slot->next) {
		if (!slot->ended || !wm_process_lacks_thread(slot->thread))
			continue;
		slot->ended = 0;
		slot->thread = 0;
		wm_slot_header(slot)->ended = 0;
		wm_slot_header(slot)->handovers++;
		wm_events_take(slot);
		wm_stores_renew(slot);
		return slot;
	}
	return NULL;
}

struct wm_slot *wm_slot_take(void)
{
	struct wm_slot *slot = wm_state.slots_left > 0 ? NULL : use_again();
	wm_state.slots_left -= wm_state.slots_left > 0;
	return slot ? slot : wm_slot_make();
}

int64_t wm_slot_delta(const struct wm_slot *slot)
{
	return (char *)wm_chunk_counters(slot->chunk.header) - (char *)wm_state.object.counters;
}

void wm_slot_enter(struct wm_slot *slot)
{
	slot->thread = wm_system_thread();
	wm_slot_header(slot)->thread = (uint32_t)slot->thread;
	if (wm_delta_set(wm_slot_delta(slot))) {
		wm_slot_header(slot)->status |= WM_STATUS_THREADS_IN_MEMORY;
		wm_state.counts_in_place = 1;
	}
	if (wm_state.has_key)
		pthread_setspecific(wm_state.key, slot);
}

void wm_slot_set_ended(struct wm_slot *slot, int ended)
{
	uint64_t before;
	if (!wm_state.paused) {
		slot->chunk.header->ended = (uint8_t)ended;
		return;
	}
	wm_state_lock(&before);
	wm_slot_header(slot)->ended = (uint8_t)ended;
	wm_state_unlock(&before);
}

void wm_slot_end(void *slot)
{
	struct wm_slot *own = slot;
	wm_slot_set_ended(own, 1);
	own->ended = 1;
}

struct wm_slot *wm_slot_of_caller(void)
{
	int64_t delta = wm_delta_get();
	for (struct wm_slot *slot = wm_state.slots; slot; slot = slot->next)
		if (wm_slot_delta(slot) == delta)
			return slot;
	return NULL;
}

void wm_slot_drop(struct wm_slot *slot)
{
	struct wm_slot **link = &wm_state.slots;
	while (*link != slot)
		link = &(*link)->next;
	*link = slot->next;
	wm_system_unmap(slot->chunk.header, chunk_bytes());
	if (slot->kept)
		wm_system_unmap(slot->kept, chunk_bytes());
	slot->next = unused;
	unused = slot;
}

/* A chunk around a page apart is made elsewhere first: other threads use that page. */
static int claim_again(struct wm_slot *slot)
{
	struct wm_chunk_header *place = slot->chunk.header;
	if (!page_apart)
		return claim(slot, 0);
	slot->chunk.header = NULL;
	int status = claim(slot, 0);
	if (!status)
		status = replace(place, slot->chunk.header);
	slot->chunk.header = place;
	return status;
}

int wm_slot_renew(struct wm_slot *slot)
{
	void *kept = slot->kept;
	slot->kept = NULL;
	slot->saved = 0;
	if (claim_again(slot)) {
		slot->kept = kept;
		return -1;
	}
	if (kept)
		wm_system_unmap(kept, chunk_bytes());
	return wm_state.paused ? wm_slot_pause(slot) : 0;
}

int wm_slot_pause(struct wm_slot *slot)
{
	struct wm_events_words words = wm_events_read(slot);
	void *kept = wm_system_remap(slot->chunk.header, 0, chunk_bytes(), NULL);
	if (!kept)
		return -1;
	void *unread = wm_system_map(NULL, chunk_bytes(), MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!unread || replace(slot->chunk.header, unread)) {
		wm_system_unmap(kept, chunk_bytes());
		return -1;
	}
	slot->kept = kept;
	wm_events_go_on(slot, &words);
	return 0;
}

int wm_slot_resume(struct wm_slot *slot)
{
	struct wm_events_words words = wm_events_read(slot);
	if (!slot->kept)
		return 0;
	if (replace(slot->chunk.header, slot->kept))
		return -1;
	slot->kept = NULL;
	wm_events_go_on(slot, &words);
	return 0;
}

struct wm_chunk_header *wm_slot_header(const struct wm_slot *slot)
{
	return slot->kept ? slot->kept : slot->chunk.header;
}

uint64_t *wm_slot_counters(const struct wm_slot *slot)
{
	return wm_chunk_counters(wm_slot_header(slot));
}
