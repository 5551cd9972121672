// levels: -O2
// ats: late
// paths: no
#include <stdint.h>
#include <stdio.h>

__attribute__((noinline)) static uint64_t spin(uint64_t n)
{
	uint64_t i = 0;
	do
		__asm__ volatile("");
	while (++i < n);
	return i;
}

int main(void)
{
	printf("%llu\n", (unsigned long long)spin((UINT64_C(1) << 32) + 5));
	return 0;
}
