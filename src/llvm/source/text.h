/* The text of a function: its graph, lines and calls, read before the optimiser comes, as a source
 * record (format/source.h). */
#ifndef WM_LLVM_SOURCE_TEXT_H
#define WM_LLVM_SOURCE_TEXT_H

#include <llvm-c/Core.h>

#include "core/base/arena.h"
#include "format/source.h"
#include "llvm/bridge/coverage.h"

/* Where one of clang's counters is incremented. */
struct wm_text_counter {
	uint32_t block_count;
	uint32_t *blocks;
	bool by_steps; /* or by another amount than 1, so no block runs as often */
};

struct wm_text {
	struct wm_arena *arena;
	LLVMValueRef function;
	LLVMBasicBlockRef *blocks; /* by number */
	struct wm_text_order *order;
	struct wm_source source;
	LLVMValueRef counters_name; /* of clang's counters; NULL: it has none */
	uint32_t counter_count;
	struct wm_text_counter *counters;
};

/* Reads graph, lines, calls and clang's counters. Blocks are split behind setjmp first. */
void wm_text_read(struct wm_arena *arena, LLVMValueRef function, struct wm_text *text);

/* Adds regions and branches from clang's coverage mapping. */
void wm_text_add_mapping(struct wm_text *text, const struct wm_coverage_function *mapping);

/* The number of a block of the function. */
uint32_t wm_text_number_of(const struct wm_text *text, LLVMBasicBlockRef block);

/* The number of the file in the record, which is added if it is new. */
uint32_t wm_text_file(struct wm_text *text, const char *path);

/* Puts a line in front of those of the block. */
void wm_text_add_line(struct wm_text *text, uint32_t block, struct wm_source_line line);

/* Whether the instruction is the first of a handler of exceptions. Clang gives it the line of what
 * it compiled before, which is another handler, or the end of the try block. */
bool wm_text_begins_handler(LLVMValueRef instruction);

/* Whether control may end inside the instruction: it calls, or it may trap. */
bool wm_text_may_be_left(LLVMValueRef instruction);

#endif
