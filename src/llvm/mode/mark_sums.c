/* The marks are visited in the order of blocks, each time the same. */
#include "llvm/mode/mark_sums.h"

#include "llvm/subject/user_marks.h"

/* The name of a mark with such a number, or NULL. */
static const char *name_of(LLVMValueRef instruction)
{
	if (!wm_user_mark_is(instruction) || !wm_user_mark_variable(instruction))
		return NULL;
	return wm_user_mark_name(instruction);
}

void wm_mark_sums_describe(const struct wm_subject *subject, struct wm_function *described)
{
	const struct wm_capture *capture = subject->capture;
	struct wm_mark_sum *sums = NULL;
	size_t capacity = 0;
	for (uint32_t v = 0; v < capture->block_count; v++)
		for (LLVMValueRef at = LLVMGetFirstInstruction(capture->blocks[v]); at;
			at = LLVMGetNextInstruction(at)) {
			const char *name = name_of(at);
			if (!name)
				continue;
			sums = wm_arena_grow(subject->arena, sums, described->mark_sum_count,
				&capacity, sizeof *sums);
			sums[described->mark_sum_count++] =
				(struct wm_mark_sum){wm_arena_copy_text(subject->arena, name),
					described->counter_count++};
		}
	described->mark_sums = sums;
}

void wm_mark_sums_lower(struct wm_lowerer *lowerer, const struct wm_function *described)
{
	const struct wm_capture *capture = lowerer->subject->capture;
	uint32_t next = 0;
	for (uint32_t v = 0; next < described->mark_sum_count && v < capture->block_count; v++)
		for (LLVMValueRef at = LLVMGetFirstInstruction(capture->blocks[v]); at;
			at = LLVMGetNextInstruction(at))
			if (name_of(at))
				wm_lowerer_count(lowerer, at, described->mark_sums[next++].counter,
					wm_user_mark_variable(at),
					lowerer->subject->vertex_weight[v]);
}
