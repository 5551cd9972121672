/* The kinds of events that a build with --profile=events keeps running sums of, by their words:
 * `--events=instructions,calls:malloc`. */
#ifndef WM_FORMAT_EVENT_KINDS_H
#define WM_FORMAT_EVENT_KINDS_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/counters/events.h"

enum wm_summed {
	WM_SUMMED_INSTRUCTIONS,
	WM_SUMMED_BLOCKS,
	WM_SUMMED_BRANCHES,
	WM_SUMMED_LOADS,
	WM_SUMMED_STORES,
	WM_SUMMED_CALLS,
	WM_SUMMED_STEPS,  /* iterations of loops, and calls: they name a point of an execution */
	WM_SUMMED_MARK,	  /* of WAYMARK_EVENT */
	WM_SUMMED_REGION, /* of the first kind, between the ends of a waymark_region */
	WM_SUMMED_WEIGHTS /* of a file, by opcode */
};

/* What an instruction of each opcode weighs. */
struct wm_opcode_weights {
	uint32_t *by_opcode; /* in the order of wm_opcode_names */
	uint64_t hash;	     /* of these numbers, which are part of the build */
};

extern const char *const wm_opcode_names[]; /* LLVM's; NULL behind the last */

struct wm_summed_kind {
	const char *word; /* as it is written */
	enum wm_summed summed;
	const char *detail; /* calls: a pattern of names, or NULL; a mark's name; a file */
	struct wm_opcode_weights weights; /* of a file */
};

/* Reads a file of weights: lines `OPCODE NUMBER`, of which `default` is all that have no line; what
 * stands behind # is a comment. WM_ERROR_INPUT names the line, WM_ERROR_SYSTEM the file. */
int wm_opcode_weights_read(struct wm_arena *arena, const char *path,
	struct wm_opcode_weights *weights, struct wm_error *error);

struct wm_summed_kinds {
	uint32_t count; /* at most WM_MAX_EVENT_KINDS */
	struct wm_summed_kind list[WM_MAX_EVENT_KINDS];
};

/* The words that are kinds by themselves; NULL behind the last. */
extern const char *const wm_summed_words[];

/* Reads words with commas between them. WM_ERROR_INPUT for words that are no kinds, that stand
 * twice, and for more than there is room for. */
int wm_summed_kinds_parse(struct wm_arena *arena, const char *words, struct wm_summed_kinds *kinds,
	struct wm_error *error);

#endif
