/* What a user can choose of the profiler and of the machine, by the words of options. */
#ifndef WM_STUDY_SETTINGS_H
#define WM_STUDY_SETTINGS_H

#include "core/base/error.h"
#include "hpp/machine.h"
#include "hpp/profiler.h"

struct wm_hpp_settings {
	struct wm_profiler_options profiler;
	struct wm_machine_shape machine;
	bool modelled; /* caches, predictor, cycles and power */
	uint32_t ipc12; /* a fixed number of instructions a cycle, in twelfths of a cycle each; or 0 */
	uint64_t window; /* instructions; 0: chosen by the length of the run */
};

struct wm_hpp_settings wm_hpp_settings_default(void);

/* Each takes the value of an option; WM_ERROR_INPUT says what it may be. */
int wm_hpp_set_paths(struct wm_hpp_settings *settings, const char *text, struct wm_error *error);
int wm_hpp_set_control(struct wm_hpp_settings *settings, const char *text, struct wm_error *error);
int wm_hpp_set_event(struct wm_hpp_settings *settings, const char *text, struct wm_error *error);
int wm_hpp_set_table(struct wm_hot_shape *shape, const char *text, struct wm_error *error);
int wm_hpp_set_model(struct wm_hpp_settings *settings, const char *text, struct wm_error *error);
int wm_hpp_set_backward(struct wm_hpp_settings *settings, const char *text, struct wm_error *error);
int wm_hpp_set_overflow(struct wm_hpp_settings *settings, const char *text, struct wm_error *error);
int wm_hpp_set_stack(struct wm_hpp_settings *settings, const char *text, struct wm_error *error);
int wm_hpp_set_length(struct wm_hpp_settings *settings, const char *text, struct wm_error *error);
int wm_hpp_set_counter(struct wm_hpp_settings *settings, const char *text, struct wm_error *error);
int wm_hpp_set_power(struct wm_hpp_settings *settings, const char *text, struct wm_error *error);
int wm_hpp_set_window(struct wm_hpp_settings *settings, const char *text, struct wm_error *error);
int wm_hpp_set_limit(struct wm_hpp_settings *settings, const char *text, struct wm_error *error);

/* A `option KEY=VALUE` of a .branches text; NULL, or what is wrong with it. */
const char *wm_hpp_set_by_text(
	struct wm_hpp_settings *settings, const char *key, const char *value);

/* Whether the event needs caches, predictor, cycles or power. */
bool wm_hpp_event_is_modelled(unsigned event);

#endif
