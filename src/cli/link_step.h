/* Whether a clang command line ends in a link. */
#ifndef WM_CLI_LINK_STEP_H
#define WM_CLI_LINK_STEP_H

#include <stdbool.h>

/* Looks at the arguments (without the program's name), also inside response files. A relocatable
 * link (-r) does not count: its result is linked again. */
bool wm_link_step_is_part_of(int argument_count, char **arguments);

#endif
