int tidied;

static void tidy(int *amount)
{
	tidied += *amount;
}

__attribute__((noinline)) static int without_cleanup(int (*callback)(int), int argument)
{
	int sum = callback(argument);
	for (int i = 0; i < argument; i++)
		sum += i;
	return sum;
}

int with_cleanup(int (*callback)(int), int argument)
{
	__attribute__((cleanup(tidy))) int amount = argument;
	return without_cleanup(callback, argument) + amount;
}
