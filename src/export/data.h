/* What a profile gives to exports: costs by context or, where contexts were not counted, by
 * function. Each cost stands in one place only, so any sum over all places is the profile's. */
#ifndef WM_EXPORT_DATA_H
#define WM_EXPORT_DATA_H

#include "profile/contexts.h"

enum wm_metric {
	WM_METRIC_CALLS, /* how often functions were entered */
	WM_METRIC_INSTRUCTIONS,
	WM_METRIC_COUNT
};

struct wm_metric_text {
	const char *name;  /* as users type it */
	const char *about; /* what it is, for the readers of an export */
};

extern const struct wm_metric_text wm_metric_texts[WM_METRIC_COUNT];

/* The program, or a library that it loaded. */
struct wm_export_part {
	const struct wm_profile *profile;
	const char *name; /* of its file, without folders */
	struct wm_profile_contexts contexts;
	const uint64_t *own[WM_METRIC_COUNT]; /* by record, or by function if it has no contexts;
					   NULL: not known */
};

struct wm_export_data {
	struct wm_arena *arena;
	const struct wm_profile *profile;
	uint32_t part_count;
	struct wm_export_part *parts;
	bool has_contexts;	     /* some part has */
	bool known[WM_METRIC_COUNT]; /* in all parts */
	bool functions_known;	     /* all metrics by function are */
	uint64_t total[WM_METRIC_COUNT];
};

/* Collects what is known of the profile. If nothing is (the build counted chosen paths only), no
 * metric is known. */
struct wm_export_data wm_export_data_make(struct wm_arena *arena, const struct wm_profile *profile);

#endif
