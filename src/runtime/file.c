/* Claiming a block in the .wmk file (layout and crash safety: format/profile_file.h).
 *
 * Everything here happens under one lock on the open file, which the kernel drops when the process
 * dies. Space is reserved before it is mapped: a full disk shows here, not as a signal in a probe.
 * Names are static: this runs in a constructor or in a fresh child, once at a time, on any stack.
 */
#define _GNU_SOURCE
#include "runtime/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "runtime/name.h"
#include "runtime/process.h"

enum { LOCK_ATTEMPTS = 5000 }; /* a millisecond each */

struct file {
	const struct wm_object *object;
	int descriptor;
	uint64_t stride;
	size_t bytes;
	struct wm_file_header *header; /* the whole file, mapped while it is locked */
};

static struct wm_block_header *block_at(const struct file *file, uint64_t number)
{
	return (void *)((char *)file->header + WM_FILE_HEADER_BYTES + number * file->stride);
}

static uint64_t *counters_of(struct wm_block_header *block)
{
	return (uint64_t *)((char *)block + WM_BLOCK_HEADER_BYTES);
}

static uint64_t block_count(const struct file *file)
{
	return (file->bytes - WM_FILE_HEADER_BYTES) / file->stride;
}

static void make_directories(char *name)
{
	for (char *slash = strchr(name + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(name, 0777);
		*slash = '/';
	}
}

/* A program that runs with more rights than its user follows no link and shows its counts to
 * nobody. */
static int open_file(const char *name)
{
	int secure = getauxval(AT_SECURE) != 0;
	const int flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | (secure ? O_NOFOLLOW : 0);
	const mode_t mode = secure ? 0600 : 0666;
	int descriptor = open(name, flags, mode);
	if (descriptor < 0 && errno == ENOENT) {
		static char copy[PATH_MAX];
		strncpy(copy, name, sizeof(copy) - 1);
		make_directories(copy);
		descriptor = open(name, flags, mode);
	}
	return descriptor;
}

/* Waits a bounded time: a stopped process that holds the lock must not stop others for ever. */
static int lock(int descriptor)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	const struct timespec pause = {0, 1000000};
	for (int attempt = 0; attempt < LOCK_ATTEMPTS; attempt++) {
		if (!fcntl(descriptor, F_OFD_SETLK, &whole))
			return 0;
		if (errno != EAGAIN && errno != EACCES && errno != EINTR)
			return -1;
		nanosleep(&pause, NULL);
	}
	return -1;
}

/* Closing is not enough: the lock belongs to the open file, which the mapped block keeps alive. */
static void unlock(int descriptor)
{
	struct flock whole = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
	fcntl(descriptor, F_OFD_SETLK, &whole);
}

/* Beyond its limit on file sizes a process gets a signal. */
static int exceeds_limit(uint64_t bytes)
{
	struct rlimit limit;
	return !getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur != RLIM_INFINITY &&
	       bytes > limit.rlim_cur;
}

/* Extends the file with real, zeroed space. */
static int reserve(const struct file *file, uint64_t bytes)
{
	static const char zeros[4096];
	if (exceeds_limit(bytes))
		return -1;
	if (!fallocate(file->descriptor, 0, (off_t)file->bytes, (off_t)(bytes - file->bytes)))
		return 0;
	if (errno != EOPNOTSUPP && errno != ENOSYS)
		return -1;
	for (uint64_t at = file->bytes; at < bytes; at += sizeof(zeros))
		if (pwrite(file->descriptor, zeros, sizeof(zeros), (off_t)at) != sizeof(zeros))
			return -1;
	return 0;
}

static int map_whole(struct file *file)
{
	void *mapping =
		mmap(NULL, file->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file->descriptor, 0);
	if (mapping == MAP_FAILED)
		return -1;
	file->header = mapping;
	return 0;
}

static void unmap_whole(struct file *file)
{
	munmap(file->header, file->bytes);
	file->header = NULL;
}

static int grow_to(struct file *file, uint64_t bytes)
{
	uint64_t before = file->bytes;
	if (file->header)
		unmap_whole(file);
	if (reserve(file, bytes)) {
		/* If this fails, too: every reader ignores a partial block at the end. */
		(void)!ftruncate(file->descriptor, (off_t)before);
		return -1;
	}
	file->bytes = bytes;
	return map_whole(file);
}

static void fill_header(struct file *file)
{
	struct wm_file_header *header = file->header;
	const struct wm_object *object = file->object;
	header->version = WM_FILE_VERSION;
	header->header_bytes = WM_FILE_HEADER_BYTES;
	header->counter_bytes = object->counter_bytes;
	header->block_stride = file->stride;
	header->build_id_bytes = object->build_id_bytes;
	memcpy(header->build_id, object->build_id, sizeof(header->build_id));
	memcpy(header->object_path, object->path, sizeof(header->object_path));
	memcpy(header->magic, WM_FILE_MAGIC, sizeof(header->magic));
	header->identity_checksum = wm_file_identity_checksum(header);
}

static int is_ours(const struct file *file)
{
	const struct wm_file_header *header = file->header;
	const struct wm_object *object = file->object;
	return !memcmp(header->magic, WM_FILE_MAGIC, sizeof(header->magic)) &&
	       header->version == WM_FILE_VERSION &&
	       header->identity_checksum == wm_file_identity_checksum(header) &&
	       header->counter_bytes == object->counter_bytes &&
	       header->block_stride == file->stride &&
	       header->build_id_bytes == object->build_id_bytes &&
	       !memcmp(header->build_id, object->build_id, object->build_id_bytes);
}

/* A file whose maker died before it was complete is as good as empty. */
static int open_content(struct file *file)
{
	uint64_t least = WM_FILE_HEADER_BYTES + WM_FILE_FIRST_THREAD_BLOCK * file->stride;
	struct stat status;
	if (fstat(file->descriptor, &status))
		return -1;
	file->bytes = (size_t)status.st_size;
	if (file->bytes == 0) {
		if (grow_to(file, least))
			return -1;
		fill_header(file);
		return 0;
	}
	if (file->bytes < WM_FILE_HEADER_BYTES)
		return -1;
	if (map_whole(file))
		return -1;
	static const char unmade[8];
	if (!memcmp(file->header->magic, unmade, sizeof(unmade)) && file->bytes == least)
		fill_header(file);
	return is_ours(file) && file->bytes >= least ? 0 : -1;
}

static void clear_folded(struct file *file)
{
	uint32_t folded = WM_COMMIT_FOLDED(file->header->commit);
	if (!folded)
		return;
	if (folded < block_count(file))
		memset(block_at(file, folded), 0,
			WM_BLOCK_HEADER_BYTES + file->object->counter_bytes);
	__atomic_store_n(&file->header->commit,
		WM_COMMIT_MAKE(WM_COMMIT_TOTALS(file->header->commit), 0), __ATOMIC_RELEASE);
}

static void fold(struct file *file, uint32_t number)
{
	uint32_t current = WM_COMMIT_TOTALS(file->header->commit);
	struct wm_block_header *from = block_at(file, current);
	struct wm_block_header *to = block_at(file, 1 - current);
	struct wm_block_header *block = block_at(file, number);
	uint64_t *sum = counters_of(to), *totals = counters_of(from), *more = counters_of(block);
	to->runs = from->runs + block->runs;
	for (size_t i = 0; i < file->object->counter_bytes / sizeof(uint64_t); i++)
		sum[i] = totals[i] + more[i];
	__atomic_store_n(
		&file->header->commit, WM_COMMIT_MAKE(1 - current, number), __ATOMIC_RELEASE);
	clear_folded(file);
}

static void fold_the_dead(struct file *file)
{
	clear_folded(file);
	for (uint32_t i = WM_FILE_FIRST_THREAD_BLOCK; i < block_count(file); i++) {
		struct wm_block_header *block = block_at(file, i);
		if (block->state == WM_BLOCK_ACTIVE && wm_process_is_gone(block))
			fold(file, i);
	}
}

static uint64_t find_free(struct file *file)
{
	uint64_t number = WM_FILE_FIRST_THREAD_BLOCK;
	while (number < block_count(file) && block_at(file, number)->state != WM_BLOCK_FREE)
		number++;
	return number;
}

static struct wm_block_header *claim(struct file *file, void *address)
{
	uint64_t number = find_free(file);
	uint64_t offset = WM_FILE_HEADER_BYTES + number * file->stride;
	if (number == block_count(file) && grow_to(file, offset + file->stride))
		return NULL;
	void *mapping = mmap(address, file->stride, PROT_READ | PROT_WRITE,
		MAP_SHARED | (address ? MAP_FIXED : 0), file->descriptor, (off_t)offset);
	if (mapping == MAP_FAILED)
		return NULL;
	struct wm_block_header *block = mapping;
	wm_process_sign(block);
	__atomic_store_n(&block->state, WM_BLOCK_ACTIVE, __ATOMIC_RELEASE);
	return block;
}

/* /dev/null as a profile means none. */
static int is_regular(int descriptor)
{
	struct stat status;
	return !fstat(descriptor, &status) && S_ISREG(status.st_mode);
}

static struct wm_block_header *claim_in(
	const struct wm_object *object, const char *name, void *address, int *foreign)
{
	struct file file = {
		.object = object, .stride = wm_file_block_stride(object->counter_bytes)};
	struct wm_block_header *block = NULL;
	file.descriptor = open_file(name);
	if (file.descriptor < 0)
		return NULL;
	if (is_regular(file.descriptor) && !lock(file.descriptor)) {
		if (open_content(&file)) {
			*foreign = file.bytes > 0;
		} else {
			fold_the_dead(&file);
			block = claim(&file, address);
		}
		if (file.header)
			unmap_whole(&file);
		unlock(file.descriptor);
	}
	close(file.descriptor);
	return block;
}

struct wm_block_header *wm_file_claim(
	const struct wm_object *object, const char *name, void *address)
{
	static char other[PATH_MAX];
	int foreign = 0;
	struct wm_block_header *block = claim_in(object, name, address, &foreign);
	if (!block && foreign && !wm_name_alternative(object, name, other))
		block = claim_in(object, other, address, &foreign);
	return block;
}
