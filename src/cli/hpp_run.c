/* The tool is an executable beside the plug-in, with Valgrind's core in it; what else it needs of
 * Valgrind is found where its package has put it. */
#define _GNU_SOURCE /* pipe2 */
#include "cli/hpp_run.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/fatal.h"
#include "cli/install.h"
#include "cli/process.h"
#include "stream/wire.h"

static const char *find_tool(void)
{
	char line[100], *tool = wm_install_path("waymark-hpp-amd64-linux");
	const char *built_with = WAYMARK_VALGRIND_VERSION;
	if (access(tool, X_OK) != 0)
		wm_fatal("hpp: running programs needs Valgrind: install the package valgrind and build "
			 "Waymark again; --read=FILE works without");
	if (!wm_process_first_line("valgrind", "--version", line, sizeof line))
		wm_fatal("hpp: cannot run valgrind: install the package valgrind, version %s",
			built_with);
	const char *version = strncmp(line, "valgrind-", 9) == 0 ? line + 9 : line;
	if (strncmp(version, built_with, strlen(built_with)) != 0)
		wm_fatal("hpp: Waymark was built with Valgrind %s, but %s is installed: install the "
			 "package valgrind of that version, or build Waymark again",
			built_with, version);
	return tool;
}

/* Where the command is; NULL if it is nowhere. */
static char *find_command(struct wm_arena *arena, const char *name)
{
	const char *path = getenv("PATH");
	if (strchr(name, '/'))
		return access(name, F_OK) == 0 ? wm_arena_copy_text(arena, name) : NULL;
	for (const char *next = path ? path : "/usr/bin:/bin"; *next;) {
		size_t length = strcspn(next, ":");
		char *candidate = wm_arena_alloc(arena, length + strlen(name) + 3, 1);
		sprintf(candidate, "%.*s/%s", length ? (int)length : 1, length ? next : ".", name);
		if (access(candidate, X_OK) == 0)
			return candidate;
		next += length + (next[length] == ':');
	}
	return NULL;
}

static void check_head(const char *path, const unsigned char *head, size_t bytes)
{
	if (bytes >= 2 && memcmp(head, "#!", 2) == 0)
		return;
	if (bytes < sizeof(Elf64_Ehdr) || memcmp(head, ELFMAG, SELFMAG) != 0)
		wm_fatal("hpp: '%s' is neither a program nor a script with #!", path);
	const Elf64_Ehdr *elf = (const Elf64_Ehdr *)(const void *)head;
	if (head[EI_CLASS] == ELFCLASS32)
		wm_fatal("hpp: '%s' is a 32-bit program; only programs for x86-64 can be run", path);
	if (elf->e_machine != EM_X86_64)
		wm_fatal("hpp: '%s' is a program for another machine than x86-64", path);
}

/* What Valgrind would refuse in words of its own, or run otherwise than the user means. */
static void check_command(const char *path)
{
	struct stat info;
	_Alignas(Elf64_Ehdr) unsigned char head[sizeof(Elf64_Ehdr)];
	if (stat(path, &info) != 0)
		wm_fatal("hpp: cannot run '%s': %s", path, strerror(errno));
	if (S_ISDIR(info.st_mode))
		wm_fatal("hpp: '%s' is a directory", path);
	if (access(path, X_OK) != 0)
		wm_fatal("hpp: cannot run '%s': %s", path, strerror(errno));
	if (info.st_mode & (S_ISUID | S_ISGID))
		wm_fatal("hpp: '%s' is set-uid or set-gid: under Valgrind it would run without its "
			 "rights; run a copy of it",
			path);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		wm_fatal("hpp: cannot read '%s', which Valgrind must: %s", path, strerror(errno));
	ssize_t got = read(file, head, sizeof head);
	close(file);
	check_head(path, head, got > 0 ? (size_t)got : 0);
}

static char *text(struct wm_arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static char *text(struct wm_arena *arena, const char *format, ...)
{
	char line[PATH_MAX + 600];
	va_list list;
	va_start(list, format);
	vsnprintf(line, sizeof line, format, list);
	va_end(list);
	return wm_arena_copy_text(arena, line);
}

static char *profiler_option(struct wm_arena *arena, const struct wm_profiler_options *options)
{
	const struct wm_hot_shape *table = &options->table;
	return text(arena, "--wm-profiler=%u,%u,%u,%u,%u,%u,%u,%u,%u", options->depth, options->spill,
		options->counter_bits, options->queues, options->limit, table->entries, table->ways,
		table->index, table->policy);
}

static char *machine_option(struct wm_arena *arena, const struct wm_machine_shape *shape)
{
	return text(arena, "--wm-machine=%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u",
		shape->l1i.bytes, shape->l1i.ways, shape->l1i.line, shape->l1d.bytes, shape->l1d.ways,
		shape->l1d.line, shape->l2.bytes, shape->l2.ways, shape->l2.line, shape->width,
		shape->l2_cycles, shape->memory_cycles, shape->misprediction_cycles,
		shape->power.icache, shape->power.dcache, shape->power.l2, shape->power.memory,
		shape->small_predictor);
}

static char *other_option(struct wm_arena *arena, const struct wm_cache_shape *other)
{
	return text(arena, "--wm-other-l2=%u,%u,%u,%u,%u,%u,%u,%u,%u", other[0].bytes, other[0].ways,
		other[0].line, other[1].bytes, other[1].ways, other[1].line, other[2].bytes,
		other[2].ways, other[2].line);
}

/* A `%` of a name is none of the pattern's. */
static char *file_option(struct wm_arena *arena, const char *to)
{
	char folder[PATH_MAX], *option, *next;
	if (!getcwd(folder, sizeof folder))
		wm_fatal("hpp: cannot find the current directory: %s", strerror(errno));
	const char *name = to ? to : "";
	bool absolute = name[0] == '/';
	option = wm_arena_alloc(arena, 2 * (strlen(folder) + strlen(name)) + 64, 1);
	next = option + sprintf(option, "--wm-file=");
	for (int part = absolute; part < 2; part++) {
		for (const char *from = part ? name : folder; *from; from++) {
			*next++ = *from;
			if (*from == '%')
				*next++ = '%';
		}
		if (part == 0)
			*next++ = '/';
	}
	strcpy(next, to ? "" : "hpp-%b-%p.wmh");
	return option;
}

struct launch {
	char *tool;
	char **words;
	int status[2], stream[2]; /* pipes */
};

static char **arguments_for(struct wm_arena *arena, const struct launch *launch, char **words,
	const char *command, const struct wm_hpp_settings *settings, const char *to, bool children)
{
	enum { OPTIONS = 16 };
	size_t count = 0, given = 0;
	while (words[given])
		given++;
	char **list = wm_arena_alloc(arena, OPTIONS + given, sizeof *list);
	list[count++] = launch->tool;
	list[count++] = "--tool=waymark-hpp";
	list[count++] = "-q";
	list[count++] = text(arena, "--trace-children=%s", children ? "yes" : "no");
	list[count++] = text(arena, "--wm-children=%s", children ? "yes" : "no");
	list[count++] = text(arena, "--wm-control=%llx",
		(unsigned long long)wm_control_encode(&settings->profiler.control));
	list[count++] = profiler_option(arena, &settings->profiler);
	if (settings->modelled)
		list[count++] = machine_option(arena, &settings->machine);
	if (settings->modelled && settings->machine.others)
		list[count++] = other_option(arena, settings->machine.other);
	list[count++] = file_option(arena, to);
	list[count++] = text(arena, "--wm-status=%d", launch->status[1]);
	if (launch->stream[1] >= 0)
		list[count++] = text(arena, "--wm-stream=%d", launch->stream[1]);
	list[count++] = (char *)command;
	for (size_t i = 1; i < given; i++)
		list[count++] = words[i];
	return list;
}

static pid_t start(const struct launch *launch)
{
	char *launcher = wm_install_path("waymark-hpp");
	fflush(NULL);
	pid_t child = fork();
	if (child < 0)
		wm_fatal("hpp: cannot start a process: %s", strerror(errno));
	if (child != 0) {
		free(launcher);
		return child;
	}
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	fcntl(launch->status[1], F_SETFD, 0);
	if (launch->stream[1] >= 0)
		fcntl(launch->stream[1], F_SETFD, 0);
	setenv("VALGRIND_LAUNCHER", launcher, 1);
	execv(launch->tool, launch->words);
	fprintf(stderr, "waymark: hpp: cannot run '%s': %s\n", launch->tool, strerror(errno));
	_exit(127);
}

/* Lines "file 0 PID PATH" and "error ERRNO PID PATH". */
static void read_result(struct wm_arena *arena, int status, pid_t child, struct wm_hpp_run *run)
{
	static char lines[1 << 16];
	size_t used = 0;
	ssize_t got;
	fcntl(status, F_SETFL, O_NONBLOCK);
	while ((got = read(status, lines + used, sizeof lines - 1 - used)) > 0)
		used += (size_t)got;
	lines[used] = '\0';
	for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n")) {
		char kind[8];
		int reason, process, at = 0;
		if (sscanf(line, "%7s %d %d %n", kind, &reason, &process, &at) < 3 || !at)
			continue;
		if (strcmp(kind, "error") == 0)
			wm_warn("hpp: cannot write '%s': %s", line + at, strerror(reason));
		else if (process == (int)child)
			run->file = wm_arena_copy_text(arena, line + at);
		else
			run->others++;
	}
}

static int wait_for(pid_t child)
{
	int status;
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void make_pipe(int pair[2])
{
	if (pipe2(pair, O_CLOEXEC) != 0)
		wm_fatal("hpp: cannot make a pipe: %s", strerror(errno));
}

struct wm_hpp_run wm_hpp_run(struct wm_arena *arena, char **words,
	const struct wm_hpp_settings *settings, const char *to, bool children,
	const struct wm_stream_sink *sink)
{
	struct wm_hpp_run run = {.status = 0};
	struct launch launch = {.stream = {-1, -1}};
	struct wm_error error;
	char *command = find_command(arena, words[0]);
	if (!command)
		wm_fatal("hpp: cannot run '%s': No such file or directory", words[0]);
	check_command(command);
	launch.tool = (char *)find_tool();
	make_pipe(launch.status);
	if (sink)
		make_pipe(launch.stream);
	launch.words = arguments_for(arena, &launch, words, command, settings, to, children);
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	pid_t child = start(&launch);
	close(launch.status[1]);
	if (sink) {
		close(launch.stream[1]);
		if (wm_wire_read(launch.stream[0], sink, &error))
			wm_warn("hpp: %s", error.text);
		close(launch.stream[0]);
	}
	run.status = wait_for(child);
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	read_result(arena, launch.status[0], child, &run);
	close(launch.status[0]);
	if (!run.file)
		wm_warn("hpp: '%s' ended with status %d and left no profile", words[0], run.status);
	return run;
}
