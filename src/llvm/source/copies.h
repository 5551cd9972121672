/* The copies of texts that a function's code was made from: its own text, and one for each call
 * that was inlined; and where in the code blocks of them are seen. */
#ifndef WM_LLVM_SOURCE_COPIES_H
#define WM_LLVM_SOURCE_COPIES_H

#include <stdbool.h>
#include <stdint.h>

#include "llvm/bridge/marks.h"
#include "llvm/source/hidden.h"
#include "llvm/source/texts.h"
#include "llvm/subject/capture.h"

struct wm_copy {
	struct wm_mark_instance instance;
	const struct wm_text_graph *graph; /* NULL: not known */
	struct wm_hidden_search *search;
	uint32_t parent;     /* the copy with the call that this one was inlined for, or WM_NONE */
	uint32_t call_block; /* the block of the parent's text with that call, or WM_NONE */
	uint32_t depth;	     /* of inlining */
	bool is_mixed;	     /* its sights may be of another copy, or of another text */
	uint32_t first_sight, sight_count; /* into by_copy */
};

/* A probe in the code. */
struct wm_sight {
	uint32_t copy;
	uint32_t block;	 /* of the text */
	uint32_t factor; /* executions of the text for each of the code */
	uint32_t place;	 /* block of the code */
	uint32_t points; /* how many places at which control may end stand before it in the block */
};

/* A place where control may end inside a block of the code, or a call. */
struct wm_point {
	uint32_t place;
	LLVMValueRef instruction;
	bool is_call;
	bool may_end; /* control */
};

struct wm_copies {
	struct wm_arena *arena;
	struct wm_bridge *bridge;
	const struct wm_texts *texts;
	const struct wm_capture *capture;
	size_t count, capacity; /* copy 0 is the function's own text */
	struct wm_copy *copies;
	uint32_t *table;     /* copies by instance: number + 1, or 0 */
	uint32_t table_size; /* a power of two, more than twice the copies */
	size_t sight_count, sight_capacity;
	struct wm_sight *sights; /* in the order of the code */
	uint32_t *by_copy;	 /* sights, those of each copy together, in the order of the code */
	size_t point_count, point_capacity;
	struct wm_point *points; /* likewise */
	uint32_t *first_point;	 /* by block of the code; one more at the end */
	uint32_t *end_points;	 /* by block of the code: how many may end */
};

void wm_copies_find(struct wm_arena *arena, struct wm_bridge *bridge, const struct wm_texts *texts,
	const struct wm_capture *capture, struct wm_copies *copies);

/* One step of the chain of calls by which an instruction came here. */
struct wm_copy_block {
	uint32_t copy;
	uint32_t block; /* of its text */
};

/* The blocks of text that the instruction belongs to, innermost first: that of its own copy and
 * those with the calls around it. NULL if one of them is not known. */
const struct wm_copy_block *wm_copies_chain(
	struct wm_copies *copies, LLVMValueRef instruction, uint32_t *count);

/* The copy that the instruction belongs to, or WM_NONE. */
uint32_t wm_copies_of(struct wm_copies *copies, LLVMValueRef instruction);

#endif
