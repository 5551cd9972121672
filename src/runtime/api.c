/* The functions of waymark.h. Each holds the run's lock, during which signals wait, and goes
 * through all objects of the run. */
#define _GNU_SOURCE
#include <string.h>

#include "runtime/file/file.h"
#include "runtime/file/name.h"
#include "runtime/run.h"
#include "runtime/state.h"
#include "runtime/store.h"
#include "waymark.h"

/* False where the object is not counting. */
static int begin(uint64_t *before)
{
	uint64_t mask;
	wm_run_lock(before);
	wm_state_lock(&mask);
	int is_counting = wm_state.started && wm_state.first;
	wm_state_unlock(&mask);
	return is_counting;
}

static int end(const uint64_t *before, int status)
{
	wm_run_unlock(before);
	return status;
}

static struct wm_member *first(void)
{
	return wm_run_current()->first;
}

int waymark_dump(void)
{
	uint64_t before;
	int status = begin(&before) ? 0 : -1;
	for (struct wm_member *member = first(); member && !status; member = member->next)
		status = member->save();
	return end(&before, status);
}

int waymark_reset(void)
{
	uint64_t before;
	int status = begin(&before) ? 0 : -1;
	for (struct wm_member *member = first(); member && !status; member = member->next)
		status = member->reset();
	return end(&before, status);
}

int waymark_pause(void)
{
	uint64_t before;
	int status = begin(&before) ? 0 : -1;
	for (struct wm_member *member = first(); member && !status; member = member->next)
		status = member->pause();
	if (!status)
		wm_run_current()->paused = 1;
	return end(&before, status);
}

int waymark_resume(void)
{
	uint64_t before;
	int status = begin(&before) ? 0 : -1;
	for (struct wm_member *member = first(); member && !status; member = member->next)
		status = member->resume();
	wm_run_current()->paused = 0;
	return end(&before, status);
}

/* It is enough if one object can. */
static int set_quiet(int quiet)
{
	uint64_t before;
	int status = -1;
	if (begin(&before))
		for (struct wm_member *member = first(); member; member = member->next)
			if (!member->set_quiet(quiet))
				status = 0;
	return end(&before, status);
}

int waymark_trace_stop(void)
{
	return set_quiet(1);
}

int waymark_trace_start(void)
{
	return set_quiet(0);
}

int waymark_trace_note(uint64_t number)
{
	return wm_state.started ? wm_stores_note(number) : -1;
}

/* The file must be usable before anything is let go of. */
static int is_usable(const char *pattern, char wanted[PATH_MAX])
{
	static char name[PATH_MAX];
	struct wm_locked_file file;
	int foreign;
	if (wm_name_absolute(pattern, wanted) ||
		wm_name_expand(wm_state.object.host, wanted, name) ||
		wm_file_open(&file, &wm_state.object, name, &foreign))
		return 0;
	wm_file_close(&file);
	return 1;
}

int waymark_set_file(const char *pattern)
{
	static char wanted[PATH_MAX];
	uint64_t before, mask;
	int status = -1;
	if (begin(&before)) {
		wm_state_lock(&mask);
		status = is_usable(pattern, wanted) ? 0 : -1;
		wm_state_unlock(&mask);
	}
	for (struct wm_member *member = first(); member && !status; member = member->next)
		status = member->set_file(wanted);
	return end(&before, status);
}

/* The image may stand at any address. Each object needs as many units when it is written as when it
 * was measured. */
static int write_image(char *image, uint64_t units)
{
	const uint64_t unit_bytes = wm_object_unit_bytes(&wm_state.object);
	struct wm_file_header *header = (void *)image;
	wm_file_describe(wm_state.object.host, header);
	header->unit_count = units;
	uint64_t number = 0;
	for (struct wm_member *member = first(); member; member = member->next) {
		if (member->write_image(image + WM_FILE_HEADER_BYTES + number * unit_bytes, number))
			return -1;
		number += member->image_size;
	}
	return 0;
}

size_t waymark_write(void *buffer, size_t bytes)
{
	uint64_t before;
	size_t needed = 0;
	if (begin(&before)) {
		uint64_t units = 0;
		for (struct wm_member *member = first(); member; member = member->next)
			units += member->image_size = member->image_units();
		needed = WM_FILE_HEADER_BYTES + units * wm_object_unit_bytes(&wm_state.object);
		if (buffer && bytes >= needed) {
			memset(buffer, 0, needed);
			if (write_image(buffer, units))
				needed = 0;
		}
	}
	end(&before, 0);
	return needed;
}
