/* Reading a counter of the processor without a system call: the kernel maps a page that says where
 * it is and what to add. */
#ifndef WM_RUNTIME_METERS_PAGE_H
#define WM_RUNTIME_METERS_PAGE_H

#include <linux/perf_event.h>
#include <stdint.h>

/* How often the kernel may change the page while it is read. */
enum { WM_PAGE_TRIES = 64 };

/* The count, by a function that reads a counter of the processor; or -1: it has none now, or this
 * is not permitted, and the kernel must be asked. The page is written by the kernel on this
 * processor: `lock` differs before and behind if what stands between does not belong together. */
static inline int wm_meter_page_read(const volatile struct perf_event_mmap_page *page,
	uint64_t (*read_counter)(uint32_t), uint64_t *count)
{
	for (int i = 0; i < WM_PAGE_TRIES; i++) {
		uint32_t lock = page->lock;
		__asm__ volatile("" : : : "memory");
		uint32_t index = page->index;
		uint64_t sum = (uint64_t)page->offset;
		uint16_t width = page->pmc_width;
		if (!page->cap_user_rdpmc || !index || !width || width > 64)
			return -1;
		/* The counter is shorter than a word, and may be below zero. */
		uint64_t counter = read_counter(index - 1) << (64 - width);
		sum += (uint64_t)((int64_t)counter >> (64 - width));
		__asm__ volatile("" : : : "memory");
		if (page->lock == lock && !(lock & 1)) {
			*count = sum;
			return 0;
		}
	}
	return -1;
}

#endif
