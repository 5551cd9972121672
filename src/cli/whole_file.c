/* Written beside its place, then renamed. */
#define _GNU_SOURCE /* realpath, asprintf */
#include "cli/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/fatal.h"

_Noreturn static void refuse(const struct wm_whole_file *file, int reason)
{
	if (file->temporary)
		unlink(file->temporary);
	wm_fatal("cannot write '%s': %s", file->path, strerror(reason));
}

/* A link stays one: what it leads to is replaced. */
static void find_target(struct wm_whole_file *file, const struct stat *status)
{
	file->target = S_ISLNK(status->st_mode) ? realpath(file->path, NULL) : strdup(file->path);
	if (!file->target)
		refuse(file, errno);
}

static mode_t rights_for(const char *path)
{
	struct stat status;
	if (stat(path, &status) == 0)
		return status.st_mode & 07777;
	mode_t mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

static int open_temporary(struct wm_whole_file *file)
{
	if (asprintf(&file->temporary, "%s.XXXXXX", file->target) < 0)
		wm_fatal("cannot write '%s': %s", file->path, strerror(ENOMEM));
	int descriptor = mkstemp(file->temporary);
	if (descriptor >= 0 && fchmod(descriptor, rights_for(file->target)) != 0)
		refuse(file, errno);
	return descriptor;
}

void wm_whole_file_begin(struct wm_whole_file *file, const char *path)
{
	struct stat status = {.st_mode = S_IFREG}, behind;
	*file = (struct wm_whole_file){.path = path};
	/* A limit on file sizes is an error like others, not the end. */
	signal(SIGXFSZ, SIG_IGN);
	if (strcmp(path, "-") == 0) {
		file->path = "standard output";
		file->stream = stdout;
		return;
	}
	int descriptor;
	if (stat(path, &behind) == 0 && !S_ISREG(behind.st_mode)) {
		descriptor = open(path, O_WRONLY | O_CLOEXEC);
	} else {
		if (lstat(path, &status) != 0 && errno != ENOENT)
			refuse(file, errno);
		find_target(file, &status);
		descriptor = open_temporary(file);
	}
	file->stream = descriptor < 0 ? NULL : fdopen(descriptor, "w");
	if (!file->stream)
		refuse(file, errno);
}

void wm_whole_file_end(struct wm_whole_file *file)
{
	bool failed = fflush(file->stream) != 0 || ferror(file->stream);
	if (failed)
		refuse(file, errno ? errno : EIO);
	if (file->stream == stdout)
		return;
	if (fclose(file->stream) != 0)
		refuse(file, errno);
	if (file->target && rename(file->temporary, file->target) != 0)
		refuse(file, errno);
	free(file->temporary);
	free(file->target);
}
