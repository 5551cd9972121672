// The two copies of the inline function have different graphs; the linker keeps the first.
// build: $CXX $FLAGS -c $SRC/main.cpp -o main.o
// build: $CXX $FLAGS -O3 -c $SRC/other.cpp -o other.o
// build: $CXX $FLAGS main.o other.o -o program
// levels: -O0 -O1
#include "shared.h"

#include <cstdio>

int other(int);

int main()
{
	int sum = other(5);
	for (int i = 0; i < 10; i++)
		sum += shared(i);
	std::printf("%d\n", sum);
	return 0;
}
