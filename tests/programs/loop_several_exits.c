// calls: search=40
#include <stdio.h>

__attribute__((noinline)) static int search(const int *value, int count, int wanted)
{
	int position = 0;
	while (position < count) {
		if (value[position] == wanted)
			return position;
		if (value[position] < 0)
			break;
		if (value[position] % 7 == 3) {
			position += 2;
			continue;
		}
		position++;
	}
	return -position;
}

int main(void)
{
	int value[] = {5, 9, 10, 12, 4, 17, 2, 24, 31, 8, -1, 6, 38, 40};
	int sum = 0;
	for (int wanted = 0; wanted < 40; wanted++)
		sum = sum * 3 + search(value, 14 - wanted % 3, wanted);
	printf("%d\n", sum);
	return 0;
}
