// report: LLVM 160248
// about: an inline function of a header that another object includes and does not use
// library.cpp: a shared library
#include <cstdio>

#include "order.h"

extern int library_number;

int main()
{
	int sum = 0; // 1
	for (int i = 0; i < 6; i++)
		sum += order(i < 4 ? i + 1 : 0, 0, i, library_number); // 6
	std::printf("%d\n", sum);				       // 1
	return 0;						       // 1
}
