/* Where the parts of Waymark lie: beside the executable, installed or in the build tree. */
#ifndef WM_CLI_INSTALL_H
#define WM_CLI_INSTALL_H

/* Path of ../lib/waymark/NAME relative to the folder that holds the executable, links resolved.
 * Does not check that it is there. The text is the caller's to free. */
char *wm_install_path(const char *name);

#endif
