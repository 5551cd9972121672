/* Planting: what the text says is written down, and marked in the code, before the optimiser. */
#ifndef WM_LLVM_SOURCE_PLANT_H
#define WM_LLVM_SOURCE_PLANT_H

#include <stdbool.h>

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the global that holds a source record is called: this, and its key in hexadecimal. */
#define WM_PLANT_RECORD "__waymark_source"

/* Writes a source record for each function with debug information, puts the marks into its code
 * (bridge/marks.h), and takes out what clang planted for its own coverage. Whether the module
 * changed. */
bool wm_plant_module(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif

#endif
