/* The linker is asked through clang, which knows where it is. */
#include "cli/linker.h"

#include <string.h>

#include "cli/process.h"

static bool starts_with(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

static bool brings_script(const char *argument)
{
	return starts_with(argument, "-T") || starts_with(argument, "--script") ||
	       (starts_with(argument, "-Wl,") &&
		       (strstr(argument, ",-T") || strstr(argument, "-script")));
}

bool wm_linker_takes_script(const char *clang, int argument_count, char **arguments)
{
	const char *chosen = NULL;
	char line[256];
	for (int i = 0; i < argument_count; i++) {
		if (brings_script(arguments[i]) || arguments[i][0] == '@' ||
			starts_with(arguments[i], "--ld-path="))
			return false;
		if (starts_with(arguments[i], "-fuse-ld="))
			chosen = arguments[i] + strlen("-fuse-ld=");
	}
	if (chosen && *chosen)
		return !strcmp(chosen, "bfd");
	return wm_process_first_line(clang, "-Wl,--version", line, sizeof line) &&
	       starts_with(line, "GNU ld ");
}
