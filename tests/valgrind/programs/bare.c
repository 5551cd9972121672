/* Without a C library: recursion, loops, a switch through a table, a pointer to a function, and counts
 * that are known: count(20) calls itself 2 * fib(21) - 1 times in all. */
static int table[64];

__attribute__((noinline)) static int count(int n)
{
	return n < 2 ? 1 : count(n - 1) + count(n - 2);
}

__attribute__((noinline)) static int choose(int n)
{
	switch (n & 7) {
	case 0: return n * 3;
	case 1: return n - 7;
	case 2: return n ^ 12345;
	case 3: return n * n;
	case 4: return 5 - n;
	case 5: return n << 2;
	case 6: return n / 3;
	default: return 9;
	}
}

__attribute__((noinline)) static int odd(int n)
{
	return n & 1 ? n : -n;
}

int (*volatile through)(int) = odd;

void _start(void)
{
	int sum = 0;
	for (int i = 0; i < 5000; i++) {
		table[i & 63] += choose(i);
		if (i % 3 == 0)
			sum += through(i);
	}
	for (int i = 0; i < 64; i++)
		sum += table[i];
	sum += count(20);
	__asm__ volatile("syscall" : : "a"(231), "D"(sum & 63) : "rcx", "r11", "memory");
	__builtin_unreachable();
}
