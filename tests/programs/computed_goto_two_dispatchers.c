// calls: interpret=20
#include <stdio.h>

__attribute__((noinline)) static int interpret(const unsigned char *code)
{
	static const void *const first[] = {&&push, &&add, &&decrement, &&branch, &&stop};
	int stack = 0, accumulator = 0;
	goto *first[*code];
push:
	stack = code[1];
	code += 2;
	goto *first[*code];
add:
	accumulator += stack;
	code++;
	goto *first[*code];
decrement:
	stack--;
	code++;
	if (stack < 0)
		goto stop;
	goto *first[*code];
branch:
	code = stack ? code - code[1] : code + 2;
	goto *first[*code];
stop:
	return accumulator;
}

int main(void)
{
	int sum = 0;
	for (unsigned char n = 0; n < 20; n++) {
		unsigned char code[] = {0, n, 1, 2, 3, 2, 4};
		sum += interpret(code);
	}
	printf("%d\n", sum);
	return 0;
}
