/* A .wmk file as a whole: the program, and then each library whose chunk was found on the way.
 * Every object is read by itself (sum.c). */
#include "profile/file.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "profile/entries.h"
#include "profile/reader.h"

/* What is known of libraries that were loaded when the process in question was not there is left
 * out. */
static int read_libraries(struct wm_reader *reader)
{
	struct wm_file *program = reader->file;
	program->libraries =
		wm_arena_alloc(reader->arena, reader->library_count, sizeof *program->libraries);
	int status = 0;
	for (uint32_t i = 0; i < reader->library_count && status == 0; i++) {
		struct wm_file *library = &program->libraries[program->library_count];
		*library = (struct wm_file){.path = program->path,
			.arena = reader->arena,
			.number = reader->libraries[i]};
		reader->file = library;
		status = wm_reader_identify_library(reader, library->number);
		if (status == 0)
			status = wm_reader_sum(reader);
		program->library_count += !reader->only || library->owner_count > 0;
	}
	reader->file = program;
	return status;
}

/* What cannot be read, or is damaged, is left out: counts need nothing of it. */
static bool read_piece(struct wm_reader *reader, uint32_t number)
{
	struct wm_chunk_header chunk;
	struct wm_packed_header head;
	uint64_t offset = wm_reader_offset(reader, number);
	if (wm_reader_read(reader, &chunk, sizeof chunk, offset) < 0 ||
		wm_reader_read(reader, &head, sizeof head, offset + sizeof chunk) < 0 ||
		chunk.span > reader->unit_count - number ||
		head.bytes > chunk.span * reader->unit_bytes - WM_PACKED_CONTENT)
		return false;
	uint8_t *content = wm_arena_alloc_unset(reader->arena, head.bytes + 1, 1);
	const struct wm_packed_piece piece = {chunk.kind, {content, head.bytes}};
	if (wm_reader_read(reader, content, head.bytes, offset + WM_PACKED_CONTENT) < 0 ||
		wm_file_hash_bytes(content, content + head.bytes) != head.checksum)
		return false;
	return wm_packed_add(reader->arena, &reader->file->packed, &piece);
}

static void read_packed(struct wm_reader *reader)
{
	struct wm_file *program = reader->file;
	for (uint32_t i = 0; i < reader->packed_count; i++)
		program->packed.damaged |= !read_piece(reader, reader->packed[i]);
	for (uint32_t i = 0; i < program->library_count; i++)
		program->libraries[i].packed = program->packed;
}

static int read_file(struct wm_reader *reader, const char *path)
{
	*reader->file = (struct wm_file){.path = wm_arena_copy_text(reader->arena, path),
		.arena = reader->arena,
		.file_count = 1};
	reader->path = reader->file->path;
	int status = wm_reader_open(reader);
	if (status < 0)
		return status;
	status = wm_reader_identify(reader);
	if (status == 0)
		status = wm_reader_sum(reader);
	if (status == 0)
		status = read_libraries(reader);
	if (status == 0 && !reader->only)
		read_packed(reader);
	close(reader->descriptor);
	return status;
}

int wm_file_read(
	struct wm_arena *arena, const char *path, struct wm_file *file, struct wm_error *error)
{
	struct wm_reader reader = {.arena = arena, .file = file, .error = error};
	return read_file(&reader, path);
}

int wm_file_identify(
	struct wm_arena *arena, const char *path, struct wm_file *file, struct wm_error *error)
{
	struct wm_reader reader = {.arena = arena, .path = path, .file = file, .error = error};
	*file = (struct wm_file){.path = path, .arena = arena};
	int status = wm_reader_open(&reader);
	if (status == 0) {
		status = wm_reader_identify(&reader);
		close(reader.descriptor);
	}
	return status;
}

int wm_file_read_process(struct wm_arena *arena, const char *path, const struct wm_owner *owner,
	struct wm_file *file, struct wm_error *error)
{
	struct wm_reader reader = {.arena = arena, .only = owner, .file = file, .error = error};
	int status = read_file(&reader, path);
	if (status == 0 && file->owner_count == 0 && file->library_count == 0)
		return wm_error_set(error, WM_ERROR_MISMATCH, "%s: process %u does not count here",
			file->path, owner->process);
	return status;
}

struct wm_file wm_file_start(struct wm_arena *arena, const struct wm_file *like)
{
	return (struct wm_file){.path = wm_arena_copy_text(arena, like->path),
		.object_path = wm_arena_copy_text(arena, like->object_path),
		.build_id = like->build_id,
		.counter_count = like->counter_count,
		.counter = wm_arena_alloc(arena, like->counter_count, sizeof(uint64_t)),
		.arena = arena};
}

/* The library of the file that has the build-id of the other one; made if there is none. */
static struct wm_file *find_library(struct wm_file *file, const struct wm_file *like)
{
	uint32_t count = file->library_count;
	for (uint32_t i = 0; i < count; i++)
		if (wm_build_id_equal(&file->libraries[i].build_id, &like->build_id))
			return &file->libraries[i];
	struct wm_file *more = wm_arena_alloc(file->arena, count + 1, sizeof *more);
	if (count)
		memcpy(more, file->libraries, count * sizeof *more);
	more[count] = wm_file_start(file->arena, like);
	file->libraries = more;
	file->library_count++;
	return &more[count];
}

static int check_identity(
	const struct wm_file *file, const struct wm_file *other, struct wm_error *error)
{
	if (wm_build_id_equal(&file->build_id, &other->build_id) &&
		file->counter_count == other->counter_count)
		return 0;
	return wm_error_set(error, WM_ERROR_MISMATCH,
		"%s is of build-id %s, %s of build-id %s: they cannot be added", file->path,
		wm_build_id_text(&file->build_id).text, other->path,
		wm_build_id_text(&other->build_id).text);
}

static void add_object(struct wm_file *file, const struct wm_file *other)
{
	for (uint64_t i = 0; i < file->counter_count; i++)
		file->counter[i] += other->counter[i];
	wm_entries_merge(file, other);
	file->runs += other->runs;
	file->file_count += other->file_count;
	file->modified = other->modified > file->modified ? other->modified : file->modified;
	file->cut_short += other->cut_short;
	file->running += other->running;
	file->status |= other->status;
	for (size_t kind = 0; kind < WM_CHUNK_KIND_LIMIT; kind++)
		file->unknown_kinds[kind] |= other->unknown_kinds[kind];
}

/* Nothing is added unless everything fits. */
int wm_file_add(struct wm_file *file, const struct wm_file *other, struct wm_error *error)
{
	int status = check_identity(file, other, error);
	for (uint32_t i = 0; i < other->library_count && status == 0; i++)
		status = check_identity(
			find_library(file, &other->libraries[i]), &other->libraries[i], error);
	if (status < 0)
		return status;
	add_object(file, other);
	for (size_t i = 0; i < other->packed.count; i++)
		wm_packed_add(file->arena, &file->packed, &other->packed.pieces[i]);
	for (uint32_t i = 0; i < other->library_count; i++)
		add_object(find_library(file, &other->libraries[i]), &other->libraries[i]);
	return 0;
}

const char *wm_file_unknown_kinds(struct wm_arena *arena, const struct wm_file *file)
{
	char *text = NULL;
	int count = 0;
	for (int kind = 0; kind < WM_CHUNK_KIND_LIMIT; kind++) {
		if (!file->unknown_kinds[kind])
			continue;
		if (!text)
			text = wm_arena_alloc(arena, WM_CHUNK_KIND_LIMIT, sizeof "kinds , 255");
		char *end = text + strlen(text);
		sprintf(end, "%s%d", count++ ? ", " : "kind ", kind);
	}
	return text;
}

uint64_t wm_file_first_entry(const struct wm_file *file, uint64_t counter)
{
	uint64_t low = 0, high = file->entry_count;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		if (file->entries[middle].counter < counter)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
