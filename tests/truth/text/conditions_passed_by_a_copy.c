/* LLVM copies the block behind the presets for the way on which these were set, and leads that way
 * past the conditions that are known there. They are executed all the same. */
#include <stdlib.h>

enum { LZMA = 2, FIRST = 1, SECOND = 33 };

struct filter {
	long id;
	void *options;
};

struct filter filters[5];
volatile int wanted;
int format, filters_count;
static int options[4];

__attribute__((noinline)) int show(struct filter *filter)
{
	return (int)filter->id + wanted;
}

__attribute__((noinline, noreturn)) void fail(int code)
{
	exit(code);
}

__attribute__((noinline)) void set(void)
{
	if (filters_count == 0) {
		filters[0].id = format == LZMA ? FIRST : SECOND;
		filters[0].options = options;
		filters_count = 1;
	}
	filters[filters_count].id = -1;
	if (format == LZMA
		&& (filters_count != 1
			|| filters[0].id != FIRST))
		fail(1);
	if (format == 1) {
		for (int i = 0; i < filters_count; i++)
			if (filters[i].id == FIRST)
				fail(2);
	}
	show(filters);
}

int main(void)
{
	for (int i = 0; i < 40; i++) {
		format = i % 4;
		filters_count = wanted;
		set();
	}
	return 0;
}
