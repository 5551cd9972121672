/* Matrix multiply: trip counts are known on entry, so the counters stay out of the loops.
 *   waymark cc -O2 -g -o matrix matrix.c && ./matrix && waymark report --blocks
 */
#include <stdio.h>

enum { SIZE = 300 };

static double left[SIZE][SIZE];
static double right[SIZE][SIZE];
static double product[SIZE][SIZE];

static void fill(void)
{
	for (int row = 0; row < SIZE; row++)
		for (int column = 0; column < SIZE; column++) {
			left[row][column] = (row + column) % 7;
			right[row][column] = (row * column) % 5;
		}
}

static void multiply(void)
{
	for (int row = 0; row < SIZE; row++)
		for (int inner = 0; inner < SIZE; inner++)
			for (int column = 0; column < SIZE; column++)
				product[row][column] += left[row][inner] * right[inner][column];
}

int main(void)
{
	fill();
	multiply();
	double trace = 0;
	for (int row = 0; row < SIZE; row++)
		trace += product[row][row];
	printf("trace %.0f\n", trace);
	return 0;
}
