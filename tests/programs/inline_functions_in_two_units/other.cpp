#include "shared.h"

int other(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum -= biggest(shared(i), 2);
	return sum;
}
