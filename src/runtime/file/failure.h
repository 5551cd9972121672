/* Why no profile can be written, and the one line on standard error that says so. It is all that
 * the runtime ever prints.
 *
 * Only the process that started the run says it, once, where it ends by itself; a forked child
 * shares its parent's failure. Nothing is said where nothing was wanted (WAYMARK_QUIET=1, /dev/null
 * as the file), by a program with more rights than its user, and where standard error is no longer
 * the file that it was at the start: the number may be that of a file of the program.
 */
#ifndef WM_RUNTIME_FAILURE_H
#define WM_RUNTIME_FAILURE_H

#include <stddef.h>

/* The file that later failures are about. The text must be static. */
void wm_failure_about(const char *name);

/* Each notes what failed last, and returns -1. `status` is a negative error number. */
int wm_failure_of_call(const char *what, long status);
int wm_failure_of_file(const char *what, const char *reason);

/* What failed, and what to do, where no file is concerned. */
int wm_failure_of_object(const char *what);

/* No profile is wanted. Returns -1. */
int wm_failure_none(void);

/* The run starts without a file. */
void wm_failure_at_start(void);

/* Writes this line, if that can neither block nor end the program. */
void wm_failure_say(const char *line, size_t bytes);

/* The run ends, and what it counted could not be written, or only some of it. Under the state's
 * lock, as signals must wait. */
void wm_failure_at_end(int wrote_some);

#endif
