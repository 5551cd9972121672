/* What the profile of --use or --prefer tells, as a file for the plug-in (format/prior.h). */
#ifndef WM_CLI_PRIOR_FILE_H
#define WM_CLI_PRIOR_FILE_H

#include "format/plugin_options.h"

/* The path of the file, in the arena: one in the cache, made if it is not there, or, where there is
 * no cache or the profile is still being written, one in memory that a program run by this process
 * can open. The options name a profile. If that cannot be used, the file says why. Ends the tool
 * with one line if there is no memory for a file. */
const char *wm_prior_file(struct wm_arena *arena, const struct wm_plugin_options *options);

#endif
