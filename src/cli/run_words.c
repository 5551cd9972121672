#include "cli/run_words.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/fatal.h"

enum { HOST_BYTES = 256 };

void wm_run_words_check_kind(const char *command, const char *kind)
{
	if (strcmp(kind, "test") != 0 && strcmp(kind, "field") != 0)
		wm_fatal_usage("%s: --kind='%s' is neither test nor field", command, kind);
}

static bool is_number(const char *text)
{
	return *text && strspn(text, "0123456789") == strlen(text);
}

void wm_run_words_check_outcome(const char *command, const char *outcome)
{
	bool is_one = strcmp(outcome, "pass") == 0 || strcmp(outcome, "unknown") == 0 ||
		      (strncmp(outcome, "fail:", 5) == 0 && is_number(outcome + 5)) ||
		      (strncmp(outcome, "signal:", 7) == 0 && is_number(outcome + 7));
	if (!is_one)
		wm_fatal_usage("%s: --outcome='%s' is none of pass, fail:STATUS, signal:NUMBER, "
			       "unknown",
			command, outcome);
}

/* How many bytes the character takes that starts there; 0: it is none that can be printed. */
static size_t character(const unsigned char *text)
{
	size_t length = text[0] < 0x80 ? 1 : text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
	uint32_t code = length == 1 ? text[0] : text[0] & (0xffu >> (length + 1));
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	for (size_t i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (text[i] & 0x3f);
	}
	bool is_valid = text[0] < 0xf8 && (text[0] & 0xc0) != 0x80 && code >= least[length] &&
			code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
	return is_valid && code >= 0x20 && (code < 0x7f || code > 0x9f) ? length : 0;
}

const char *wm_run_words_printable(struct wm_arena *arena, const char *text)
{
	char *copy = wm_arena_alloc(arena, 4 * strlen(text) + 1, 1), *to = copy;
	for (const unsigned char *from = (const unsigned char *)text; *from;) {
		size_t length = *from == '\\' ? 0 : character(from);
		if (length) {
			memcpy(to, from, length);
			to += length;
		} else if (*from == '\\') {
			to = stpcpy(to, "\\\\");
		} else {
			to += sprintf(to, "\\x%02x", *from);
		}
		from += length ? length : 1;
	}
	return copy;
}

static const char *join_words(struct wm_arena *arena, char **words)
{
	size_t bytes = 1;
	for (char **word = words; *word; word++)
		bytes += strlen(*word) + 1;
	char *text = wm_arena_alloc(arena, bytes, 1), *to = text;
	const char *slash = strrchr(words[0], '/');
	to = stpcpy(to, slash && slash[1] ? slash + 1 : words[0]);
	for (char **word = words + 1; *word; word++)
		to = stpcpy(stpcpy(to, " "), *word);
	return text;
}

const char *wm_run_words_label(
	struct wm_arena *arena, const char *command, const char *option, char **words)
{
	const char *chosen = getenv("WAYMARK_LABEL");
	if (option && !option[0])
		wm_fatal_usage("%s: --label= is empty: name the test", command);
	if (option)
		return option;
	if (chosen && chosen[0])
		return chosen;
	return join_words(arena, words);
}

const char *wm_run_words_host(struct wm_arena *arena)
{
	char name[HOST_BYTES] = "";
	const char *chosen = getenv("WAYMARK_HOST");
	if (chosen && chosen[0])
		return wm_run_words_printable(arena, chosen);
	gethostname(name, sizeof name - 1);
	return wm_run_words_printable(arena, name[0] ? name : "localhost");
}

int64_t wm_run_words_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * 1000000ll + now.tv_nsec / 1000;
}

void wm_run_words_outcome(int status, char *text, size_t bytes)
{
	if (WIFSIGNALED(status))
		snprintf(text, bytes, "signal:%d", WTERMSIG(status));
	else if (WEXITSTATUS(status))
		snprintf(text, bytes, "fail:%d", WEXITSTATUS(status));
	else
		snprintf(text, bytes, "pass");
}
