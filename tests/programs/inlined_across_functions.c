#include <stdio.h>

static inline int clamp(int x, int low, int high)
{
	if (x < low)
		return low;
	return x > high ? high : x;
}

__attribute__((always_inline)) static inline int twice_clamped(int x)
{
	return clamp(clamp(x, -3, 9) * 2, -5, 11);
}

int main(void)
{
	int sum = 0;
	for (int x = -20; x < 20; x++)
		sum += twice_clamped(x) + clamp(x * x, 0, 50);
	printf("%d\n", sum);
	return 0;
}
