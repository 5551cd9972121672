/* Events of the kernel's: each thread has a group of them, which starts with its first reading.
 *
 * What is read never falls: a child goes on from what its parent had read at the fork. A group that
 * does not fit on the processor's counters is not counted, rather than now and then: what is
 * counted is exact. Descriptors get high numbers, as programs may expect low ones; and the kernel
 * is asked whether one still is an event, as a program may have closed all that it does not know.
 */
#define _GNU_SOURCE
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <sys/ioctl.h>

#include "format/meter_event.h"
#include "runtime/keep_registers.h"
#include "runtime/meters/events.h"
#include "runtime/meters/page.h"
#include "runtime/store.h"
#include "runtime/system.h"

extern const struct wm_meter_event __waymark_meter_events[WM_MAX_METERS]
	__attribute__((visibility("hidden")));

enum state { NEW, OPENING, OPEN, OVER };

enum { NOT_OPEN = -1, HIGH_DESCRIPTOR = 900 };

static __thread struct {
	uint64_t value[WM_MAX_METERS];	/* comes first: what code reads */
	uint64_t before[WM_MAX_METERS]; /* what was read of earlier groups */
	const struct perf_event_mmap_page *page[WM_MAX_METERS]; /* or NULL */
	int32_t descriptor[WM_MAX_METERS];
	uint64_t id; /* of the group's leader */
	enum state state;
	int32_t leader; /* the number of its meter, or NOT_OPEN */
} own;

static uint64_t read_counter(uint32_t number)
{
	uint32_t low, high;
	__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(number));
	return (uint64_t)high << 32 | low;
}

static int is_word(uint64_t bytes)
{
	return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

/* Returns 0 unless there is nothing to count. */
static int describe(
	const struct wm_meter_event *event, int leads, struct perf_event_attr *attributes)
{
	*attributes = (struct perf_event_attr){.type = event->type,
		.size = sizeof *attributes,
		.config = event->config,
		.read_format = PERF_FORMAT_GROUP,
		.exclude_hv = 1,
		.exclude_kernel = (event->flags & WM_METER_USER_ONLY) != 0,
		.pinned = leads != 0};
	if (!(event->flags & WM_METER_IS_EVENT))
		return -1;
	if (event->type != PERF_TYPE_BREAKPOINT)
		return 0;
	if (!event->variable || !event->bytes || !is_word(*event->bytes))
		return -1;
	attributes->bp_addr = (uintptr_t)event->variable;
	attributes->bp_len = *event->bytes;
	attributes->bp_type = (uint32_t)event->accesses;
	attributes->exclude_kernel = 1;
	return 0;
}

/* What only root may count in the kernel, others count in the program. */
static int open_in_group(struct perf_event_attr *attributes, int group)
{
	long made = wm_system_call(
		SYS_perf_event_open, (long)attributes, 0, -1, group, PERF_FLAG_FD_CLOEXEC, 0);
	if (made == -13 && !attributes->exclude_kernel) {
		attributes->exclude_kernel = 1;
		made = wm_system_call(SYS_perf_event_open, (long)attributes, 0, -1, group,
			PERF_FLAG_FD_CLOEXEC, 0);
	}
	if (made < 0)
		return NOT_OPEN;
	long high = WM_CALL_3(fcntl, made, F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR);
	if (high < 0)
		return (int)made;
	wm_system_close((int)made);
	return (int)high;
}

static void map_page(uint32_t meter)
{
	long page =
		wm_system_call(SYS_mmap, 0, 4096, PROT_READ, MAP_SHARED, own.descriptor[meter], 0);
	own.page[meter] = NULL;
	if ((unsigned long)page > -4096ul)
		return;
	own.page[meter] = (const struct perf_event_mmap_page *)page;
	if (own.page[meter]->cap_user_rdpmc)
		return;
	wm_system_unmap((void *)page, 4096);
	own.page[meter] = NULL;
}

static void open_group(void)
{
	struct perf_event_attr attributes;
	own.leader = NOT_OPEN;
	for (uint32_t i = 0; i < WM_MAX_METERS; i++) {
		own.descriptor[i] = NOT_OPEN;
		if (describe(&__waymark_meter_events[i], own.leader == NOT_OPEN, &attributes))
			continue;
		int group = own.leader == NOT_OPEN ? -1 : own.descriptor[own.leader];
		own.descriptor[i] = open_in_group(&attributes, group);
		if (own.descriptor[i] == NOT_OPEN)
			continue;
		if (own.leader == NOT_OPEN)
			own.leader = (int32_t)i;
		map_page(i);
	}
	if (own.leader != NOT_OPEN &&
		WM_CALL_3(ioctl, own.descriptor[own.leader], PERF_EVENT_IOC_ID, &own.id) < 0)
		own.leader = NOT_OPEN;
}

/* Whether all could be read without the kernel. */
static int read_pages(void)
{
	for (uint32_t i = 0; i < WM_MAX_METERS; i++) {
		uint64_t count;
		if (own.descriptor[i] == NOT_OPEN)
			continue;
		if (!own.page[i] || wm_meter_page_read(own.page[i], read_counter, &count))
			return 0;
		own.value[i] = own.before[i] + count;
	}
	return 1;
}

/* In the order in which they were opened. */
static void read_group(void)
{
	uint64_t id, words[1 + WM_MAX_METERS], next = 1;
	int leader = own.descriptor[own.leader];
	if (WM_CALL_3(ioctl, leader, PERF_EVENT_IOC_ID, &id) < 0 || id != own.id ||
		WM_CALL_3(read, leader, words, sizeof words) < (long)sizeof *words)
		return;
	for (uint32_t i = 0; i < WM_MAX_METERS; i++)
		if (own.descriptor[i] != NOT_OPEN && next <= words[0])
			own.value[i] = own.before[i] + words[next++];
}

/* A handler of a signal that comes while the group is opened reads what was read before. */
__attribute__((used)) const uint64_t *wm_meters_read_events(void)
{
	WM_STORE_KEEP("wm_meters_store_entry");
	if (own.state == NEW) {
		own.state = OPENING;
		open_group();
		own.state = OPEN;
	}
	if (own.state == OPEN && own.leader != NOT_OPEN && !read_pages())
		read_group();
	return own.value;
}

static int is_event(int descriptor)
{
	uint64_t id;
	return WM_CALL_3(ioctl, descriptor, PERF_EVENT_IOC_ID, &id) >= 0;
}

/* An event goes with the last descriptor and mapping of it. */
static void close_group(enum state state)
{
	if (own.state != OPEN)
		return;
	own.state = state;
	for (uint32_t i = 0; i < WM_MAX_METERS; i++) {
		own.before[i] = own.value[i];
		if (own.page[i])
			wm_system_unmap((void *)(uintptr_t)own.page[i], 4096);
		if (own.descriptor[i] != NOT_OPEN && is_event(own.descriptor[i]))
			wm_system_close(own.descriptor[i]);
		own.page[i] = NULL;
	}
	own.leader = NOT_OPEN;
}

void wm_meter_events_before_fork(void)
{
	if (own.state == OPEN)
		wm_meters_read_events();
}

void wm_meter_events_start_in_child(void)
{
	close_group(NEW);
}

void wm_meter_events_leave(void)
{
	if (own.state == OPEN)
		wm_meters_read_events();
	close_group(OVER);
}

WM_KEEPING_REGISTERS("__waymark_meters_read", "wm_meters_read_events");
