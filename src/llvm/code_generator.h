/* How LLVM's code generator is set where it compiles code with probes. */
#ifndef WM_LLVM_CODE_GENERATOR_H
#define WM_LLVM_CODE_GENERATOR_H

#include <stdbool.h>

/* To be called before the code of a module with probes is generated; probes by history have
 * settings of their own. */
void wm_code_generator_prepare(bool for_histories);

#endif
