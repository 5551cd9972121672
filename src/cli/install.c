/* The executable finds itself through /proc, so a link to it or another name for it is no obstacle.
 */
#define _GNU_SOURCE /* asprintf */
#include "cli/install.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/fatal.h"

char *wm_install_path(const char *name)
{
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
	if (length < 0)
		wm_fatal("cannot read /proc/self/exe: %s; is /proc mounted?", strerror(errno));
	self[length] = '\0';
	for (int level = 0; level < 2; level++) {
		char *slash = strrchr(self, '/');
		if (slash)
			*slash = '\0';
	}
	char *path;
	if (asprintf(&path, "%s/lib/waymark/%s", self, name) < 0)
		wm_fatal("out of memory");
	return path;
}
