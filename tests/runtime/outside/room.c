/* Counters of nobody: 1200 pages between those of the files before and behind, more than the
 * runtime asks the kernel about at once. What is added before the start is taken away by it, from
 * each page; others stay untouched. */
#include <stdint.h>

enum { PAGES = 1200, WORDS = 512 };

__attribute__((section("waymark_counters"), used)) static uint64_t room[PAGES * WORDS];

static uint64_t *word_of(int page)
{
	return &room[page * WORDS + page % WORDS];
}

static int is_marked(int page)
{
	return page < 8 || page % 3 == 0 || page % 512 < 3 || page % 512 > 509;
}

void mark_room(void)
{
	for (int page = 0; page < PAGES; page++)
		if (is_marked(page))
			*word_of(page) += 1;
}

int marks_left(void)
{
	int left = 0;
	for (int page = 0; page < PAGES; page++)
		left += is_marked(page) && *word_of(page) != 0;
	return left;
}
