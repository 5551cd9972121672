/* The list of stores, and what is done to all of them.
 *
 * The list is a section, of which the linker makes an array out of what it takes from the archive.
 * (A weak symbol for each store would be simpler, but gold gives an undefined one a wrong value.)
 *
 * Slots come first: other stores need the first slot when they start, and its chunk when they save,
 * as its status says what was lost anywhere. So saving goes through the list from its end: the
 * first slot's chunk is written after all other stores. */
#include "runtime/store.h"

#include <stddef.h>

#include "runtime/state.h"

extern const struct wm_store
	*wm_slot_store_entry; /* one of those below, whatever else is linked in */
extern const struct wm_store *__start_waymark_stores[] __attribute__((visibility("hidden")));
extern const struct wm_store *__stop_waymark_stores[] __attribute__((visibility("hidden")));

enum { MAX_STORES = 8 };

static int store_count(void)
{
	return 1 + (int)(__stop_waymark_stores - __start_waymark_stores);
}

/* NULL where slots stand in the section. */
static const struct wm_store *store_at(int number)
{
	if (number == 0)
		return wm_slot_store_entry;
	const struct wm_store *store = __start_waymark_stores[number - 1];
	return store == wm_slot_store_entry ? NULL : store;
}

void wm_stores_start(void)
{
	for (int i = 0; i < store_count(); i++)
		if (store_at(i))
			store_at(i)->start();
}

int wm_stores_need_saving(void)
{
	for (int i = 0; i < store_count(); i++)
		if (store_at(i) && store_at(i)->needs_saving())
			return 1;
	return 0;
}

int wm_stores_save(void)
{
	int status = 0;
	for (int i = store_count(); i-- > 0;)
		if (store_at(i))
			status |= store_at(i)->save();
	return status;
}

int wm_stores_reset(void)
{
	int status = 0;
	for (int i = 0; i < store_count(); i++)
		if (store_at(i))
			status |= store_at(i)->reset();
	return status;
}

int wm_stores_pause(void)
{
	for (int i = 0; i < store_count(); i++)
		if (store_at(i) && store_at(i)->pause())
			return -1;
	wm_state.paused = 1;
	return 0;
}

int wm_stores_resume(void)
{
	int status = 0;
	wm_state.paused = 0;
	for (int i = 0; i < store_count(); i++)
		if (store_at(i))
			status |= store_at(i)->resume();
	return status;
}

int wm_stores_move(void)
{
	int status = 0;
	for (int i = 0; i < store_count(); i++)
		if (store_at(i))
			status |= store_at(i)->move();
	return status;
}

void wm_stores_start_in_child(void)
{
	for (int i = 0; i < store_count(); i++)
		if (store_at(i))
			store_at(i)->start_in_child();
}

void wm_stores_release(void)
{
	for (int i = 0; i < store_count(); i++)
		if (store_at(i))
			store_at(i)->release();
}

void wm_stores_before_fork(void)
{
	for (int i = 0; i < store_count(); i++)
		if (store_at(i) && store_at(i)->before_fork)
			store_at(i)->before_fork();
}

void wm_stores_after_fork(void)
{
	for (int i = 0; i < store_count(); i++)
		if (store_at(i) && store_at(i)->after_fork)
			store_at(i)->after_fork();
}

void wm_stores_renew(struct wm_slot *slot)
{
	for (int i = 0; i < store_count(); i++)
		if (store_at(i) && store_at(i)->renew)
			store_at(i)->renew(slot);
}

void wm_stores_leave(void)
{
	for (int i = 0; i < store_count(); i++)
		if (store_at(i) && store_at(i)->leave)
			store_at(i)->leave();
}

static uint64_t image_units[MAX_STORES];

uint64_t wm_stores_image_units(void)
{
	uint64_t sum = 0;
	for (int i = 0; i < store_count(); i++) {
		image_units[i] = store_at(i) ? store_at(i)->image_units() : 0;
		sum += image_units[i];
	}
	return sum;
}

int wm_stores_write_image(char *to, uint64_t library)
{
	uint64_t unit_bytes = wm_object_unit_bytes(&wm_state.object);
	for (int i = 0; i < store_count(); i++) {
		if (image_units[i] && store_at(i)->write_image(to, image_units[i], library))
			return -1;
		to += image_units[i] * unit_bytes;
	}
	return 0;
}

int wm_stores_set_quiet(int quiet)
{
	int status = -1;
	for (int i = 0; i < store_count(); i++)
		if (store_at(i) && store_at(i)->set_quiet && !store_at(i)->set_quiet(quiet))
			status = 0;
	return status;
}

int wm_stores_note(uint64_t number)
{
	int status = -1;
	for (int i = 0; i < store_count(); i++)
		if (store_at(i) && store_at(i)->note && !store_at(i)->note(number))
			status = 0;
	return status;
}
