// An indirect branch that may go to its own block, and one table entry used twice.
#include <stdio.h>

int main(void)
{
	static const void *const next[] = {&&again, &&again, &&leave};
	const char *input = "0110101012";
	int sum = 0;
	goto *next[*input - '0'];
again:
	sum = sum * 2 + *input++ - '0';
	goto *next[*input - '0'];
leave:
	printf("%d\n", sum);
	return 0;
}
