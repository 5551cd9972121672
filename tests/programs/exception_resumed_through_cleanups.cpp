// Every frame that the exception passes has a cleanup, so each one ends in a resume.
#include <cstdio>
#include <string>

struct Note {
	const char *name;
	explicit Note(const char *n) : name(n)
	{
		std::printf("+%s ", name);
	}
	~Note()
	{
		std::printf("-%s ", name);
	}
};

__attribute__((noinline)) static int third(int x)
{
	Note note("third");
	if (x > 2)
		throw std::string("too large");
	return x;
}

__attribute__((noinline)) static int second(int x)
{
	Note note("second");
	int sum = 0;
	for (int i = 0; i < 4; i++)
		sum += third(x + i);
	return sum;
}

__attribute__((noinline)) static int first(int x)
{
	Note note("first");
	return second(x) + second(x - 1);
}

int main()
{
	for (int x = -2; x < 3; x++) {
		try {
			std::printf("%d\n", first(x));
		} catch (const std::string &text) {
			std::printf("%s\n", text.c_str());
		}
	}
	return 0;
}
