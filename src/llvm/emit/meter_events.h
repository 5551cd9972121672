/* The kernel's events of a build, told to the runtime. */
#ifndef WM_LLVM_METER_EVENTS_H
#define WM_LLVM_METER_EVENTS_H

#include <llvm-c/Core.h>

#include "format/meters.h"

/* Writes them into the module, if there are any; all units of a program have the same. */
void wm_meter_events_write(LLVMModuleRef module, const struct wm_meters *meters);

#endif
