/* Linked into the build of the oracle for paths in place of the runtime's functions: writes down
 * every block that is entered, with its thread, in the order of execution. The log is a shared
 * mapping, so it is whole however the program ends. One log for each object, in the folder
 * WAYMARK_TEST_LOG.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define HIDDEN __attribute__((visibility("hidden")))

struct entry {
	uint32_t process, thread, block, function;
};

enum { MAX_ENTRIES = 1 << 26 };

static struct log {
	uint64_t used, unused;
	struct entry entries[];
} *blocks;

extern uint64_t __start_waymark_counters[] HIDDEN;

static void start(void)
{
	char name[4096];
	const char *folder = getenv("WAYMARK_TEST_LOG");
	for (int i = 0; folder && i < 1000 && !blocks; i++) {
		snprintf(name, sizeof name, "%s/%d-%d.log", folder, (int)getpid(), i);
		int file = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		size_t bytes = sizeof *blocks + MAX_ENTRIES * sizeof(struct entry);
		if (file < 0 || ftruncate(file, (off_t)bytes))
			continue;
		void *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
		close(file);
		if (mapped != MAP_FAILED)
			blocks = mapped;
	}
}

HIDDEN uint64_t __waymark_oracle_enter(
	const uint64_t *site, uint64_t state, uint32_t block, uint32_t cut)
{
	(void)cut;
	if (!blocks)
		start();
	if (!blocks)
		return state;
	uint64_t at = __atomic_fetch_add(&blocks->used, 1, __ATOMIC_RELAXED);
	if (at < MAX_ENTRIES)
		blocks->entries[at] =
			(struct entry){(uint32_t)syscall(SYS_getpid), (uint32_t)syscall(SYS_gettid),
				block, (uint32_t)(site - __start_waymark_counters)};
	return state;
}

HIDDEN void __waymark_oracle_end(const uint64_t *site, uint64_t state, uint32_t exit)
{
	(void)site, (void)state, (void)exit;
}
