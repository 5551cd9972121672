/* What a function does, as one number: tells whether two builds hold the same code of it. */
#ifndef WM_LLVM_BRIDGE_CODE_HASH_H
#define WM_LLVM_BRIDGE_CODE_HASH_H

#include <stdint.h>

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The hash of the function's instructions as they are now. Two functions that differ in an
 * operation, an operand, a constant, a type, a callee or the order of their blocks have different
 * hashes. Source lines, names of values, attributes, metadata, and calls that only inform the
 * optimiser or a debugger make no difference. */
uint64_t wm_code_hash(LLVMValueRef function);

#ifdef __cplusplus
}
#endif

#endif
