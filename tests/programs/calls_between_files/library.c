int part(int, int (*)(int));
int shown(int);

__attribute__((visibility("default"))) int shown(int x)
{
	return x > 2 ? 5 : 6;
}

__attribute__((visibility("default"))) int in_library(int x, int (*back)(int))
{
	int sum = 0;
	for (int i = 0; i < x; i++)
		sum += part(i, back) + shown(i);
	return sum;
}
