/* The steps are those of the runtime, in its order: each can fail for reasons of its own (rights,
 * space, a file system without locks or shared mappings). */
#define _GNU_SOURCE /* locks of open files */
#include "cli/trial.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { TRIAL_BYTES = 65536 };

static const char *use_file(int descriptor)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	errno = posix_fallocate(descriptor, 0, TRIAL_BYTES);
	if (errno != 0)
		return "no space can be reserved";
	if (fcntl(descriptor, F_OFD_SETLK, &whole) != 0)
		return "files cannot be locked";
	void *mapping = mmap(NULL, TRIAL_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
	if (mapping == MAP_FAILED)
		return "files cannot be mapped";
	munmap(mapping, TRIAL_BYTES);
	return NULL;
}

const char *wm_trial_write(const char *folder)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/.waymark-trial-XXXXXX", folder);
	int descriptor = mkstemp(path);
	if (descriptor < 0)
		return "no file can be made";
	/* A limit on file sizes is an error like others, not the end. */
	signal(SIGXFSZ, SIG_IGN);
	const char *trouble = use_file(descriptor);
	int reason = errno;
	close(descriptor);
	unlink(path);
	errno = reason;
	return trouble;
}
