/* Making and growing the .wmt file. It is open only while it grows: a program may close what it
 * does not know. A process has one file for each of its objects, so there is no lock on it. */
#define _GNU_SOURCE
#include "runtime/record/trace_file.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>

#include "runtime/file/name.h"
#include "runtime/state.h"
#include "runtime/system.h"
#include "runtime/text.h"

enum { MAX_NAMES = 1000 };

static char name[PATH_MAX];
static uint64_t piece_count;
static int failed;

void wm_trace_file_forget(void)
{
	name[0] = 0;
	piece_count = 0;
	failed = 0;
}

static size_t put(char *to, size_t used, const char *text)
{
	while (*text && used + 1 < PATH_MAX)
		to[used++] = *text++;
	to[used] = 0;
	return used;
}

static size_t put_number(char *to, size_t used, uint32_t number)
{
	char digits[16];
	*wm_text_decimal(digits, number) = 0;
	return put(to, used, digits);
}

static size_t length(const char *text)
{
	size_t bytes = 0;
	while (text[bytes])
		bytes++;
	return bytes;
}

/* The name of the profile without its ending. */
static size_t put_stem(void)
{
	static char profile[PATH_MAX];
	if (wm_name_expand(wm_state.object.host, wm_state.pattern, profile))
		return 0;
	size_t used = put(name, 0, profile);
	if (used > 4 && name[used - 4] == '.' && name[used - 3] == 'w' && name[used - 2] == 'm' &&
		name[used - 1] == 'k')
		used -= 4;
	return used;
}

static size_t put_library(size_t used)
{
	const char *path = wm_state.object.path, *last = path;
	if (!wm_object_is_guest(&wm_state.object))
		return used;
	for (; *path; path++)
		if (*path == '/')
			last = path + 1;
	return put(name, put(name, used, "-"), last);
}

/* A process that executes another program keeps its number. */
static int make_file(void)
{
	size_t stem = put_stem();
	if (!stem)
		return -1;
	stem = put_number(name, put(name, put_library(stem), "-"), (uint32_t)wm_system_process());
	for (uint32_t i = 1; i < MAX_NAMES; i++) {
		size_t used = i == 1 ? stem : put_number(name, put(name, stem, "-"), i);
		if (put(name, used, ".wmt") + 1 >= PATH_MAX)
			return -1;
		int descriptor = wm_system_open(
			name, O_RDWR | O_CLOEXEC | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
		if (descriptor >= 0 || descriptor != -EEXIST)
			return descriptor;
	}
	return -1;
}

static int write_all(int descriptor, const void *bytes, size_t count, uint64_t offset)
{
	return wm_system_write(descriptor, bytes, count, offset) == (long)count ? 0 : -1;
}

static int write_header(int descriptor)
{
	static struct wm_trace_header header;
	const struct wm_own_object *object = &wm_state.object;
	header = (struct wm_trace_header){.process = (uint32_t)wm_system_process(),
		.counters = (uint64_t)(uintptr_t)object->counters,
		.counter_count = object->counter_bytes / sizeof(uint64_t),
		.ring = __waymark_trace_ring,
		.build_id_bytes = object->build_id_bytes};
	memcpy(header.magic, WM_TRACE_MAGIC, sizeof header.magic);
	memcpy(header.build_id, object->build_id, sizeof header.build_id);
	memcpy(header.path, object->path, length(object->path));
	return write_all(descriptor, &header, sizeof header, 0);
}

static int open_file(void)
{
	if (name[0])
		return wm_system_open(name, O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0);
	int descriptor = make_file();
	if (descriptor >= 0 && write_header(descriptor)) {
		wm_system_close(descriptor);
		descriptor = -1;
	}
	return descriptor;
}

/* Beyond its limit on file sizes a process gets a signal. */
static int exceeds_limit(uint64_t bytes)
{
	struct rlimit limit;
	return !WM_CALL_2(getrlimit, RLIMIT_FSIZE, &limit) && limit.rlim_cur != RLIM_INFINITY &&
	       bytes > limit.rlim_cur;
}

static int write_zeros(int descriptor, uint64_t from, uint64_t bytes)
{
	static const char zeros[WM_TRACE_PAGE_BYTES];
	for (uint64_t at = 0; at < bytes; at += sizeof zeros)
		if (write_all(descriptor, zeros, sizeof zeros, from + at))
			return -1;
	return 0;
}

/* Space on the disk, so that a full disk shows here and not as a signal in the program. */
static int reserve(int descriptor, uint64_t from, uint64_t bytes)
{
	if (exceeds_limit(from + bytes))
		return -1;
	int status = wm_system_allocate(descriptor, from, bytes);
	if (status == -EOPNOTSUPP || status == -ENOSYS)
		return write_zeros(descriptor, from, bytes);
	return status;
}

static uint64_t bytes_of(const struct wm_trace_entry *entry)
{
	return entry->kind == WM_TRACE_CONTROL ? WM_TRACE_PAGE_BYTES : WM_TRACE_PIECE_BYTES;
}

static int add_piece(int descriptor, const struct wm_trace_entry *entry, void *address)
{
	uint64_t offset = wm_trace_piece_offset(piece_count), bytes = bytes_of(entry);
	if (piece_count % WM_TRACE_GROUP_PIECES == 0 &&
		reserve(descriptor, wm_trace_entry_offset(piece_count), WM_TRACE_PAGE_BYTES))
		return -1;
	if (reserve(descriptor, offset, bytes) ||
		!wm_system_map(address, bytes, MAP_SHARED, descriptor, offset))
		return -1;
	return write_all(descriptor, entry, sizeof *entry, wm_trace_entry_offset(piece_count++));
}

static void say_full(int descriptor)
{
	const uint32_t status = WM_TRACE_FULL;
	write_all(descriptor, &status, sizeof status, offsetof(struct wm_trace_header, status));
}

int wm_trace_file_map(const struct wm_trace_entry *entry, void *address, uint32_t *piece)
{
	int descriptor = failed ? -1 : open_file();
	if (descriptor < 0)
		return -1;
	failed = add_piece(descriptor, entry, address);
	if (failed)
		say_full(descriptor);
	wm_system_close(descriptor);
	*piece = (uint32_t)piece_count;
	return failed ? -1 : 0;
}

/* While it is cleared it belongs to nothing. */
static int change_piece(int descriptor, const struct wm_trace_entry *entry, void *address,
	uint32_t piece, uint64_t *lost)
{
	const struct wm_trace_entry none = {entry->stream, WM_TRACE_OVERWRITTEN, entry->number};
	struct wm_trace_entry before;
	uint64_t at = wm_trace_entry_offset(piece - 1);
	if (wm_system_read(descriptor, &before, sizeof before, at) != sizeof before)
		return -1;
	*lost = before.number;
	if (write_all(descriptor, &none, sizeof none, at) ||
		!wm_system_map(address, WM_TRACE_PIECE_BYTES, MAP_SHARED, descriptor,
			wm_trace_piece_offset(piece - 1)))
		return -1;
	memset(address, 0, WM_TRACE_PIECE_BYTES);
	return write_all(descriptor, entry, sizeof *entry, at);
}

int wm_trace_file_map_again(
	const struct wm_trace_entry *entry, void *address, uint32_t piece, uint64_t *lost)
{
	int descriptor = open_file();
	if (descriptor < 0)
		return -1;
	int status = change_piece(descriptor, entry, address, piece, lost);
	wm_system_close(descriptor);
	return status;
}
