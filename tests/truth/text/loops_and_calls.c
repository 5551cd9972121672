/* Loops that become vectors, copies, calls of memset or nothing; recursion that is inlined or
 * becomes a loop; calls in tail position; calls whose results nobody needs; a computed goto. */
#include <stdio.h>
#include <string.h>

enum { SIZE = 103 };

static unsigned numbers[SIZE], others[SIZE];
static unsigned char bytes[SIZE];
static volatile unsigned size = SIZE;

static unsigned sum(unsigned count)
{
	unsigned total = 0;
	for (unsigned i = 0; i < count; i++)
		total += numbers[i];
	return total;
}

static void fill(unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		bytes[i] = 0;
	for (unsigned i = 0; i < count; i++)
		others[i] = numbers[i];
	for (unsigned i = 0; i < count; i++) {
		if (numbers[i] % 3)
			others[i] += 2;
		else
			others[i] = 0;
	}
}

static unsigned triangle(unsigned n)
{
	unsigned total = 0;
	for (unsigned i = 0; i < n; i++)
		total += i;
	return total;
}

static unsigned find(unsigned wanted)
{
	unsigned i = 0;
	while (i < SIZE && numbers[i] != wanted)
		i++;
	return i;
}

static unsigned ones(unsigned x)
{
	unsigned n = 0;
	while (x) {
		x &= x - 1;
		n++;
	}
	return n;
}

static unsigned fibonacci(unsigned n)
{
	if (n < 2)
		return n;
	return fibonacci(n - 1) + fibonacci(n - 2);
}

static unsigned divide(unsigned a, unsigned b, unsigned steps)
{
	if (!b)
		return a + steps;
	return divide(b, a % b, steps + 1);
}

static unsigned is_even(unsigned n);

static unsigned is_odd(unsigned n)
{
	if (n == 0)
		return 0;
	return is_even(n - 1);
}

static unsigned is_even(unsigned n)
{
	if (n == 0)
		return 1;
	return is_odd(n - 1);
}

static unsigned interpret(const char *program)
{
	static const void *const code[] = {&&add, &&twice, &&loop, &&end};
	unsigned value = 1, turns = 0;
	const char *at = program;
	goto *code[*at++ & 3];
add:
	value += 3;
	goto *code[*at++ & 3];
twice:
	value *= 2;
	goto *code[*at++ & 3];
loop:
	if (turns++ < 7)
		at = program;
	goto *code[*at++ & 3];
end:
	return value;
}

static unsigned grade(unsigned x)
{
	unsigned points = 0;
	switch (x % 7) {
	case 0:
		points += 1;
	case 1:
		points += 2;
		break;
	case 2:
	case 3:
		points += 4;
	default:
		points += 8;
		break;
	case 5:
		if (x > 50)
			return 77;
	}
	return points;
}

static unsigned state_after(unsigned steps)
{
	enum { START, EVEN, ODD, LAST } state = START;
	unsigned seen = 0;
	for (unsigned i = 0; i < steps; i++) {
		switch (state) {
		case START:
			state = i % 2 ? ODD : EVEN;
			break;
		case EVEN:
			seen++;
			state = i % 5 == 0 ? LAST : ODD;
			break;
		case ODD:
			state = EVEN;
			break;
		case LAST:
			state = START;
			continue;
		}
		if (state == LAST)
			seen += 10;
	}
	return seen;
}

int main(void)
{
	unsigned total = 0;
	for (unsigned i = 0; i < SIZE; i++)
		numbers[i] = i * i % 17;
	fill(size);
	fill(3);
	total += sum(size) + sum(5) + triangle(size) + triangle(4);
	total += find(9) + find(1000) + ones(size) + ones(0) + fibonacci(9);
	total += divide(1071, 462, 0) + is_even(size) + is_odd(12);
	total += interpret("abc") + interpret("babc") + interpret("c");
	for (unsigned i = 0; i < size; i++) {
		total += grade(i);
		triangle(i);
		ones(i);
		if (i % 25 == 24)
			total += state_after(i);
	}
	printf("%u %u %d\n", total, others[9], bytes[3] + memcmp(bytes, bytes + 5, 9));
	return 0;
}
