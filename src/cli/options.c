/* One pass over the arguments; what is not an option moves to the front. */
#include "cli/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/fatal.h"
#include "cli/nearest.h"

_Noreturn static void refuse(const char *command, const char *argument, size_t name_length,
	const struct wm_option *options, size_t option_count)
{
	char word[64];
	if (name_length >= sizeof word)
		name_length = sizeof word - 1;
	memcpy(word, argument, name_length);
	word[name_length] = '\0';
	struct wm_nearest nearest = {.word = word};
	for (size_t i = 0; i < option_count; i++)
		wm_nearest_offer(&nearest, options[i].name);
	if (nearest.best)
		wm_fatal_usage(
			"%s: unknown option '%s'; did you mean %s?", command, word, nearest.best);
	wm_fatal_usage("%s: unknown option '%s'; see `waymark %s --help`", command, word, command);
}

static const struct wm_option *find(const char *argument, size_t name_length,
	const struct wm_option *options, size_t option_count)
{
	for (size_t i = 0; i < option_count; i++)
		if (strlen(options[i].name) == name_length &&
			strncmp(options[i].name, argument, name_length) == 0)
			return &options[i];
	return NULL;
}

/* Stores one option; `next` is the argument after it or NULL. Returns how many arguments it used.
 */
static int store(const char *command, const struct wm_option *option, char *equals, char *next)
{
	if (equals && !option->value)
		wm_fatal_usage("%s: option %s takes no value", command, option->name);
	if (option->value && !equals && !next)
		wm_fatal_usage("%s: option %s needs a value: %s=VALUE", command, option->name,
			option->name);
	if (option->flag)
		*option->flag = true;
	if (option->value)
		*option->value = equals ? equals + 1 : next;
	return option->value && !equals ? 2 : 1;
}

int wm_options_parse(const char *command, int argc, char **argv, const struct wm_option *options,
	size_t option_count)
{
	int kept = 0;
	bool ended = false;
	for (int i = 1; i < argc;) {
		char *argument = argv[i];
		if (ended || argument[0] != '-' || argument[1] == '\0') {
			argv[++kept] = argument;
			i++;
			continue;
		}
		if (strcmp(argument, "--") == 0) {
			ended = true;
			i++;
			continue;
		}
		char *equals = strchr(argument, '=');
		size_t name_length = equals ? (size_t)(equals - argument) : strlen(argument);
		const struct wm_option *option = find(argument, name_length, options, option_count);
		if (!option)
			refuse(command, argument, name_length, options, option_count);
		i += store(command, option, equals, i + 1 < argc ? argv[i + 1] : NULL);
	}
	return kept;
}

size_t wm_options_number(const char *command, const char *option, const char *text)
{
	char *end;
	errno = 0;
	unsigned long long number = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || number == 0)
		wm_fatal_usage(
			"%s: %s='%s' is not a number of rows (1 or more)", command, option, text);
	return (size_t)number;
}

bool wm_options_full_names(const char *command, const char *value)
{
	bool full = strcmp(value, "full") == 0;
	if (!full && strcmp(value, "short") != 0)
		wm_fatal_usage("%s: --names='%s' is neither short nor full", command, value);
	return full;
}
