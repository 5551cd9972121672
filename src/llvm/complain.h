/* Messages of the plug-in go through LLVM's diagnostics, so that -w, -Werror and the linker treat
 * them like clang's. */
#ifndef WM_LLVM_COMPLAIN_H
#define WM_LLVM_COMPLAIN_H

#include <llvm-c/Types.h>

enum wm_complaint {
	WM_COMPLAINT_WARNING,
	WM_COMPLAINT_ERROR /* the compilation fails, and writes nothing */
};

__attribute__((format(printf, 3, 4))) void wm_complain(
	LLVMModuleRef module, enum wm_complaint kind, const char *format, ...);

#endif
