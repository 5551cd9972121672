// A landing pad that no invoke unwinds to, beside a live one.
// build: $CXX $FLAGS $SRC/dead.ll $SRC/main.cpp -o program
// levels: -O0
// calls: main=1 guarded=6 _ZL4failv=2
#include <cstdio>

extern "C" int guarded(int x, void (*callee)());

static void fail()
{
	throw 1;
}

static void pass()
{
}

int main()
{
	int caught = 0;
	for (int i = 0; i < 6; i++)
		caught += guarded(i, i % 3 == 1 ? fail : pass);
	std::printf("%d\n", caught);
}
