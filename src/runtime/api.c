/* The functions of waymark.h. Each holds the state's lock, during which signals wait. */
#define _GNU_SOURCE
#include <string.h>

#include "runtime/file/file.h"
#include "runtime/file/name.h"
#include "runtime/state.h"
#include "runtime/store.h"
#include "waymark.h"

/* The file must be usable before anything is let go of. */
static int set_file(const char *pattern)
{
	static char wanted[PATH_MAX], name[PATH_MAX];
	struct wm_locked_file file;
	int foreign;
	if (wm_name_absolute(pattern, wanted) || wm_name_expand(&wm_state.object, wanted, name))
		return -1;
	if (wm_file_open(&file, &wm_state.object, name, &foreign))
		return -1;
	wm_file_close(&file);
	wm_stores_save();
	memcpy(wm_state.pattern, wanted, sizeof(wanted));
	return wm_stores_move();
}

/* The file's header, and the chunks of all stores. The image may stand at any address. */
static int write_image(char *image, uint64_t units)
{
	struct wm_file_header *header = (void *)image;
	wm_file_describe(&wm_state.object, header);
	header->unit_count = units;
	return wm_stores_write_image(image + WM_FILE_HEADER_BYTES);
}

/* False where the object is not counting. */
static int begin(uint64_t *before)
{
	wm_state_lock(before);
	return wm_state.started && wm_state.first;
}

static int end(const uint64_t *before, int status)
{
	wm_state_unlock(before);
	return status;
}

int waymark_dump(void)
{
	uint64_t before;
	return end(&before, begin(&before) ? wm_stores_save() : -1);
}

int waymark_reset(void)
{
	uint64_t before;
	return end(&before, begin(&before) ? wm_stores_reset() : -1);
}

int waymark_set_file(const char *pattern)
{
	uint64_t before;
	return end(&before, begin(&before) ? set_file(pattern) : -1);
}

int waymark_pause(void)
{
	uint64_t before;
	return end(&before, begin(&before) ? wm_stores_pause() : -1);
}

int waymark_resume(void)
{
	uint64_t before;
	return end(&before, begin(&before) ? wm_stores_resume() : -1);
}

size_t waymark_write(void *buffer, size_t bytes)
{
	uint64_t before;
	size_t needed = 0;
	if (begin(&before)) {
		uint64_t units = wm_stores_image_units();
		needed = WM_FILE_HEADER_BYTES +
			 units * wm_file_unit_bytes(wm_state.object.counter_bytes);
		if (buffer && bytes >= needed) {
			memset(buffer, 0, needed);
			if (write_image(buffer, units))
				needed = 0;
		}
	}
	end(&before, 0);
	return needed;
}
