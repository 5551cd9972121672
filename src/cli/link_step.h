/* What a clang command line links, if anything, and whether it compiles. */
#ifndef WM_CLI_LINK_STEP_H
#define WM_CLI_LINK_STEP_H

#include <stdbool.h>

enum wm_link_step { WM_LINK_NOTHING, WM_LINK_PROGRAM, WM_LINK_LIBRARY };

/* Options that leave out what the runtime cannot do without, and which no other argument brings;
 * NULL where nothing is missing. */
struct wm_link_lack {
	const char *c;	   /* the C library; a shared library finds it when it is loaded, unless an
			      option wants all symbols to be defined */
	const char *start; /* in a static program: what starts the C library */
};

/* Looks at the arguments (without the program's name), also inside response files. A relocatable
 * link (-r) does not count: its result is linked again. */
enum wm_link_step wm_link_step_find(
	int argument_count, char **arguments, struct wm_link_lack *lack);

/* What it writes: the value of the last -o, or a.out. Lives as long as the process. */
const char *wm_link_step_output(int argument_count, char **arguments);

/* Whether a program of that name is one by which configure or CMake try the compiler. They take
 * what it says for a failure. */
bool wm_link_step_is_trial(const char *output);

/* Whether one of the inputs may be a source. True in doubt. */
bool wm_link_step_has_source(int argument_count, char **arguments);

#endif
