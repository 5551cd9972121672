/* waymark ctl: what a running process has counted, seen from outside.
 *
 * The process takes no part: its counters are in its file all the time. A dump is a copy of its
 * chunks; a reset adds a chunk that is their opposite. Both leave other processes' counts alone.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/mapped.h"
#include "cli/nearest.h"
#include "cli/options.h"
#include "cli/output.h"
#include "profile/writer.h"
#include "report/text.h"

struct request {
	pid_t process;
	struct wm_owner owner;
	const char *output;
};

/* Reads what the process has counted into the file. */
static void read_counts(struct wm_arena *arena, const struct request *request,
	const struct wm_mapped *mapped, struct wm_file *file)
{
	struct wm_error error;
	if (wm_file_read_process(arena, mapped->path, &request->owner, file, &error) == 0)
		return;
	if (mapped->deleted)
		wm_fatal("%s: the file was deleted while process %d counts into it; only root can "
			 "still read it",
			mapped->name, (int)request->process);
	wm_fatal("%s", error.text);
}

static void print_object(struct wm_arena *arena, const struct wm_file *object)
{
	uint64_t sum = 0;
	for (uint64_t i = 0; i < object->counter_count; i++)
		sum += object->counter[i];
	for (uint64_t i = 0; i < object->entry_count; i++)
		sum += object->entries[i].count;
	const struct wm_file_owner *owner = &object->owners[0];
	printf("  object      %s\n", wm_text_clean(arena, object->object_path));
	printf("  build-id    %s\n", wm_build_id_text(&object->build_id).text);
	printf("  threads     %s, of which %s ended\n", wm_text_count(owner->thread_count).text,
		wm_text_count(owner->ended_count).text);
	printf("  chunks      %s of %s bytes\n", wm_text_count(owner->chunk_count).text,
		wm_text_count(wm_file_unit_bytes(object->counter_count * 8)).text);
	printf("  increments  %s\n", wm_text_count(sum).text);
}

static void print_status(
	struct wm_arena *arena, const struct request *request, const struct wm_mapped *mapped)
{
	struct wm_file file;
	read_counts(arena, request, mapped, &file);
	printf("%s%s\n", wm_text_clean(arena, mapped->name), mapped->deleted ? " (deleted)" : "");
	if (file.owner_count > 0)
		print_object(arena, &file);
	for (uint32_t i = 0; i < file.library_count; i++)
		print_object(arena, &file.libraries[i]);
}

/* NAME-PID.wmk beside NAME.wmk. */
static const char *dump_path(
	struct wm_arena *arena, const struct request *request, const struct wm_mapped *mapped)
{
	if (request->output)
		return request->output;
	const char *name = mapped->deleted ? mapped->name : mapped->path;
	size_t length = strlen(name);
	if (length > 4 && strcmp(name + length - 4, ".wmk") == 0)
		length -= 4;
	char *path = wm_arena_alloc(arena, length + 32, 1);
	snprintf(path, length + 32, "%.*s-%d.wmk", (int)length, name, (int)request->process);
	return path;
}

static void dump(
	struct wm_arena *arena, const struct request *request, const struct wm_mapped *mapped)
{
	struct wm_file file;
	struct wm_output output;
	read_counts(arena, request, mapped, &file);
	wm_output_open(arena, dump_path(arena, request, mapped), &output);
	wm_output_write(&output, &file);
	printf("wrote %s\n", wm_text_clean(arena, output.path));
}

static void reset(
	struct wm_arena *arena, const struct request *request, const struct wm_mapped *mapped)
{
	struct wm_error error;
	struct wm_file file;
	read_counts(arena, request, mapped, &file);
	/* A limit on file sizes is an error like others, not the end. */
	signal(SIGXFSZ, SIG_IGN);
	if (wm_writer_reset(mapped->path, &request->owner, &error) < 0)
		wm_fatal("%s", error.text);
	printf("reset %s\n", wm_text_clean(arena, mapped->name));
}

struct action {
	const char *name;
	void (*run)(struct wm_arena *, const struct request *, const struct wm_mapped *);
};

static const struct action actions[] = {{"status", print_status}, {"dump", dump}, {"reset", reset}};

enum { ACTION_COUNT = sizeof actions / sizeof *actions };

static const struct action *find_action(const char *word)
{
	struct wm_nearest nearest = {.word = word};
	for (size_t i = 0; i < ACTION_COUNT; i++) {
		if (strcmp(word, actions[i].name) == 0)
			return &actions[i];
		wm_nearest_offer(&nearest, actions[i].name);
	}
	if (nearest.best)
		wm_fatal_usage("ctl: unknown action '%s'; did you mean %s?", word, nearest.best);
	wm_fatal_usage("ctl: unknown action '%s'; it is status, dump or reset", word);
}

static pid_t parse_process(const char *text)
{
	char *end;
	errno = 0;
	long number = strtol(text, &end, 10);
	if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || number <= 0 ||
		number != (pid_t)number)
		wm_fatal_usage("ctl: '%s' is not the number of a process", text);
	return (pid_t)number;
}

static const struct action *parse(int argc, char **argv, struct request *request)
{
	const struct wm_option options[] = {{"-o", &request->output, NULL}};
	int left = wm_options_parse("ctl", argc, argv, options, 1);
	if (left != 2)
		wm_fatal_usage("ctl: name a process and what to do: PID status|dump|reset");
	request->process = parse_process(argv[1]);
	const struct action *action = find_action(argv[2]);
	if (request->output && action->run != dump)
		wm_fatal_usage("ctl: -o is for dump only");
	return action;
}

int wm_command_ctl(int argc, char **argv)
{
	struct wm_arena arena = {0};
	struct wm_error error;
	struct request request = {.output = NULL};
	const struct action *action = parse(argc, argv, &request);
	if (wm_owner_of_process(request.process, &request.owner, &error) < 0)
		wm_fatal("%s", error.text);
	struct wm_mapped_list list = wm_mapped_profiles(&arena, request.process);
	if (list.count == 0)
		wm_fatal("process %d counts into no .wmk file: it was not built with waymark cc, "
			 "or could not write its file and counts in memory or not at all",
			(int)request.process);
	if (request.output && list.count > 1)
		wm_fatal_usage("ctl: -o names one file, but process %d counts into %zu; leave it "
			       "out",
			(int)request.process, list.count);
	for (size_t i = 0; i < list.count; i++)
		action->run(&arena, &request, &list.files[i]);
	if (fflush(stdout) != 0)
		wm_fatal("cannot write: %s", strerror(errno));
	wm_arena_reset(&arena);
	return 0;
}
