/* Each complaint is one text. LLVM decides where it is shown. */
#include "llvm/complain.h"

#include <stdarg.h>
#include <stdio.h>

#include "llvm/bridge/bridge.h"

void wm_complain(LLVMModuleRef module, enum wm_complaint kind, const char *format, ...)
{
	char text[2048];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	wm_bridge_diagnose(module, kind == WM_COMPLAINT_ERROR, text);
}
