// calls: main=1
// What was constructed so far is destroyed: members, bases, elements of an array.
#include <cstdio>
#include <memory>

static int alive, made;

struct part {
	part()
	{
		if (++made % 5 == 0)
			throw made;
		alive++;
	}
	~part()
	{
		alive--;
	}
};

struct whole : part {
	part first;
	part rest[3];
	whole()
	{
		rest[0] = part();
	}
};

int main()
{
	int caught = 0;
	for (int x = 0; x < 12; x++) {
		try {
			auto object = std::make_unique<whole>();
			std::printf("%d alive\n", alive);
		} catch (int number) {
			caught += number;
		}
	}
	std::printf("%d %d %d\n", alive, made, caught);
	return 0;
}
