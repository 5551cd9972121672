#include "price.h"

int price(int amount)
{
	__asm__ volatile(""); /* keeps the call and its branch */
	if (amount % 10 == 0)
		return amount + 2;
	return amount;
}
