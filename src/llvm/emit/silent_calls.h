/* Calls that cannot reach the program's code. */
#ifndef WM_LLVM_SILENT_CALLS_H
#define WM_LLVM_SILENT_CALLS_H

#include <stdbool.h>

#include <llvm-c/Types.h>

/* Whether the function is one of the C library's that compute and call nobody: their names belong
 * to the library, unless the caller is compiled without such knowledge. */
bool wm_call_is_silent(LLVMValueRef caller, LLVMValueRef function);

#endif
