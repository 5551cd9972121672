/* What a path decides, in the sense of the source: the conditions and switches as they were
 * written, and how each went.
 *
 * A description says which decisions of the text an edge or a block of the code stands for. Where
 * it says nothing of an edge with which the code chooses, the choice is there, but its outcome is
 * not known: only where control went. A choice that the code does not make, because the optimiser
 * found another way, is no step of the path.
 */
#ifndef WM_REPORT_PATH_CHOICES_H
#define WM_REPORT_PATH_CHOICES_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "profile/profile.h"
#include "report/place.h"

enum wm_outcome {
	WM_OUTCOME_UNKNOWN,
	WM_OUTCOME_NO,
	WM_OUTCOME_YES,
	WM_OUTCOME_CASE,   /* to a label of a switch, `default` among them */
	WM_OUTCOME_NO_CASE /* behind a switch of which no label fits */
};

struct wm_path_choice {
	enum wm_outcome outcome;
	struct wm_place condition; /* of an outcome that is not known: of the code that chooses */
	uint32_t column;	   /* 0: not known */
	struct wm_place to;	   /* the label, or the first line that control came to */
	uint32_t to_column;	   /* of the label */
	uint32_t to_vertex;   /* of an outcome that is not known, where the code went: a block or
				 EXIT; otherwise WM_NONE */
	const char *function; /* linker's name of the function that has the condition in its text;
				 NULL if that is not known */
	uint64_t chosen;      /* how often the code of the whole function decided so */
	uint64_t decided;     /* and how often at all; 0: not known */
};

/* The choices of the text that places of a function stand for. */
struct wm_choices {
	uint32_t *first; /* by place (a block, or block_count plus the number of an edge), and one
			    more: into choices */
	struct wm_path_choice *choices;
};

/* Everything lives in the arena, and points into the profile. */
struct wm_choices wm_choices_make(
	struct wm_arena *arena, const struct wm_profile_function *function);

#endif
