// report: LLVM 149040
// about: the line after a call that exits
// The loop calls check for 0, 1 and 2. The third call ends in exit, so nothing behind it runs,
// neither in check nor in fatal nor in main.
#include <stdio.h>
#include <stdlib.h>

_Noreturn static void fatal(const char *text)
{
	printf("error: %s\n", text); // 1
	exit(0);		     // 1
	printf("not reached\n");     // 0
}

static void check(int value)
{
	if (value == 2) {	    // 3
		fatal("two");	    // 1
		puts("still here"); // 0, reported
	}
	puts("good"); // 2
}

int main(void)
{
	for (int i = 0; i < 5; i++) {
		check(i);	 // 3
		puts("checked"); // 2, between calls, reported
	}
	puts("all checked"); // 0, reported
	return 0;	     // 0
}
