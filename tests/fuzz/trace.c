/* A .wmt file, and a walk through each of its threads along functions that are always the same: a
 * loop with a branch, a call that is told and one that is known. */
#include <string.h>

#include "fuzz.h"
#include "trace/regenerate.h"

enum { MAX_STEPS = 100000 };

static struct wm_block blocks[4];
static struct wm_scope scope = {"f", "", 0, 0, 0};
static uint32_t source[] = {0, 1, 1, 2, 3, 2}, target[] = {1, 2, 3, 1, 4, 3};
static uint8_t flags[] = {0, 0, 0, 0, WM_EDGE_RETURN, 0};
static struct wm_call_site calls[] = {{1, 0, "", 0, 0}, {2, 0, "f", 0, 0}, {3, 0, "setjmp", 0, 0}};
static uint8_t classes[] = {WM_CALL_OPEN, WM_CALL_KNOWN, WM_CALL_SILENT};
static uint32_t pads[3], codes[] = {0, 0, 1, 0, 0, 1};
static uint64_t callees[3]; /* the function itself */
static struct wm_trace_section section = {.head = {{WM_QUANTITY_TRACE, WM_PLACEMENT_OPTIMAL}, 0, 1},
	.call_class = classes,
	.pad = pads,
	.callee = callees,
	.code = codes};

static struct wm_object_function function = {{.name = "f",
						     .counter_count = 1,
						     .block_count = 4,
						     .blocks = blocks,
						     .scope_count = 1,
						     .scopes = &scope,
						     .edge_count = 6,
						     .edge_source = source,
						     .edge_target = target,
						     .edge_flags = flags,
						     .call_count = 3,
						     .calls = calls,
						     .trace = &section},
	0};

static void walk_through(struct wm_arena *arena, const struct wm_trace_file *file,
	struct wm_trace_functions *functions, const struct wm_trace_thread *thread)
{
	struct wm_trace_walk *walk = wm_trace_walk_start(arena, functions, file, thread, NULL);
	for (int i = 0; i < MAX_STEPS; i++) {
		const struct wm_trace_step *step = wm_trace_walk_next(walk);
		if (step->kind == WM_TRACE_STEP_END) {
			if (step->end == WM_TRACE_END_DAMAGED)
				wm_fuzz_require_text(WM_ERROR_INPUT, wm_trace_walk_reason(walk));
			return;
		}
		WM_FUZZ_REQUIRE(step->function && step->block < 4);
	}
}

int wm_fuzz_try(const uint8_t *data, size_t bytes)
{
	struct wm_arena arena = {0};
	struct wm_trace_file file;
	struct wm_trace_functions functions;
	struct wm_error error;
	int status = wm_trace_file_parse(&arena, "input", data, bytes, &file, &error);
	wm_fuzz_require_text(status, error.text);
	if (status == 0) {
		const struct wm_object object = {.path = "object",
			.build_id = file.build_id,
			.counter_count = 1,
			.function_count = 1,
			.functions = &function};
		WM_FUZZ_REQUIRE(
			!wm_trace_functions_make(&arena, &file, &object, &functions, &error));
		for (uint32_t i = 0; i < file.thread_count; i++)
			walk_through(&arena, &file, &functions, &file.threads[i]);
	}
	wm_arena_reset(&arena);
	return status;
}
