/* Budgets: a small text file that people commit, one line per limit of what a program may do.
 *
 *	parse.c:parse_item instructions <= 1_204_331
 *	calls:malloc in handle_request <= 3 per call
 *	program instructions within 1% of base.json
 *
 * docs/waymark-test.1.scd describes it. Files are untrusted: an error names the line and what was
 * expected there. */
#ifndef WM_CLI_BUDGET_FILE_H
#define WM_CLI_BUDGET_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/error.h"
#include "profile/tally.h"

enum wm_budget_scope { WM_BUDGET_PROGRAM, WM_BUDGET_FILE, WM_BUDGET_FUNCTION, WM_BUDGET_LINE };

enum wm_budget_relation {
	WM_BUDGET_AT_MOST,
	WM_BUDGET_AT_LEAST,
	WM_BUDGET_EXACTLY,
	WM_BUDGET_WITHIN /* a share of a base's count */
};

/* Shares are kept in millionths, so that no rounding decides a test. */
enum { WM_BUDGET_WHOLE = 1000000 };

struct wm_budget {
	size_t line;	  /* of the file, from 1 */
	const char *text; /* the line, without comment and outer blanks */
	enum wm_budget_scope scope;
	const char *file;     /* of a file, line or function; or NULL */
	const char *function; /* or NULL */
	uint32_t source_line; /* of a line */
	struct wm_event_kind kind;
	enum wm_budget_relation relation;
	bool per_call;
	uint64_t limit;	  /* if there is no base */
	const char *base; /* file, as it is written; or NULL */
	uint64_t share;	  /* by how much the count may be above the base's; within: or below */
	size_t number_at; /* where in the file the limit stands */
	size_t number_bytes;
};

struct wm_budgets {
	const char *base; /* of the line `base FILE`; or NULL */
	size_t count;
	struct wm_budget *list;
};

/* Reads the text of a file. WM_ERROR_INPUT: what is wrong, in which line. `path` is for errors. */
int wm_budgets_read(struct wm_arena *arena, const char *path, const char *text, size_t bytes,
	struct wm_budgets *budgets, struct wm_error *error);

/* A number as budgets have it: 1_204_331. */
char *wm_budget_number(struct wm_arena *arena, uint64_t number);

#endif
