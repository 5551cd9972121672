/* The line is written only where that cannot block, kill or surprise the program: the signals of a
 * write that fails are taken back, and a pipe without room is left alone. Error numbers get their
 * texts here, as the C library's would need its locale. */
#define _GNU_SOURCE
#include "runtime/file/failure.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "runtime/system.h"
#include "runtime/text.h"
#include "runtime/thread/signals.h"

enum { STANDARD_ERROR = 2 };

static const struct {
	int error;
	const char *text;
} reasons[] = {
	{EACCES, "Permission denied"},
	{EPERM, "Operation not permitted"},
	{ENOENT, "No such file or directory"},
	{ENOTDIR, "Not a directory"},
	{EISDIR, "Is a directory"},
	{EROFS, "Read-only file system"},
	{ENOSPC, "No space left on device"},
	{EDQUOT, "Disk quota exceeded"},
	{EFBIG, "File too large"},
	{ENAMETOOLONG, "File name too long"},
	{ELOOP, "Too many levels of symbolic links"},
	{EMFILE, "Too many open files"},
	{ENFILE, "Too many open files in system"},
	{ENOMEM, "Cannot allocate memory"},
	{EIO, "Input/output error"},
	{ENOLCK, "No locks available"},
};

static struct {
	const char *what;   /* or NULL */
	const char *name;   /* of the file, or NULL */
	const char *reason; /* or NULL */
	int error;	    /* one without a text, or 0 */
} failure;

static const char *file_name;

/* Of the run that started without a file; 0: there is none. */
static int process;
static struct stat standard_error;

void wm_failure_about(const char *name)
{
	file_name = name;
}

int wm_failure_of_file(const char *what, const char *reason)
{
	failure.what = what;
	failure.name = file_name;
	failure.reason = reason;
	failure.error = 0;
	return -1;
}

int wm_failure_of_call(const char *what, long status)
{
	wm_failure_of_file(what, "error ");
	failure.error = (int)-status;
	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++) {
		if (reasons[i].error != failure.error)
			continue;
		failure.reason = reasons[i].text;
		failure.error = 0;
		break;
	}
	return -1;
}

int wm_failure_of_object(const char *what)
{
	wm_failure_of_file(what, NULL);
	failure.name = NULL;
	return -1;
}

int wm_failure_none(void)
{
	failure.what = NULL;
	return -1;
}

static int is_quiet(void)
{
	const char *quiet = secure_getenv("WAYMARK_QUIET");
	return getauxval(AT_SECURE) || (quiet && quiet[0] && strcmp(quiet, "0"));
}

void wm_failure_at_start(void)
{
	if (!is_quiet() && !wm_system_status(STANDARD_ERROR, &standard_error))
		process = wm_system_process();
}

static int is_same_file(void)
{
	struct stat now;
	return !wm_system_status(STANDARD_ERROR, &now) && now.st_dev == standard_error.st_dev &&
	       now.st_ino == standard_error.st_ino && now.st_rdev == standard_error.st_rdev;
}

static int can_write(void)
{
	struct pollfd file = {.fd = STANDARD_ERROR, .events = POLLOUT};
	return WM_CALL_3(poll, &file, 1, 0) == 1 && file.revents == POLLOUT;
}

/* Signals wait; one that our write has raised must not reach the program. */
static void write_line(const char *line, size_t bytes)
{
	const uint64_t raised = WM_SIGNAL(SIGPIPE) | WM_SIGNAL(SIGXFSZ);
	const struct timespec at_once = {0, 0};
	uint64_t before = 0;
	WM_CALL_2(rt_sigpending, &before, sizeof(before));
	if (WM_CALL_3(write, STANDARD_ERROR, line, bytes) >= 0)
		return;
	const uint64_t ours = raised & ~before;
	if (ours)
		WM_CALL_4(rt_sigtimedwait, &ours, NULL, &at_once, sizeof(ours));
}

static char *put_failure(char *to)
{
	to = wm_text_put(to, failure.what);
	if (failure.name) {
		to = wm_text_put(to, " '");
		to = wm_text_put(to, failure.name);
		to = wm_text_put(to, "'");
	}
	if (!failure.reason)
		return to;
	to = wm_text_put(to, ": ");
	to = wm_text_put(to, failure.reason);
	if (failure.error)
		to = wm_text_decimal(to, (uint32_t)failure.error);
	return wm_text_put(
		to, "; set WAYMARK_FILE to a file that can be written, or WAYMARK_QUIET=1");
}

void wm_failure_say(const char *line, size_t bytes)
{
	if (can_write())
		write_line(line, bytes);
}

void wm_failure_at_end(int wrote_some)
{
	static char line[PATH_MAX + 512];
	if (!failure.what || !process || process != wm_system_process())
		return;
	process = 0;
	if (!is_same_file() || !can_write())
		return;
	char *end = wm_text_put(line,
		wrote_some ? "waymark: not all counts written: " : "waymark: no profile written: ");
	end = put_failure(end);
	*end++ = '\n';
	write_line(line, (size_t)(end - line));
}
