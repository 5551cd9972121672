/* Opening, making and growing the .wmk file.
 *
 * Everything happens under one lock on the open file, which the kernel drops when the process dies.
 * The file is only read and written here. Chunks and extents map it.
 */
#define _GNU_SOURCE
#include "runtime/file/file.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/sysmacros.h>

#include "runtime/file/failure.h"
#include "runtime/system.h"
#include "runtime/text.h"

enum {
	LOCK_ATTEMPTS = 2000,	      /* a millisecond each, while one process has the lock */
	LOCK_ATTEMPTS_IN_ALL = 30000, /* while it goes from one process to the next */
	OPEN_ATTEMPTS = 100	      /* of a name whose file is replaced again and again */
};

static void make_directories(char *name)
{
	for (char *slash = strchr(name + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		WM_CALL_2(mkdir, name, 0777);
		*slash = '/';
	}
}

/* A program that runs with more rights than its user follows no link, and no one else may read its
 * counts. */
static int open_as(const char *name, int more_flags)
{
	static int asked, secure; /* later, vector registers are not ours: see count.c */
	if (!asked)
		secure = getauxval(AT_SECURE) != 0;
	asked = 1;
	const int flags = O_RDWR | O_CLOEXEC | O_NONBLOCK | (secure ? O_NOFOLLOW : 0);
	return wm_system_open(name, flags | more_flags, secure ? 0600 : 0666);
}

/* /dev/null as a profile means none. */
static int check_regular(int descriptor)
{
	struct stat status;
	int failed = wm_system_status(descriptor, &status);
	if (failed)
		return wm_failure_of_call("cannot read", failed);
	if (S_ISREG(status.st_mode))
		return 0;
	if (S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3))
		return wm_failure_none();
	return wm_failure_of_file("cannot write", "not a regular file");
}

static uint64_t lock_count_of(int descriptor)
{
	uint64_t count = 0;
	wm_system_read(
		descriptor, &count, sizeof(count), offsetof(struct wm_file_header, lock_count));
	return count;
}

/* Waits a bounded time, and only once: a process that holds the lock must not stop others. */
static int lock(int descriptor)
{
	static int attempts = LOCK_ATTEMPTS;
	uint64_t count = 0;
	for (int i = 0, attempt = 0; i < LOCK_ATTEMPTS_IN_ALL && attempt < attempts; i++) {
		int status = wm_system_lock(descriptor, F_WRLCK);
		if (!status)
			return 0;
		if (status != -EAGAIN && status != -EACCES && status != -EINTR)
			return wm_failure_of_call("cannot lock", status);
		wm_system_sleep_millisecond();
		uint64_t now = lock_count_of(descriptor);
		attempt = now == count ? attempt + 1 : 1;
		count = now;
	}
	attempts = 1;
	return wm_failure_of_file("cannot lock", "another process keeps it locked");
}

/* Closing is not enough: the lock belongs to the open file, which a mapped chunk keeps alive. */
static void unlock(int descriptor)
{
	wm_system_lock(descriptor, F_UNLCK);
}

/* Beyond its limit on file sizes a process gets a signal. */
static int exceeds_limit(uint64_t bytes)
{
	struct rlimit limit;
	return !WM_CALL_2(getrlimit, RLIMIT_FSIZE, &limit) && limit.rlim_cur != RLIM_INFINITY &&
	       bytes > limit.rlim_cur;
}

int wm_file_write(
	const struct wm_locked_file *file, const void *bytes, size_t count, uint64_t offset)
{
	for (size_t done = 0; done < count;) {
		long written = wm_system_write(
			file->descriptor, (const char *)bytes + done, count - done, offset + done);
		if (written <= 0 && written != -EINTR)
			return wm_failure_of_call("cannot write", written ? written : -ENOSPC);
		done += written > 0 ? (size_t)written : 0;
	}
	return 0;
}

/* For the processes that wait: see lock. */
static void count_lock(const struct wm_locked_file *file, uint64_t count)
{
	const uint64_t offset = offsetof(struct wm_file_header, lock_count);
	count++;
	if (!exceeds_limit(offset + sizeof(count)))
		wm_file_write(file, &count, sizeof(count), offset);
}

static int write_zeros(const struct wm_locked_file *file, uint64_t from, uint64_t to)
{
	static const char zeros[4096];
	for (uint64_t at = from; at < to; at += sizeof(zeros))
		if (wm_file_write(file, zeros, sizeof(zeros), at))
			return -1;
	return 0;
}

/* Not all file systems can reserve space. */
static int is_unable(int status)
{
	return status == -EOPNOTSUPP || status == -ENOSYS;
}

/* Extends the file with real, zeroed space. */
static int reserve(const struct wm_locked_file *file, uint64_t from, uint64_t to)
{
	if (exceeds_limit(to))
		return wm_failure_of_call("cannot write", -EFBIG);
	int status = wm_system_allocate(file->descriptor, from, to - from);
	if (is_unable(status))
		return write_zeros(file, from, to);
	return status ? wm_failure_of_call("cannot write", status) : 0;
}

/* The second fold makes chunk 0 current again, which then has a checksum. */
static int was_folded(const struct wm_locked_file *file)
{
	struct wm_chunk_header first;
	uint64_t commit;
	return wm_system_read(file->descriptor, &commit, sizeof(commit),
		       offsetof(struct wm_file_header, commit)) != sizeof(commit) ||
	       wm_system_read(file->descriptor, &first, sizeof(first), wm_file_offset(file, 0)) !=
		       sizeof(first) ||
	       commit || first.checksum;
}

int wm_file_reserve_totals(const struct wm_locked_file *file)
{
	uint64_t from = wm_file_offset(file, 0);
	uint64_t to = wm_file_offset(file, WM_FILE_TOTALS_UNITS);
	int status = wm_system_allocate(file->descriptor, from, to - from);
	if (!is_unable(status))
		return status;
	return was_folded(file) ? 0 : write_zeros(file, from, to);
}

uint64_t wm_file_offset(const struct wm_locked_file *file, uint64_t unit)
{
	return WM_FILE_HEADER_BYTES + unit * file->unit_bytes;
}

/* A process killed while appending a chunk may have left bytes behind the last one. */
int wm_file_reserve(struct wm_locked_file *file, uint64_t units)
{
	uint64_t from = wm_file_offset(file, file->unit_count);
	int status = file->unit_count + units > INT32_MAX
			     ? -EFBIG
			     : wm_system_truncate(file->descriptor, from);
	if (status)
		return wm_failure_of_call("cannot write", status);
	if (!reserve(file, from, wm_file_offset(file, file->unit_count + units)))
		return 0;
	/* If this fails: readers ignore what lies behind the last chunk. */
	wm_system_truncate(file->descriptor, from);
	return -1;
}

int wm_file_append(struct wm_locked_file *file, uint64_t units)
{
	uint64_t grown = file->unit_count + units;
	if (wm_file_write(
		    file, &grown, sizeof(grown), offsetof(struct wm_file_header, unit_count))) {
		wm_system_truncate(file->descriptor, wm_file_offset(file, file->unit_count));
		return -1;
	}
	file->unit_count = grown;
	return 0;
}

void wm_file_describe(const struct wm_own_object *object, struct wm_file_header *header)
{
	memset(header, 0, sizeof(*header));
	header->build_id_bytes = object->build_id_bytes;
	memcpy(header->build_id, object->build_id, sizeof(header->build_id));
	memcpy(header->object_path, object->path, sizeof(header->object_path));
	wm_file_header_complete(header, object->counter_bytes);
}

static int is_ours(const struct wm_locked_file *file, const struct wm_file_header *header)
{
	const struct wm_own_object *object = file->object->host;
	return !memcmp(header->magic, WM_FILE_MAGIC, sizeof(header->magic)) &&
	       header->version == WM_FILE_VERSION &&
	       header->identity_checksum == wm_file_identity_checksum(header) &&
	       header->counter_bytes == object->counter_bytes &&
	       header->unit_bytes == file->unit_bytes &&
	       header->build_id_bytes == object->build_id_bytes &&
	       !memcmp(header->build_id, object->build_id, object->build_id_bytes);
}

/* By a hole. */
static int grow(const struct wm_locked_file *file, uint64_t bytes)
{
	int status = exceeds_limit(bytes) ? -EFBIG : wm_system_truncate(file->descriptor, bytes);
	return status ? wm_failure_of_call("cannot write", status) : 0;
}

/* The header is written last: before it, the file is as good as empty. The totals are still a hole.
 */
static int make_content(struct wm_locked_file *file, struct wm_file_header *header)
{
	uint64_t bytes = wm_file_offset(file, WM_FILE_TOTALS_UNITS);
	wm_file_describe(file->object->host, header);
	if (reserve(file, 0, WM_FILE_HEADER_BYTES) || grow(file, bytes) ||
		wm_file_write(file, header, sizeof(*header), 0)) {
		wm_system_truncate(file->descriptor, 0);
		return -1;
	}
	file->unit_count = header->unit_count;
	return 0;
}

/* Only one thread of one process gets here at a time; the header is too large for some stacks. */
static int open_content(struct wm_locked_file *file, int *foreign)
{
	static struct wm_file_header header;
	static const char unmade[sizeof(header.magic)];
	struct stat status;
	long failed = wm_system_status(file->descriptor, &status);
	memset(&header, 0, sizeof(header));
	if (failed || (failed = wm_system_read(file->descriptor, &header, sizeof(header), 0)) < 0)
		return wm_failure_of_call("cannot read", failed);
	uint64_t least = wm_file_offset(file, WM_FILE_TOTALS_UNITS);
	file->folded = WM_COMMIT_FOLDED(header.commit);
	if (!memcmp(header.magic, unmade, sizeof(unmade)) && (uint64_t)status.st_size <= least)
		return make_content(file, &header);
	file->unit_count = header.unit_count;
	*foreign = !is_ours(file, &header) || header.unit_count < WM_FILE_TOTALS_UNITS ||
		   header.unit_count > INT32_MAX ||
		   (uint64_t)status.st_size < wm_file_offset(file, header.unit_count);
	if (*foreign)
		return wm_failure_of_file("cannot use", "not a whole profile of this build");
	count_lock(file, header.lock_count);
	return 0;
}

/* Makes the file without a name and gives it one when it is complete, so that no process finds half
 * a file. Not all file systems can do this. */
static void make_unseen(struct wm_locked_file *file, const char *name, const char *directory)
{
	static struct wm_file_header header;
	char path[32] = "/proc/self/fd/";
	file->descriptor = open_as(directory, O_TMPFILE);
	if (file->descriptor < 0)
		return;
	*wm_text_decimal(path + 14, (uint32_t)file->descriptor) = 0;
	if (!make_content(file, &header))
		wm_system_link(path, name);
	wm_system_close(file->descriptor);
}

/* Opens the file, after making it if need be. */
static int open_descriptor(struct wm_locked_file *file, const char *name)
{
	static char directory[PATH_MAX];
	int descriptor = open_as(name, 0);
	if (descriptor >= 0)
		return descriptor;
	if (descriptor != -ENOENT)
		return wm_failure_of_call("cannot open", descriptor);
	strncpy(directory, name, sizeof(directory) - 1);
	make_directories(directory);
	char *slash = strrchr(directory, '/');
	slash[slash == directory] = 0;
	make_unseen(file, name, directory);
	descriptor = open_as(name, O_CREAT);
	return descriptor < 0 ? wm_failure_of_call("cannot create", descriptor) : descriptor;
}

/* Opens and locks the file that has the name now: `waymark merge` may replace one in between, and
 * what is counted into the old one would be lost. */
static int open_locked(struct wm_locked_file *file, const char *name)
{
	for (int attempt = 0; attempt < OPEN_ATTEMPTS; attempt++) {
		struct stat status;
		int descriptor = open_descriptor(file, name);
		if (descriptor < 0)
			return -1;
		int locked = !check_regular(descriptor) && !lock(descriptor);
		if (locked && !wm_system_status(descriptor, &status) && status.st_nlink > 0)
			return descriptor;
		if (locked)
			unlock(descriptor);
		wm_system_close(descriptor);
		if (!locked)
			return -1;
	}
	return wm_failure_of_file("cannot open", "it is replaced again and again");
}

int wm_file_open(struct wm_locked_file *file, const struct wm_own_object *object, const char *name,
	int *foreign)
{
	*foreign = 0;
	wm_failure_about(name);
	*file = (struct wm_locked_file){
		.object = object, .unit_bytes = wm_object_unit_bytes(object)};
	file->descriptor = open_locked(file, name);
	if (file->descriptor < 0)
		return -1;
	if (!open_content(file, foreign))
		return 0;
	wm_file_close(file);
	return -1;
}

void wm_file_close(struct wm_locked_file *file)
{
	unlock(file->descriptor);
	wm_system_close(file->descriptor);
}
