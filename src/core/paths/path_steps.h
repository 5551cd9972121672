/* What the two registers of a path plan do along an edge and in a block, and how its probes count:
 * the steps from which code is made and cost is computed. Only for plans that know their registers
 * (wm_path_plan_make, wm_path_plan_carry). */
#ifndef WM_CORE_PATH_STEPS_H
#define WM_CORE_PATH_STEPS_H

#include "core/paths/path_plan.h"

enum wm_register_change {
	WM_REGISTER_KEPT,
	WM_REGISTER_SET,  /* register = value */
	WM_REGISTER_MOVED /* register += value */
};

struct wm_register_step {
	enum wm_register_change change;
	uint64_t value; /* modulo 2^64 */
};

/* prehistory = value + (with_route: the route to the source) + (with_prehistory: routes * the
 * prehistory at the source). */
struct wm_prehistory_step {
	bool changes;
	bool with_route;
	bool with_prehistory;
	uint64_t value;
	uint64_t routes;
};

/* How a probe finds what to count in, if there is no prehistory, or always one. */
enum wm_counting {
	WM_COUNTING_PLAIN, /* it has one counter */
	WM_COUNTING_BY_REGISTER,
	WM_COUNTING_IN_TABLE
};

enum wm_counting wm_path_steps_counting(
	const struct wm_path_plan *plan, const struct wm_probe *probe);

/* Whether a probe needs one of the registers to count. */
bool wm_path_steps_reads_registers(const struct wm_path_plan *plan, const struct wm_probe *probe);

struct wm_register_step wm_path_steps_on_edge(const struct wm_path_plan *plan, uint32_t edge);
struct wm_register_step wm_path_steps_in_block(const struct wm_path_plan *plan, uint32_t vertex);
struct wm_prehistory_step wm_path_steps_prehistory(const struct wm_path_plan *plan, uint32_t edge);

#endif
