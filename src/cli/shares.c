/* A number from 0 to 100, and a per cent sign. */
#include "cli/shares.h"

#include <stdlib.h>
#include <string.h>

#include "cli/fatal.h"

double wm_share_parse(const char *command, const char *option, const char *text)
{
	char *end;
	double share = strtod(text, &end);
	if (end == text || strcmp(end, "%") != 0 || !(share >= 0 && share <= 100))
		wm_fatal_usage(
			"%s: %s='%s' is no share: give one such as 0.1%%", command, option, text);
	return share / 100;
}
