/* Announcing the end: calls that end the process at once tell the runtime first. */
#ifndef WM_LLVM_ENDING_H
#define WM_LLVM_ENDING_H

#include <llvm-c/Core.h>

/* Puts the announcement before each call of `_exit` or `exec` in the function, and takes it back
 * behind an `exec` that failed and behind `vfork`. */
void wm_ending_announce(LLVMModuleRef module, LLVMValueRef function);

#endif
