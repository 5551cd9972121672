/* The run: the objects of one process that count into one file. These are an instrumented program
 * and the libraries that it has loaded, or a single library in a program that is not instrumented.
 *
 * The program's copy of the runtime holds the list of all copies. Those of libraries find it by a
 * note of the program, whatever the order in which both start and the namespace that a library is
 * in. The note's type is the version of what both must agree on.
 */
#ifndef WM_RUNTIME_RUN_H
#define WM_RUNTIME_RUN_H

#include <stdint.h>

#include "runtime/file/object.h"

/* What one object does with its own counts; each function takes the object's lock. */
struct wm_member {
	struct wm_member *next;
	int (*save)(void);
	int (*reset)(void);
	int (*pause)(void);
	int (*resume)(void);
	int (*set_file)(const char *pattern);
	uint64_t (*image_units)(void);
	uint64_t image_size; /* what that one returned last */
	int (*write_image)(char *to, uint64_t number);
	int (*set_quiet)(int quiet);
};

struct wm_run {
	int lock;		 /* taken before the lock of any object */
	int paused;		 /* the objects that come later pause, too */
	int told;		 /* a failure has been told */
	struct wm_member *first; /* of the object that the file is of; it is always there */

	/* That object, and the name of its file as the pattern says it now, of PATH_MAX bytes;
	 * NULL if there can be none. */
	const struct wm_own_object *(*object)(char *pattern);

	/* Whether any counts of that object are in the file. */
	int (*is_in_file)(void);
};

#define WM_RUN_NOTE_NAME "Waymark"
#define WM_RUN_NOTE_TYPE 2

/* That of this object. */
struct wm_run *wm_run_current(void);

/* Finds object, host and file. Returns -1 if there can be no profile. Under the state's lock. */
int wm_run_find(void);

/* The object counts: what is done to all objects of the run is done to it, too. Not under the
 * state's lock. */
void wm_run_join(void);
void wm_run_leave(void);

/* As those of the state; signals wait. */
void wm_run_lock(uint64_t *before);
void wm_run_unlock(const uint64_t *before);

/* The child has one thread. */
void wm_run_start_in_child(void);

/* The run ends, or this library, and some counts could not be written. Under the state's lock. */
void wm_run_tell_failure(int wrote_some);

#endif
