/* A slip in --only or --skip leaves a program without counters; after linking, that can be seen. */
#ifndef WM_CLI_SELECTION_CHECK_H
#define WM_CLI_SELECTION_CHECK_H

/* Warns if no function is counted in what was linked. The options of the plug-in hold at least one
 * pattern. */
void wm_selection_check(const char *plugin_options, const char *output);

#endif
