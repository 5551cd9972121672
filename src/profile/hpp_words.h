/* The words for what a hardware path profile is of. */
#ifndef WM_PROFILE_HPP_WORDS_H
#define WM_PROFILE_HPP_WORDS_H

#include "core/base/arena.h"
#include "hpp/exact_table.h"
#include "hpp/hot_table.h"

extern const char *const wm_hpp_event_names[WM_HPP_EVENTS];
extern const char *const wm_ending_names[WM_ENDINGS];
extern const char *const wm_branch_kind_names[WM_BRANCH_KINDS];

/* "512x4:fold:lfu". */
void wm_hpp_table_text(const struct wm_hot_shape *shape, char *text, size_t bytes);

/* "Ball-Larus paths", "Ball-Larus paths, extended by 1 calls", ... */
void wm_hpp_paths_text(const struct wm_control *control, char *text, size_t bytes);

enum { WM_OUTCOMES_TEXT = WM_MAX_PATH_LENGTH + 1 };

/* The outcomes in order of execution, "-" if there are none. */
void wm_hpp_outcomes_text(uint64_t rest, char text[WM_OUTCOMES_TEXT]);

#endif
