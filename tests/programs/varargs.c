// calls: sum=5
#include <stdarg.h>
#include <stdio.h>

__attribute__((noinline)) static double sum(const char *kinds, ...)
{
	double total = 0;
	va_list list;
	va_start(list, kinds);
	for (; *kinds; kinds++) {
		if (*kinds == 'i')
			total += va_arg(list, int);
		else if (*kinds == 'd')
			total += va_arg(list, double);
		else
			total += *va_arg(list, const char *);
	}
	va_end(list);
	return total;
}

int main(void)
{
	double total = 0;
	for (int i = 0; i < 5; i++)
		total += sum("idsi", i, 0.5 * i, "A", 3);
	printf("%.2f\n", total);
	return 0;
}
