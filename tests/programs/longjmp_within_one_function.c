#include <setjmp.h>
#include <stdio.h>

static jmp_buf context;

int main(void)
{
	volatile int tries = 0;
	int code = setjmp(context);
	tries++;
	if (tries < 10) {
		if (tries % 3 == 0)
			longjmp(context, 7);
		longjmp(context, tries);
	}
	printf("%d %d\n", tries, code);
	return 0;
}
