/* The folder goes as soon as it is read. Signals of the terminal are the command's: the tool waits
 * for it. */
#include "cli/counted_run.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/fatal.h"
#include "cli/find_profiles.h"
#include "cli/load.h"
#include "profile/objects.h"

char **wm_counted_run_take(int *argc, char **argv)
{
	for (int i = 1; i < *argc; i++) {
		if (strcmp(argv[i], "--") != 0)
			continue;
		*argc = i;
		argv[i] = NULL;
		return &argv[i + 1];
	}
	return NULL;
}

static char *join(struct wm_arena *arena, const char *folder, const char *name)
{
	char *path = wm_arena_alloc(arena, strlen(folder) + strlen(name) + 2, 1);
	sprintf(path, "%s/%s", folder, name);
	return path;
}

static char *make_folder(struct wm_arena *arena)
{
	const char *place = getenv("TMPDIR");
	char *folder = join(arena, place && place[0] ? place : "/tmp", "waymark-XXXXXX");
	if (!mkdtemp(folder))
		wm_fatal("cannot make a folder '%s' for the profile: %s", folder, strerror(errno));
	return folder;
}

static void remove_folder(struct wm_arena *arena, const char *path)
{
	DIR *folder = opendir(path);
	for (struct dirent *entry; folder && (entry = readdir(folder));)
		if (entry->d_name[0] != '.')
			unlink(join(arena, path, entry->d_name));
	if (folder)
		closedir(folder);
	rmdir(path);
}

/* A `%` of the folder's name is none of the pattern's. */
static char *pattern_for(struct wm_arena *arena, const char *folder)
{
	char *pattern = wm_arena_alloc(arena, 2 * strlen(folder) + 16, 1), *to = pattern;
	for (; *folder; folder++) {
		*to++ = *folder;
		if (*folder == '%')
			*to++ = '%';
	}
	strcpy(to, "/%b.wmk");
	return pattern;
}

/* Status 127 is that of shells for commands that are not there. */
_Noreturn static void become(char **words, const char *pattern, bool fixed)
{
	enum { NOT_THERE = 127, NOT_RUNNABLE = 126 };
	int now = personality(0xffffffff);
	if (fixed && now != -1)
		personality((unsigned long)now | ADDR_NO_RANDOMIZE);
	setenv("WAYMARK_FILE", pattern, 1);
	execvp(words[0], words);
	int reason = errno;
	fprintf(stderr, "waymark: cannot run '%s': %s\n", words[0], strerror(reason));
	_exit(reason == ENOENT ? NOT_THERE : NOT_RUNNABLE);
}

static int run(const char *command, char **words, const char *pattern, bool fixed)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, interrupt, quit;
	int status;
	fflush(NULL);
	sigaction(SIGINT, &ignore, &interrupt);
	sigaction(SIGQUIT, &ignore, &quit);
	pid_t child = fork();
	if (child < 0)
		wm_fatal("%s: cannot start '%s': %s", command, words[0], strerror(errno));
	if (child == 0) {
		sigaction(SIGINT, &interrupt, NULL);
		sigaction(SIGQUIT, &quit, NULL);
		become(words, pattern, fixed);
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	sigaction(SIGINT, &interrupt, NULL);
	sigaction(SIGQUIT, &quit, NULL);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static bool holds_profiles(const char *path)
{
	struct dirent **found;
	int count = scandir(path, &found, wm_find_is_profile, NULL);
	for (int i = 0; i < count; i++)
		free(found[i]);
	if (count >= 0)
		free(found);
	return count > 0;
}

struct wm_counted_run wm_counted_run(
	struct wm_arena *arena, const char *command, char **words, bool fixed)
{
	struct wm_counted_run result = {.count = 1};
	if (!words[0])
		wm_fatal_usage("%s: name a command behind --", command);
	char *folder = make_folder(arena);
	result.status = run(command, words, pattern_for(arena, folder), fixed);
	if (!holds_profiles(folder)) {
		remove_folder(arena, folder);
		if (result.status == 0)
			wm_fatal(
				"%s: '%s' ran no program built with waymark cc", command, words[0]);
		wm_warn("%s: '%s' ended with status %d and left no profile", command, words[0],
			result.status);
		exit(result.status);
	}
	result.profiles = wm_load_profiles(arena, command, &folder, NULL, &result.count);
	remove_folder(arena, folder);
	return result;
}

static const char *name_of(const struct wm_profile *profile)
{
	return wm_profile_object_name(profile->object.path);
}

struct wm_profile *wm_counted_run_choose(
	const char *command, const struct wm_counted_run *run, const char *program)
{
	char names[512] = "";
	if (!program && run->count == 1)
		return run->profiles;
	for (size_t i = 0; i < run->count; i++) {
		const char *name = name_of(&run->profiles[i]);
		size_t used = strlen(names);
		if (program && strcmp(name, program) == 0)
			return &run->profiles[i];
		snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", name);
	}
	wm_fatal_usage(
		"%s: several programs ran (%s): name one with --program=NAME", command, names);
}
