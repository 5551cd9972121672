/* Tables of the studies of `waymark hpp`. With `json` they are for programs. */
#ifndef WM_REPORT_HPP_STUDY_VIEW_H
#define WM_REPORT_HPP_STUDY_VIEW_H

#include "report/hpp_view.h"
#include "study/figures.h"
#include "study/phases.h"
#include "study/superblocks.h"

void wm_figures_print(const struct wm_figures *figures, FILE *out);
void wm_figures_json(const struct wm_figures *figures, const char *program, FILE *out);
void wm_sweep_print(const struct wm_sweep *sweep, FILE *out);
void wm_sweep_json(const struct wm_sweep *sweep, const char *program, FILE *out);
void wm_phases_print(const struct wm_phases *phases, FILE *out);
void wm_superblocks_print(const struct wm_hpp_view *view, const struct wm_superblock *candidates,
	size_t count, FILE *out);

/* Costs by function and line in callgrind's format, or by caller and function, a line each. */
void wm_hpp_write_callgrind(const struct wm_hpp_view *view, FILE *out);
void wm_hpp_write_collapsed(const struct wm_hpp_view *view, FILE *out);

#endif
