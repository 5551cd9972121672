__attribute__((noinline)) inline int shared(int x)
{
	return x % 3 ? x * 2 : x + 1;
}

template <typename T> __attribute__((noinline)) T biggest(T a, T b)
{
	if (a > b)
		return a;
	return b;
}
