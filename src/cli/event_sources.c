/* The kernel alone knows what it permits: so each source is opened, not concluded from settings. */
#define _GNU_SOURCE /* setgroups */
#include "cli/event_sources.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOBODY = 65534, CHILD_FAILED = 255 };

/* Not errors of the kernel: above them. */
enum trouble { NO_TRACEFS = 200, NO_RDPMC, NO_EVENTS };

static uint64_t watched; /* by the breakpoint */

/* Returns the descriptor, or a negative errno. */
static int open_event(uint32_t type, uint64_t config)
{
	struct perf_event_attr attributes;
	memset(&attributes, 0, sizeof attributes);
	attributes.size = sizeof attributes;
	attributes.type = type;
	attributes.config = config;
	attributes.disabled = 1;
	attributes.exclude_kernel = type != PERF_TYPE_TRACEPOINT;
	attributes.exclude_hv = 1;
	if (type == PERF_TYPE_BREAKPOINT) {
		attributes.bp_type = HW_BREAKPOINT_W;
		attributes.bp_addr = (uintptr_t)&watched;
		attributes.bp_len = HW_BREAKPOINT_LEN_8;
	}
	long descriptor =
		syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	return descriptor < 0 ? -errno : (int)descriptor;
}

static int try_event(uint32_t type, uint64_t config)
{
	int descriptor = open_event(type, config);
	if (descriptor < 0)
		return descriptor == -ENOSYS ? NO_EVENTS : -descriptor;
	close(descriptor);
	return 0;
}

static int try_task_clock(void)
{
	return try_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
}

static int try_page_faults(void)
{
	return try_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
}

static int try_breakpoint(void)
{
	return try_event(PERF_TYPE_BREAKPOINT, 0);
}

/* Where the number of an event stands depends on how tracefs was mounted. */
static int try_tracepoint(void)
{
	static const char *const paths[] = {"/sys/kernel/tracing/events/raw_syscalls/sys_enter/id",
		"/sys/kernel/debug/tracing/events/raw_syscalls/sys_enter/id"};
	int trouble = NO_TRACEFS;
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		unsigned long long id;
		FILE *file = fopen(paths[i], "re");
		if (!file && (errno == EACCES || errno == EPERM))
			trouble = EACCES;
		if (!file)
			continue;
		int found = fscanf(file, "%llu", &id);
		fclose(file);
		if (found == 1)
			return try_event(PERF_TYPE_TRACEPOINT, id);
	}
	return trouble;
}

static int try_core(void)
{
	return try_event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
}

static int try_rdpmc(void)
{
	int descriptor = open_event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS), trouble = 0;
	if (descriptor < 0)
		return descriptor == -ENOSYS ? NO_EVENTS : -descriptor;
	size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
	struct perf_event_mmap_page *page = mmap(NULL, bytes, PROT_READ, MAP_SHARED, descriptor, 0);
	if (page == MAP_FAILED)
		trouble = errno;
	else if (!page->cap_user_rdpmc)
		trouble = NO_RDPMC;
	if (page != MAP_FAILED)
		munmap(page, bytes);
	close(descriptor);
	return trouble;
}

static const struct {
	const char *name;
	int (*try)(void);
	const char *use; /* what it is good for */
} sources[WM_EVENT_SOURCES] = {
	{"task-clock", try_task_clock, "perf record -e task-clock samples time by it"},
	{"page-faults", try_page_faults, "counted exactly"},
	{"breakpoints", try_breakpoint, "they count the writes of a variable exactly"},
	{"tracepoints", try_tracepoint, "events of the kernel"},
	{"core PMU", try_core, "cycles, instructions, cache misses"},
	{"rdpmc", try_rdpmc, "programs can read the core PMU without a system call"}};

/* The same as a user without rights. CHILD_FAILED: it could not be tried. */
static int try_as_nobody(int (*try)(void))
{
	int status;
	fflush(NULL);
	pid_t child = fork();
	if (child < 0)
		return CHILD_FAILED;
	if (child == 0) {
		if (setgroups(0, NULL) != 0 || setgid(NOBODY) != 0 || setuid(NOBODY) != 0)
			_exit(CHILD_FAILED);
		int trouble = try();
		_exit(trouble >= 0 && trouble < CHILD_FAILED ? trouble : CHILD_FAILED);
	}
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return CHILD_FAILED;
	return WIFEXITED(status) ? WEXITSTATUS(status) : CHILD_FAILED;
}

static bool forbidden(int trouble)
{
	return trouble == EACCES || trouble == EPERM;
}

static void put_permission(char *text, size_t bytes)
{
	int level = 0;
	FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
	bool known = file && fscanf(file, "%d", &level) == 1;
	if (file)
		fclose(file);
	if (known)
		snprintf(text, bytes, "perf_event_paranoid is %d", level);
	else
		snprintf(text, bytes, "the kernel has no perf_event_paranoid");
}

static const char *reason(int trouble, bool of_core)
{
	switch (trouble) {
	case NO_TRACEFS:
		return "tracefs is not mounted; as root: mount -t tracefs tracefs "
		       "/sys/kernel/tracing";
	case NO_RDPMC:
		return "the kernel does not permit it; as root: echo 1 > /sys/devices/cpu/rdpmc";
	case NO_EVENTS:
		return "this kernel has no perf events";
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		return of_core ? "there is no core PMU (a virtual machine?)"
			       : "this processor or kernel does not have it";
	default:
		return strerror(trouble);
	}
}

static void put_forbidden(struct wm_event_source *source, bool is_tracepoint)
{
	char permission[64];
	put_permission(permission, sizeof permission);
	if (geteuid() == 0)
		snprintf(source->text, sizeof source->text,
			"not here: not permitted, even to root (a container?); %s", permission);
	else if (is_tracepoint)
		snprintf(source->text, sizeof source->text,
			"only as root: tracefs and the events of the kernel are root's; %s",
			permission);
	else
		snprintf(source->text, sizeof source->text,
			"only as root: %s; for others, as root: sysctl "
			"kernel.perf_event_paranoid=2",
			permission);
}

void wm_event_sources_try(struct wm_event_source *results)
{
	for (size_t i = 0; i < WM_EVENT_SOURCES; i++) {
		struct wm_event_source *source = &results[i];
		int trouble = sources[i].try(), other = 0;
		*source = (struct wm_event_source){.name = sources[i].name, .works = trouble == 0};
		if (trouble == 0 && geteuid() == 0)
			other = try_as_nobody(sources[i].try);
		if (forbidden(trouble))
			put_forbidden(source, sources[i].try == try_tracepoint);
		else if (trouble)
			snprintf(source->text, sizeof source->text, "not here: %s",
				reason(trouble,
					sources[i].try == try_core || sources[i].try == try_rdpmc));
		else if (forbidden(other))
			snprintf(source->text, sizeof source->text, "works, but only as root: %s",
				sources[i].use);
		else
			snprintf(source->text, sizeof source->text, "works: %s", sources[i].use);
	}
}

bool wm_event_is_refused(const struct wm_perf_event *event, char *text, size_t bytes)
{
	int trouble = try_event((uint32_t)event->type, event->config);
	if (!trouble)
		return false;
	bool of_core = event->type != WM_PERF_SOFTWARE && event->type != WM_PERF_BREAKPOINT;
	if (forbidden(trouble)) {
		char permission[64];
		put_permission(permission, sizeof permission);
		snprintf(text, bytes,
			"it is not permitted: %s; as root: sysctl kernel.perf_event_paranoid=2",
			permission);
	} else {
		snprintf(text, bytes, "%s; %s", reason(trouble, of_core),
			"page-faults, task-clock, context-switches and breakpoint:VARIABLE need no "
			"PMU");
	}
	return true;
}
