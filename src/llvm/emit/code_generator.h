/* How LLVM's code generator is set where it compiles code with probes. */
#ifndef WM_LLVM_CODE_GENERATOR_H
#define WM_LLVM_CODE_GENERATOR_H

#include <llvm-c/Types.h>

#include "format/plugin_options.h"

/* To be called before the code of the module, which has its probes, is generated. */
void wm_code_generator_prepare(LLVMModuleRef module, const struct wm_plugin_options *options);

#endif
