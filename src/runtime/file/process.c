/* A process is its number, its start time and its process-id namespace: a number alone is used
 * again and means nothing in another container. Where any of it cannot be read, the owner counts as
 * alive: its chunk is then kept, and readers sum it all the same. */
#define _GNU_SOURCE
#include "runtime/file/process.h"

#include <errno.h>
#include <string.h>

#include "runtime/system.h"
#include "runtime/text.h"

/* What /proc/PID/stat says of a process, all zero if it cannot be read. */
struct life {
	char state;
	uint64_t threads;
	uint64_t start;
};

static uint64_t number_at(const char *text)
{
	uint64_t number = 0;
	while (*text >= '0' && *text <= '9')
		number = number * 10 + (uint64_t)(*text++ - '0');
	return number;
}

/* The field of that number, counted behind the parenthesised name, which is the second. */
static const char *field_at(const char *stat, int wanted)
{
	const char *field = strrchr(stat, ')');
	for (int number = 2; field && number < wanted; number++)
		field = strchr(field + 1, ' ');
	return field ? field + 1 : "";
}

static struct life life_of(uint32_t process)
{
	char path[32] = "/proc/", stat[1024];
	strcpy(wm_text_decimal(path + 6, process), "/stat");
	int file = wm_system_open(path, O_RDONLY | O_CLOEXEC, 0);
	if (file < 0)
		return (struct life){0};
	long bytes = wm_system_read(file, stat, sizeof(stat) - 1, 0);
	wm_system_close(file);
	stat[bytes > 0 ? bytes : 0] = 0;
	return (struct life){.state = *field_at(stat, 3),
		.threads = number_at(field_at(stat, 20)),
		.start = number_at(field_at(stat, 22))};
}

static uint64_t own_namespace(void)
{
	struct stat status;
	return WM_CALL_2(stat, "/proc/self/ns/pid", &status) ? 0 : (uint64_t)status.st_ino;
}

void wm_process_sign(struct wm_chunk_header *chunk)
{
	chunk->process = (uint32_t)wm_system_process();
	chunk->process_start = life_of(chunk->process).start;
	chunk->pid_namespace = own_namespace();
}

int wm_process_is_gone(const struct wm_chunk_header *chunk)
{
	if (!chunk->pid_namespace || chunk->pid_namespace != own_namespace())
		return 0;
	if (WM_CALL_2(kill, chunk->process, 0) == -ESRCH)
		return 1;
	struct life life = life_of(chunk->process);
	if (life.state == 'Z' && life.threads <= 1) /* with more, only its first thread is dead */
		return 1;
	return life.start && chunk->process_start && life.start != chunk->process_start;
}

int wm_process_lacks_thread(int thread)
{
	return !thread || WM_CALL_3(tgkill, wm_system_process(), thread, 0) == -ESRCH;
}

int wm_process_is_one_thread(void)
{
	const uint64_t links_without_threads = 2; /* as of any directory without others */
	struct stat status;
	return !WM_CALL_2(stat, "/proc/self/task", &status) &&
	       status.st_nlink == links_without_threads + 1;
}

int wm_process_is_traced(void)
{
	static const char name[] = "TracerPid:\t";
	char status[2048];
	int file = wm_system_open("/proc/self/status", O_RDONLY | O_CLOEXEC, 0);
	long bytes = file < 0 ? 0 : WM_CALL_3(read, file, status, sizeof status - 1);
	if (file >= 0)
		wm_system_close(file);
	status[bytes > 0 ? bytes : 0] = '\0';
	for (long i = 0; i + (long)sizeof name <= bytes; i++)
		if (memcmp(status + i, name, sizeof name - 1) == 0)
			return status[i + (long)sizeof name - 1] != '0';
	return 0;
}
