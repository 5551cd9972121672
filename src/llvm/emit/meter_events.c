/* The array of struct wm_meter_event (format/meter_event.h). A breakpoint is on a variable of the
 * program, of which some units know the type, and so its size: these define it. Without such a unit
 * the linker leaves both addresses zero. */
#include "llvm/emit/meter_events.h"

#include <llvm-c/Target.h>
#include <stdio.h>
#include <string.h>

#include "format/meter_event.h"
#include "llvm/bridge/bridge.h"

static LLVMValueRef size_of(LLVMModuleRef module, const char *name, LLVMValueRef variable)
{
	char symbol[512];
	LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(module));
	snprintf(symbol, sizeof symbol, "__waymark_bytes_of.%s", name);
	LLVMValueRef bytes = LLVMAddGlobal(module, i64, symbol);
	LLVMSetVisibility(bytes, LLVMHiddenVisibility);
	LLVMSetGlobalConstant(bytes, true);
	if (!variable) {
		LLVMSetLinkage(bytes, LLVMExternalWeakLinkage);
		return bytes;
	}
	LLVMTypeRef type = LLVMGlobalGetValueType(variable);
	LLVMSetInitializer(bytes,
		LLVMConstInt(i64, LLVMABISizeOfType(LLVMGetModuleDataLayout(module), type), false));
	LLVMSetLinkage(bytes, LLVMWeakAnyLinkage);
	wm_bridge_keep(module, &bytes, 1);
	return bytes;
}

/* NULL if this unit does not have it. One of a thread has no address that could be written here. */
static LLVMValueRef find_variable(LLVMModuleRef module, const char *name)
{
	LLVMValueRef variable = LLVMGetNamedGlobal(module, name);
	return variable && !LLVMIsThreadLocal(variable) ? variable : NULL;
}

static LLVMValueRef declare(LLVMModuleRef module, const char *name)
{
	LLVMValueRef variable =
		LLVMAddGlobal(module, LLVMInt8TypeInContext(LLVMGetModuleContext(module)), name);
	LLVMSetLinkage(variable, LLVMExternalWeakLinkage);
	return variable;
}

static LLVMValueRef describe(LLVMModuleRef module, const struct wm_meter *meter)
{
	LLVMContextRef context = LLVMGetModuleContext(module);
	LLVMTypeRef i32 = LLVMInt32TypeInContext(context), i64 = LLVMInt64TypeInContext(context);
	LLVMValueRef nothing = LLVMConstNull(LLVMPointerTypeInContext(context, 0));
	LLVMValueRef variable = nothing, bytes = nothing;
	const struct wm_perf_event *event = &meter->event;
	uint32_t flags = (meter->kind == WM_METER_PERF ? WM_METER_IS_EVENT : 0) |
			 (event->user_only ? WM_METER_USER_ONLY : 0);
	if (event->variable) {
		LLVMValueRef known = find_variable(module, event->variable);
		variable = known ? known : declare(module, event->variable);
		bytes = size_of(module, event->variable, known);
	}
	LLVMValueRef fields[] = {LLVMConstInt(i32, event->type, false),
		LLVMConstInt(i32, flags, false), LLVMConstInt(i64, event->config, false),
		LLVMConstInt(i64, event->accesses, false), variable, bytes};
	return LLVMConstStructInContext(context, fields, 6, false);
}

void wm_meter_events_write(LLVMModuleRef module, const struct wm_meters *meters)
{
	static const struct wm_meter none = {.kind = WM_METER_TSC};
	LLVMValueRef events[WM_MAX_METERS];
	if (!wm_meters_have(meters, WM_METER_PERF) && !wm_meters_have(meters, WM_METER_SIM))
		return;
	for (uint32_t i = 0; i < WM_MAX_METERS; i++)
		events[i] = describe(module, i < meters->count ? &meters->meters[i] : &none);
	LLVMValueRef array = LLVMConstArray2(LLVMTypeOf(events[0]), events, WM_MAX_METERS);
	LLVMValueRef global = LLVMAddGlobal(module, LLVMTypeOf(array), "__waymark_meter_events");
	LLVMSetInitializer(global, array);
	LLVMSetGlobalConstant(global, true);
	LLVMSetLinkage(global, LLVMWeakAnyLinkage);
	LLVMSetVisibility(global, LLVMHiddenVisibility);
	wm_bridge_keep(module, &global, 1);
}
