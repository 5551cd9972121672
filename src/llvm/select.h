/* Which functions of a module are counted. */
#ifndef WM_LLVM_SELECT_H
#define WM_LLVM_SELECT_H

#include <stdbool.h>

#include <llvm-c/Types.h>

#include "format/plugin_options.h"

/* Whether code for the module's target can be counted. */
bool wm_select_knows_target(LLVMModuleRef module);

/* Build systems compile for GPUs and other machines with the same command. False, with a warning,
 * if there is no runtime for the module's target. */
bool wm_select_target(LLVMModuleRef module);

/* Whether the function is counted: it is code of the user's that the options select, and nothing
 * forbids probes in it. Warns of functions that are not counted though they are selected. */
bool wm_select_function(
	LLVMModuleRef module, LLVMValueRef function, const struct wm_plugin_options *options);

/* The same of a function whose turn comes later. No warning. */
bool wm_select_will_count(
	LLVMModuleRef module, LLVMValueRef function, const struct wm_plugin_options *options);

/* Marks the function as counted, so that it is not selected again. */
void wm_select_mark_done(LLVMValueRef function);
bool wm_select_is_done(LLVMValueRef function);

#endif
