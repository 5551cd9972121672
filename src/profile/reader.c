/* The header of a .wmk file is untrusted: every field is checked before it is used, and the size
 * that it claims is that of the file. */
#include "profile/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int wm_reader_damaged(struct wm_reader *reader, const char *reason)
{
	return wm_error_set(reader->error, WM_ERROR_INPUT,
		"%s: %s; delete the file and run the program again", reader->path, reason);
}

int wm_reader_read(struct wm_reader *reader, void *buffer, size_t bytes, uint64_t offset)
{
	for (size_t done = 0; done < bytes;) {
		ssize_t got = pread(reader->descriptor, (char *)buffer + done, bytes - done,
			(off_t)(offset + done));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return wm_error_set(reader->error, WM_ERROR_SYSTEM, "cannot read '%s': %s",
				reader->path, strerror(errno));
		if (got == 0)
			return wm_reader_damaged(reader, "the file is truncated");
		done += (size_t)got;
	}
	return 0;
}

static int file_bytes(struct wm_reader *reader, uint64_t *bytes)
{
	struct stat status;
	if (fstat(reader->descriptor, &status) != 0)
		return wm_error_set(reader->error, WM_ERROR_SYSTEM, "cannot read '%s': %s",
			reader->path, strerror(errno));
	if (!S_ISREG(status.st_mode))
		return wm_error_set(
			reader->error, WM_ERROR_INPUT, "%s: not a regular file", reader->path);
	*bytes = (uint64_t)status.st_size;
	reader->file->modified = status.st_mtime;
	return 0;
}

/* A pipe must not make the reader wait for a writer. */
int wm_reader_open(struct wm_reader *reader)
{
	reader->descriptor = open(reader->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (reader->descriptor < 0)
		return wm_error_set(reader->error, WM_ERROR_SYSTEM, "cannot read '%s': %s",
			reader->path, strerror(errno));
	return 0;
}

static int check_identity(
	struct wm_reader *reader, const struct wm_file_header *header, uint64_t bytes)
{
	if (bytes == 0)
		return wm_error_set(reader->error, WM_ERROR_INPUT,
			"%s: is empty: the program could not write to it (no space, or a limit on "
			"the size of files), or was killed before it did; run it again",
			reader->path);
	if (memcmp(header->magic, WM_FILE_MAGIC, sizeof header->magic) != 0)
		return wm_error_set(reader->error, WM_ERROR_INPUT,
			"%s: not a .wmk file; name a profile, a program built with waymark cc that "
			"has run, or a directory of profiles",
			reader->path);
	if (bytes < WM_FILE_HEADER_BYTES)
		return wm_reader_damaged(reader, "the file is truncated");
	if (header->version != WM_FILE_VERSION) /* the first that is read for ever */
		return wm_error_set(reader->error, WM_ERROR_INPUT,
			"%s: has format version %" PRIu32 ", this waymark reads version %u",
			reader->path, header->version, WM_FILE_VERSION);
	if (header->identity_checksum != wm_file_identity_checksum(header))
		return wm_reader_damaged(
			reader, "the header is damaged: its checksum does not match");
	if (header->header_bytes != WM_FILE_HEADER_BYTES || header->counter_bytes % 8 != 0 ||
		header->counter_bytes > bytes ||
		header->unit_bytes != wm_file_unit_bytes(header->counter_bytes) ||
		header->build_id_bytes == 0 || header->build_id_bytes > WM_BUILD_ID_BYTES ||
		!memchr(header->object_path, '\0', sizeof header->object_path))
		return wm_reader_damaged(reader, "the header is damaged: a field is out of range");
	return 0;
}

static void take_object(struct wm_reader *reader, const char *path, const uint8_t *build_id,
	uint32_t build_id_bytes, uint64_t counter_bytes)
{
	struct wm_file *file = reader->file;
	file->object_path = wm_arena_copy_text(reader->arena, path);
	file->build_id.bytes = build_id_bytes;
	memcpy(file->build_id.byte, build_id, build_id_bytes);
	file->counter_count = counter_bytes / 8;
	file->counter = wm_arena_alloc(reader->arena, file->counter_count, sizeof(uint64_t));
	reader->chunk_bytes = wm_file_unit_bytes(counter_bytes);
}

static void take_identity(struct wm_reader *reader, const struct wm_file_header *header)
{
	reader->unit_bytes = header->unit_bytes;
	reader->library = 0;
	reader->commit_offset = offsetof(struct wm_file_header, commit);
	reader->totals_offset = wm_reader_offset(reader, 0);
	take_object(reader, header->object_path, header->build_id, header->build_id_bytes,
		header->counter_bytes);
}

int wm_reader_identify(struct wm_reader *reader)
{
	struct wm_file_header header;
	uint64_t bytes = 0;
	int status = file_bytes(reader, &bytes);
	if (status < 0)
		return status;
	memset(&header, 0, sizeof header);
	status = wm_reader_read(
		reader, &header, bytes < sizeof header ? (size_t)bytes : sizeof header, 0);
	if (status == 0)
		status = check_identity(reader, &header, bytes);
	if (status == 0)
		take_identity(reader, &header);
	return status;
}

static int check_library(struct wm_reader *reader, const struct wm_chunk_header *chunk,
	const struct wm_library_header *library)
{
	if (library->identity_checksum != wm_library_identity_checksum(library))
		return wm_reader_damaged(
			reader, "a library is damaged: its checksum does not match");
	if (library->counter_bytes % 8 != 0 ||
		library->counter_bytes > chunk->span * reader->unit_bytes ||
		wm_file_span(reader->unit_bytes, wm_library_bytes(library->counter_bytes)) !=
			chunk->span ||
		library->build_id_bytes == 0 || library->build_id_bytes > WM_BUILD_ID_BYTES ||
		!memchr(library->object_path, '\0', sizeof library->object_path))
		return wm_reader_damaged(reader, "a library is damaged: a field is out of range");
	return 0;
}

int wm_reader_identify_library(struct wm_reader *reader, uint32_t number)
{
	struct wm_chunk_header chunk;
	struct wm_library_header library;
	uint64_t offset = wm_reader_offset(reader, number);
	int status = wm_reader_read(reader, &chunk, sizeof chunk, offset);
	if (status == 0)
		status = wm_reader_read(reader, &library, sizeof library, offset + sizeof chunk);
	if (status == 0)
		status = check_library(reader, &chunk, &library);
	if (status < 0)
		return status;
	reader->library = number;
	reader->commit_offset = offset + sizeof chunk + offsetof(struct wm_library_header, commit);
	reader->totals_offset = offset + WM_LIBRARY_TOTALS;
	take_object(reader, library.object_path, library.build_id, library.build_id_bytes,
		library.counter_bytes);
	return 0;
}

int wm_reader_count_units(struct wm_reader *reader)
{
	uint64_t bytes;
	int status = wm_reader_read(reader, &reader->unit_count, sizeof reader->unit_count,
		offsetof(struct wm_file_header, unit_count));
	if (status == 0)
		status = file_bytes(reader, &bytes);
	if (status < 0)
		return status;
	if (reader->unit_count < WM_FILE_TOTALS_UNITS || reader->unit_count > INT32_MAX)
		return wm_reader_damaged(
			reader, "the header is damaged: its number of units is impossible");
	uint64_t there = bytes < WM_FILE_HEADER_BYTES
				 ? 0
				 : (bytes - WM_FILE_HEADER_BYTES) / reader->unit_bytes;
	if (there < reader->unit_count)
		return wm_reader_damaged(reader, "the file is truncated");
	return 0;
}
