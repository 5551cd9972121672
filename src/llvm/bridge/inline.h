/* Inlining of chosen calls: what LLVM's own inliner would do, where somebody else decides. */
#ifndef WM_LLVM_BRIDGE_INLINE_H
#define WM_LLVM_BRIDGE_INLINE_H

#include <stdbool.h>
#include <stddef.h>

#include <llvm-c/Core.h>

#include "llvm/bridge/bridge.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Why the code of the function cannot stand in place of the call; NULL if it can. A call that the
 * user named may be of a function that is marked noinline. */
const char *wm_inline_obstacle(LLVMValueRef call, LLVMValueRef function, bool is_named);

/* Whether the call, which goes through a pointer, could be of this function. */
bool wm_inline_fits(LLVMValueRef call, LLVMValueRef function);

/* Calls the function by name if the pointer is that function; that call is returned. */
LLVMValueRef wm_inline_guard(LLVMValueRef call, LLVMValueRef function);

/* Instructions of the function, without those that are only for debuggers. */
size_t wm_inline_size(LLVMValueRef function);

/* Whether there is more than one path through the function. */
bool wm_inline_chooses(LLVMValueRef function);

/* A copy of the function that nothing refers to, and its end. */
LLVMValueRef wm_inline_copy(LLVMValueRef function);
void wm_inline_drop_copy(LLVMValueRef copy);

/* Puts the code of `copy` in place of the call, which is of the function that it is a copy of.
 * Stores up to `capacity` of the calls that came with it, and returns their number; -1 if LLVM
 * refuses, and nothing has changed. */
long wm_inline_call(LLVMValueRef call, LLVMValueRef copy, LLVMValueRef *calls, size_t capacity);

/* Deletes what nobody uses any more, as the code generator would: calls that only compute, too. */
void wm_inline_tidy(LLVMValueRef function);

/* The function has changed as a whole: forgets what is known of it. */
void wm_bridge_forget(struct wm_bridge *bridge);

#ifdef __cplusplus
}
#endif

#endif
