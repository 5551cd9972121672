#include "files.h"

int uncounted(int x, int (*back)(int))
{
	return back(x) + (x > 1 ? archived(x) : 0);
}

int uncounted_plain(int x)
{
	return x > 2 ? x : 1;
}
