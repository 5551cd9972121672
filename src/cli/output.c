/* All checks are made under the lock of the runtime, so that no process can start to count into a
 * file that is about to be replaced. */
#define _GNU_SOURCE /* realpath */
#include "cli/output.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/fatal.h"
#include "profile/writer.h"

static void refuse_if_in_use(const struct wm_output *output, const struct wm_file *object)
{
	for (uint32_t i = 0; i < object->owner_count; i++) {
		const struct wm_file_owner *owner = &object->owners[i];
		if (owner->running > 0)
			wm_fatal(
				"%s: process %u is counting into it, as far as can be told from "
				"here; what it counts would be lost: wait for its end, or write to "
				"another file",
				output->path, owner->owner.process);
	}
}

static void refuse_if_unknown(struct wm_arena *arena, const struct wm_output *output)
{
	const char *kinds = wm_file_unknown_kinds(arena, &output->old);
	if (kinds)
		wm_fatal("%s: holds data of %s, which this waymark does not know and would lose; "
			 "write to another file, or use a later waymark",
			output->path, kinds);
}

static void open_existing(
	struct wm_arena *arena, struct wm_output *output, const struct stat *status)
{
	struct wm_error error;
	if (!S_ISREG(status->st_mode))
		wm_fatal("cannot write '%s': it is not a regular file", output->path);
	if (wm_writer_lock(output->path, &output->descriptor, &error) < 0)
		wm_fatal("%s", error.text);
	if (wm_file_read(arena, output->path, &output->old, &error) < 0)
		wm_fatal("cannot replace what is there now: %s", error.text);
	refuse_if_in_use(output, &output->old);
	for (uint32_t i = 0; i < output->old.library_count; i++)
		refuse_if_in_use(output, &output->old.libraries[i]);
	refuse_if_unknown(arena, output);
}

/* A link stays one: what it leads to is replaced. Other names are left as they are, since that of a
 * file in another process's root means something else when it is resolved. */
static const char *resolve(struct wm_arena *arena, const char *path)
{
	struct stat status;
	if (lstat(path, &status) != 0 || !S_ISLNK(status.st_mode))
		return wm_arena_copy_text(arena, path);
	char *resolved = realpath(path, NULL);
	if (!resolved)
		wm_fatal("cannot write '%s': it is a link to nowhere (%s)", path, strerror(errno));
	const char *copy = wm_arena_copy_text(arena, resolved);
	free(resolved);
	return copy;
}

void wm_output_open(struct wm_arena *arena, const char *path, struct wm_output *output)
{
	struct stat status;
	*output = (struct wm_output){.path = resolve(arena, path), .descriptor = -1};
	if (stat(output->path, &status) == 0)
		open_existing(arena, output, &status);
	else if (errno != ENOENT)
		wm_fatal("cannot write '%s': %s", path, strerror(errno));
}

void wm_output_write(struct wm_output *output, const struct wm_file *file)
{
	struct wm_error error;
	/* A limit on file sizes is an error like others, not the end. */
	signal(SIGXFSZ, SIG_IGN);
	if (wm_writer_replace(output->path, file, &error) < 0)
		wm_fatal("%s", error.text);
	if (output->descriptor >= 0)
		wm_writer_unlock(output->descriptor);
}
