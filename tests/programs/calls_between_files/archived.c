#include "files.h"

int archived(int x)
{
	return x > 1 ? other(x) : 3;
}
