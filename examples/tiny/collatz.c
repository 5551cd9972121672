/* Which start below a million takes the most steps to 1? A loop whose length nobody can predict:
 *   waymark cc -O2 -g --at=early -o collatz collatz.c && ./collatz && waymark annotate collatz.c
 * Without --at=early the counts are of the optimised loop, which has no branches left but one.
 */
#include <stdio.h>

static unsigned steps_to_one(unsigned long number)
{
	unsigned steps = 0;
	while (number != 1) {
		if (number % 2 == 0)
			number /= 2;
		else
			number = 3 * number + 1;
		steps++;
	}
	return steps;
}

int main(void)
{
	unsigned longest = 0;
	unsigned winner = 1;
	for (unsigned start = 1; start < 1000000; start++) {
		unsigned steps = steps_to_one(start);
		if (steps > longest) {
			longest = steps;
			winner = start;
		}
	}
	printf("%u takes %u steps\n", winner, longest);
	return 0;
}
