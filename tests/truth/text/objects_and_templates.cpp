/* Constructors of objects with and without virtual bases, destructors in all ways, templates,
 * lambdas, static initialisers, exceptions out of all of these. */
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

static int log_count;

struct Root {
	int value;
	explicit Root(int value) : value(value)
	{
		log_count++;
		if (value == 13)
			throw value;
	}
	virtual ~Root()
	{
		log_count--;
	}
	virtual int weigh() const
	{
		return value;
	}
};

struct Left : virtual Root {
	explicit Left(int value) : Root(value)
	{
		log_count += 2;
	}
	int weigh() const override
	{
		if (value % 2)
			return value * 3;
		return Root::weigh();
	}
};

struct Right : virtual Root {
	std::string name;
	explicit Right(int value) : Root(value), name("right")
	{
		if (value > 20)
			throw name;
	}
};

struct Both : Left, Right {
	explicit Both(int value) : Root(value + 1), Left(value), Right(value)
	{
		log_count += 3;
	}
};

template <typename T, int N> static T power(T base)
{
	T result = 1;
	for (int i = 0; i < N; i++)
		result *= base;
	if (result > 1000)
		return 1000;
	return result;
}

template <typename F> static int apply(F function, int times)
{
	int sum = 0;
	for (int i = 0; i < times; i++)
		sum += function(i);
	return sum;
}

static int first(int x)
{
	if (x > 3)
		return x;
	return -x;
}

static int started = first(5) + apply([](int i) { return i; }, 4);

static std::vector<int> table = [] {
	std::vector<int> made;
	for (int i = 0; i < 10; i++)
		if (i % 3)
			made.push_back(i);
	return made;
}();

static int &counter()
{
	static int count = first(2);
	return ++count;
}

static int make(int value)
{
	std::unique_ptr<Root> object;
	if (value % 3 == 0)
		object = std::make_unique<Both>(value);
	else if (value % 3 == 1)
		object = std::make_unique<Left>(value);
	else
		object = std::make_unique<Right>(value);
	return object->weigh();
}

static int attempt(int value) noexcept
{
	try {
		return make(value);
	} catch (int number) {
		counter();
		return -number;
	} catch (const std::string &text) {
		return (int)text.size();
	}
}

int main()
{
	int sum = started;
	for (int i = 0; i < 25; i++) {
		sum += attempt(i);
		if (i % 4 == 0)
			sum += counter();
	}
	sum += power<int, 3>(7) + power<int, 3>(11) + power<unsigned, 5>(2);
	sum += apply(
		[&](int i) {
			if (i % 2)
				return sum % 5;
			return table[i % table.size()];
		},
		11);
	std::printf("%d %d\n", sum, log_count);
	return 0;
}
