/* Adding .wmk files, which may grow. The store keeps what it last saw in each file of each host, and
 * adds the difference. A file that counts less than before is another one at the same place. */
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/parts.h"

/* What the store last saw of one object in the file. */
struct state {
	struct wm_arena *arena;
	struct wm_store *store;
	struct wm_file file;
	struct wm_entries entries;
	bool found;
};

struct adding {
	struct wm_arena arena;
	struct wm_store *store;
	const struct wm_store_run *run;
	char path[PATH_MAX];
	struct wm_file whole;
	struct wm_file difference;
	bool known;
	struct wm_error *error;
};

static int take_state(void *context, const struct wm_value *row, struct wm_error *error)
{
	struct state *state = context;
	state->found = true;
	state->file.runs = (uint64_t)row[0].number;
	return wm_store_add_record(state->store, &state->file, &row[1], &state->entries, error);
}

static int read_state(struct adding *adding, const struct wm_file *like, struct state *state)
{
	const struct wm_value values[] = {wm_value_text(adding->run->host),
		wm_value_text(adding->path),
		wm_value_bytes(like->build_id.byte, like->build_id.bytes)};
	*state = (struct state){.arena = &adding->arena,
		.store = adding->store,
		.file = wm_file_start(&adding->arena, like)};
	int status = wm_database_query(adding->store->database,
		"SELECT executions, counters FROM source"
		" WHERE host = $1 AND path = $2 AND build_id = $3",
		values, 3, take_state, state, adding->error);
	wm_entries_settle(&state->entries);
	wm_entries_give(&state->entries, &state->file);
	wm_entries_free(&state->entries);
	return status;
}

/* The entry of that place, or NULL; *next goes on from there. */
static const struct wm_file_entry *find_entry(
	const struct wm_file *file, const struct wm_file_entry *like, uint64_t *next)
{
	for (; *next < file->entry_count; ++*next) {
		const struct wm_file_entry *entry = &file->entries[*next];
		if (entry->counter == like->counter && entry->key == like->key)
			return entry;
		if (entry->counter > like->counter ||
			(entry->counter == like->counter && entry->key > like->key))
			return NULL;
	}
	return NULL;
}

/* Takes off the file what was there before; false if it is not a later state of that. */
static bool subtract(struct wm_file *file, const struct wm_file *before)
{
	uint64_t next = 0, kept = 0, seen = 0;
	if (file->runs < before->runs)
		return false;
	file->runs -= before->runs;
	for (uint64_t i = 0; i < file->counter_count; i++) {
		if (file->counter[i] < before->counter[i])
			return false;
		file->counter[i] -= before->counter[i];
	}
	for (uint64_t i = 0; i < file->entry_count; i++) {
		struct wm_file_entry entry = file->entries[i];
		const struct wm_file_entry *old = find_entry(before, &entry, &next);
		if (old && old->count > entry.count)
			return false;
		entry.count -= old ? old->count : 0;
		seen += old != NULL;
		if (entry.count)
			file->entries[kept++] = entry;
	}
	file->entry_count = kept;
	return seen == before->entry_count;
}

static struct wm_file copy_object(struct wm_arena *arena, const struct wm_file *file)
{
	struct wm_file copy = *file;
	copy.counter = wm_arena_alloc(arena, file->counter_count, sizeof *copy.counter);
	copy.entries = wm_arena_alloc(arena, file->entry_count, sizeof *copy.entries);
	if (file->counter_count)
		memcpy(copy.counter, file->counter, file->counter_count * sizeof *copy.counter);
	if (file->entry_count)
		memcpy(copy.entries, file->entries, file->entry_count * sizeof *copy.entries);
	return copy;
}

static bool is_zero(const struct wm_file *file)
{
	for (uint64_t i = 0; i < file->counter_count; i++)
		if (file->counter[i])
			return false;
	return file->entry_count == 0 && file->runs == 0;
}

/* The difference of one object; *later says whether the file went on from what was seen. */
static int take_difference(struct adding *adding, struct wm_file *object, bool *later)
{
	struct state state;
	int status = read_state(adding, object, &state);
	if (status < 0)
		return status;
	adding->known |= state.found;
	if (state.found)
		*later &= subtract(object, &state.file);
	return 0;
}

static void copy_whole(struct adding *adding)
{
	struct wm_file *copy = &adding->difference;
	*copy = copy_object(&adding->arena, &adding->whole);
	copy->libraries =
		wm_arena_alloc(&adding->arena, copy->library_count, sizeof *copy->libraries);
	for (uint32_t i = 0; i < copy->library_count; i++)
		copy->libraries[i] = copy_object(&adding->arena, &adding->whole.libraries[i]);
}

static int make_difference(struct adding *adding)
{
	struct wm_file *file = &adding->difference;
	bool later = true;
	copy_whole(adding);
	int status = take_difference(adding, file, &later);
	for (uint32_t i = 0; i < file->library_count && status == 0; i++)
		status = take_difference(adding, &file->libraries[i], &later);
	if (status == 0 && !later) {
		adding->known = false;
		copy_whole(adding);
	}
	return status;
}

static bool has_news(const struct wm_file *file)
{
	bool news = !is_zero(file);
	for (uint32_t i = 0; i < file->library_count; i++)
		news |= !is_zero(&file->libraries[i]);
	return news;
}

static int keep_state(struct adding *adding, const struct wm_file *object, struct wm_error *error)
{
	const struct wm_bytes counters = wm_store_press(&adding->arena, object);
	const struct wm_value values[] = {wm_value_text(adding->run->host),
		wm_value_text(adding->path),
		wm_value_bytes(object->build_id.byte, object->build_id.bytes),
		wm_value_number((int64_t)object->runs),
		wm_value_bytes(counters.data, counters.count)};
	return wm_database_run(adding->store->database,
		"INSERT INTO source(host, path, build_id, executions, counters)"
		" VALUES($1, $2, $3, $4, $5) ON CONFLICT(host, path, build_id) DO UPDATE SET"
		" executions = excluded.executions, counters = excluded.counters",
		values, 5, NULL, error);
}

static int keep_states(void *context, struct wm_store *store, struct wm_error *error)
{
	struct adding *adding = context;
	(void)store;
	int status = keep_state(adding, &adding->whole, error);
	for (uint32_t i = 0; i < adding->whole.library_count && status == 0; i++)
		status = keep_state(adding, &adding->whole.libraries[i], error);
	return status;
}

/* What is counted after this is not in the uuid: then it is new the next time. */
static int name_by_contents(struct adding *adding, struct wm_store_run *run)
{
	struct stat status;
	int descriptor = open(adding->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (descriptor < 0 || fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
		if (descriptor >= 0)
			close(descriptor);
		return 0; /* the reader says why */
	}
	size_t bytes = (size_t)status.st_size, done = 0;
	uint8_t *contents = wm_arena_alloc_unset(&adding->arena, bytes, 1);
	for (ssize_t got = 1; done < bytes && got > 0; done += got > 0 ? (size_t)got : 0)
		got = read(descriptor, contents + done, bytes - done);
	close(descriptor);
	wm_store_uuid_of(contents, done, run->uuid);
	return 0;
}

static int add(struct adding *adding, const char *path, enum wm_store_file_news *news)
{
	struct wm_store_run run = *adding->run;
	const struct wm_store_also also = {keep_states, adding};
	bool added;
	if (!realpath(path, adding->path))
		strncpy(adding->path, path, sizeof adding->path - 1);
	int status = name_by_contents(adding, &run);
	if (status == 0)
		status = wm_file_read(&adding->arena, path, &adding->whole, adding->error);
	if (status == 0)
		status = make_difference(adding);
	if (status < 0 || !has_news(&adding->difference))
		return status;
	status = wm_store_add_and(
		adding->store, &run, &adding->difference, 1, &also, &added, adding->error);
	if (added)
		*news = adding->known ? WM_STORE_FILE_GREW : WM_STORE_FILE_NEW;
	return status;
}

int wm_store_add_file(struct wm_store *store, const struct wm_store_run *run, const char *path,
	enum wm_store_file_news *news, struct wm_error *error)
{
	struct adding adding = {.store = store, .run = run, .error = error};
	*news = WM_STORE_FILE_THE_SAME;
	int status = add(&adding, path, news);
	wm_arena_reset(&adding.arena);
	return status;
}
