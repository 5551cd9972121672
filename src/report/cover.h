/* What runs covered of a tree of sources: functions, lines, outcomes of branches, pairs of these,
 * and paths; of one program or of many that were made from the same sources.
 *
 * Functions, lines and outcomes are those of the text, so a function in ten programs is one. Where
 * the optimiser has left no code that would tell, they are *unknown*, and in no sum: builds with
 * --at=early know all. Pairs and paths are those of the code; functions with the same code are one.
 * A pair is an outcome and a later one on the same path. */
#ifndef WM_REPORT_COVER_H
#define WM_REPORT_COVER_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/lines.h"
#include "profile/path_space.h"
#include "profile/ran_paths.h"
#include "report/path_choices.h"

enum wm_cover_quantity {
	WM_COVER_FUNCTIONS,
	WM_COVER_LINES,
	WM_COVER_OUTCOMES,
	WM_COVER_PAIRS,
	WM_COVER_PATHS, /* of functions with at most WM_COVER_SMALL complete ones */
	WM_COVER_QUANTITIES
};

enum { WM_COVER_SMALL = 256 };

/* As users type them. */
extern const char *const wm_cover_words[WM_COVER_QUANTITIES];

struct wm_cover_amount {
	uint64_t of; /* those of which it is known whether they were covered */
	uint64_t covered;
	uint64_t unknown;
};

struct wm_cover_function {
	const char *file;
	uint32_t line;
	const char *name; /* as the linker knows it */
	uint64_t count;	  /* that many times or more */
	bool known;	  /* whether it ran */
};

struct wm_cover_outcome {
	const char *file;
	uint32_t line;
	uint32_t column;	 /* of the condition; 0: of code whose text is not known */
	enum wm_outcome outcome; /* WM_OUTCOME_UNKNOWN: of such code */
	uint32_t to_line;	 /* of the label; of such code, its block and edge */
	uint32_t to_column;
	uint64_t count;
	bool stated; /* some code stands for it */
	bool known;  /* whether it was decided so */
};

struct wm_cover_file {
	const char *path;
	struct wm_cover_amount amount[WM_COVER_OUTCOMES + 1];
	struct wm_line_file lines;
	size_t function_count;
	const struct wm_cover_function *functions; /* by line and name */
	size_t outcome_count;
	const struct wm_cover_outcome *outcomes; /* by line, column and label */
};

/* A function of the code whose paths were counted. */
struct wm_cover_code {
	const struct wm_profile_function *function;
	const struct wm_ran_function *ran; /* NULL: never */
	struct wm_cover_amount outcomes;   /* edges with which the code chooses */
	struct wm_cover_amount pairs;	   /* unknown: all, if there are too many outcomes */
	uint64_t complete;		   /* paths that are not left early */
	uint64_t covered_paths;		   /* of them */
};

struct wm_cover {
	struct wm_cover_amount total[WM_COVER_QUANTITIES];
	size_t file_count;
	struct wm_cover_file *files; /* by path */
	size_t code_count;
	struct wm_cover_code *code;
	uint64_t covered_paths; /* complete ones, of all functions */
	uint64_t single; /* paths in one sample only */
	double chance;	 /* that the next sample takes a path that none took; below 0: not known */
	bool by_code;	 /* the text of some functions is not known: their code stands for it */
};

struct wm_cover_request {
	const struct wm_profile *profiles;
	size_t profile_count;
	const struct wm_ran_paths *ran; /* of the same runs; NULL: no pairs and paths */
	/* Which lines are asked for; NULL: all of the program's own sources. */
	bool (*keeps)(const void *context, const char *file, uint32_t line);
	const void *context;
};

/* Everything lives in the arena and points into the request. Errors as of wm_lines_count. */
int wm_cover_make(struct wm_arena *arena, const struct wm_cover_request *request,
	struct wm_cover *cover, struct wm_error *error);

/* The chance that the next sample holds a path that none of n samples holds, if samples are alike:
 * Chao and Jost's estimate of coverage. `once` and `twice` paths are in one and in two samples,
 * `all` is the sum over paths of the samples that hold it. An estimate with few samples says
 * little. */
double wm_cover_chance(uint64_t n, uint64_t once, uint64_t twice, uint64_t all);

#endif
