/* Inside the modes that count paths: cuts and plans of a subject, wanted paths, and the steps of a
 * plan by history. */
#ifndef WM_LLVM_MODE_PATHS_H
#define WM_LLVM_MODE_PATHS_H

#include "core/chosen/probe_keys.h"
#include "core/paths/path_plan.h"
#include "llvm/mode/mode.h"

/* What decides where paths end in the subject. */
struct wm_regions_request;
struct wm_regions_request wm_paths_cuts(
	const struct wm_subject *subject, const bool *must_start, const bool *no_prehistory);

/* The plan by history, at the ends of paths or where it is cheapest. */
int wm_paths_plan_histories(const struct wm_subject *subject, bool at_ends,
	struct wm_path_plan *plan, struct wm_error *error);

/* Says in the description where paths end. */
void wm_paths_describe_cuts(
	struct wm_arena *arena, const bool *cut, const bool *soft, struct wm_function *described);

/* The subject's wanted paths, those of --prefer or --select, as ranges of ids; `described` has its
 * cuts, and `paths` becomes their numbering. None if there are too many to number or to list, which
 * is then said. */
struct wm_path_ranges wm_paths_wanted(const struct wm_subject *subject,
	const struct wm_function *described, struct wm_paths *paths);

/* Counters for the paths of a plan that are known to matter: by probe, NULL for those that need
 * none. `ranges` are the wanted paths, NULL for all. *counter_count grows by theirs. */
const struct wm_probe_keys **wm_paths_keys(const struct wm_subject *subject,
	const struct wm_path_ranges *ranges, const struct wm_path_plan *plan,
	const struct wm_paths *paths, const struct wm_function *described, uint32_t *counter_count);

/* The same counters as a description lists them. */
struct wm_known_key *wm_paths_list_keys(struct wm_arena *arena, const struct wm_path_plan *plan,
	const struct wm_probe_keys *const *by_probe, uint32_t *count);

/* Where the meters of a build are read. */
struct wm_path_meters {
	const struct wm_meters *meters;
	uint32_t stride;      /* the words of a meter: its paths', then its groups' */
	bool *read;	      /* by edge: a path ends with it, and gets what was read */
	uint32_t *left_group; /* by edge: the group that it leaves, or WM_NONE */
	uint32_t group_count;
	struct wm_meter_group *groups;
};

const struct wm_path_meters *wm_paths_meters(
	const struct wm_subject *subject, const struct wm_path_plan *plan);

/* Adds their section, whose words start at `first`, behind that of the paths; returns how many it
 * has. */
uint32_t wm_paths_describe_meters(const struct wm_subject *subject,
	const struct wm_path_meters *meters, uint32_t first, struct wm_function *described);

/* Adds the steps of a plan; `keys` by probe, or NULL; `meters` or NULL. */
void wm_paths_add_steps(struct wm_lowerer *lowerer, const struct wm_path_plan *plan,
	const struct wm_probe_keys *const *keys, const struct wm_path_meters *meters);

/* The same, with a sentinel for each probe. */
void wm_paths_add_sentinel_steps(struct wm_lowerer *lowerer, const struct wm_path_plan *plan);

/* By edge: the iterations of the loop, if they are known, it is this back edge that sets the
 * registers of paths, and nothing else in the loop reads or changes them. Asks for iterations. */
const struct wm_iterations **wm_paths_quiet_loops(
	struct wm_lowerer *lowerer, const struct wm_path_plan *plan);

#endif
