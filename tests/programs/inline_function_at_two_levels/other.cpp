#include "shared.h"

int other(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum -= shared(i + 3);
	return sum;
}
