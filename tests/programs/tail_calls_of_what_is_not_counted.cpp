// Functions that the C library calls end in calls of functions that are not counted: what the C library calls next
// was not called by them.
// calls: main=1 _ZL7by_namev=1 _ZL10by_pointerv=1 _ZL11by_musttailv=1 _ZL7by_copyv=1 _ZL7by_sortv=1 _ZL4lastv=1
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static std::vector<int> values; // its constructor ends in a call of __cxa_atexit
static int numbers[] = {3, 1, 2};
static char copy[8];
static int (*volatile print)(const char *) = std::puts;

static int compare(const void *left, const void *right)
{
	return *(const int *)left - *(const int *)right;
}

__attribute__((noinline)) static int say(const char *text)
{
	[[clang::musttail]] return std::puts(text);
}

static void by_name()
{
	std::puts("by name");
}

static void by_pointer()
{
	print("by pointer");
}

static void by_musttail()
{
	say("musttail");
}

static void by_copy()
{
	say("copy");
	std::memcpy(copy, numbers, sizeof copy);
}

static void by_sort()
{
	std::qsort(numbers, 3, sizeof *numbers, compare);
}

static void last()
{
	std::printf("%d %d %d\n", numbers[0], copy[0], copy[4]);
}

int main()
{
	std::atexit(last);
	std::atexit(by_sort);
	std::atexit(by_copy);
	std::atexit(by_musttail);
	std::atexit(by_pointer);
	std::atexit(by_name);
	values.push_back(1);
	return (int)values.size() - 1;
}
