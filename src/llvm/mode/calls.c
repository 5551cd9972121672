/* Nothing but calls by context (emit/contexts.h): no counter of blocks or edges. */
#include "llvm/mode/mode.h"

static int plan(const struct wm_mode *mode, const struct wm_subject *subject, void **result,
	struct wm_error *error)
{
	(void)mode;
	(void)subject;
	(void)error;
	*result = NULL;
	return WM_PLAN_MADE;
}

static uint32_t describe(const struct wm_mode *mode, const struct wm_subject *subject,
	const void *made, uint32_t first, struct wm_function *described)
{
	struct wm_counters_section *section = wm_arena_alloc(subject->arena, 1, sizeof *section);
	(void)made;
	*section = (struct wm_counters_section){.head = {mode->measure, first, 0}};
	described->counters = section;
	return 0;
}

static void lower(struct wm_lowerer *lowerer, const void *made)
{
	(void)lowerer;
	(void)made;
}

const struct wm_mode_functions wm_calls_mode = {plan, describe, lower, NULL};
