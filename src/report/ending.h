/* How the runs ended, where that makes counts uncertain or incomplete. */
#ifndef WM_REPORT_ENDING_H
#define WM_REPORT_ENDING_H

#include <stdio.h>

#include "profile/profile.h"
#include "report/json.h"

/* Prints a line for threads that were cut short, one for those that count now, a paragraph for each
 * status of the runtime and one for data of unknown kinds; nothing if there are none. */
void wm_ending_print(const struct wm_profile *profile, FILE *out);

/* Takes one bit off the status of a file and returns its name; NULL if there is none left. */
const char *wm_ending_next_status(uint32_t *status);

/* Writes the members cut_short, running, status and unknown_kinds. */
void wm_ending_json(const struct wm_profile *profile, struct wm_json *json);

#endif
