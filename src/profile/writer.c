/* A file is made under another name in the same folder and renamed when it is complete and on the
 * disk. A file in use is only ever extended: what is new becomes part of it with the one 8-byte
 * write of its number of chunks. The lock is the one of the runtime: it belongs to the open file.
 */
#define _GNU_SOURCE /* locks of open files */
#include "profile/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "format/table_cell.h"

enum { LOCK_ATTEMPTS = 5000, PAUSE_NANOSECONDS = 1000000 };

static int cannot_write(const char *path, int reason, struct wm_error *error)
{
	return wm_error_set(
		error, WM_ERROR_SYSTEM, "cannot write '%s': %s", path, strerror(reason));
}

/* Returns 0, or -1 with errno set. */
static int write_at(int descriptor, const void *bytes, size_t count, uint64_t offset)
{
	for (size_t done = 0; done < count;) {
		ssize_t written = pwrite(descriptor, (const char *)bytes + done, count - done,
			(off_t)(offset + done));
		if (written < 0 && errno != EINTR)
			return -1;
		done += written > 0 ? (size_t)written : 0;
	}
	return 0;
}

/* Real space on the disk: programs map the file and must not meet a hole there. */
static int reserve(int descriptor, uint64_t from, uint64_t to)
{
	errno = posix_fallocate(descriptor, (off_t)from, (off_t)(to - from));
	return errno ? -1 : 0;
}

/* Where something is written to. */
struct target {
	int descriptor;
	uint64_t unit_bytes; /* of the file, which for a library are not those of its counters */
};

static struct target target_of(int descriptor, const struct wm_file *file)
{
	return (struct target){descriptor, wm_file_unit_bytes(file->counter_count * 8)};
}

static uint64_t unit_offset(const struct target *target, uint64_t index)
{
	return WM_FILE_HEADER_BYTES + index * target->unit_bytes;
}

/* Head and counters. */
static int write_chunk(const struct target *target, const struct wm_file *file, uint64_t offset,
	const struct wm_chunk_header *chunk)
{
	if (write_at(target->descriptor, chunk, sizeof *chunk, offset) != 0)
		return -1;
	return write_at(target->descriptor, file->counter,
		file->counter_count * sizeof *file->counter, offset + WM_CHUNK_HEADER_BYTES);
}

/* Units that a table of the object's entries takes; none if there are none. */
static uint64_t table_span(const struct target *target, const struct wm_file *object)
{
	return object->entry_count
		       ? wm_table_span(target->unit_bytes, wm_table_cells_for(object->entry_count))
		       : 0;
}

/* Where the runtime looks for the key first, so that it can go on with the table; the order of the
 * entries decides the rest. */
static void put_cell(
	struct wm_table_cell *cells, uint64_t count, const struct wm_file_entry *entry, bool owned)
{
	uint64_t place = wm_table_place(entry->counter);
	uint64_t at = wm_table_home(place, entry->key) / sizeof *cells % count;
	while (cells[at].place)
		at = (at + 1) % count;
	cells[at] = (struct wm_table_cell){.place = place,
		.key = entry->key,
		.earlier = owned ? 0 : entry->count,
		.count = owned ? entry->count : 0};
}

/* The head says whose the table is. If it has no owner, its contents were counted earlier. */
static int write_table(const struct target *target, const struct wm_file *object, uint64_t index,
	const struct wm_chunk_header *head)
{
	struct wm_chunk_header table = *head;
	uint64_t offset = unit_offset(target, index);
	table.span = (uint32_t)table_span(target, object);
	if (table.span == 0)
		return 0;
	uint64_t count = wm_table_cells(target->unit_bytes, table.span);
	struct wm_table_cell *cells = calloc(count, sizeof *cells);
	if (!cells)
		return -1;
	for (uint64_t i = 0; i < object->entry_count; i++)
		put_cell(cells, count, &object->entries[i], table.state == WM_CHUNK_ACTIVE);
	int status = write_at(target->descriptor, &table, sizeof table, offset);
	if (status == 0)
		status = write_at(target->descriptor, cells, count * sizeof *cells,
			offset + WM_CHUNK_HEADER_BYTES);
	free(cells);
	return status;
}

static int write_header(const struct target *target, const struct wm_file *file, uint64_t units)
{
	struct wm_file_header header;
	memset(&header, 0, sizeof header);
	header.build_id_bytes = file->build_id.bytes;
	memcpy(header.build_id, file->build_id.byte, file->build_id.bytes);
	snprintf(header.object_path, sizeof header.object_path, "%s", file->object_path);
	wm_file_header_complete(&header, file->counter_count * sizeof *file->counter);
	header.unit_count = units;
	return write_at(target->descriptor, &header, sizeof header, 0);
}

/* Threads that still count are cut short as far as this file knows. */
static int write_totals(const struct target *target, const struct wm_file *object, uint64_t offset)
{
	struct wm_chunk_header totals = {.kind = WM_CHUNK_TOTALS,
		.span = 1,
		.runs = object->runs,
		.cut_short = object->cut_short + object->running,
		.status = object->status};
	totals.checksum = wm_file_hash_words(
		wm_file_totals_hash(&totals), object->counter, object->counter_count);
	return write_chunk(target, object, offset, &totals);
}

/* The head of a library's chunk, and the library's identity. */
static int write_library_head(
	const struct target *target, const struct wm_file *library, uint64_t offset)
{
	struct wm_chunk_header chunk = {.kind = WM_CHUNK_LIBRARY};
	struct wm_library_header header;
	memset(&header, 0, sizeof header);
	header.counter_bytes = library->counter_count * sizeof *library->counter;
	header.build_id_bytes = library->build_id.bytes;
	memcpy(header.build_id, library->build_id.byte, library->build_id.bytes);
	snprintf(header.object_path, sizeof header.object_path, "%s", library->object_path);
	header.identity_checksum = wm_library_identity_checksum(&header);
	chunk.span =
		(uint32_t)wm_file_span(target->unit_bytes, wm_library_bytes(header.counter_bytes));
	if (write_at(target->descriptor, &chunk, sizeof chunk, offset) != 0)
		return -1;
	return write_at(target->descriptor, &header, sizeof header, offset + WM_CHUNK_HEADER_BYTES);
}

/* The units of a library's chunk and table. */
static uint64_t library_span(const struct target *target, const struct wm_file *library)
{
	return wm_file_span(target->unit_bytes, wm_library_bytes(library->counter_count * 8)) +
	       table_span(target, library);
}

static int write_library(const struct target *target, const struct wm_file *library, uint64_t index)
{
	uint64_t offset = unit_offset(target, index);
	uint64_t table = index + library_span(target, library) - table_span(target, library);
	const struct wm_chunk_header head = {.kind = WM_CHUNK_LIBRARY_TABLE,
		.state = WM_CHUNK_RELEASED,
		.ended = 1,
		.library = index};
	if (write_library_head(target, library, offset) != 0 ||
		write_totals(target, library, offset + WM_LIBRARY_TOTALS) != 0)
		return -1;
	return write_table(target, library, table, &head);
}

static uint64_t piece_span(const struct target *target, const struct wm_packed_piece *piece)
{
	return wm_file_span(target->unit_bytes, WM_PACKED_CONTENT + piece->content.count);
}

static int write_piece(
	const struct target *target, const struct wm_packed_piece *piece, uint64_t index)
{
	const struct wm_bytes *content = &piece->content;
	const struct wm_chunk_header chunk = {
		.kind = piece->kind, .span = (uint32_t)piece_span(target, piece)};
	const struct wm_packed_header head = {
		content->count, wm_file_hash_bytes(content->data, content->data + content->count)};
	uint64_t offset = unit_offset(target, index);
	if (write_at(target->descriptor, &chunk, sizeof chunk, offset) != 0 ||
		write_at(target->descriptor, &head, sizeof head, offset + sizeof chunk) != 0)
		return -1;
	return write_at(
		target->descriptor, content->data, content->count, offset + WM_PACKED_CONTENT);
}

static uint64_t file_span(const struct target *target, const struct wm_file *file)
{
	uint64_t units = WM_FILE_TOTALS_UNITS + table_span(target, file);
	for (uint32_t i = 0; i < file->library_count; i++)
		units += library_span(target, &file->libraries[i]);
	for (size_t i = 0; i < file->packed.count; i++)
		units += piece_span(target, &file->packed.pieces[i]);
	return units;
}

static int write_content(int descriptor, const struct wm_file *file)
{
	const struct target target = target_of(descriptor, file);
	const struct wm_chunk_header head = {
		.kind = WM_CHUNK_TABLE, .state = WM_CHUNK_RELEASED, .ended = 1};
	uint64_t units = file_span(&target, file);
	uint64_t next = WM_FILE_TOTALS_UNITS + table_span(&target, file);
	if (reserve(descriptor, 0, unit_offset(&target, units)) != 0 ||
		write_totals(&target, file, unit_offset(&target, 0)) != 0 ||
		write_table(&target, file, WM_FILE_TOTALS_UNITS, &head) != 0)
		return -1;
	for (uint32_t i = 0; i < file->library_count; i++) {
		if (write_library(&target, &file->libraries[i], next) != 0)
			return -1;
		next += library_span(&target, &file->libraries[i]);
	}
	for (size_t i = 0; i < file->packed.count; i++) {
		if (write_piece(&target, &file->packed.pieces[i], next) != 0)
			return -1;
		next += piece_span(&target, &file->packed.pieces[i]);
	}
	return write_header(&target, file, units) != 0 ? -1 : fsync(descriptor);
}

/* The rights of the file that is replaced, or those of a new one. */
static mode_t rights_for(const char *path)
{
	struct stat status;
	if (stat(path, &status) == 0)
		return status.st_mode & 07777;
	mode_t mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

int wm_writer_replace(const char *path, const struct wm_file *file, struct wm_error *error)
{
	size_t bytes = strlen(path) + sizeof ".XXXXXX";
	char *temporary = malloc(bytes);
	if (!temporary)
		return cannot_write(path, ENOMEM, error);
	snprintf(temporary, bytes, "%s.XXXXXX", path);
	int descriptor = mkstemp(temporary);
	int status = 0;
	if (descriptor < 0) {
		status = cannot_write(path, errno, error);
	} else if (fchmod(descriptor, rights_for(path)) != 0 ||
		   write_content(descriptor, file) != 0 || rename(temporary, path) != 0) {
		status = cannot_write(path, errno, error);
		unlink(temporary);
	}
	if (descriptor >= 0)
		close(descriptor);
	free(temporary);
	return status;
}

/* Returns 0, or -1 with errno set. */
static int lock_whole(int descriptor)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	const struct timespec pause = {0, PAUSE_NANOSECONDS};
	for (int attempt = 0; attempt < LOCK_ATTEMPTS; attempt++) {
		if (fcntl(descriptor, F_OFD_SETLK, &whole) == 0)
			return 0;
		if (errno != EAGAIN && errno != EACCES && errno != EINTR)
			return -1;
		nanosleep(&pause, NULL);
	}
	errno = EAGAIN;
	return -1;
}

/* Whether the name still stands for the open file, which may have been replaced. */
static bool is_named(int descriptor, const char *path)
{
	struct stat ours, named;
	return fstat(descriptor, &ours) == 0 &&
	       (stat(path, &named) != 0 ||
		       (ours.st_dev == named.st_dev && ours.st_ino == named.st_ino));
}

int wm_writer_lock(const char *path, int *descriptor, struct wm_error *error)
{
	for (;;) {
		*descriptor = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
		if (*descriptor < 0)
			return cannot_write(path, errno, error);
		if (lock_whole(*descriptor) != 0) {
			int reason = errno;
			close(*descriptor);
			if (reason != EAGAIN)
				return cannot_write(path, reason, error);
			return wm_error_set(error, WM_ERROR_SYSTEM,
				"%s: is locked by another process, perhaps a stopped one; try "
				"again later",
				path);
		}
		if (is_named(*descriptor, path))
			return 0;
		wm_writer_unlock(*descriptor);
	}
}

void wm_writer_unlock(int descriptor)
{
	struct flock whole = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
	fcntl(descriptor, F_OFD_SETLK, &whole);
	close(descriptor);
}

/* Appends an active chunk that holds the counters of the object, and its entries as a table. What a
 * killed writer has left behind the last chunk is removed first. */
static int append_chunks(
	const struct target *target, const struct wm_file *object, struct wm_chunk_header chunk)
{
	const off_t place = offsetof(struct wm_file_header, unit_count);
	uint64_t count;
	if (pread(target->descriptor, &count, sizeof count, place) != sizeof count)
		return -1;
	uint64_t end = unit_offset(target, count);
	if (ftruncate(target->descriptor, (off_t)end) != 0)
		return -1;
	struct wm_chunk_header table = chunk;
	table.kind = object->number ? WM_CHUNK_LIBRARY_TABLE : WM_CHUNK_TABLE;
	uint64_t grown = count + chunk.span + table_span(target, object);
	if (reserve(target->descriptor, end, unit_offset(target, grown)) != 0 ||
		write_chunk(target, object, end, &chunk) != 0 ||
		write_table(target, object, count + chunk.span, &table) != 0 ||
		write_at(target->descriptor, &grown, sizeof grown, (uint64_t)place) != 0) {
		int reason = errno;
		(void)!ftruncate(target->descriptor, (off_t)end);
		errno = reason;
		return -1;
	}
	return 0;
}

/* Appends the opposite of what the process has counted for one object. */
static int append_opposite(const struct target *target, const struct wm_file *object)
{
	const struct wm_owner *signature = &object->owners[0].owner;
	uint64_t bytes = wm_file_unit_bytes(object->counter_count * 8);
	for (uint64_t i = 0; i < object->counter_count; i++)
		object->counter[i] = -object->counter[i];
	for (uint64_t i = 0; i < object->entry_count; i++)
		object->entries[i].count = -object->entries[i].count;
	return append_chunks(target, object,
		(struct wm_chunk_header){
			.kind = object->number ? WM_CHUNK_LIBRARY_COUNTERS : WM_CHUNK_COUNTERS,
			.state = WM_CHUNK_ACTIVE,
			.span = (uint32_t)wm_file_span(target->unit_bytes, bytes),
			.process = signature->process,
			.process_start = signature->start,
			.pid_namespace = signature->pid_namespace,
			.ended = 1,
			.library = object->number});
}

int wm_writer_reset(const char *path, const struct wm_owner *owner, struct wm_error *error)
{
	struct wm_arena arena = {0};
	struct wm_file file;
	int descriptor;
	int status = wm_writer_lock(path, &descriptor, error);
	if (status < 0)
		return status;
	status = wm_file_read_process(&arena, path, owner, &file, error);
	if (status == 0) {
		const struct target target = target_of(descriptor, &file);
		int written = file.owner_count ? append_opposite(&target, &file) : 0;
		for (uint32_t i = 0; i < file.library_count && written == 0; i++)
			written = append_opposite(&target, &file.libraries[i]);
		if (written != 0)
			status = cannot_write(path, errno, error);
	}
	wm_writer_unlock(descriptor);
	wm_arena_reset(&arena);
	return status;
}
