/* A profile of the hardware path profiler, for people and for programs. */
#ifndef WM_REPORT_HPP_VIEW_H
#define WM_REPORT_HPP_VIEW_H

#include <stdio.h>

#include "profile/code_lines.h"

struct wm_hpp_view {
	struct wm_arena *arena;
	const struct wm_hpp_profile *profile;
	struct wm_code_lines *lines;
	size_t top;
	bool colour;
	const char *file; /* what was kept of the run, or NULL */
};

/* OBJECT+OFFSET:LENGTH:BITS, which holds over all runs of a build; START:LENGTH:BITS in no object. */
const char *wm_hpp_path_name(const struct wm_hpp_view *view, const struct wm_exact_path *path);

/* The source of the path in a line: lines, and the outcomes of its branches. */
const char *wm_hpp_path_text(const struct wm_hpp_view *view, const struct wm_exact_path *path);

/* FUNCTION+0xOFFSET, OBJECT+0xOFFSET, or the address. */
const char *wm_hpp_place_text(const struct wm_hpp_view *view, uint64_t address);

void wm_hpp_view_print(const struct wm_hpp_view *view, FILE *out);

void wm_hpp_view_json(const struct wm_hpp_view *view, FILE *out);

/* The path of that rank (1 is the hottest) or name; NULL if there is none. */
const struct wm_exact_path *wm_hpp_view_find(const struct wm_hpp_view *view, const char *name);

/* One path, instruction by instruction. */
void wm_hpp_view_path(const struct wm_hpp_view *view, const struct wm_exact_path *path, FILE *out);

/* What became of the paths of an earlier run: those that are hot in one of both. */
void wm_hpp_view_compare(
	const struct wm_hpp_view *view, const struct wm_hpp_view *earlier, FILE *out);

#endif
