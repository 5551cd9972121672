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

static uint64_t unit_offset(const struct wm_file *file, uint64_t index)
{
	return WM_FILE_HEADER_BYTES + index * wm_file_unit_bytes(file->counter_count * 8);
}

static int write_chunk(int descriptor, const struct wm_file *file, uint64_t index,
	const struct wm_chunk_header *chunk)
{
	uint64_t offset = unit_offset(file, index);
	if (write_at(descriptor, chunk, sizeof *chunk, offset) != 0)
		return -1;
	return write_at(descriptor, file->counter, file->counter_count * sizeof *file->counter,
		offset + WM_CHUNK_HEADER_BYTES);
}

/* Chunks that a table of the file's entries takes; none if there are none. */
static uint64_t table_span(const struct wm_file *file)
{
	return file->entry_count ? wm_table_span(unit_offset(file, 1) - unit_offset(file, 0),
					   wm_table_cells_for(file->entry_count))
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
static int write_table(int descriptor, const struct wm_file *file, uint64_t index,
	const struct wm_chunk_header *head)
{
	struct wm_chunk_header table = *head;
	table.kind = WM_CHUNK_TABLE;
	table.span = (uint32_t)table_span(file);
	if (table.span == 0)
		return 0;
	uint64_t offset = unit_offset(file, index);
	uint64_t count = wm_table_cells(unit_offset(file, index + 1) - offset, table.span);
	struct wm_table_cell *cells = calloc(count, sizeof *cells);
	if (!cells)
		return -1;
	for (uint64_t i = 0; i < file->entry_count; i++)
		put_cell(cells, count, &file->entries[i], table.state == WM_CHUNK_ACTIVE);
	int status = write_at(descriptor, &table, sizeof table, offset);
	if (status == 0)
		status = write_at(
			descriptor, cells, count * sizeof *cells, offset + WM_CHUNK_HEADER_BYTES);
	free(cells);
	return status;
}

static int write_header(int descriptor, const struct wm_file *file)
{
	struct wm_file_header header;
	memset(&header, 0, sizeof header);
	header.build_id_bytes = file->build_id.bytes;
	memcpy(header.build_id, file->build_id.byte, file->build_id.bytes);
	snprintf(header.object_path, sizeof header.object_path, "%s", file->object_path);
	wm_file_header_complete(&header, file->counter_count * sizeof *file->counter);
	header.unit_count += table_span(file);
	return write_at(descriptor, &header, sizeof header, 0);
}

/* Threads that still count are cut short as far as this file knows. */
static int write_content(int descriptor, const struct wm_file *file)
{
	struct wm_chunk_header totals = {.kind = WM_CHUNK_TOTALS,
		.span = 1,
		.runs = file->runs,
		.cut_short = file->cut_short + file->running,
		.status = file->status};
	totals.checksum = wm_file_hash_words(
		wm_file_totals_hash(&totals), file->counter, file->counter_count);
	const uint64_t table = WM_FILE_TOTALS_UNITS;
	const struct wm_chunk_header head = {.state = WM_CHUNK_RELEASED, .ended = 1};
	if (reserve(descriptor, 0, unit_offset(file, table + table_span(file))) != 0 ||
		write_chunk(descriptor, file, 0, &totals) != 0 ||
		write_table(descriptor, file, table, &head) != 0 ||
		write_header(descriptor, file) != 0)
		return -1;
	return fsync(descriptor);
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

/* Appends an active chunk that holds the counters of *file, and its entries as a table. What a
 * killed writer has left behind the last chunk is removed first. */
static int append_chunks(
	int descriptor, const struct wm_file *file, const struct wm_chunk_header *chunk)
{
	const off_t place = offsetof(struct wm_file_header, unit_count);
	uint64_t count;
	if (pread(descriptor, &count, sizeof count, place) != sizeof count)
		return -1;
	uint64_t end = unit_offset(file, count);
	if (ftruncate(descriptor, (off_t)end) != 0)
		return -1;
	uint64_t grown = count + 1 + table_span(file);
	if (reserve(descriptor, end, unit_offset(file, grown)) != 0 ||
		write_chunk(descriptor, file, count, chunk) != 0 ||
		write_table(descriptor, file, count + 1, chunk) != 0 ||
		write_at(descriptor, &grown, sizeof grown, (uint64_t)place) != 0) {
		int reason = errno;
		(void)!ftruncate(descriptor, (off_t)end);
		errno = reason;
		return -1;
	}
	return 0;
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
		const struct wm_owner *signature = &file.owners[0].owner;
		const struct wm_chunk_header chunk = {.kind = WM_CHUNK_COUNTERS,
			.state = WM_CHUNK_ACTIVE,
			.span = 1,
			.process = signature->process,
			.process_start = signature->start,
			.pid_namespace = signature->pid_namespace,
			.ended = 1};
		for (uint64_t i = 0; i < file.counter_count; i++)
			file.counter[i] = -file.counter[i];
		for (uint64_t i = 0; i < file.entry_count; i++)
			file.entries[i].count = -file.entries[i].count;
		if (append_chunks(descriptor, &file, &chunk) != 0)
			status = cannot_write(path, errno, error);
	}
	wm_writer_unlock(descriptor);
	wm_arena_reset(&arena);
	return status;
}
