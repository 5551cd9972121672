#include "cli/changes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/fatal.h"

static void add(struct wm_arena *arena, struct wm_changes *changes, const char *file,
	uint32_t first, uint32_t last)
{
	changes->list = wm_arena_grow(
		arena, changes->list, changes->count, &changes->capacity, sizeof *changes->list);
	changes->list[changes->count++] = (struct wm_change){file, first, last};
}

/* No shell reads the range, and none of the user's settings changes the form. */
_Noreturn static void become_git(const char *range, int output)
{
	char *const words[] = {"git", "-c", "core.quotepath=off", "diff", "-U0", "--no-color",
		"--no-ext-diff", "--no-textconv", "--no-renames", "--no-prefix", "--end-of-options",
		(char *)range, "--", NULL};
	int nowhere = open("/dev/null", O_WRONLY);
	dup2(output, STDOUT_FILENO);
	dup2(nowhere, STDERR_FILENO);
	execvp(words[0], words);
	_exit(127);
}

static FILE *start_git(const char *command, const char *range, pid_t *child)
{
	int ends[2];
	if (pipe(ends) != 0 || (*child = fork()) < 0)
		wm_fatal("%s: cannot start git: %s", command, strerror(errno));
	if (*child == 0)
		become_git(range, ends[1]);
	close(ends[1]);
	return fdopen(ends[0], "r");
}

static uint32_t number(const char **text)
{
	char *end;
	unsigned long value = strtoul(*text, &end, 10);
	*text = end;
	return value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

/* @@ -FIRST,COUNT +…: of a count of 0, lines were added behind FIRST. */
static void add_hunk(struct wm_arena *arena, struct wm_changes *changes, const char *file,
	const char *line)
{
	const char *next = line + strlen("@@ -");
	uint32_t first = number(&next), count = 1;
	if (*next == ',') {
		next++;
		count = number(&next);
	}
	if (count)
		add(arena, changes, file, first, first + count - 1);
	else
		add(arena, changes, file, first ? first : 1, first + 1);
}

static const char *name_in(struct wm_arena *arena, char *line)
{
	line[strcspn(line, "\t\n")] = '\0';
	return wm_arena_copy_text(arena, line);
}

static bool starts(const char *line, const char *word)
{
	return strncmp(line, word, strlen(word)) == 0;
}

/* The lines of a hunk start with - or +, so a line that looks like a head is one only before the
 * first hunk of its file. */
static void read_diff(struct wm_arena *arena, FILE *diff, struct wm_changes *changes)
{
	char *line = NULL;
	const char *file = NULL;
	size_t room = 0;
	bool in_head = false, is_new = false;
	while (getline(&line, &room, diff) > 0) {
		if (starts(line, "diff --git ")) {
			in_head = true;
			is_new = false;
		} else if (in_head && starts(line, "--- ")) {
			file = name_in(arena, line + 4);
			is_new = strcmp(file, "/dev/null") == 0;
		} else if (in_head && is_new && starts(line, "+++ ")) {
			add(arena, changes, name_in(arena, line + 4), 0, 0);
		} else if (starts(line, "@@ -") && file) {
			in_head = false;
			if (!is_new)
				add_hunk(arena, changes, file, line);
		} else if (in_head && starts(line, "Binary files ")) {
			char *end = strstr(line, " and ");
			if (end)
				*end = '\0';
			add(arena, changes, name_in(arena, line + 13), 0, 0);
		}
	}
	free(line);
}

void wm_changes_of_git(struct wm_arena *arena, const char *command, const char *range,
	struct wm_changes *changes)
{
	pid_t child;
	int status;
	FILE *diff = start_git(command, range, &child);
	if (diff) {
		read_diff(arena, diff, changes);
		fclose(diff);
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		wm_fatal("%s: --for needs git, which is not installed", command);
	if (!diff || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
		wm_fatal("%s: git does not know the range '%s' here; name one as `git diff` takes "
			 "it, such as HEAD~1, in a working tree of the repository",
			command, range);
}

void wm_changes_parse(struct wm_arena *arena, const char *command, const char *text,
	struct wm_changes *changes)
{
	const char *colon = strrchr(text, ':');
	if (!colon || colon == text) {
		add(arena, changes, text, 0, 0);
		return;
	}
	char *file = wm_arena_copy_text(arena, text);
	file[colon - text] = '\0';
	for (const char *next = colon + 1;;) {
		uint32_t first = *next >= '1' && *next <= '9' ? number(&next) : 0, last = first;
		if (first && *next == '-') {
			next++;
			last = *next >= '1' && *next <= '9' ? number(&next) : 0;
		}
		if (!first || last < first || (*next && *next != ','))
			wm_fatal_usage("%s: '%s' is not FILE:LINE, FILE:FIRST-LAST or FILE",
				command, text);
		add(arena, changes, file, first, last);
		if (!*next++)
			return;
	}
}
