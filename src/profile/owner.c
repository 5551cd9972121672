/* Processes through /proc.
 *
 * A number alone is used again and means nothing in another container. A process counts as gone
 * only if that is certain: no process in our own namespace has its number, the one that has it
 * started at another time, or it is dead and waits for its parent to notice. (If only its first
 * thread is dead, it has more than one thread left.) */
#include "profile/owner.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

struct wm_owner wm_owner_of_chunk(const struct wm_chunk_header *chunk)
{
	return (struct wm_owner){.process = chunk->process,
		.start = chunk->process_start,
		.pid_namespace = chunk->pid_namespace};
}

bool wm_owner_equal(const struct wm_owner *left, const struct wm_owner *right)
{
	return left->process == right->process && left->start == right->start &&
	       left->pid_namespace == right->pid_namespace;
}

bool wm_owner_has_chunk(const struct wm_owner *owner, const struct wm_chunk_header *chunk)
{
	return chunk->process == owner->process &&
	       (chunk->process_start == 0 || chunk->process_start == owner->start) &&
	       (chunk->pid_namespace == 0 || chunk->pid_namespace == owner->pid_namespace);
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

/* What /proc/PROCESS/stat says, all zero if it cannot be read: fields 3, 20 and 22. */
struct life {
	char state;
	uint64_t threads;
	uint64_t start;
};

static struct life life_of(pid_t process)
{
	char text[1024];
	struct life life = {0};
	read_text(process, "stat", text, sizeof text);
	/* The name may hold blanks and brackets itself. */
	const char *fields = strrchr(text, ')');
	if (!fields || sscanf(fields,
			       ") %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
			       "%*s %" SCNu64 " %*s %" SCNu64,
			       &life.state, &life.threads, &life.start) != 3)
		return (struct life){0};
	return life;
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
	owner->start = life_of(process).start;
	owner->pid_namespace = namespace_of(digits);
	if (owner->pid_namespace != 0)
		return 0;
	if (owner->start != 0 && (errno == EACCES || errno == EPERM) && geteuid() == 0)
		return wm_error_set(error, WM_ERROR_SYSTEM,
			"process %d may not be looked into: root has no right to it in this "
			"container or sandbox; run this where the process was started",
			(int)process);
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
	struct life life = life_of((pid_t)owner->process);
	bool waits_for_parent = life.state == 'Z' && life.threads <= 1;
	return waits_for_parent ||
	       (life.start != 0 && owner->start != 0 && life.start != owner->start);
}
