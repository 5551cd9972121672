// report: LLVM 157959
// about: the line behind `goto`
// find is called four times: with no numbers; with 4 and 6; with 3; with 8 and 5. So two calls find
// an odd number. Control jumps over what stands behind each goto.
#include <stdio.h>

__attribute__((noinline)) static int find(const int *number, int count)
{
	int found = -1;	  // 4
	if (count == 0) { // 4
		goto out; // 1
	}
	for (int i = 0; i < count; i++) {
		if (number[i] % 2) { // 5
			found = i;   // 2
			goto out;    // 2
			found = -2;  // 0, reported
		}
	}
	if (found != -1) { // 1
		goto out;  // 0
	}
	goto out;	      // 1
	int late = number[0]; // 0, reported
	found = late;	      // 0, reported
out:
	return found; // 4
}

int main(void)
{
	int even[] = {4, 6}, odd[] = {3}, mixed[] = {8, 5};				     // 1
	printf("%d %d %d %d\n", find(even, 0), find(even, 2), find(odd, 1), find(mixed, 2)); // 1
	return 0;									     // 1
}
