/* A process is its number, its start time and its process-id namespace: a number alone is used
 * again and means nothing in another container. Where any of it cannot be read, the owner counts as
 * alive: its block is then kept, and readers sum it all the same. */
#define _GNU_SOURCE
#include "runtime/process.h"

#include <errno.h>
#include <string.h>

#include "runtime/system.h"

static char *put_decimal(char *to, uint32_t number)
{
	if (number >= 10)
		to = put_decimal(to, number / 10);
	*to++ = (char)('0' + number % 10);
	return to;
}

/* Field 22 of /proc/PID/stat, counted behind the parenthesised name; 0 if it cannot be read. */
static uint64_t start_time(uint32_t process)
{
	char path[32] = "/proc/", stat[1024];
	strcpy(put_decimal(path + 6, process), "/stat");
	int file = wm_system_open(path, O_RDONLY | O_CLOEXEC, 0);
	if (file < 0)
		return 0;
	long bytes = wm_system_read(file, stat, sizeof(stat) - 1, 0);
	wm_system_close(file);
	stat[bytes > 0 ? bytes : 0] = 0;
	const char *field = strrchr(stat, ')');
	for (int number = 2; field && number < 22; number++)
		field = strchr(field + 1, ' ');
	uint64_t ticks = 0;
	while (field && *++field >= '0' && *field <= '9')
		ticks = ticks * 10 + (uint64_t)(*field - '0');
	return ticks;
}

static uint64_t own_namespace(void)
{
	struct stat status;
	return WM_CALL_2(stat, "/proc/self/ns/pid", &status) ? 0 : (uint64_t)status.st_ino;
}

void wm_process_sign(struct wm_block_header *block)
{
	block->process = (uint32_t)wm_system_process();
	block->process_start = start_time(block->process);
	block->pid_namespace = own_namespace();
}

int wm_process_is_gone(const struct wm_block_header *block)
{
	if (!block->pid_namespace || block->pid_namespace != own_namespace())
		return 0;
	if (WM_CALL_2(kill, block->process, 0) == -ESRCH)
		return 1;
	uint64_t ticks = start_time(block->process);
	return ticks && block->process_start && ticks != block->process_start;
}
