/* Traces of a folder are told apart by their names, which start with the program's. */
#include "cli/load_trace.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "cli/fatal.h"
#include "profile/binary.h"

static bool ends_as_trace(const char *name)
{
	size_t length = strlen(name);
	return length > 4 && strcmp(name + length - 4, ".wmt") == 0;
}

static const char *join(struct wm_arena *arena, const char *folder, const char *name)
{
	size_t bytes = strlen(folder) + strlen(name) + 2;
	char *path = wm_arena_alloc(arena, bytes, 1);
	if (strcmp(folder, ".") == 0)
		return wm_arena_copy_text(arena, name);
	snprintf(path, bytes, "%s/%s", folder, name);
	return path;
}

/* The trace of the folder that was written last, of the program if one is named. */
static const char *find_newest(struct wm_arena *arena, const char *folder, const char *program)
{
	const char *newest = NULL;
	struct timespec time = {0};
	DIR *stream = opendir(folder);
	size_t length = program ? strlen(program) : 0;
	if (!stream)
		wm_fatal("cannot read the folder '%s': %s", folder, strerror(errno));
	for (struct dirent *entry; (entry = readdir(stream));) {
		struct stat status;
		const char *path = join(arena, folder, entry->d_name);
		if (!ends_as_trace(entry->d_name) || stat(path, &status) != 0 ||
			(program && (strncmp(entry->d_name, program, length) != 0 ||
					    entry->d_name[length] != '-')))
			continue;
		if (!newest || status.st_mtim.tv_sec > time.tv_sec ||
			(status.st_mtim.tv_sec == time.tv_sec &&
				status.st_mtim.tv_nsec > time.tv_nsec)) {
			newest = path;
			time = status.st_mtim;
		}
	}
	closedir(stream);
	return newest;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

const char *wm_load_trace_find(struct wm_arena *arena, const char *command, char **words, int count)
{
	struct stat status;
	if (count > 1)
		wm_fatal_usage("%s: '%s' is one word too many: name one trace", command, words[1]);
	const char *word = count ? words[0] : ".", *path;
	if (ends_as_trace(word))
		return word;
	if (stat(word, &status) != 0)
		wm_fatal("cannot read '%s': %s", word, strerror(errno));
	bool folder = S_ISDIR(status.st_mode);
	path = find_newest(arena, folder ? word : ".", folder ? NULL : base_name(word));
	if (!path && !folder)
		wm_fatal("there is no trace of '%s' here: build it with waymark cc "
			 "--profile=trace, and run it",
			word);
	if (!path)
		wm_fatal("there is no trace in '%s': build a program with waymark cc "
			 "--profile=trace, and run it there",
			word);
	return path;
}

void wm_load_trace(struct wm_arena *arena, const char *path, const char *binary,
	struct wm_loaded_trace *loaded)
{
	struct wm_error error;
	if (wm_trace_file_open(arena, path, &loaded->file, &error))
		wm_fatal("%s", error.text);
	const struct wm_file like = {.path = path,
		.object_path = loaded->file.object_path,
		.build_id = loaded->file.build_id,
		.counter_count = loaded->file.counter_count};
	int status = wm_binary_read(arena, &like, binary, &loaded->object, &error);
	if (status == WM_ERROR_MISMATCH && !binary)
		wm_binary_ask(&error, "--binary");
	if (!status)
		status = wm_trace_functions_make(
			arena, &loaded->file, &loaded->object, &loaded->functions, &error);
	if (status)
		wm_fatal("%s", error.text);
}

/* The file of another process of the same run: only the number in its name differs. */
static const char *file_of_process(
	struct wm_arena *arena, const char *path, uint32_t from, uint32_t process)
{
	char ending[32];
	size_t length = strlen(path);
	int bytes = snprintf(ending, sizeof ending, "-%" PRIu32 ".wmt", from);
	if (length < (size_t)bytes || strcmp(path + length - (size_t)bytes, ending) != 0)
		return NULL;
	size_t room = length + 32;
	char *other = wm_arena_alloc(arena, room, 1);
	snprintf(other, room, "%.*s-%" PRIu32 ".wmt", (int)(length - (size_t)bytes), path, process);
	return other;
}

/* Where the parent was when it forked. */
static struct wm_trace_walk *walk_parent(struct wm_arena *arena, struct wm_loaded_trace *loaded,
	const struct wm_trace_stream *child, const char *binary)
{
	enum { MAX_FORKS = 1000 };
	static int forks; /* damaged files could be each other's parents */
	struct wm_loaded_trace *parent = wm_arena_alloc(arena, 1, sizeof *parent);
	const char *path = file_of_process(
		arena, loaded->file.path, loaded->file.process, child->parent_process);
	struct stat status;
	if (!path || stat(path, &status) != 0 || forks++ > MAX_FORKS)
		wm_fatal("%s: is the trace of a child of process %" PRIu32
			 ", whose own trace is not here",
			loaded->file.path, child->parent_process);
	wm_load_trace(arena, path, binary, parent);
	for (uint32_t i = 0; i < parent->file.thread_count; i++) {
		if (parent->file.threads[i].number != child->parent_stream)
			continue;
		struct wm_trace_walk *walk =
			wm_load_trace_walk(arena, parent, &parent->file.threads[i], binary);
		while (!wm_trace_walk_is_at_fork(walk, child))
			if (wm_trace_walk_next(walk)->kind == WM_TRACE_STEP_END)
				return walk;
		return walk;
	}
	wm_fatal("%s: does not hold the thread that made %s", path, loaded->file.path);
}

struct wm_trace_walk *wm_load_trace_walk(struct wm_arena *arena, struct wm_loaded_trace *loaded,
	const struct wm_trace_thread *thread, const char *binary)
{
	struct wm_trace_walk *parent = NULL;
	if (thread->control.parent_process)
		parent = walk_parent(arena, loaded, &thread->control, binary);
	return wm_trace_walk_start(arena, &loaded->functions, &loaded->file, thread, parent);
}
