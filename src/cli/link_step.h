/* What a clang command line links, if anything. */
#ifndef WM_CLI_LINK_STEP_H
#define WM_CLI_LINK_STEP_H

enum wm_link_step { WM_LINK_NOTHING, WM_LINK_PROGRAM, WM_LINK_LIBRARY };

/* Looks at the arguments (without the program's name), also inside response files. A relocatable
 * link (-r) does not count: its result is linked again. */
enum wm_link_step wm_link_step_find(int argument_count, char **arguments);

#endif
