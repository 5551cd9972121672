/* Counters for known keys: a scaled hash in the code, in front of the call that counts the rest. */
#ifndef WM_LLVM_LOWER_KEYS_H
#define WM_LLVM_LOWER_KEYS_H

#include "core/chosen/probe_keys.h"
#include "llvm/probe/lowerer.h"

/* Before the instruction: counts the key, an i64, if it is known. Returns the instruction before
 * which control gets only if it is not. */
LLVMValueRef wm_lower_known_keys(struct wm_lowerer *lowerer, const struct wm_probe_keys *keys,
	LLVMValueRef key, LLVMValueRef before);

#endif
