/* Announcing the end: calls that end the process at once tell the runtime first. */
#ifndef WM_LLVM_ANNOUNCE_H
#define WM_LLVM_ANNOUNCE_H

#include <llvm-c/Core.h>

/* Puts the announcement before each call of `_exit` or `exec` in the function, and takes it back
 * behind an `exec` that failed and behind `vfork`. */
void wm_announce_endings(LLVMModuleRef module, LLVMValueRef function);

#endif
