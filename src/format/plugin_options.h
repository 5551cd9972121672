/* Options of the plug-in, as `waymark cc` hands them over: environment variable WAYMARK_OPTIONS,
 * one `name=value` per line, because clang hands -mllvm options also to tools that have not loaded
 * the plug-in. */
#ifndef WM_FORMAT_PLUGIN_OPTIONS_H
#define WM_FORMAT_PLUGIN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/error.h"
#include "format/event_kinds.h"
#include "format/measure.h"
#include "format/meters.h"
#include "format/sim_shapes.h"

enum wm_weighting { WM_WEIGHTING_COMPILER, WM_WEIGHTING_HEURISTIC, WM_WEIGHTING_GOLDBERG };

struct wm_pattern {
	const char *glob;
	bool skip; /* --skip, otherwise --only */
	struct wm_pattern *next;
};

struct wm_plugin_options {
	struct wm_measure measure;
	struct wm_summed_kinds events; /* to keep running sums of */
	const char *event_words;       /* as they were written */
	bool fresh;		       /* these stay in no register */
	bool stops;		       /* each increment looks whether a limit is reached */
	struct wm_meters meters;       /* read at the ends of paths */
	struct wm_sim_shapes sim;      /* caches, if one of these wants them */
	bool inclusive;		       /* calls sum what happened until they came back */
	bool contexts;		       /* calls are counted by context, too */
	uint64_t context_limit;	       /* contexts of a thread; 0: as many as the runtime says */
	bool classic_paths;	       /* cut at back edges only, not where loops are entered */
	enum wm_weighting weighting;
	bool early;
	bool at_link;		   /* the linker's optimiser sees all files, and counts follow it */
	bool text;		   /* clang's coverage mapping is there to be read */
	bool segment;		   /* programs reach their counters through the gs register */
	const char *file;	   /* default name of the profile, or NULL */
	const char *use;	   /* a profile of an earlier build, or NULL */
	const char *optimize;	   /* likewise, and nothing is counted; or NULL */
	const char *use_option;	   /* that named it: "use", "prefer" or "optimize" */
	const char *prior;	   /* a file that says what it tells (format/prior.h), or NULL */
	const char *binary;	   /* the program of that build, NULL for where it was */
	const char *prefer;	   /* the PATHS that matter (names/path_set.h), or NULL */
	const char *select;	   /* the only PATHS to count, or NULL */
	const char *residual;	   /* the PATHS that tests took: others are looked for; or NULL */
	bool residual_selects;	   /* only the others are counted, where they are few */
	bool sentinels;		   /* only where paths that tests took are left */
	enum wm_placement by_sums; /* how sums count the paths that are named: selected, preferred
				      (by intervals), or 0: they do not */
	const char *segments;	   /* K[:SITES] (format/segment_sites.h), or NULL */
	unsigned segments_growth;  /* percent by which they may let code grow */
	bool strict;		   /* what does not match is an error */
	bool whole;		   /* the module is the whole program as far as matching goes */
	uint64_t trace_ring;	   /* pieces that traces keep of each kind, or 0: all */
	struct wm_pattern *patterns;
};

/* Whether the value of --prefer names a profile, whose hot paths are meant. */
bool wm_plugin_options_is_file(const char *paths);

/* Reads the text (NULL: all defaults). Fails with the name of an unknown option or value, or of two
 * that do not go together. */
int wm_plugin_options_parse(struct wm_arena *arena, const char *text,
	struct wm_plugin_options *options, struct wm_error *error);

/* Whether --only and --skip let this function be instrumented. */
bool wm_plugin_options_select(const struct wm_plugin_options *options, const char *function);

#endif
