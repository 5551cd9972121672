/* Increments that are written as placeholders before the optimiser, and as code behind it. */
#ifndef WM_LLVM_PROBE_PLACEHOLDERS_H
#define WM_LLVM_PROBE_PLACEHOLDERS_H

#include "llvm/probe/lowerer.h"

/* At the builder's place. */
void wm_placeholder_write(struct wm_lowerer *lowerer, LLVMValueRef address, LLVMValueRef amount);

/* Keeps instructions that may trap behind the counts of what runs before them. */
void wm_placeholders_pin_traps(struct wm_lowerer *lowerer);

/* Writes the code of all placeholders in the function. */
void wm_placeholders_replace(struct wm_arena *arena, struct wm_bridge *bridge,
	const struct wm_plugin_options *options, LLVMValueRef function);

#endif
