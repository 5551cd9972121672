// levels: -O0 -O2
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct Shape {
	virtual ~Shape() = default;
	virtual int area() const = 0;
};

struct Square : Shape {
	int side;
	explicit Square(int s) : side(s)
	{
	}
	int area() const override
	{
		return side * side;
	}
};

struct Strip : Shape {
	int length;
	explicit Strip(int l) : length(l)
	{
	}
	int area() const override
	{
		return length > 5 ? length : 0;
	}
};

int main()
{
	std::vector<std::unique_ptr<Shape>> shapes;
	std::map<std::string, int> totals;
	for (int i = 0; i < 20; i++) {
		if (i % 3)
			shapes.push_back(std::make_unique<Square>(i));
		else
			shapes.push_back(std::make_unique<Strip>(i));
	}
	for (const auto &shape : shapes)
		totals[shape->area() % 2 ? "odd" : "even"] += shape->area();
	for (const auto &[key, value] : totals)
		std::printf("%s %d\n", key.c_str(), value);
	return 0;
}
