// C++: virtual calls and inlined library code.
//   waymark c++ -O2 -g -o shapes shapes.cpp && ./shapes && waymark report
#include <cstdio>
#include <memory>
#include <vector>

struct shape {
	virtual ~shape() = default;
	virtual long area() const = 0;
};

struct square : shape {
	explicit square(long side) : side(side)
	{
	}
	long area() const override
	{
		return side * side;
	}
	long side;
};

struct rectangle : shape {
	rectangle(long width, long height) : width(width), height(height)
	{
	}
	long area() const override
	{
		return width * height;
	}
	long width, height;
};

int main()
{
	std::vector<std::unique_ptr<shape>> shapes;
	for (long size = 1; size <= 1000; size++) {
		if (size % 3 == 0)
			shapes.push_back(std::make_unique<square>(size));
		else
			shapes.push_back(std::make_unique<rectangle>(size, size + 1));
	}
	long total = 0;
	for (const auto &each : shapes)
		total += each->area();
	std::printf("%ld\n", total);
	return 0;
}
