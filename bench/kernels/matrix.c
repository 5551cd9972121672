/* Matrix multiplication: the tightest loops of the benchmark, where a counter costs most. */
#include <stdio.h>
#include <stdlib.h>

enum { LARGEST = 512 };

static double left[LARGEST][LARGEST], right[LARGEST][LARGEST], product[LARGEST][LARGEST];

static void fill(int size)
{
	for (int i = 0; i < size; i++)
		for (int j = 0; j < size; j++) {
			left[i][j] = (double)((i * 7 + j) % 13);
			right[i][j] = (double)((i + j * 5) % 11);
		}
}

static void multiply(int size)
{
	for (int i = 0; i < size; i++)
		for (int j = 0; j < size; j++) {
			double sum = 0;
			for (int k = 0; k < size; k++)
				sum += left[i][k] * right[k][j];
			product[i][j] = sum;
		}
}

int main(int argc, char **argv)
{
	int size = argc > 1 ? atoi(argv[1]) : LARGEST;
	double trace = 0;
	if (size < 1 || size > LARGEST)
		return 1;
	fill(size);
	multiply(size);
	for (int i = 0; i < size; i++)
		trace += product[i][i];
	printf("%.0f\n", trace);
	return 0;
}
