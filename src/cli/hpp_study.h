/* The studies and exports of `waymark hpp` that need the order of execution: they see each branch, as a
 * command runs or from a text. */
#ifndef WM_CLI_HPP_STUDY_H
#define WM_CLI_HPP_STUDY_H

#include <stdio.h>

#include "core/base/arena.h"
#include "study/settings.h"

enum wm_hpp_study_kind {
	WM_HPP_NO_STUDY,
	WM_HPP_FIGURES,
	WM_HPP_PLACKETT_BURMAN,
	WM_HPP_FACTORIAL,
	WM_HPP_PHASES,
	WM_HPP_EXPORT_BOLT,
	WM_HPP_EXPORT_SIMPOINT,
	WM_HPP_EXPORT_SIMPOINT_BLOCKS,
	WM_HPP_EXPORT_BRANCHES,
	WM_HPP_EXPORT_PATHS
};

struct wm_hpp_study {
	enum wm_hpp_study_kind kind;
	struct wm_hpp_settings settings;
	const char *read; /* or NULL: */
	char **words;	  /* a command */
	const char *profile; /* where the command's profile goes, or NULL */
	bool children, json;
	FILE *out;	  /* reports */
	const char *to;	  /* exports: a file, or - */
};

/* Returns the exit status. Ends the tool with one line if it cannot be done. */
int wm_hpp_study(struct wm_arena *arena, struct wm_hpp_study *study);

#endif
