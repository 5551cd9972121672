// Functions that the linker drops vanish from the profile; those that stay keep their counts.
// build: $CC $FLAGS -ffunction-sections -fdata-sections -Wl,--gc-sections $SRC/main.c $SRC/unused.c -o program
// levels: -O0 -O2
// calls: used=10
#include <stdio.h>

int never_called(int x)
{
	return x > 2 ? x : 2;
}

__attribute__((noinline)) int used(int x)
{
	return x % 4 ? x : 1;
}

int main(void)
{
	int sum = 0;
	for (int i = 0; i < 10; i++)
		sum += used(i);
	printf("%d\n", sum);
	return 0;
}
