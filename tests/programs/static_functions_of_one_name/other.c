__attribute__((noinline)) static int helper(int x)
{
	while (x > 10)
		x /= 2;
	return x;
}

int other(int x)
{
	int sum = 0;
	for (int i = 0; i < 7; i++)
		sum += helper(x * i);
	return sum;
}
