/* Writing packed traces: beside the trace, read back and compared, and only then moved into its
 * place. */
#include "trace/packed_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

enum { LEVEL = 9, FRAME_BYTES = WM_TRACE_FRAME_PIECES * WM_TRACE_PIECE_BYTES };

struct packer {
	const char *path;
	char temporary[4096];
	struct wm_arena arena;
	struct wm_trace_file file;
	const uint8_t *header; /* of the trace */
	struct stat status;
	struct wm_packed_entry *entries;
	uint64_t count, capacity;
	uint64_t offset; /* behind what is written */
	FILE *out;
	ZSTD_CCtx *context;
	uint8_t *plain, *packed;
	size_t room; /* of `packed` */
	struct wm_error *error;
};

static int refuse(struct packer *packer, const char *reason)
{
	return wm_error_set(
		packer->error, WM_ERROR_MISMATCH, "%s: %s; it is as it was", packer->path, reason);
}

static int fail(struct packer *packer, const char *what)
{
	return wm_error_set(packer->error, WM_ERROR_SYSTEM, "cannot %s '%s': %s; '%s' is as it was",
		what, packer->temporary, strerror(errno), packer->path);
}

/* Whether a line of /proc/PID/maps is a mapping of the file that can be written. */
static bool is_writable_mapping(const char *line, const struct stat *status)
{
	char access[8], device[32], inode[32];
	return sscanf(line, "%*s %7s %*s %31s %31s", access, device, inode) == 3 &&
	       strtoull(inode, NULL, 10) == status->st_ino && strchr(access, 'w');
}

/* False, with errno, if the process cannot be looked at. */
static bool look_at(const char *process, const struct stat *status, bool *writes)
{
	char name[300], line[8192];
	snprintf(name, sizeof name, "/proc/%s/maps", process);
	FILE *maps = fopen(name, "r");
	if (!maps)
		return false;
	while (!*writes && fgets(line, sizeof line, maps))
		*writes = is_writable_mapping(line, status);
	fclose(maps);
	return true;
}

/* What is written to a file that has been replaced would be lost. The process may have another
 * number here, if it is in a container; the one with its number counts as one that writes if it may
 * not be looked at. */
static bool is_written(const struct packer *packer)
{
	char own[32];
	bool writes = false;
	snprintf(own, sizeof own, "%u", packer->file.process);
	if (!look_at(own, &packer->status, &writes) && errno != ENOENT && errno != ESRCH)
		return true;
	DIR *all = opendir("/proc");
	for (struct dirent *entry; all && !writes && (entry = readdir(all));)
		if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9')
			look_at(entry->d_name, &packer->status, &writes);
	if (all)
		closedir(all);
	return writes;
}

static bool write_bytes(struct packer *packer, const void *bytes, size_t count)
{
	packer->offset += count;
	return fwrite(bytes, count, 1, packer->out) == 1;
}

static struct wm_packed_entry *add_entry(
	struct packer *packer, uint32_t stream, uint32_t kind, uint64_t number)
{
	struct wm_packed_entry *entry = &packer->entries[packer->count++];
	*entry = (struct wm_packed_entry){
		.stream = stream, .kind = kind, .number = number, .offset = packer->offset};
	return entry;
}

/* How many pieces from there on follow each other. */
static uint32_t run_length(const struct wm_trace_pieces *pieces, uint32_t first)
{
	uint32_t count = 1;
	while (first + count < pieces->count && count < WM_TRACE_FRAME_PIECES &&
		pieces->piece[first + count].number == pieces->piece[first].number + count)
		count++;
	return count;
}

static bool write_frame(struct packer *packer, uint32_t stream, uint32_t kind,
	const struct wm_trace_piece *piece, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		memcpy(packer->plain + (size_t)i * WM_TRACE_PIECE_BYTES, piece[i].bytes,
			WM_TRACE_PIECE_BYTES);
	size_t bytes = ZSTD_compress2(packer->context, packer->packed, packer->room, packer->plain,
		(size_t)count * WM_TRACE_PIECE_BYTES);
	if (ZSTD_isError(bytes)) {
		errno = ENOMEM;
		return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		struct wm_packed_entry *entry = add_entry(packer, stream, kind, piece[i].number);
		entry->bytes = (uint32_t)bytes;
		entry->within = i;
	}
	return write_bytes(packer, packer->packed, bytes);
}

static bool write_pieces(
	struct packer *packer, uint32_t stream, uint32_t kind, const struct wm_trace_pieces *pieces)
{
	for (uint32_t i = 0, count; i < pieces->count; i += count) {
		count = run_length(pieces, i);
		if (!write_frame(packer, stream, kind, &pieces->piece[i], count))
			return false;
	}
	return true;
}

static bool write_control(struct packer *packer, const struct wm_trace_thread *thread)
{
	uint8_t page[WM_TRACE_PAGE_BYTES] = {0};
	memcpy(page, &thread->control, sizeof thread->control);
	add_entry(packer, thread->number, WM_TRACE_CONTROL, 0);
	return write_bytes(packer, page, sizeof page);
}

/* The entries come to their place last: they say where all else is. */
static bool write_file(struct packer *packer)
{
	const struct wm_trace_file *file = &packer->file;
	uint8_t page[WM_TRACE_PAGE_BYTES];
	packer->capacity = 1 + file->thread_count + file->bytes / WM_TRACE_PIECE_BYTES;
	packer->entries = wm_arena_alloc(&packer->arena, packer->capacity, sizeof *packer->entries);
	memcpy(page, packer->header, sizeof page);
	memcpy(page, WM_TRACE_PACKED_MAGIC, sizeof WM_TRACE_PACKED_MAGIC - 1);
	size_t bytes = packer->capacity * sizeof *packer->entries;
	if (!write_bytes(packer, page, sizeof page) || !write_bytes(packer, packer->entries, bytes))
		return false;
	for (uint32_t i = 0; i < file->thread_count; i++)
		if (!write_control(packer, &file->threads[i]))
			return false;
	for (uint32_t i = 0; i < file->thread_count; i++) {
		const struct wm_trace_thread *thread = &file->threads[i];
		if (!write_pieces(packer, thread->number, WM_TRACE_CALLS, &thread->calls) ||
			!write_pieces(packer, thread->number, WM_TRACE_BITS, &thread->bits))
			return false;
	}
	return fseeko(packer->out, WM_TRACE_PAGE_BYTES, SEEK_SET) == 0 &&
	       fwrite(packer->entries, bytes, 1, packer->out) == 1 && fflush(packer->out) == 0 &&
	       fsync(fileno(packer->out)) == 0;
}

static bool same_pieces(const struct wm_trace_pieces *pieces, const struct wm_trace_pieces *again,
	struct wm_trace_unpacked *unpacked)
{
	bool same = pieces->count == again->count;
	for (uint32_t i = 0; same && i < pieces->count; i++) {
		const uint8_t *bytes = wm_trace_piece_unpack(&again->piece[i], unpacked);
		same = bytes && pieces->piece[i].number == again->piece[i].number &&
		       memcmp(bytes, pieces->piece[i].bytes, WM_TRACE_PIECE_BYTES) == 0;
	}
	return same;
}

/* What a reader sees of the packed file is what it saw of the trace. */
static bool reads_back(struct packer *packer)
{
	struct wm_trace_file again;
	struct wm_error reason;
	if (wm_trace_file_open(&packer->arena, packer->temporary, &again, &reason) ||
		again.damage || again.thread_count != packer->file.thread_count)
		return false;
	struct wm_trace_unpacked unpacked = wm_trace_unpacked_for(&packer->arena, &again);
	bool same = true;
	for (uint32_t i = 0; same && i < again.thread_count; i++) {
		const struct wm_trace_thread *before = &packer->file.threads[i],
					     *after = &again.threads[i];
		same = before->number == after->number &&
		       memcmp(&before->control, &after->control, sizeof before->control) == 0 &&
		       same_pieces(&before->calls, &after->calls, &unpacked) &&
		       same_pieces(&before->bits, &after->bits, &unpacked);
	}
	wm_trace_file_close(&again);
	return same;
}

static int replace(struct packer *packer)
{
	struct stat now;
	const struct timespec times[] = {packer->status.st_atim, packer->status.st_mtim};
	if (!reads_back(packer))
		return refuse(packer, "the packed trace cannot be read back");
	if (stat(packer->path, &now) || now.st_ino != packer->status.st_ino ||
		now.st_mtim.tv_sec != packer->status.st_mtim.tv_sec ||
		now.st_mtim.tv_nsec != packer->status.st_mtim.tv_nsec)
		return refuse(packer, "it was written meanwhile");
	if (utimensat(AT_FDCWD, packer->temporary, times, 0) ||
		chmod(packer->temporary, packer->status.st_mode & 07777) ||
		rename(packer->temporary, packer->path))
		return fail(packer, "put into place");
	return 0;
}

static int write_beside(struct packer *packer)
{
	packer->out = fopen(packer->temporary, "wbx");
	if (!packer->out)
		return fail(packer, "write");
	bool written = write_file(packer);
	int reason = errno;
	written = !fclose(packer->out) && written;
	errno = reason;
	int status = written ? replace(packer) : fail(packer, "write");
	if (status)
		unlink(packer->temporary);
	return status;
}

static int check(struct packer *packer)
{
	const struct wm_trace_file *file = &packer->file;
	if (file->packed)
		return refuse(packer, "it is packed already");
	if (file->damage)
		return refuse(packer, file->damage);
	if (is_written(packer))
		return refuse(packer, "its process still runs");
	int bytes = snprintf(packer->temporary, sizeof packer->temporary, "%s.%ld", packer->path,
		(long)getpid());
	return bytes < (int)sizeof packer->temporary ? 0 : refuse(packer, "its name is too long");
}

static int pack(struct packer *packer, struct wm_packed_sizes *sizes)
{
	struct stat after;
	packer->room = ZSTD_compressBound(FRAME_BYTES);
	packer->plain = wm_arena_alloc_unset(&packer->arena, FRAME_BYTES, 1);
	packer->packed = wm_arena_alloc_unset(&packer->arena, packer->room, 1);
	packer->context = ZSTD_createCCtx();
	if (!packer->context)
		return refuse(packer, "out of memory");
	ZSTD_CCtx_setParameter(packer->context, ZSTD_c_compressionLevel, LEVEL);
	ZSTD_CCtx_setParameter(packer->context, ZSTD_c_checksumFlag, 1);
	int status = write_beside(packer);
	ZSTD_freeCCtx(packer->context);
	sizes->before = (uint64_t)packer->status.st_size;
	sizes->after = !status && !stat(packer->path, &after) ? (uint64_t)after.st_size : 0;
	return status;
}

int wm_trace_pack(const char *path, struct wm_packed_sizes *sizes, struct wm_error *error)
{
	struct packer packer = {.path = path, .error = error};
	int status = wm_trace_file_open(&packer.arena, path, &packer.file, error);
	if (status)
		return status;
	packer.header = packer.file.content;
	if (stat(path, &packer.status))
		status = wm_error_set(
			error, WM_ERROR_SYSTEM, "cannot read '%s': %s", path, strerror(errno));
	else
		status = check(&packer);
	if (!status)
		status = pack(&packer, sizes);
	wm_trace_file_close(&packer.file);
	wm_arena_reset(&packer.arena);
	return status;
}
