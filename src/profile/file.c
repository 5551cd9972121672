/* Reading of .wmk files; format/profile_file.h says what stands in them.
 *
 * The file may be written to while it is read. All that can go wrong is that a block is folded into
 * the totals between reading the one and the other, and every fold changes `commit`: so the sum is
 * good if `commit` is the same before and after, and is made anew if not.
 */
#include "profile/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ATTEMPTS = 100, CHUNK_COUNTERS = 8192 };

struct reader {
	struct wm_arena *arena;
	const char *path;
	int descriptor;
	uint64_t bytes;
	uint64_t stride;
	uint32_t block_count;
	struct wm_file *file;
	struct wm_error *error;
};

static int damaged(struct reader *reader, const char *reason)
{
	return wm_error_set(reader->error, WM_ERROR_INPUT,
		"%s: %s; delete the file and run the program again", reader->path, reason);
}

static int read_at(struct reader *reader, void *buffer, size_t bytes, uint64_t offset)
{
	for (size_t done = 0; done < bytes;) {
		ssize_t got = pread(reader->descriptor, (char *)buffer + done, bytes - done,
			(off_t)(offset + done));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return wm_error_set(reader->error, WM_ERROR_SYSTEM, "cannot read %s: %s",
				reader->path, strerror(errno));
		if (got == 0)
			return damaged(reader, "the file is truncated");
		done += (size_t)got;
	}
	return 0;
}

static int open_file(struct reader *reader)
{
	struct stat status;
	reader->descriptor = open(reader->path, O_RDONLY | O_CLOEXEC);
	if (reader->descriptor < 0 || fstat(reader->descriptor, &status) != 0)
		return wm_error_set(reader->error, WM_ERROR_SYSTEM, "cannot read %s: %s",
			reader->path, strerror(errno));
	if (!S_ISREG(status.st_mode))
		return wm_error_set(
			reader->error, WM_ERROR_INPUT, "%s: not a regular file", reader->path);
	reader->bytes = (uint64_t)status.st_size;
	return 0;
}

static int check_identity(struct reader *reader, const struct wm_file_header *header)
{
	if (memcmp(header->magic, WM_FILE_MAGIC, sizeof header->magic) != 0)
		return wm_error_set(reader->error, WM_ERROR_INPUT,
			"%s: not a .wmk file; name a profile written by a program built with "
			"waymark cc",
			reader->path);
	if (reader->bytes < WM_FILE_HEADER_BYTES)
		return damaged(reader, "the file is truncated");
	if (header->version != WM_FILE_VERSION)
		return wm_error_set(reader->error, WM_ERROR_INPUT,
			"%s: has format version %" PRIu32 ", this waymark reads version %u",
			reader->path, header->version, WM_FILE_VERSION);
	if (header->identity_checksum != wm_file_identity_checksum(header))
		return damaged(reader, "the header is damaged: its checksum does not match");
	if (header->header_bytes != WM_FILE_HEADER_BYTES || header->counter_bytes % 8 != 0 ||
		header->counter_bytes > reader->bytes ||
		header->block_stride != wm_file_block_stride(header->counter_bytes) ||
		header->build_id_bytes == 0 || header->build_id_bytes > WM_BUILD_ID_BYTES ||
		!memchr(header->object_path, '\0', sizeof header->object_path))
		return damaged(reader, "the header is damaged: a field is out of range");
	return 0;
}

static int read_identity(struct reader *reader)
{
	struct wm_file_header header;
	memset(&header, 0, sizeof header);
	size_t there = reader->bytes < sizeof header ? (size_t)reader->bytes : sizeof header;
	int status = read_at(reader, &header, there, 0);
	if (status == 0)
		status = check_identity(reader, &header);
	if (status < 0)
		return status;
	uint64_t blocks = (reader->bytes - WM_FILE_HEADER_BYTES) / header.block_stride;
	if (blocks < WM_FILE_FIRST_THREAD_BLOCK || blocks > INT32_MAX ||
		WM_FILE_HEADER_BYTES + blocks * header.block_stride != reader->bytes)
		return damaged(reader, "the file is truncated");
	reader->stride = header.block_stride;
	reader->block_count = (uint32_t)blocks;
	struct wm_file *file = reader->file;
	file->object_path = wm_arena_copy_text(reader->arena, header.object_path);
	file->build_id.bytes = header.build_id_bytes;
	memcpy(file->build_id.byte, header.build_id, header.build_id_bytes);
	file->counter_count = header.counter_bytes / 8;
	file->counter = wm_arena_alloc(reader->arena, file->counter_count, sizeof(uint64_t));
	file->owners = wm_arena_alloc(reader->arena, blocks, sizeof *file->owners);
	return 0;
}

static int add_counters(struct reader *reader, uint64_t offset)
{
	uint64_t chunk[CHUNK_COUNTERS];
	struct wm_file *file = reader->file;
	for (uint64_t first = 0; first < file->counter_count; first += CHUNK_COUNTERS) {
		uint64_t left = file->counter_count - first;
		size_t count = left < CHUNK_COUNTERS ? (size_t)left : CHUNK_COUNTERS;
		int status = read_at(reader, chunk, count * sizeof *chunk, offset + first * 8);
		if (status < 0)
			return status;
		for (size_t i = 0; i < count; i++)
			file->counter[first + i] += chunk[i];
	}
	return 0;
}

/* Adds one block if it belongs to the profile. */
static int add_block(struct reader *reader, uint32_t index, uint64_t commit)
{
	struct wm_block_header block;
	uint64_t offset = WM_FILE_HEADER_BYTES + index * reader->stride;
	int status = read_at(reader, &block, sizeof block, offset);
	if (status < 0)
		return status;
	bool totals = index < WM_FILE_FIRST_THREAD_BLOCK;
	if (block.state > WM_BLOCK_ACTIVE || (totals && block.state == WM_BLOCK_ACTIVE))
		return damaged(reader, "a block is damaged: its state is out of range");
	if (totals ? index != WM_COMMIT_TOTALS(commit)
		   : block.state != WM_BLOCK_ACTIVE || index == WM_COMMIT_FOLDED(commit))
		return 0;
	struct wm_file *file = reader->file;
	if (!totals)
		file->owners[file->owner_count++] = (struct wm_file_owner){
			.process = block.process, .process_start = block.process_start};
	file->runs += block.runs;
	return add_counters(reader, offset + WM_BLOCK_HEADER_BYTES);
}

static int add_blocks(struct reader *reader, uint64_t commit)
{
	struct wm_file *file = reader->file;
	if (commit >> 32 || WM_COMMIT_FOLDED(commit) >= reader->block_count ||
		WM_COMMIT_FOLDED(commit) == 1)
		return damaged(reader, "the header is damaged: it names a block that is not there");
	memset(file->counter, 0, file->counter_count * sizeof *file->counter);
	file->runs = 0;
	file->owner_count = 0;
	for (uint32_t index = 0; index < reader->block_count; index++) {
		int status = add_block(reader, index, commit);
		if (status < 0)
			return status;
	}
	return 0;
}

static int read_commit(struct reader *reader, uint64_t *commit)
{
	return read_at(reader, commit, sizeof *commit, offsetof(struct wm_file_header, commit));
}

static int read_sum(struct reader *reader)
{
	uint64_t before, after;
	int status = read_commit(reader, &before);
	for (int attempt = 0; status == 0 && attempt < ATTEMPTS; attempt++) {
		status = add_blocks(reader, before);
		if (status == 0)
			status = read_commit(reader, &after);
		if (status < 0 || after == before)
			return status;
		before = after;
	}
	if (status < 0)
		return status;
	return wm_error_set(reader->error, WM_ERROR_SYSTEM,
		"%s: changes faster than it can be read; try again when fewer programs run",
		reader->path);
}

int wm_file_read(
	struct wm_arena *arena, const char *path, struct wm_file *file, struct wm_error *error)
{
	*file = (struct wm_file){.path = wm_arena_copy_text(arena, path)};
	struct reader reader = {.arena = arena, .path = file->path, .file = file, .error = error};
	int status = open_file(&reader);
	if (status == 0)
		status = read_identity(&reader);
	if (status == 0)
		status = read_sum(&reader);
	if (reader.descriptor >= 0)
		close(reader.descriptor);
	return status;
}

int wm_file_add(struct wm_file *file, const struct wm_file *other, struct wm_error *error)
{
	if (!wm_build_id_equal(&file->build_id, &other->build_id) ||
		file->counter_count != other->counter_count)
		return wm_error_set(error, WM_ERROR_MISMATCH,
			"%s is of build-id %s, %s of build-id %s: they cannot be added", file->path,
			wm_build_id_text(&file->build_id).text, other->path,
			wm_build_id_text(&other->build_id).text);
	for (uint64_t i = 0; i < file->counter_count; i++)
		file->counter[i] += other->counter[i];
	file->runs += other->runs;
	return 0;
}
