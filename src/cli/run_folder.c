#include "cli/run_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/fatal.h"
#include "cli/find_profiles.h"
#include "cli/run_words.h"
#include "core/base/md5.h"
#include "profile/file.h"

static const char note_name[] = "run", note_magic[] = "waymark run 1";

enum { NOTE_BYTES = 1 << 20, ATTEMPTS = 100 };

static char *join(struct wm_arena *arena, const char *folder, const char *name)
{
	char *path = wm_arena_alloc(arena, strlen(folder) + strlen(name) + 2, 1);
	sprintf(path, "%s/%s", folder, name);
	return path;
}

/* One name for a store, whether it is there already or not. */
static const char *whole_place(struct wm_arena *arena, const char *place)
{
	char whole[PATH_MAX];
	char *folder = wm_arena_copy_text(arena, place), *slash = strrchr(folder, '/');
	if (wm_store_is_server(place))
		return place;
	if (realpath(place, whole))
		return wm_arena_copy_text(arena, whole);
	if (slash)
		*slash = '\0';
	const char *where = !slash ? "." : slash == folder ? "/" : folder;
	if (realpath(where, whole))
		return join(arena, strcmp(whole, "/") ? whole : "", slash ? slash + 1 : place);
	return place[0] != '/' && getcwd(whole, sizeof whole) ? join(arena, whole, place) : place;
}

/* The folder of all runs that go to one store. */
static char *folder_of_store(struct wm_arena *arena, const char *place)
{
	char name[64];
	const char *temporary = getenv("TMPDIR");
	const char *path = whole_place(arena, place);
	const struct wm_md5 hash = wm_md5(path, strlen(path));
	int length = snprintf(name, sizeof name, "waymark-runs-%u-", (unsigned)getuid());
	for (size_t i = 0; i < 8; i++)
		length += sprintf(name + length, "%02x", hash.byte[i]);
	return join(arena, temporary && temporary[0] ? temporary : "/tmp", name);
}

/* Whether it is a folder that only this user can write to. */
static bool is_own(const char *path)
{
	struct stat status;
	return lstat(path, &status) == 0 && S_ISDIR(status.st_mode) &&
	       status.st_uid == geteuid() && (status.st_mode & 022) == 0;
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

/* The note: texts, each with a zero byte behind it. */
static size_t write_note(char *note, const struct wm_store_run *run)
{
	char *to = note;
	const char *texts[] = {note_magic, run->kind, run->label, run->host, run->outcome};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		to = stpcpy(to, texts[i]) + 1;
	to += sprintf(to, "%lld", (long long)run->started) + 1;
	to += sprintf(to, "%lld", (long long)run->cpu) + 1;
	memcpy(to, run->uuid, sizeof run->uuid);
	return (size_t)(to - note) + sizeof run->uuid;
}

static bool read_note(struct wm_arena *arena, int descriptor, struct wm_store_run *run)
{
	const char *texts[7];
	char *note = wm_arena_alloc(arena, NOTE_BYTES + 1, 1), *next = note;
	ssize_t bytes = pread(descriptor, note, NOTE_BYTES, 0);
	const char *end = note + (bytes > 0 ? bytes : 0);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		texts[i] = next;
		next += strlen(next) + 1;
		if (next > end)
			return false;
	}
	if ((size_t)(end - next) != sizeof run->uuid || strcmp(texts[0], note_magic) != 0)
		return false;
	*run = (struct wm_store_run){.kind = texts[1],
		.label = texts[2],
		.host = texts[3],
		.outcome = texts[4],
		.started = strtoll(texts[5], NULL, 10),
		.cpu = strtoll(texts[6], NULL, 10)};
	memcpy(run->uuid, next, sizeof run->uuid);
	return strcmp(run->kind, "test") == 0 || strcmp(run->kind, "field") == 0;
}

int wm_run_folder_note(const struct wm_run_folder *folder, const struct wm_store_run *run,
	struct wm_error *error)
{
	size_t room = strlen(run->kind) + strlen(run->label) + strlen(run->host) +
		      strlen(run->outcome) + 128;
	char *note = malloc(room);
	size_t bytes = note && room < NOTE_BYTES ? write_note(note, run) : 0;
	bool written = bytes && pwrite(folder->lock, note, bytes, 0) == (ssize_t)bytes &&
		       ftruncate(folder->lock, (off_t)bytes) == 0;
	free(note);
	return written ? 0
		       : wm_error_set(error, WM_ERROR_SYSTEM, "cannot write in the folder '%s': %s",
				 folder->path, bytes ? strerror(errno) : "the label is too long");
}

int wm_run_folder_make(struct wm_arena *arena, const char *place, const struct wm_store_run *run,
	struct wm_run_folder *folder, struct wm_error *error)
{
	char *all = folder_of_store(arena, place);
	/* A command that finds it empty removes it. */
	for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
		bool made = mkdir(all, 0700) == 0;
		if (!made && errno == EEXIST && !is_own(all) && errno != ENOENT)
			return wm_error_set(error, WM_ERROR_SYSTEM,
				"cannot use '%s' for the profile: others can write there; set "
				"TMPDIR to a folder of your own",
				all);
		folder->path = join(arena, all, "XXXXXX");
		if (mkdtemp(folder->path))
			break;
		if (errno != ENOENT || attempt == ATTEMPTS - 1)
			return wm_error_set(error, WM_ERROR_SYSTEM,
				"cannot make a folder '%s' for the profile: %s; set TMPDIR to a "
				"folder that you can write to",
				folder->path, strerror(errno));
	}
	folder->pattern = pattern_for(arena, folder->path);
	folder->lock = open(join(arena, folder->path, note_name),
		O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (folder->lock < 0 || flock(folder->lock, LOCK_EX) != 0)
		return wm_error_set(error, WM_ERROR_SYSTEM,
			"cannot write in the folder '%s': %s", folder->path, strerror(errno));
	return wm_run_folder_note(folder, run, error);
}

static void remove_folder(struct wm_arena *arena, const char *path)
{
	DIR *folder = opendir(path);
	for (struct dirent *entry; folder && (entry = readdir(folder));)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			unlink(join(arena, path, entry->d_name));
	if (folder)
		closedir(folder);
	rmdir(path);
}

/* A profile in the folder. */
struct entry {
	const char *path;
	const char *label; /* NULL: none */
	bool is_done;	   /* it was added, or cannot be read */
};

struct contents {
	size_t count; /* that can be read */
	size_t entry_count;
	struct entry *entries;
	bool running;
};

/* The label in the name of a file: BUILDID+LABEL.wmk, as the runtime writes it. */
static const char *label_in(struct wm_arena *arena, const char *name)
{
	const char *from = strchr(name, '+');
	if (!from)
		return NULL;
	char *label = wm_arena_copy_text(arena, from + 1), *to = label;
	label[strlen(label) - strlen(".wmk")] = '\0';
	for (const char *next = label; *next; next++) {
		unsigned byte;
		if (*next == '=' && sscanf(next + 1, "%2x", &byte) == 1) {
			*to++ = (char)byte;
			next += 2;
		} else {
			*to++ = *next;
		}
	}
	*to = '\0';
	return wm_run_words_printable(arena, label);
}

/* A profile that cannot be read is told of: the others are not lost for it. Each is read by itself,
 * since there may be one for each of many labels. */
static void look_at(struct contents *contents, struct entry *entry)
{
	struct wm_arena scratch = {0};
	struct wm_error error;
	struct wm_file file;
	if (wm_file_read(&scratch, entry->path, &file, &error) < 0) {
		wm_warn("%s", error.text);
		entry->is_done = true;
	} else {
		contents->count++;
		contents->running |= file.running > 0;
	}
	wm_arena_reset(&scratch);
}

static void list_files(struct wm_arena *arena, const char *path, struct contents *contents)
{
	struct dirent **entries;
	int count = scandir(path, &entries, wm_find_is_profile, alphasort);
	*contents = (struct contents){
		.entries = wm_arena_alloc(arena, count > 0 ? (size_t)count : 0, sizeof(struct entry))};
	for (int i = 0; i < count; i++) {
		struct entry *entry = &contents->entries[contents->entry_count++];
		entry->path = join(arena, path, entries[i]->d_name);
		entry->label = label_in(arena, entries[i]->d_name);
		look_at(contents, entry);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

/* What waymark_outcome noted beside the label's file: microseconds; -1: nothing. */
static int64_t read_mark(struct wm_arena *arena, const char *path, const char *ending)
{
	long long time = -1;
	char *name = wm_arena_copy_text(arena, path);
	strcpy(name + strlen(name) - 4, ending);
	FILE *mark = fopen(name, "re");
	if (mark && fscanf(mark, "%lld", &time) != 1)
		time = 0;
	if (mark)
		fclose(mark);
	return time;
}

/* How the label's test ended. One that did not end was left as the process was. */
static struct wm_store_run label_run(struct wm_arena *arena, const struct wm_store_run *whole,
	const char *label, const char *path)
{
	struct wm_store_run run = *whole;
	int64_t bad = read_mark(arena, path, ".bad"), ended = read_mark(arena, path, ".end");
	size_t length = strlen(label);
	uint8_t *name = wm_arena_alloc(arena, sizeof run.uuid + length, 1);
	memcpy(name, whole->uuid, sizeof run.uuid);
	memcpy(name + sizeof run.uuid, label, length);
	wm_store_uuid_of(name, sizeof run.uuid + length, run.uuid);
	run.label = label;
	run.cpu = bad >= 0 ? bad : ended >= 0 ? ended : 0;
	run.outcome = bad >= 0 ? "fail:1" : ended >= 0 ? "pass" : whole->outcome;
	return run;
}

static bool same_label(const char *left, const char *right)
{
	return left && right ? strcmp(left, right) == 0 : left == right;
}

/* Adds the files of one label, which several programs may have. */
static int add_label(struct wm_store *store, const struct wm_store_run *whole,
	struct contents *contents, const struct entry *first, struct wm_error *error)
{
	struct wm_arena arena = {0};
	size_t count = 0;
	bool added;
	int status = 0;
	const struct wm_store_run run =
		first->label ? label_run(&arena, whole, first->label, first->path) : *whole;
	struct wm_file *files = wm_arena_alloc(&arena, contents->entry_count, sizeof *files);
	for (size_t i = 0; i < contents->entry_count && status == 0; i++) {
		struct entry *entry = &contents->entries[i];
		if (entry->is_done || !same_label(entry->label, first->label))
			continue;
		entry->is_done = true;
		status = wm_file_read(&arena, entry->path, &files[count++], error);
	}
	if (status == 0)
		status = wm_store_add(store, &run, files, count, &added, error);
	wm_arena_reset(&arena);
	return status;
}

static int add_labels(struct wm_store *store, const struct wm_store_run *whole,
	struct contents *contents, struct wm_error *error)
{
	int status = 0;
	for (size_t i = 0; i < contents->entry_count && status == 0; i++)
		if (!contents->entries[i].is_done)
			status = add_label(
				store, whole, contents, &contents->entries[i], error);
	return status;
}

static int settle(struct wm_arena *arena, struct wm_store *store, const char *path, int note,
	enum wm_run_folder_end *end, struct wm_error *error)
{
	struct wm_store_run run;
	struct contents contents;
	if (!read_note(arena, note, &run))
		return wm_error_set(error, WM_ERROR_INPUT,
			"'%s' does not say which run it is of; remove it", path);
	list_files(arena, path, &contents);
	*end = contents.running ? WM_RUN_CONTINUES : contents.count ? WM_RUN_ADDED : WM_RUN_EMPTY;
	if (contents.running)
		return 0;
	int status = add_labels(store, &run, &contents, error);
	if (status == 0)
		remove_folder(arena, path);
	return status;
}

int wm_run_folder_settle(struct wm_store *store, const char *path, enum wm_run_folder_end *end,
	struct wm_error *error)
{
	struct wm_arena arena = {0};
	int note = open(join(&arena, path, note_name), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	int status = note < 0 ? wm_error_set(error, WM_ERROR_SYSTEM, "cannot read '%s/%s': %s",
					path, note_name, strerror(errno))
			      : settle(&arena, store, path, note, end, error);
	if (note >= 0)
		close(note);
	wm_arena_reset(&arena);
	return status;
}

/* Adds the run if its `waymark run` is gone. */
static void settle_orphan(struct wm_arena *arena, struct wm_store *store, const char *path)
{
	enum wm_run_folder_end end;
	struct wm_error error;
	struct stat state;
	int note = open(join(arena, path, note_name), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	/* An empty note is about to be written. */
	if (note >= 0 && flock(note, LOCK_EX | LOCK_NB) == 0 && fstat(note, &state) == 0 &&
		state.st_size > 0 && state.st_nlink > 0 &&
		settle(arena, store, path, note, &end, &error) < 0)
		wm_warn("a run that was not added yet stays in '%s': %s", path, error.text);
	if (note >= 0)
		close(note);
}

static int is_run(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

void wm_run_folder_settle_all(struct wm_arena *arena, struct wm_store *store, const char *place)
{
	struct dirent **entries;
	char *all = folder_of_store(arena, place);
	int count = is_own(all) ? scandir(all, &entries, is_run, NULL) : -1;
	for (int i = 0; i < count; i++) {
		struct wm_arena scratch = {0};
		settle_orphan(&scratch, store, join(&scratch, all, entries[i]->d_name));
		wm_arena_reset(&scratch);
		free(entries[i]);
	}
	if (count >= 0) {
		free(entries);
		rmdir(all); /* if it is empty */
	}
}
