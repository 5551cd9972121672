/* Reading a .wmt file. Pieces that a thread was about to take when the process was killed have no
 * entry and are passed over. */
#include "trace/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "trace/packed_file.h"

struct reader {
	struct wm_arena *arena;
	const uint8_t *bytes;
	uint64_t count;
	struct wm_trace_file *file;
	size_t thread_capacity;
};

struct list {
	struct wm_trace_pieces *pieces;
	size_t capacity;
};

/* The first damage is the one that is told. */
static void tell_damage(struct reader *reader, const char *damage)
{
	if (!reader->file->damage)
		reader->file->damage = damage;
}

static struct wm_trace_thread *find_thread(struct reader *reader, uint32_t number)
{
	struct wm_trace_file *file = reader->file;
	for (uint32_t i = file->thread_count; i-- > 0;)
		if (file->threads[i].number == number)
			return &file->threads[i];
	return NULL;
}

static void add_thread(struct reader *reader, uint32_t number, const uint8_t *page)
{
	struct wm_trace_file *file = reader->file;
	if (find_thread(reader, number)) {
		tell_damage(reader, "two streams have one number");
		return;
	}
	file->threads = wm_arena_grow(reader->arena, file->threads, file->thread_count,
		&reader->thread_capacity, sizeof *file->threads);
	struct wm_trace_thread *thread = &file->threads[file->thread_count++];
	*thread = (struct wm_trace_thread){.number = number};
	memcpy(&thread->control, page, sizeof thread->control);
}

/* A piece of either kind of file. */
struct found {
	uint32_t stream, kind;
	struct wm_trace_piece piece;
};

static uint64_t bytes_of(uint32_t kind)
{
	return kind == WM_TRACE_CONTROL ? WM_TRACE_PAGE_BYTES : WM_TRACE_PIECE_BYTES;
}

/* What is told of a piece is there, but the piece may not be. */
static const uint8_t *bytes_at(struct reader *reader, uint64_t offset, uint64_t bytes)
{
	if (offset <= reader->count && bytes <= reader->count - offset)
		return reader->bytes + offset;
	tell_damage(reader, "it ends inside a piece");
	reader->file->truncated = true;
	return NULL;
}

static bool next_plain(struct reader *reader, uint64_t index, struct found *found)
{
	struct wm_trace_entry entry;
	uint64_t at = wm_trace_entry_offset(index);
	if (at + sizeof entry > reader->count) {
		if (index % WM_TRACE_GROUP_PIECES)
			bytes_at(reader, at, sizeof entry);
		return false;
	}
	memcpy(&entry, reader->bytes + at, sizeof entry);
	if (entry.kind == WM_TRACE_FREE)
		return false;
	*found = (struct found){
		.stream = entry.stream, .kind = entry.kind, .piece.number = entry.number};
	if (entry.kind <= WM_TRACE_OVERWRITTEN)
		found->piece.bytes =
			bytes_at(reader, wm_trace_piece_offset(index), bytes_of(entry.kind));
	return true;
}

static bool next_packed(struct reader *reader, uint64_t index, struct found *found)
{
	struct wm_packed_entry entry;
	uint64_t at = WM_TRACE_PAGE_BYTES + index * sizeof entry;
	if (at + sizeof entry > reader->count) {
		bytes_at(reader, at, sizeof entry);
		return false;
	}
	memcpy(&entry, reader->bytes + at, sizeof entry);
	if (entry.kind == WM_TRACE_FREE)
		return false;
	bool plain = entry.kind == WM_TRACE_CONTROL;
	*found = (struct found){.stream = entry.stream,
		.kind = entry.kind,
		.piece = {.number = entry.number,
			.bytes = bytes_at(
				reader, entry.offset, plain ? WM_TRACE_PAGE_BYTES : entry.bytes),
			.packed = plain ? 0 : entry.bytes,
			.within = entry.within}};
	if (plain || (entry.bytes > 0 && entry.within < WM_TRACE_FRAME_PIECES))
		return true;
	found->kind = WM_TRACE_OVERWRITTEN + 1;
	return true;
}

/* The pieces, until one is not there. False behind the last. */
static bool next_piece(struct reader *reader, uint64_t index, struct found *found)
{
	bool is_there = reader->file->packed ? next_packed(reader, index, found)
					     : next_plain(reader, index, found);
	if (!is_there || found->kind <= WM_TRACE_OVERWRITTEN)
		return is_there;
	tell_damage(reader, "it holds a piece of an unknown kind");
	reader->file->truncated = true;
	return false;
}

static void find_threads(struct reader *reader)
{
	struct found found;
	for (uint64_t i = 0; next_piece(reader, i, &found); i++)
		if (found.kind == WM_TRACE_CONTROL && found.piece.bytes)
			add_thread(reader, found.stream, found.piece.bytes);
}

static void count_pieces(struct reader *reader, bool fill)
{
	struct found found;
	for (uint64_t i = 0; next_piece(reader, i, &found); i++) {
		struct wm_trace_thread *thread = find_thread(reader, found.stream);
		if (found.kind == WM_TRACE_CONTROL || found.kind == WM_TRACE_OVERWRITTEN)
			continue;
		if (!thread) {
			tell_damage(reader, "it holds a piece of no stream");
			continue;
		}
		struct wm_trace_pieces *pieces =
			found.kind == WM_TRACE_CALLS ? &thread->calls : &thread->bits;
		if (fill)
			pieces->piece[pieces->count] = found.piece;
		pieces->count++;
		if (!fill)
			reader->file->bytes += WM_TRACE_PIECE_BYTES;
	}
}

static int by_number(const void *left, const void *right)
{
	const struct wm_trace_piece *a = left, *b = right;
	return (a->number > b->number) - (a->number < b->number);
}

static void make_room(struct wm_arena *arena, struct wm_trace_pieces *pieces)
{
	pieces->piece = wm_arena_alloc(arena, pieces->count, sizeof *pieces->piece);
	pieces->count = 0;
}

static void sort_pieces(struct reader *reader, struct wm_trace_pieces *pieces)
{
	if (pieces->count > 0)
		qsort(pieces->piece, pieces->count, sizeof *pieces->piece, by_number);
	for (uint32_t i = 1; i < pieces->count; i++)
		if (pieces->piece[i].number == pieces->piece[i - 1].number)
			tell_damage(reader, "two of its pieces have one number");
}

static void find_pieces(struct reader *reader)
{
	struct wm_trace_file *file = reader->file;
	count_pieces(reader, false);
	for (uint32_t i = 0; i < file->thread_count; i++) {
		make_room(reader->arena, &file->threads[i].calls);
		make_room(reader->arena, &file->threads[i].bits);
	}
	count_pieces(reader, true);
	for (uint32_t i = 0; i < file->thread_count; i++) {
		struct wm_trace_thread *thread = &file->threads[i];
		sort_pieces(reader, &thread->calls);
		sort_pieces(reader, &thread->bits);
		thread->calls.truncated = thread->bits.truncated = file->truncated;
	}
}

int wm_trace_file_parse(struct wm_arena *arena, const char *path, const uint8_t *bytes,
	uint64_t count, struct wm_trace_file *file, struct wm_error *error)
{
	struct wm_trace_header header;
	struct reader reader = {.arena = arena, .bytes = bytes, .count = count, .file = file};
	*file = (struct wm_trace_file){.path = path, .content = bytes, .content_bytes = count};
	if (count < WM_TRACE_PAGE_BYTES)
		return wm_error_set(error, WM_ERROR_INPUT,
			"%s: is no trace: a trace has a header of %d bytes", path,
			WM_TRACE_PAGE_BYTES);
	memcpy(&header, bytes, sizeof header);
	file->packed = memcmp(header.magic, WM_TRACE_PACKED_MAGIC, sizeof header.magic) == 0;
	if (!file->packed && memcmp(header.magic, WM_TRACE_MAGIC, sizeof header.magic) != 0)
		return wm_error_set(error, WM_ERROR_INPUT,
			"%s: is no trace: it does not start with %s", path, WM_TRACE_MAGIC);
	if (header.build_id_bytes > WM_BUILD_ID_BYTES || header.ring > WM_TRACE_MAX_RING ||
		!memchr(header.path, 0, sizeof header.path))
		return wm_error_set(error, WM_ERROR_INPUT, "%s: its header is damaged", path);
	file->object_path = wm_arena_copy_text(arena, header.path);
	file->build_id.bytes = header.build_id_bytes;
	memcpy(file->build_id.byte, header.build_id, header.build_id_bytes);
	file->process = header.process;
	file->status = header.status;
	file->counters = header.counters;
	file->counter_count = header.counter_count;
	file->ring = header.ring;
	find_threads(&reader);
	find_pieces(&reader);
	return 0;
}

static int fail(const char *path, int descriptor, struct wm_error *error)
{
	int reason = errno;
	if (descriptor >= 0)
		close(descriptor);
	return wm_error_set(error, WM_ERROR_SYSTEM, "cannot read '%s': %s", path, strerror(reason));
}

int wm_trace_file_open(struct wm_arena *arena, const char *path, struct wm_trace_file *file,
	struct wm_error *error)
{
	struct stat status;
	int descriptor = open(path, O_RDONLY | O_CLOEXEC);
	if (descriptor < 0 || fstat(descriptor, &status) < 0)
		return fail(path, descriptor, error);
	if (!S_ISREG(status.st_mode) || status.st_size == 0) {
		close(descriptor);
		return wm_error_set(error, WM_ERROR_INPUT, "%s: is no trace: it is %s", path,
			S_ISREG(status.st_mode) ? "empty" : "not a regular file");
	}
	void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, descriptor, 0);
	if (bytes == MAP_FAILED)
		return fail(path, descriptor, error);
	close(descriptor);
	int result = wm_trace_file_parse(arena, path, bytes, (uint64_t)status.st_size, file, error);
	file->modified =
		(uint64_t)status.st_mtim.tv_sec * 1000000000u + (uint64_t)status.st_mtim.tv_nsec;
	return result;
}

void wm_trace_file_close(struct wm_trace_file *file)
{
	munmap((void *)file->content, file->content_bytes);
	file->content = NULL;
}

struct wm_trace_unpacked wm_trace_unpacked_for(
	struct wm_arena *arena, const struct wm_trace_file *file)
{
	size_t bytes = (size_t)WM_TRACE_FRAME_PIECES * WM_TRACE_PIECE_BYTES;
	return (struct wm_trace_unpacked){
		.bytes = file->packed ? wm_arena_alloc_unset(arena, bytes, 1) : NULL};
}

const uint8_t *wm_trace_piece_unpack(
	const struct wm_trace_piece *piece, struct wm_trace_unpacked *unpacked)
{
	if (piece->bytes && !piece->packed)
		return piece->bytes;
	size_t end = (piece->within + (size_t)1) * WM_TRACE_PIECE_BYTES;
	if (piece->bytes && piece->bytes != unpacked->frame) {
		size_t got = ZSTD_decompress(unpacked->bytes,
			(size_t)WM_TRACE_FRAME_PIECES * WM_TRACE_PIECE_BYTES, piece->bytes,
			piece->packed);
		unpacked->frame = ZSTD_isError(got) ? NULL : piece->bytes;
		unpacked->held = got;
	}
	if (piece->bytes && unpacked->frame && end <= unpacked->held)
		return unpacked->bytes + end - WM_TRACE_PIECE_BYTES;
	unpacked->damaged = true;
	return NULL;
}

const uint8_t *wm_trace_piece_bytes(
	const struct wm_trace_pieces *pieces, uint64_t number, struct wm_trace_unpacked *unpacked)
{
	struct wm_trace_piece key = {.number = number};
	struct wm_trace_piece *found =
		pieces->count ? bsearch(&key, pieces->piece, pieces->count, sizeof key, by_number)
			      : NULL;
	if (found)
		return wm_trace_piece_unpack(found, unpacked);
	unpacked->damaged |= pieces->truncated;
	return NULL;
}
