__attribute__((noinline)) inline int shared(int x)
{
	int sum = 0;
	for (int i = 0; i < x; i++)
		sum += i & 1 ? i : 1;
	return sum > 10 ? sum - 10 : sum;
}
