/* Labels: the counts of each go to a file of its own, beside the one of the run.
 *
 * A switch is waymark_set_file with a name made of the label, so nothing is copied or compared: the
 * counts of a label are in its file from the first increment, also if the program is killed. A path
 * that is under way at a switch inside a call counts as left early before it and as come back, by
 * -1, behind it: sums over all labels are those without labels. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "runtime/file/name.h"
#include "runtime/run.h"
#include "runtime/state.h"
#include "runtime/system.h"
#include "waymark.h"

static char base[PATH_MAX];    /* the pattern without a label */
static char labelled[PATH_MAX]; /* what was made of it last */
static uint64_t started;       /* processor time at the switch, in nanoseconds */

static uint64_t processor_time(void)
{
	struct timespec now = {0, 0};
	WM_CALL_2(clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The present pattern; one that the program has set since takes the place of the base. */
static int find_base(void)
{
	static char pattern[PATH_MAX];
	if (!wm_run_current()->object(pattern))
		return -1;
	if (!base[0] || strcmp(pattern, labelled) != 0)
		memcpy(base, pattern, sizeof base);
	return 0;
}

static int make_name(const char *label)
{
	static char encoded[1 + WM_NAME_LABEL_BYTES];
	size_t length = strlen(base), used = 0;
	size_t stem = length > 4 && !strcmp(base + length - 4, ".wmk") ? length - 4 : length;
	if (!label || !label[0]) {
		memcpy(labelled, base, sizeof base);
		return 0;
	}
	encoded[0] = '+';
	wm_name_label(label, encoded + 1);
	size_t more = strlen(encoded);
	if (length + more + 1 > PATH_MAX)
		return -1;
	memcpy(labelled, base, stem);
	memcpy(labelled + (used = stem), encoded, more);
	memcpy(labelled + used + more, base + stem, length - stem + 1);
	return 0;
}

int waymark_label(const char *label)
{
	uint64_t before;
	int status;
	wm_run_lock(&before);
	status = wm_state.started && !find_base() ? make_name(label) : -1;
	wm_run_unlock(&before);
	if (!status)
		status = waymark_set_file(labelled);
	started = processor_time();
	return status;
}

/* Writes the time in microseconds into an empty file beside the label's. */
static int note_outcome(int failed)
{
	static char name[PATH_MAX];
	char digits[24], *to = digits + sizeof digits;
	uint64_t time = (processor_time() - started) / 1000;
	const struct wm_own_object *object = wm_run_current()->object(name);
	if (!labelled[0] || !object || wm_name_expand(object, labelled, name))
		return -1;
	size_t length = strlen(name);
	if (length < 4)
		return -1;
	memcpy(name + length - 4, failed ? ".bad" : ".end", 5);
	do
		*--to = (char)('0' + time % 10);
	while (time /= 10);
	int file = wm_system_open(name, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (file < 0)
		return -1;
	long written = wm_system_write(file, to, (size_t)(digits + sizeof digits - to), 0);
	wm_system_close(file);
	return written > 0 ? 0 : -1;
}

int waymark_outcome(int failed)
{
	uint64_t before;
	if (!secure_getenv("WAYMARK_LABEL"))
		return 0;
	wm_run_lock(&before);
	int status = note_outcome(failed);
	wm_run_unlock(&before);
	return status;
}
