/* Processes through /proc.
 *
 * A number alone is used again and means nothing in another container. A process counts as gone
 * only if that is certain: nobody in our own namespace has its number, or whoever has it started at
 * another time.
 */
#include "profile/owner.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct wm_owner wm_owner_of_block(const struct wm_block_header *block)
{
	return (struct wm_owner){.process = block->process,
		.start = block->process_start,
		.pid_namespace = block->pid_namespace};
}

bool wm_owner_equal(const struct wm_owner *left, const struct wm_owner *right)
{
	return left->process == right->process && left->start == right->start &&
	       left->pid_namespace == right->pid_namespace;
}

bool wm_owner_has_block(const struct wm_owner *owner, const struct wm_block_header *block)
{
	return block->process == owner->process &&
	       (block->process_start == 0 || block->process_start == owner->start) &&
	       (block->pid_namespace == 0 || block->pid_namespace == owner->pid_namespace);
}

/* The start of /proc/PROCESS/NAME as text, empty if it cannot be read; false with errno set. */
static bool read_text(pid_t process, const char *name, char *text, size_t bytes)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/%s", (int)process, name);
	text[0] = '\0';
	FILE *file = fopen(path, "re");
	if (!file)
		return false;
	text[fread(text, 1, bytes - 1, file)] = '\0';
	fclose(file);
	return true;
}

static uint64_t namespace_of(const char *process)
{
	char path[64];
	struct stat status;
	snprintf(path, sizeof path, "/proc/%s/ns/pid", process);
	return stat(path, &status) == 0 ? (uint64_t)status.st_ino : 0;
}

/* The 22nd field; 0 if it cannot be read. */
static uint64_t start_of(pid_t process)
{
	enum { FIELDS_FROM_NAME_TO_START = 20 };
	char text[1024];
	uint64_t start = 0;
	read_text(process, "stat", text, sizeof text);
	/* The name may hold blanks and brackets itself. */
	const char *field = strrchr(text, ')');
	for (int i = 0; field && i < FIELDS_FROM_NAME_TO_START; i++)
		field = strchr(field + 1, ' ');
	if (!field || sscanf(field, "%" SCNu64, &start) != 1)
		return 0;
	return start;
}

/* A process in a container has one number for each namespace around it; its own is the last. */
static uint32_t innermost_number(pid_t process)
{
	char text[4096];
	read_text(process, "status", text, sizeof text);
	char *line = strstr(text, "\nNSpid:");
	uint32_t number = (uint32_t)process, next;
	int used;
	for (line = line ? line + strlen("\nNSpid:") : text;
		sscanf(line, "%*1[\t]%" SCNu32 "%n", &next, &used) == 1; line += used)
		number = next;
	return number;
}

int wm_owner_of_process(pid_t process, struct wm_owner *owner, struct wm_error *error)
{
	char digits[16];
	snprintf(digits, sizeof digits, "%d", (int)process);
	owner->process = innermost_number(process);
	owner->start = start_of(process);
	owner->pid_namespace = namespace_of(digits);
	if (owner->pid_namespace != 0)
		return 0;
	if (owner->start != 0 && (errno == EACCES || errno == EPERM))
		return wm_error_set(error, WM_ERROR_SYSTEM,
			"process %d belongs to somebody else; become its user, or root",
			(int)process);
	return wm_error_set(
		error, WM_ERROR_INPUT, "there is no process %d, or it has ended", (int)process);
}

bool wm_owner_is_gone(const struct wm_owner *owner)
{
	if (owner->pid_namespace == 0 || owner->pid_namespace != namespace_of("self"))
		return false;
	if (kill((pid_t)owner->process, 0) != 0 && errno == ESRCH)
		return true;
	uint64_t start = start_of((pid_t)owner->process);
	return start != 0 && owner->start != 0 && start != owner->start;
}
