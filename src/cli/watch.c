/* waymark watch: adds what programs in use have counted to a store, again and again, and tells of
 * paths that nothing took before. The files are the counters, so programs notice nothing. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/find_profiles.h"
#include "cli/find_store.h"
#include "cli/options.h"
#include "cli/run_words.h"
#include "report/json.h"

struct request {
	const char *folder, *store, *label, *every_word;
	unsigned every; /* seconds */
	bool once;
	struct wm_store *open; /* or NULL: the last attempt failed */
	bool told;	       /* that the store cannot be used */
};

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

static void parse(int argc, char **argv, struct request *request)
{
	const struct wm_option options[] = {{"--store", &request->store, NULL},
		{"--label", &request->label, NULL}, {"--every", &request->every_word, NULL},
		{"--once", NULL, &request->once}};
	int left = wm_options_parse(
		"watch", argc, argv, options, sizeof options / sizeof *options);
	struct stat status;
	if (left != 1)
		wm_fatal_usage("watch: name the directory in which programs write their profiles");
	request->folder = argv[1];
	size_t every = request->every_word
			       ? wm_options_number("watch", "--every", request->every_word)
			       : 60;
	request->every = every > 86400 ? 86400 : (unsigned)every;
	if (stat(request->folder, &status) != 0 || !S_ISDIR(status.st_mode))
		wm_fatal("watch: '%s' is no directory", request->folder);
}

/* The label: what --label says, else the name of the file. */
static const char *label_of(struct wm_arena *arena, const struct request *request, const char *name)
{
	char *label = wm_arena_copy_text(arena, request->label ? request->label : name);
	size_t length = strlen(label);
	if (!request->label && length > 4)
		label[length - 4] = '\0';
	return wm_run_words_printable(arena, label);
}

/* A file that cannot be read now, perhaps because it is being made, is read the next time. */
static int add_files(
	struct wm_arena *arena, const struct request *request, int64_t now, struct wm_error *error)
{
	struct dirent **entries;
	int status = 0;
	int count = scandir(request->folder, &entries, wm_find_is_profile, alphasort);
	for (int i = 0; i < count; i++) {
		enum wm_store_file_news news;
		const char *name = entries[i]->d_name;
		char *path = wm_arena_alloc(
			arena, strlen(request->folder) + strlen(name) + 2, 1);
		sprintf(path, "%s/%s", request->folder, name);
		const struct wm_store_run run = {.kind = "field",
			.label = label_of(arena, request, name),
			.host = wm_run_words_host(arena),
			.outcome = "unknown",
			.started = now};
		struct wm_file file;
		struct wm_error reason;
		if (status == 0 && wm_file_identify(arena, path, &file, &reason) == 0)
			status = wm_store_add_file(request->open, &run, path, &news, error);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	return status;
}

static void tell(const struct wm_store_news *news)
{
	char *text = NULL, *line;
	size_t bytes;
	FILE *memory = open_memstream(&text, &bytes);
	struct wm_json json = {.out = memory};
	wm_json_begin_document(&json, "watch");
	wm_json_text(&json, "function", news->function.name);
	wm_json_text(&json, "file", news->function.file);
	wm_json_number(&json, "line", news->function.line);
	const char *part = news->part == WM_PART_PATH	 ? "path"
			   : news->part == WM_PART_EARLY ? "early"
			   : news->part == WM_PART_BLOCK ? "block"
							 : "others";
	wm_json_text(&json, "part", part);
	wm_json_number(&json, "id", news->id);
	wm_json_signed(&json, "count", news->count);
	wm_json_signed(&json, "first_seen", news->first);
	wm_json_end_object(&json);
	fclose(memory);
	/* A line for each: readers take line by line. */
	for (line = text; line && *line; line++)
		if (*line == '\n' || *line == '\t')
			*line = ' ';
	if (text)
		puts(text);
	free(text);
}

static int look(struct wm_arena *arena, struct request *request, struct wm_error *error)
{
	struct wm_store_news *news;
	size_t count;
	int64_t now = wm_run_words_now();
	int status = 0;
	const char *place = wm_find_store(arena, request->store, true);
	if (!request->open)
		status = wm_store_open(place, WM_STORE_MAKE, &request->open, error);
	if (status == 0)
		status = add_files(arena, request, now, error);
	if (status == 0)
		status = wm_store_news(arena, request->open, now, &news, &count, error);
	for (size_t i = 0; status == 0 && i < count; i++)
		tell(&news[i]);
	if (fflush(stdout) != 0)
		wm_fatal("cannot write: %s", strerror(errno));
	return status;
}

/* Said once; what is counted meanwhile is in the files. */
static void stand_failure(struct request *request, const struct wm_error *error)
{
	if (request->once)
		wm_fatal("%s", error->text);
	if (!request->told)
		wm_warn("watch: %s; trying again every %u seconds", error->text, request->every);
	request->told = true;
	wm_store_close(request->open);
	request->open = NULL;
}

int wm_command_watch(int argc, char **argv)
{
	struct request request = {.folder = NULL};
	const struct sigaction action = {.sa_handler = stop};
	parse(argc, argv, &request);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	signal(SIGXFSZ, SIG_IGN);
	while (!stopped) {
		struct wm_arena arena = {0};
		struct wm_error error;
		if (look(&arena, &request, &error) < 0)
			stand_failure(&request, &error);
		else
			request.told = false;
		wm_arena_reset(&arena);
		if (request.once)
			break;
		const struct timespec pause = {request.every, 0};
		if (!stopped)
			nanosleep(&pause, NULL);
	}
	wm_store_close(request.open);
	return 0;
}
