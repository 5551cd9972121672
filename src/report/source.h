/* Source files, line by line, and whether they are what the program was built from.
 *
 * The debug information has a checksum of every text, which the text must fit. Without one, the
 * text must not be newer than the program.
 */
#ifndef WM_REPORT_SOURCE_H
#define WM_REPORT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "profile/checksums.h"

enum wm_source_text_state {
	WM_SOURCE_TEXT_FITS,	/* as far as can be told */
	WM_SOURCE_TEXT_CHANGED, /* its checksum is another */
	WM_SOURCE_TEXT_NEWER,	/* it was written after the program */
	WM_SOURCE_TEXT_MISSING	/* it cannot be read */
};

struct wm_source_text {
	const char *path; /* where it was read */
	enum wm_source_text_state state;
	int reason; /* errno, if it is missing */
	time_t modified;
	struct wm_bytes content;
	size_t line_count;
	const char **lines; /* without their line ends; line 1 is lines[0] */
};

/* The sources of one object, or of several in a row, each read once. wm_sources_free ends it. */
struct wm_sources {
	struct wm_arena arena;
	const struct wm_object *object;
	struct wm_checksums checksums;
	bool knows_checksums; /* they were read */
	void *tree;	      /* by path */
	size_t count;
	size_t capacity;
	const struct wm_source_text **list; /* in the order in which they were read */
};

/* Nothing is read yet. NULL: no object says what the texts must be. */
struct wm_sources wm_sources_of(const struct wm_object *object);

/* The file that the object names so. It is read at `place`, if that is not NULL. Lives as long as
 * the set. */
const struct wm_source_text *wm_sources_get(
	struct wm_sources *sources, const char *path, const char *place);

/* Whether there is a text of the path: on the disk, or packed. If not, errno says why. */
bool wm_sources_has(const struct wm_object *object, const char *path);

/* Text of a line, or an empty text if the file or the line is not there. */
const char *wm_sources_line(struct wm_sources *sources, const char *path, uint32_t line);

void wm_sources_free(struct wm_sources *sources);

#endif
