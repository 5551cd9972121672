/* Linked into programs that against_trace.py writes calls into: what each thread does, in order, as
 * numbers. The record is a shared mapping, so it is whole however the program ends. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

struct entry {
	uint32_t thread, what;
};

enum { MAX_ENTRIES = 1 << 22 };

static struct record {
	uint64_t used, unused;
	struct entry entries[MAX_ENTRIES];
} *record;

__attribute__((constructor(101))) static void start(void)
{
	const char *name = getenv("WAYMARK_TEST_RECORD");
	int file = name ? open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
	if (file < 0 || ftruncate(file, sizeof *record))
		return;
	void *mapped = mmap(NULL, sizeof *record, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	close(file);
	if (mapped != MAP_FAILED)
		record = mapped;
}

void waymark_test_record(uint32_t what)
{
	if (!record)
		return;
	uint64_t at = __atomic_fetch_add(&record->used, 1, __ATOMIC_RELAXED);
	if (at < MAX_ENTRIES)
		record->entries[at] = (struct entry){(uint32_t)syscall(SYS_gettid), what};
}
