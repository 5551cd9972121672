// The linker keeps one copy of each inline function and template instance; it holds all counts.
// build: $CXX $FLAGS $SRC/main.cpp $SRC/other.cpp -o program
// calls: _Z6sharedi=15 _Z7biggestIiET_S0_S0_=15
#include "shared.h"

#include <cstdio>

int other(int);

int main()
{
	int sum = other(5);
	for (int i = 0; i < 10; i++)
		sum += biggest(shared(i), 4);
	std::printf("%d\n", sum);
	return 0;
}
