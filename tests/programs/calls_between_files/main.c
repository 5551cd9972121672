// build: $PLAIN $FLAGS -c $SRC/uncounted.c -o uncounted.o
// build: $CC $FLAGS -fPIC -fvisibility=hidden -shared $SRC/library.c $SRC/library_part.c -o liblibrary.so
// build: $CC $FLAGS -c $SRC/archived.c -o archived.o && ar rc archive.a archived.o
// build: $CC $FLAGS $SRC/main.c $SRC/other.c uncounted.o archive.a -L. -llibrary -Wl,-rpath,. -o program
// calls: helper=58
// Who calls whom across files: counted and uncounted ones, an archive, a library; recursion, calls in
// tail position, callbacks, and functions of one name.
#include <stdio.h>

#include "files.h"

__attribute__((noinline)) static int helper(int x)
{
	return x & 1 ? x : -x;
}

int from_main(int x)
{
	return helper(x) + (x > 3 ? 1 : 2);
}

int down_main(int n)
{
	return n < 1 ? helper(n) : 1 + down_other(n - 1);
}

int main(void)
{
	int sum = 0;
	for (int i = 0; i < 4; i++) {
		sum += other(i);
		sum += uncounted(i, from_main);
		sum += uncounted_plain(i);
		sum += passed_on(i);
		sum += archived(i);
		sum += in_library(i, from_main);
	}
	sum += down_main(5) + down_main(6);
	sum += passed_to_uncounted(2) + passed_to_uncounted(5);
	printf("%d\n", sum);
	return 0;
}
