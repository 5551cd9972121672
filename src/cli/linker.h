/* Which linker a clang command line runs. */
#ifndef WM_CLI_LINKER_H
#define WM_CLI_LINKER_H

#include <stdbool.h>

/* Whether it is GNU ld with its own script, beside which a second one can stand: gold and mold read
 * none, lld refuses one that names a section that is not there, and a user's own script may not
 * place that section. Runs the linker, unless the arguments tell. */
bool wm_linker_takes_script(const char *clang, int argument_count, char **arguments);

#endif
