/* The control word: which operations each type of branch causes, how paths are extended, which
 * event is counted. Software writes it; the thesis calls it the PPCR. The encoding is ours.
 */
#ifndef WM_HPP_CONTROL_H
#define WM_HPP_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

#include "hpp/branch.h"

enum wm_branch_type {
	WM_TYPE_CALL,
	WM_TYPE_RETURN,
	WM_TYPE_FORWARD,
	WM_TYPE_BACKWARD,
	WM_TYPE_INDIRECT,
	WM_TYPES
};

/* Operations on the top of the path stack; their order is fixed: an update, pop, push. */
enum { WM_UPDATE = 1, WM_UPDATE_COUNT = 2, WM_POP = 4, WM_PUSH = 8 };

enum wm_extension { WM_EXTEND_NONE, WM_EXTEND_LOOPS, WM_EXTEND_CALLS };

enum { WM_MAX_PATH_LENGTH = 32, WM_MAX_EXTENSION = 63 };

struct wm_control {
	uint8_t row[WM_TYPES];
	uint8_t extension;
	uint8_t maximum; /* of the extension counter */
	uint8_t length;	 /* a path of so many branches ends: 1 .. 32 */
	uint8_t event;
	bool static_backward; /* a branch that could go back is backward, taken or not */
	bool enabled;
};

#define WM_CONTROL_BALL_LARUS UINT64_C(0x80000001f00dd16a)
#define WM_CONTROL_WHOLE UINT64_C(0x80000001f00dd1ee)

uint64_t wm_control_encode(const struct wm_control *control);

/* Returns NULL, or what is wrong with the word; the control is then not to be used. */
const char *wm_control_decode(uint64_t word, struct wm_control *control);

/* The type of a branch. */
enum wm_branch_type wm_control_type(const struct wm_control *control, const struct wm_branch *branch);

#endif
