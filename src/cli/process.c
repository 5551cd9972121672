/* Children through posix_spawn, so that no shell reads a path. */
#include "cli/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static bool spawn(const char *program, const char *argument, int output, pid_t *child)
{
	char *const arguments[] = {(char *)program, (char *)argument, NULL};
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	int status = posix_spawnp(child, program, &actions, NULL, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	return status == 0;
}

/* Reads the first line and then the rest, so that the child never waits for a reader. */
static bool read_first_line(int descriptor, char *line, size_t bytes)
{
	FILE *file = fdopen(descriptor, "r");
	if (!file) {
		close(descriptor);
		return false;
	}
	bool found = fgets(line, (int)bytes, file) != NULL;
	while (fgetc(file) != EOF)
		continue;
	fclose(file);
	if (found)
		line[strcspn(line, "\n")] = '\0';
	return found;
}

bool wm_process_first_line(const char *program, const char *argument, char *line, size_t bytes)
{
	int ends[2], status;
	pid_t child;
	if (pipe(ends) != 0)
		return false;
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	bool started = spawn(program, argument, ends[1], &child);
	close(ends[1]);
	if (!started) {
		close(ends[0]);
		return false;
	}
	bool found = read_first_line(ends[0], line, bytes);
	return waitpid(child, &status, 0) == child && WIFEXITED(status) &&
	       WEXITSTATUS(status) == 0 && found;
}
