#include "hpp/control.h"

enum {
	EXTENSION_AT = 20,
	MAXIMUM_AT = 22,
	LENGTH_AT = 28,
	EVENT_AT = 33,
	STATIC_AT = 41,
	ENABLED_AT = 63
};

uint64_t wm_control_encode(const struct wm_control *control)
{
	uint64_t word = 0;
	for (int type = 0; type < WM_TYPES; type++)
		word |= (uint64_t)control->row[type] << 4 * type;
	return word | (uint64_t)control->extension << EXTENSION_AT |
	       (uint64_t)control->maximum << MAXIMUM_AT |
	       (uint64_t)(control->length - 1) << LENGTH_AT | (uint64_t)control->event << EVENT_AT |
	       (uint64_t)control->static_backward << STATIC_AT |
	       (uint64_t)control->enabled << ENABLED_AT;
}

static const char *refuse_row(const struct wm_control *control, int type)
{
	unsigned row = control->row[type];
	if (row & WM_UPDATE && row & WM_UPDATE_COUNT)
		return "a type of branch has both updates";
	if (type != WM_TYPE_RETURN && row & WM_POP && !(row & WM_PUSH))
		return "a type of branch other than a return pops without a push: the path stack "
		       "would run dry";
	return 0;
}

const char *wm_control_decode(uint64_t word, struct wm_control *control)
{
	for (int type = 0; type < WM_TYPES; type++)
		control->row[type] = word >> 4 * type & 15;
	control->extension = word >> EXTENSION_AT & 3;
	control->maximum = word >> MAXIMUM_AT & 63;
	control->length = (uint8_t)((word >> LENGTH_AT & 31) + 1);
	control->event = word >> EVENT_AT & 255;
	control->static_backward = word >> STATIC_AT & 1;
	control->enabled = word >> ENABLED_AT & 1;
	for (int type = 0; type < WM_TYPES; type++)
		if (refuse_row(control, type))
			return refuse_row(control, type);
	if (word << 1 >> (STATIC_AT + 2))
		return "one of the bits 42 to 62 is set; they mean nothing";
	if (control->extension > WM_EXTEND_CALLS)
		return "the field of the extension (bits 20 and 21) is 3; it may be 0, 1 or 2";
	if (control->extension && !control->maximum)
		return "paths are extended, but at most 0 times (bits 22 to 27)";
	if (control->event >= WM_HPP_EVENTS)
		return "there is no event of this number (bits 33 to 40)";
	return 0;
}

enum wm_branch_type wm_control_type(const struct wm_control *control, const struct wm_branch *branch)
{
	bool back;
	switch (branch->kind) {
	case WM_BRANCH_CALL:
	case WM_BRANCH_CALL_INDIRECT:
		return WM_TYPE_CALL;
	case WM_BRANCH_RETURN:
		return WM_TYPE_RETURN;
	case WM_BRANCH_JUMP_INDIRECT:
		return WM_TYPE_INDIRECT;
	default:
		back = control->static_backward ? branch->target <= branch->at
						: branch->taken && branch->to <= branch->at;
		return back ? WM_TYPE_BACKWARD : WM_TYPE_FORWARD;
	}
}
