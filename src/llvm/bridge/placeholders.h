/* Placeholders: calls that stand for increments while the optimiser runs. */
#ifndef WM_LLVM_PLACEHOLDERS_H
#define WM_LLVM_PLACEHOLDERS_H

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What placeholders call: its arguments are the counter's address, of this type, and an i64 to add.
 */
LLVMValueRef wm_placeholder_function(LLVMModuleRef module, LLVMTypeRef address);

/* The same, or NULL if the module has no placeholder. */
LLVMValueRef wm_placeholder_function_in(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif

#endif
