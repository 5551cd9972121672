/* git is run without a shell; what it prints is read line by line. */
#include "cli/git_lines.h"

#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/fatal.h"

extern char **environ;

/* All that the words print on standard output; *status is their exit status. */
static char *output_of(struct wm_arena *arena, const char *const *words, int *status)
{
	int ends[2], ended;
	pid_t child;
	char *text, buffer[65536];
	size_t bytes;
	posix_spawn_file_actions_t actions;
	*status = 127;
	if (pipe(ends) != 0)
		return NULL;
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	int failed =
		posix_spawnp(&child, words[0], &actions, NULL, (char *const *)words, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	if (failed) {
		close(ends[0]);
		return NULL;
	}
	FILE *out = open_memstream(&text, &bytes);
	for (ssize_t count; (count = read(ends[0], buffer, sizeof buffer)) > 0;)
		fwrite(buffer, 1, (size_t)count, out);
	fclose(out);
	close(ends[0]);
	if (waitpid(child, &ended, 0) == child && WIFEXITED(ended))
		*status = WEXITSTATUS(ended);
	char *copy = wm_arena_copy_text(arena, text);
	free(text);
	return copy;
}

static const char *root_of(struct wm_arena *arena, const char *command)
{
	static const char *const words[] = {"git", "rev-parse", "--show-toplevel", NULL};
	int status;
	char *root = output_of(arena, words, &status);
	if (status == 127)
		wm_fatal("%s: cannot run git; --diff needs it", command);
	if (status != 0 || !root)
		wm_fatal("%s: the working directory is in no git repository; --diff needs one",
			command);
	root[strcspn(root, "\n")] = '\0';
	return root;
}

static struct wm_git_file *add_file(
	struct wm_arena *arena, struct wm_git_lines *lines, const char *root, const char *name)
{
	size_t bytes = strlen(root) + strlen(name) + 2;
	char *path = wm_arena_alloc(arena, bytes, 1);
	snprintf(path, bytes, "%s/%s", root, name);
	lines->files = wm_arena_grow(
		arena, lines->files, lines->count, &lines->capacity, sizeof *lines->files);
	lines->files[lines->count] = (struct wm_git_file){.path = path};
	return &lines->files[lines->count++];
}

/* @@ -1,2 +3,4 @@: lines 3 to 6. */
static void add_lines(struct wm_arena *arena, struct wm_git_file *file, const char *hunk)
{
	const char *plus = strchr(hunk, '+');
	unsigned long first = 0, count = 1;
	char *end;
	if (!plus)
		return;
	first = strtoul(plus + 1, &end, 10);
	if (*end == ',')
		count = strtoul(end + 1, NULL, 10);
	if (count == 0 || first == 0 || first > UINT32_MAX - count)
		return;
	file->lines = wm_arena_grow(
		arena, file->lines, file->count, &file->capacity, sizeof *file->lines);
	file->lines[file->count].first = (uint32_t)first;
	file->lines[file->count++].last = (uint32_t)(first + count - 1);
}

struct wm_git_lines wm_git_lines_read(
	struct wm_arena *arena, const char *command, const char *range)
{
	struct wm_git_lines lines = {0};
	struct wm_git_file *file = NULL;
	int status;
	const char *words[] = {"git", "-c", "core.quotepath=off", "diff", "-U0", "--no-color",
		"--no-ext-diff", "--no-renames", "--src-prefix=a/", "--dst-prefix=b/", range, "--",
		NULL};
	const char *root = lines.root = root_of(arena, command);
	if (range[0] == '-' || range[0] == '\0')
		wm_fatal_usage("%s: '%s' is no range of commits, such as HEAD~1 or main..", command,
			range);
	char *text = output_of(arena, words, &status), *next = NULL;
	if (status != 0 || !text)
		wm_fatal("%s: git knows no range of commits '%s'", command, range);
	for (char *line = strtok_r(text, "\n", &next); line; line = strtok_r(NULL, "\n", &next)) {
		if (strncmp(line, "diff --git ", 11) == 0)
			file = NULL;
		else if (!file && strncmp(line, "+++ b/", 6) == 0)
			file = add_file(arena, &lines, root, line + 6);
		else if (file && strncmp(line, "@@ ", 3) == 0)
			add_lines(arena, file, line);
	}
	return lines;
}

bool wm_git_lines_have(const struct wm_git_lines *lines, const char *file, uint32_t line)
{
	for (size_t i = 0; i < lines->count; i++) {
		if (strcmp(lines->files[i].path, file) != 0)
			continue;
		for (size_t k = 0; k < lines->files[i].count; k++)
			if (line >= lines->files[i].lines[k].first &&
				line <= lines->files[i].lines[k].last)
				return true;
	}
	return false;
}
