/* The thesis' evaluation (section 5.5) of one run, and its sweeps over the shape of the table. */
#ifndef WM_STUDY_FIGURES_H
#define WM_STUDY_FIGURES_H

#include <stdio.h>

#include "study/live.h"
#include "study/tables.h"

enum { WM_FIGURE_SHAPES = 4, WM_FIGURE_METRICS = 3, WM_FIGURE_SIZES = 5 };

extern const struct wm_hot_shape wm_figure_shapes[WM_FIGURE_SHAPES];
extern const unsigned wm_figure_metrics[WM_FIGURE_METRICS];
extern const uint32_t wm_figure_sizes[WM_FIGURE_SIZES];

/* Ball-Larus paths, and paths extended by one back edge or one call, of the same branches. */
struct wm_figures {
	struct wm_hpp_live plain, loops, calls;
	struct wm_study study, loops_study, calls_study;
	size_t complete[WM_FIGURE_SHAPES][WM_FIGURE_METRICS]; /* numbers of tables */
	size_t dynamic[WM_FIGURE_SHAPES][WM_FIGURE_METRICS];
	size_t power, policy[WM_HOT_POLICIES][WM_FIGURE_SIZES];
	struct wm_stream_sink inner[3];
};

void wm_figures_init(struct wm_figures *figures, const struct wm_hpp_settings *settings);
struct wm_stream_sink wm_figures_sink(struct wm_figures *figures);
/* NULL, or what is wrong. */
const char *wm_figures_finish(struct wm_figures *figures);
void wm_figures_free(struct wm_figures *figures);

enum { WM_FACTORS = 6, WM_DESIGN_ROWS = 16 };

/* Table 5.4, folded: +1 or -1 for each factor. */
void wm_plackett_burman(int8_t design[WM_DESIGN_ROWS][WM_FACTORS]);

/* Of each factor the sum of sign x response. */
void wm_plackett_burman_effects(const double response[WM_DESIGN_ROWS], double effect[WM_FACTORS]);

extern const char *const wm_factor_names[WM_FACTORS];

struct wm_sweep {
	struct wm_hpp_live live;
	struct wm_study study;
	struct wm_predictor low; /* the second predictor */
	struct wm_stream_sink inner;
	size_t run[WM_DESIGN_ROWS][WM_FIGURE_METRICS];
	bool factorial;
};

/* Settings for a machine with all four second-level caches of the design. */
void wm_sweep_settings(struct wm_hpp_settings *settings);
void wm_sweep_init(struct wm_sweep *sweep, const struct wm_hpp_settings *settings, bool factorial);
struct wm_stream_sink wm_sweep_sink(struct wm_sweep *sweep);
const char *wm_sweep_finish(struct wm_sweep *sweep);
void wm_sweep_free(struct wm_sweep *sweep);

#endif
