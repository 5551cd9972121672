/* Paths in JSON. docs/waymark-report.1.scd and docs/waymark-paths.1.scd describe the members. */
#ifndef WM_REPORT_PATH_JSON_H
#define WM_REPORT_PATH_JSON_H

#include "profile/profile.h"
#include "report/json.h"
#include "report/path_form.h"

/* Members of a function's object: cfg_hash, paths_known, possible_paths and paths, each with id,
 * count, blocks, partial, no_return and next: all, or the `top` hottest ones, unless that is 0. */
void wm_path_json_members(
	struct wm_json *json, const struct wm_profile_function *function, size_t top);

/* One path as an object with everything that is known about it, the lines that it runs through and
 * the outcomes of their branches included. */
void wm_path_json_with_lines(struct wm_json *json, struct wm_arena *arena,
	const struct wm_profile_function *function, const struct wm_path_map *map,
	const struct wm_profile_path *path);

/* Members of a path's object, where its blocks do not matter: name, id, source and steps. */
void wm_path_json_steps_members(struct wm_json *json, struct wm_arena *arena,
	const struct wm_profile_function *function, const struct wm_path_map *map,
	const struct wm_profile_path *path);

/* Of those only source and steps, for what has no id. */
void wm_path_json_source_members(struct wm_json *json, struct wm_arena *arena,
	const struct wm_path_map *map, const struct wm_profile_path *path);

/* A function as an object with the `top` hottest of its paths. */
void wm_path_json_function(
	struct wm_json *json, const struct wm_profile_function *function, size_t top);

#endif
