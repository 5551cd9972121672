// report: LLVM 164414
// about: a second `catch`
// Each of the seven calls throws what the first handler does not take and the second does.
#include <cstdio>
#include <stdexcept>

__attribute__((noinline)) static int attempt(int x)
{
	int result = 0; // 7
	try {
		if (x < 10)				   // 7
			throw std::runtime_error("small"); // 7
		result = x;				   // 0
	} catch (const std::logic_error &) {
		result = -1;		   // 0
	} catch (const std::exception &) { // 7, reported
		result = -2;		   // 7, reported
	}
	return result; // 7
}

int main()
{
	int sum = 0; // 1
	for (int x = 0; x < 7; x++)
		sum += attempt(x); // 7
	std::printf("%d\n", sum);  // 1
	return 0;		   // 1
}
