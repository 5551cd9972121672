/* The operating system, called directly.
 *
 * The C library's functions may be replaced by the program's own, are points where a thread can be
 * cancelled, and change errno; the runtime must cause none of this. All calls return what the
 * kernel returns: a negative error number where they fail. */
#ifndef WM_RUNTIME_SYSTEM_H
#define WM_RUNTIME_SYSTEM_H

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

static inline long wm_system_call(long number, long a, long b, long c, long d, long e, long f)
{
	long result;
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	__asm__ volatile("syscall"
		: "=a"(result)
		: "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
		: "rcx", "r11", "memory");
	return result;
}

#define WM_CALL_0(name) wm_system_call(SYS_##name, 0, 0, 0, 0, 0, 0)
#define WM_CALL_1(name, a) wm_system_call(SYS_##name, (long)(a), 0, 0, 0, 0, 0)
#define WM_CALL_2(name, a, b) wm_system_call(SYS_##name, (long)(a), (long)(b), 0, 0, 0, 0)
#define WM_CALL_3(name, a, b, c)                                                                   \
	wm_system_call(SYS_##name, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define WM_CALL_4(name, a, b, c, d)                                                                \
	wm_system_call(SYS_##name, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)

static inline int wm_system_open(const char *name, int flags, unsigned mode)
{
	return (int)WM_CALL_4(openat, AT_FDCWD, name, flags, mode);
}

/* Gives the file a second name, or its first. */
static inline int wm_system_link(const char *path, const char *name)
{
	return (int)wm_system_call(
		SYS_linkat, AT_FDCWD, (long)path, AT_FDCWD, (long)name, AT_SYMLINK_FOLLOW, 0);
}

static inline void wm_system_close(int descriptor)
{
	WM_CALL_1(close, descriptor);
}

static inline long wm_system_read(int descriptor, void *bytes, size_t count, uint64_t offset)
{
	return WM_CALL_4(pread64, descriptor, bytes, count, offset);
}

static inline long wm_system_write(int descriptor, const void *bytes, size_t count, uint64_t offset)
{
	return WM_CALL_4(pwrite64, descriptor, bytes, count, offset);
}

static inline int wm_system_lock(int descriptor, short kind)
{
	struct flock whole = {.l_type = kind};
	return (int)WM_CALL_3(fcntl, descriptor, F_OFD_SETLK, &whole);
}

static inline int wm_system_status(int descriptor, struct stat *status)
{
	return (int)WM_CALL_2(fstat, descriptor, status);
}

static inline int wm_system_truncate(int descriptor, uint64_t bytes)
{
	return (int)WM_CALL_2(ftruncate, descriptor, bytes);
}

static inline int wm_system_allocate(int descriptor, uint64_t from, uint64_t bytes)
{
	return (int)WM_CALL_4(fallocate, descriptor, 0, from, bytes);
}

/* Returns NULL where the kernel does not map. */
static inline void *wm_system_map(
	void *address, size_t bytes, int flags, int descriptor, uint64_t offset)
{
	long result = wm_system_call(SYS_mmap, (long)address, (long)bytes, PROT_READ | PROT_WRITE,
		flags | (address ? MAP_FIXED : 0), descriptor, (long)offset);
	return (unsigned long)result > -4096ul ? NULL : (void *)result;
}

/* Addresses that nothing else gets; they cannot be touched. NULL without room. */
static inline void *wm_system_reserve(size_t bytes)
{
	long result = wm_system_call(SYS_mmap, 0, (long)bytes, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return (unsigned long)result > -4096ul ? NULL : (void *)result;
}

/* Pages of the mapping will be touched here and there: those around them need not be read. */
static inline void wm_system_expect_random(void *address, size_t bytes)
{
	WM_CALL_3(madvise, address, bytes, MADV_RANDOM);
}

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/* Makes the pages that hold these bytes, all at once, as if they were written. Old kernels do not:
 * then it is done one by one when they are. */
static inline void wm_system_make_pages(void *address, size_t bytes)
{
	uintptr_t start = (uintptr_t)address & ~(uintptr_t)4095;
	WM_CALL_3(madvise, start, (uintptr_t)address + bytes - start, MADV_POPULATE_WRITE);
}

/* Moves a mapping, to the address if there is one; one of size zero is not moved but made a second
 * time, if it is shared. */
static inline void *wm_system_remap(void *from, size_t old_bytes, size_t bytes, void *address)
{
	int flags = MREMAP_MAYMOVE | (address ? MREMAP_FIXED : 0);
	long result = wm_system_call(
		SYS_mremap, (long)from, (long)old_bytes, (long)bytes, flags, (long)address, 0);
	return (unsigned long)result > -4096ul ? NULL : (void *)result;
}

static inline void wm_system_unmap(void *address, size_t bytes)
{
	WM_CALL_2(munmap, address, bytes);
}

/* The working directory as an absolute path; negative also where it has none. */
static inline int wm_system_directory(char *path, size_t bytes)
{
	return WM_CALL_2(getcwd, path, bytes) > 0 && path[0] == '/' ? 0 : -1;
}

static inline int wm_system_process(void)
{
	return (int)WM_CALL_0(getpid);
}

static inline int wm_system_thread(void)
{
	return (int)WM_CALL_0(gettid);
}

static inline void wm_system_sleep_millisecond(void)
{
	const struct timespec pause = {0, 1000000};
	WM_CALL_2(nanosleep, &pause, NULL);
}

#endif
