/* Two branches, each taken for every second order: together, or one instead of the other? Counts of
 * lines and branches are the same in both cases. Paths tell:
 *   waymark cc -O2 -g -o together together.c && ./together && waymark paths price
 */
#include <stdbool.h>
#include <stdio.h>

struct order {
	long price;
	bool member;
	bool urgent;
};

static long discounts, surcharges;

__attribute__((noinline)) static long discount(long price)
{
	discounts++;
	return price - price / 10;
}

__attribute__((noinline)) static long surcharge(long price)
{
	surcharges++;
	return price + 25;
}

__attribute__((noinline)) static long price(const struct order *order)
{
	long price = order->price;
	if (order->member)
		price = discount(price);
	if (order->urgent)
		price = surcharge(price);
	return price;
}

int main(void)
{
	long sum = 0;
	for (int number = 0; number < 1000000; number++) {
		bool even = number % 2 == 0;
		struct order order = {100 + number % 7, .member = even, .urgent = even};
		sum += price(&order);
	}
	printf("%ld, with %ld discounts and %ld surcharges\n", sum, discounts, surcharges);
	return 0;
}
