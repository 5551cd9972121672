/* Some calls of run are left in a call that the optimiser inlines. What stands behind that call is
 * not executed then, also where the optimiser leaves no trace of it. */
#include <setjmp.h>

static unsigned seed = 1, total, table[64];
static jmp_buf back;
static int can_jump;

__attribute__((noinline)) static unsigned draw(void)
{
	seed = seed * 1103515245u + 12345u;
	return seed >> 16;
}

static unsigned check(unsigned p, unsigned q)
{
	unsigned turns = 0;
	do {
		if (can_jump && draw() % 3 == 0) {
			longjmp(back, 1 + (total & 1));
		}
	} while (++turns < 9 && (draw() % 7 == 0));
	return p * q;
}

static unsigned run(unsigned p, unsigned q)
{
	unsigned result = q, nothing = 0;
	{
		if ((nothing & 7) > (p & p))
			;
		else if (draw() % 5 == 0)
			;
		else {
			check(1, q);
		}
	}
	return result + nothing;
}

__attribute__((noinline)) static unsigned choose(unsigned p, unsigned q)
{
	unsigned result = p * q, nothing = 0;
	{
		if (draw() % 4 == 0)
			;
		switch (p & 3) {
		case 3:
			break;
		case 4:
			run(table[p & 63] ^ table[p & 63], nothing);
		default:
			total ^= run(nothing * 0, q);
		}
	}
	return result + nothing;
}

int main(void)
{
	volatile unsigned round;
	for (round = 0; round < 30; round++) {
		if (round % 3 == 2) {
			can_jump = 1;
			if (setjmp(back) == 0)
				total += choose(draw(), round);
		}
	}
	return 0;
}
