/* How LLVM's code generator is set where it compiles code with probes. */
#ifndef WM_LLVM_CODE_GENERATOR_H
#define WM_LLVM_CODE_GENERATOR_H

#ifdef __cplusplus
extern "C" {
#endif

/* To be called once, before any code is generated. */
void wm_code_generator_prepare(void);

#ifdef __cplusplus
}
#endif

#endif
