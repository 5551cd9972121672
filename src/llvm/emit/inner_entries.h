/* Inner entries: a function that a trace tells of may also be entered without telling it, by calls
 * of which a reader knows what they enter. The body moves behind a second name, `NAME.waymark`;
 * what has the old name tells the entry and jumps there.
 *
 * For calls into other files the linker finds out whether there is such an entry. A file that has
 * none is entered as usual, and the byte `NAME.waymark.open` says that the return must be told. */
#ifndef WM_LLVM_INNER_ENTRIES_H
#define WM_LLVM_INNER_ENTRIES_H

#include <stdbool.h>

#include <llvm-c/Types.h>

#include "core/base/arena.h"

struct wm_inner_function {
	LLVMValueRef function;
	LLVMValueRef told; /* the code that tells an entry */
};

struct wm_inner_call {
	LLVMValueRef call, callee;
};

/* What is collected function by function. */
struct wm_inner_entries {
	struct wm_arena *arena;
	struct wm_inner_function *functions;
	struct wm_inner_call *calls;
	uint32_t function_count, call_count;
	size_t function_capacity, call_capacity;
};

/* Whether the name means this very function wherever the object that this becomes part of has it.
 */
bool wm_inner_entries_is_reached(LLVMModuleRef module, LLVMValueRef function);

/* Whether the function, which is defined, can have an inner entry; and whether a call can use that
 * of its callee. */
bool wm_inner_entries_can_have(LLVMValueRef function);
bool wm_inner_entries_can_use(LLVMValueRef call, LLVMValueRef callee);

void wm_inner_entries_add(
	struct wm_inner_entries *entries, LLVMValueRef function, LLVMValueRef told);
void wm_inner_entries_use(struct wm_inner_entries *entries, LLVMValueRef call, LLVMValueRef callee);

/* The byte that says, once all is linked, whether the declared function has no inner entry. */
LLVMValueRef wm_inner_entries_open_byte(
	struct wm_arena *arena, LLVMModuleRef module, LLVMValueRef function);

/* When all functions of the module are written. */
void wm_inner_entries_finish(LLVMModuleRef module, struct wm_inner_entries *entries);

#endif
