/* Behind `return` and `break`, clang gives the jumps around its counters their place. Counts of
 * those lines must not hold what ran at the labels. */
volatile int total;

__attribute__((noinline)) static void add(int kind)
{
	switch (kind) {
	case 0:
		total += 1;
		break;
	case 1:
		return;
	case 2:
	case 3:
		total += 4;
		break;
	default:
		total += 7;
		break;
	case 8:
	case 9:
		total--;
	}
	total++;
}

int main(void)
{
	for (int i = 0; i < 60; i++)
		add(i % 5 == 0 ? 2 : i % 10);
	return total == 0;
}
