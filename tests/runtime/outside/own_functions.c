/* Functions that the runtime calls while it starts are the program's own, and count. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "tally.h"

static int asked;

char *secure_getenv(const char *name)
{
	asked++;
	return getenv(name);
}

int main(void)
{
	TALLY(secure_getenv, asked);
	return 0;
}
