/* The kernel says of each page whether there is one, and whose: /proc/self/pagemap has a word per
 * page. Reading untouched memory instead would map each of its pages.
 *
 * The answer is believed only if it is right for a page that is known to be written: an emulator's
 * program may have other addresses, or other pages, than the process that the kernel sees. */
#define _GNU_SOURCE
#include "runtime/file/pages.h"

#include "runtime/state.h"
#include "runtime/system.h"

#define PRESENT ((uint64_t)1 << 63)
#define SWAPPED ((uint64_t)1 << 62)
#define OF_FILE ((uint64_t)1 << 61) /* as in the file: nobody wrote to it */

enum { PAGE_BYTES = 4096, WORDS = 512 };

static uint64_t words[WORDS];

static uintptr_t page_of(const void *address)
{
	return (uintptr_t)address / PAGE_BYTES;
}

static int is_written(uint64_t word)
{
	return (word & (PRESENT | SWAPPED)) && !(word & OF_FILE);
}

/* Reads the words of `count` pages. */
static int ask(int file, uintptr_t page, size_t count)
{
	long bytes = (long)(count * sizeof(*words));
	return wm_system_read(file, words, (size_t)bytes, page * sizeof(*words)) == bytes ? 0 : -1;
}

/* Negative if the kernel does not tell, or not about us. The lock is held, so its page must show as
 * written. */
static int open_map(void)
{
	int file = wm_system_open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC, 0);
	if (file < 0)
		return file;
	if (!ask(file, page_of(&wm_state.lock), 1) && is_written(words[0]))
		return file;
	wm_system_close(file);
	return -1;
}

/* Those of the pages that the words are about, and of the memory between start and end. */
static void visit_asked(uintptr_t first, size_t count, char *start, char *end,
	void (*visit)(void *from, const void *to))
{
	for (size_t i = 0; i < count; i++) {
		char *from = (char *)((first + i) * PAGE_BYTES), *to = from + PAGE_BYTES;
		if (is_written(words[i]))
			visit(from < start ? start : from, to > end ? end : to);
	}
}

void wm_pages_visit_written(void *memory, size_t bytes, void (*visit)(void *from, const void *to))
{
	char *start = memory, *end = start + bytes;
	uintptr_t page = page_of(start), behind = page_of(end - 1) + 1;
	int file = open_map();
	while (file >= 0 && page < behind) {
		size_t count = behind - page < WORDS ? behind - page : WORDS;
		if (ask(file, page, count))
			break;
		visit_asked(page, count, start, end, visit);
		page += count;
	}
	if (file >= 0)
		wm_system_close(file);
	if (page < behind) {
		char *rest = (char *)(page * PAGE_BYTES);
		visit(rest < start ? start : rest, end);
	}
}
