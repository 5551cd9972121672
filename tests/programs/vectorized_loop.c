#include <stdio.h>

static float a[1003], b[1003];

__attribute__((noinline)) static void scale(int n, float factor)
{
	for (int i = 0; i < n; i++)
		a[i] = a[i] * factor + b[i];
}

int main(void)
{
	for (int i = 0; i < 1003; i++)
		b[i] = (float)(i % 17);
	for (int n = 0; n < 1003; n += 77)
		scale(n, 0.5f);
	printf("%g %g\n", a[3], a[900]);
	return 0;
}
