/* Verdicts as lines for people, as JUnit's XML, and as annotations of GitHub Actions. */
#ifndef WM_CLI_BUDGET_OUTPUT_H
#define WM_CLI_BUDGET_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/budget_check.h"

struct wm_budget_result {
	const char *path; /* of the budgets */
	int status;	  /* of the command */
	size_t count;
	const struct wm_budget_verdict *verdicts;
	const char *note; /* a line on what moved with the same code; or an empty text */
};

/* How many were broken. */
size_t wm_budget_broken(const struct wm_budget_result *result);

void wm_budget_print(const struct wm_budget_result *result, bool colour, FILE *out);

/* For JUnit: a suite with a case for each budget. */
void wm_budget_write_junit(const struct wm_budget_result *result, FILE *out);

/* For GitHub Actions: an error for each broken budget, at its function, or at its own line. */
void wm_budget_write_github(const struct wm_budget_result *result, FILE *out);

#endif
