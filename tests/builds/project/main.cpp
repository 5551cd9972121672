#include <cstdio>

#include "price.h"

int main()
{
	long sum = 0;
	for (int amount = 0; amount < 1000; amount++)
		sum += price(amount);
	std::printf("%ld\n", sum);
	return sum == 499700 ? 0 : 1;
}
