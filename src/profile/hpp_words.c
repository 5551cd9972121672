#include "profile/hpp_words.h"

#include <stdio.h>
#include <string.h>

const char *const wm_hpp_event_names[WM_HPP_EVENTS] = {"frequency", "instructions", "branches", "loads",
	"stores", "l1i", "l1d", "l2", "mispredictions", "cycles", "power", "power-cycle", "calls"};

const char *const wm_ending_names[WM_ENDINGS] = {
	"return", "backward", "indirect", "call", "split", "abandoned", "forward"};

const char *const wm_branch_kind_names[WM_BRANCH_KINDS] = {
	"calls", "indirect_calls", "returns", "jumps", "indirect_jumps", "conditionals"};

void wm_hpp_table_text(const struct wm_hot_shape *shape, char *text, size_t bytes)
{
	snprintf(text, bytes, "%ux%u:%s:%s", shape->entries, shape->ways,
		wm_hot_index_names[shape->index], wm_hot_policy_names[shape->policy]);
}

void wm_hpp_paths_text(const struct wm_control *control, char *text, size_t bytes)
{
	const uint64_t rows = 0xfffff, low = wm_control_encode(control) & rows;
	const char *kind = "paths of an own kind";
	if (low == (WM_CONTROL_BALL_LARUS & rows))
		kind = "Ball-Larus paths";
	else if (low == (WM_CONTROL_WHOLE & rows))
		kind = "elements of the whole program path";
	if (control->extension == WM_EXTEND_NONE)
		snprintf(text, bytes, "%s%s", kind,
			control->static_backward ? ", backward branches by their target" : "");
	else
		snprintf(text, bytes, "%s, extended by %u %s", kind, control->maximum,
			control->extension == WM_EXTEND_LOOPS ? "back edges" : "calls");
}

void wm_hpp_outcomes_text(uint64_t rest, char text[WM_OUTCOMES_TEXT])
{
	unsigned length = (unsigned)(rest >> 32);
	if (length > WM_MAX_PATH_LENGTH)
		length = WM_MAX_PATH_LENGTH;
	for (unsigned i = 0; i < length; i++)
		text[i] = rest >> i & 1 ? '1' : '0';
	strcpy(text + length, length ? "" : "-");
}
