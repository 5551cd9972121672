/* A second entry of a function, which also gets the place of the call among its caller's records:
 * in r10, where nested functions of other languages get their frame (LLVM's `nest`). */
#ifndef WM_LLVM_BRIDGE_ENTRIES_H
#define WM_LLVM_BRIDGE_ENTRIES_H

#include <stdbool.h>

#include <llvm-c/Types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the function's body can become that of a second entry. */
bool wm_bridge_can_split(LLVMValueRef function);

/* Whether the call can get one more argument in r10. */
bool wm_bridge_can_link(LLVMValueRef call);

/* Whether the name means this very function wherever the linker sees it. */
bool wm_bridge_is_definite(LLVMValueRef function);

/* Whether anything but calls of the function refers to it. */
bool wm_bridge_has_address(LLVMValueRef function);

/* Moves the body to a new function, `NAME.waymark`, whose first parameter is in r10. The old one is
 * left as an empty body. */
LLVMValueRef wm_bridge_split(LLVMValueRef function);

/* Declares, or finds, `NAME.waymark` for a function of another file. If that file has none, it
 * stores r10 in the thread's word, unless that is NULL, and jumps to the function. */
LLVMValueRef wm_bridge_outer_entry(LLVMValueRef function, LLVMValueRef word);

/* Makes the call one of that function (or pointer), with the link in r10. Returns the new call. */
LLVMValueRef wm_bridge_link_call(LLVMValueRef call, LLVMValueRef callee, LLVMValueRef link);

/* The call must not become a jump. */
void wm_bridge_forbid_jump(LLVMValueRef call);

/* At the end of the block, in a function split before: calls the body with the link and the
 * function's own arguments, then stores the value in the word, also if an exception leaves, and
 * returns. With no word it is a jump. */
void wm_bridge_forward(LLVMBasicBlockRef block, LLVMValueRef body, LLVMValueRef link,
	LLVMValueRef word, LLVMValueRef value);

#ifdef __cplusplus
}
#endif

#endif
