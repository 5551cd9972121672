/* Code of the compiler's intermediate form has no addresses: a block gets one by its function and
 * its number, so that a branch goes back where it does in the order of the blocks. What follows a
 * block in that order is fallen through to. Of two successors the one that goes back, or else the
 * farther one, is jumped to. Stack pointers fall with each frame, by which `waymark hpp` sees
 * frames that were left. */
#include <inttypes.h>

#include "core/base/none.h"
#include "trace/view.h"

enum {
	FUNCTION_BITS = 24, /* of an address in its function */
	BLOCK_BYTES = 64,
	BRANCH_AT = 62, /* in its block; calls stand before it */
	OUTSIDE = 16,	/* code that is not traced */
	STACK_TOP = 0x7fff0000,
	FRAME_BYTES = 64
};

struct model {
	const struct wm_trace_view *view;
	struct wm_arena arena;
	uint64_t *returns; /* by frame: where it returns to */
	size_t depth, capacity;
	uint64_t call;	 /* address of the call that was made last, or OUTSIDE */
	uint64_t tail;	 /* of a jump to a function that is still to be told; or 0 */
	uint64_t landed; /* where an exception came from; or 0 */
	uint64_t instructions;
};

static uint64_t address_of(const struct wm_traced_function *function, uint32_t block)
{
	return (uint64_t)(function->number + 1) << FUNCTION_BITS | (uint64_t)block * BLOCK_BYTES;
}

static uint64_t address_of_call(const struct wm_trace_step *step)
{
	uint32_t first = step->function->graph.first_call[step->block];
	uint32_t number = step->call - first;
	return address_of(step->function, step->block) + 4 + 2 * (number < 28 ? number : 28);
}

static void tell(struct model *model, const char *kind, uint64_t at, uint64_t to, uint64_t target)
{
	fprintf(model->view->out, "%s %" PRIx64 " %" PRIx64 " after=%" PRIx64 " n=%" PRIu64, kind,
		at, to, at + 1, model->instructions);
	if (target)
		fprintf(model->view->out, " target=%" PRIx64, target);
	fprintf(model->view->out, " sp=%" PRIx64 "\n",
		(uint64_t)STACK_TOP - FRAME_BYTES * (uint64_t)model->depth);
	model->instructions = 0;
}

static void push(struct model *model, uint64_t return_to)
{
	model->returns = wm_arena_grow(&model->arena, model->returns, model->depth,
		&model->capacity, sizeof *model->returns);
	model->returns[model->depth++] = return_to;
}

static void enter(struct model *model, const struct wm_trace_step *step)
{
	uint64_t to = address_of(step->function, 0);
	if (step->is_handler)
		fprintf(model->view->out, "signal %" PRIx64 "\n", to);
	if (model->tail) {
		tell(model, "jmp", model->tail, to, 0);
		model->tail = 0;
		return;
	}
	push(model, step->is_handler ? 0 : model->call + 1);
	if (!step->is_handler)
		tell(model, "call", model->call, to, 0);
}

/* Frames that were left on the way have gone before. */
static void leave(struct model *model, const struct wm_trace_step *step)
{
	uint64_t at = address_of(step->function, step->block) + BRANCH_AT;
	if (model->depth == 0)
		return;
	if (step->left == WM_TRACE_LEFT_TAIL) {
		model->tail = at;
		return;
	}
	uint64_t to = model->returns[--model->depth];
	if (step->left == WM_TRACE_LEFT_RETURN && !to)
		fprintf(model->view->out, "sigreturn\n");
	else if (step->left == WM_TRACE_LEFT_RETURN)
		tell(model, "ret", at, to, 0);
	else
		model->landed = at;
}

/* A function that was jumped to is not traced: for the model, this one returns. */
static void end_tail(struct model *model)
{
	uint64_t at = model->tail;
	model->tail = 0;
	if (at && model->depth)
		tell(model, "ret", at, model->returns[--model->depth], 0);
}

/* The two successors of a block: the one that is jumped to. */
static uint32_t jumped_to(uint32_t source, uint32_t left, uint32_t right)
{
	uint32_t lower = left < right ? left : right, higher = left < right ? right : left;
	return lower <= source ? lower : higher;
}

static void decide(struct model *model, const struct wm_trace_step *step)
{
	const struct wm_traced_function *function = step->function;
	const struct wm_cfg *cfg = function->graph.cfg;
	uint32_t source = function->function->edge_source[step->edge];
	uint32_t target = function->function->edge_target[step->edge];
	if (source >= function->function->block_count)
		return;
	const uint32_t *out = &cfg->out_edge[cfg->out_start[source]];
	uint32_t count = cfg->out_start[source + 1] - cfg->out_start[source];
	uint64_t at = address_of(function, source) + BRANCH_AT, to = address_of(function, target);
	if (count > 2 || (count == 2 && target <= source && cfg->target[out[0]] <= source &&
				 cfg->target[out[1]] <= source))
		tell(model, "ijmp", at, to, 0);
	else if (count == 2) {
		uint32_t jumped = jumped_to(source, cfg->target[out[0]], cfg->target[out[1]]);
		tell(model, target == jumped ? "jcc+" : "jcc-", at, to,
			address_of(function, jumped));
	} else if (target != source + 1)
		tell(model, "jmp", at, to, 0);
}

static void go_to(struct model *model, const struct wm_trace_step *step)
{
	uint64_t here = address_of(step->function, step->block);
	if (model->landed)
		tell(model, "ijmp", model->landed, here, 0);
	else if (step->edge != WM_NONE)
		decide(model, step);
	model->landed = 0;
	model->call = OUTSIDE;
	model->instructions += step->function->function->blocks[step->block].instructions;
}

static void take(struct model *model, const struct wm_trace_step *step)
{
	if (step->kind != WM_TRACE_STEP_ENTER)
		end_tail(model);
	switch (step->kind) {
	case WM_TRACE_STEP_ENTER:
		enter(model, step);
		break;
	case WM_TRACE_STEP_BLOCK:
		go_to(model, step);
		break;
	case WM_TRACE_STEP_CALL:
		model->call = address_of_call(step);
		break;
	case WM_TRACE_STEP_BACK:
		model->call = OUTSIDE;
		break;
	case WM_TRACE_STEP_AGAIN:
		tell(model, "ijmp", model->landed ? model->landed : OUTSIDE,
			address_of_call(step) + 1, 0);
		model->landed = 0;
		break;
	case WM_TRACE_STEP_LEAVE:
		if (step->edge != WM_NONE && step->left == WM_TRACE_LEFT_RETURN)
			decide(model, step);
		leave(model, step);
		break;
	default:
		break;
	}
}

void wm_trace_view_model(
	const struct wm_trace_view *view, struct wm_trace_walk *walk, uint32_t thread)
{
	struct model model = {.view = view, .call = OUTSIDE};
	const struct wm_trace_step *step;
	fprintf(view->out, "thread %" PRIu32 "\nbegin %x\n", thread, OUTSIDE);
	while ((step = wm_trace_walk_next(walk))->kind != WM_TRACE_STEP_END)
		take(&model, step);
	wm_arena_reset(&model.arena);
}
