#include <cstdio>
#include <string>
#include <vector>

struct Table {
	std::vector<int> squares;
	Table()
	{
		for (int i = 0; i < 20; i++)
			if (i % 3)
				squares.push_back(i * i);
	}
	~Table()
	{
		std::printf("%zu gone\n", squares.size());
	}
};

static Table table;

static const std::string &name()
{
	static const std::string text = table.squares[2] > 10 ? "large" : "small";
	return text;
}

int main()
{
	for (int i = 0; i < 3; i++)
		std::printf("%s\n", name().c_str());
	return 0;
}
