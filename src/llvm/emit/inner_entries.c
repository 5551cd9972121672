/* All calls and functions are known before the first body moves, since a call's instruction is made
 * again for its new callee. */
#include "llvm/emit/inner_entries.h"

#include <string.h>

#include <llvm-c/Comdat.h>
#include <llvm-c/Core.h>

#include "llvm/bridge/bridge.h"
#include "llvm/bridge/entries.h"
#include "llvm/subject/subject.h"

static bool is_local(LLVMValueRef function)
{
	LLVMLinkage linkage = LLVMGetLinkage(function);
	return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

bool wm_inner_entries_is_reached(LLVMModuleRef module, LLVMValueRef function)
{
	return is_local(function) ||
	       (LLVMGetLinkage(function) == LLVMExternalLinkage &&
		       (LLVMGetVisibility(function) != LLVMDefaultVisibility ||
			       !wm_bridge_is_for_library(module)));
}

static bool has_plain_name(LLVMValueRef function)
{
	size_t bytes;
	return LLVMGetValueName2(function, &bytes)[0] != '\1';
}

static bool must_stay_jump(LLVMValueRef call)
{
	return LLVMIsACallInst(call) && LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail;
}

/* A call that must be a jump needs a caller of its own type. */
static bool has_jump(LLVMValueRef function)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
		b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (must_stay_jump(i))
				return true;
	return false;
}

/* The kernel returns to what called a handler: that must be seen from the body. */
bool wm_inner_entries_can_have(LLVMValueRef function)
{
	return has_plain_name(function) && wm_bridge_can_split(function) &&
	       !wm_subject_may_be_handler(function) && !has_jump(function);
}

bool wm_inner_entries_can_use(LLVMValueRef call, LLVMValueRef callee)
{
	return has_plain_name(callee) && wm_bridge_can_link(call) && !must_stay_jump(call) &&
	       !LLVMIsFunctionVarArg(LLVMGlobalGetValueType(callee)) &&
	       wm_bridge_is_definite(callee);
}

void wm_inner_entries_add(
	struct wm_inner_entries *entries, LLVMValueRef function, LLVMValueRef told)
{
	entries->functions = wm_arena_grow(entries->arena, entries->functions,
		entries->function_count, &entries->function_capacity, sizeof *entries->functions);
	entries->functions[entries->function_count++] = (struct wm_inner_function){function, told};
}

void wm_inner_entries_use(struct wm_inner_entries *entries, LLVMValueRef call, LLVMValueRef callee)
{
	entries->calls = wm_arena_grow(entries->arena, entries->calls, entries->call_count,
		&entries->call_capacity, sizeof *entries->calls);
	entries->calls[entries->call_count++] = (struct wm_inner_call){call, callee};
}

static const char *name_of_byte(struct wm_arena *arena, LLVMValueRef function)
{
	static const char suffix[] = ".waymark.open";
	size_t bytes;
	const char *name = LLVMGetValueName2(function, &bytes);
	char *own = wm_arena_alloc(arena, bytes + sizeof suffix, 1);
	return strcat(strcpy(own, name), suffix);
}

static LLVMValueRef add_byte(LLVMModuleRef module, const char *name, unsigned value)
{
	LLVMTypeRef i8 = LLVMInt8TypeInContext(LLVMGetModuleContext(module));
	LLVMValueRef byte = LLVMAddGlobal(module, i8, name);
	LLVMSetInitializer(byte, LLVMConstInt(i8, value, false));
	LLVMSetGlobalConstant(byte, true);
	LLVMSetVisibility(byte, LLVMHiddenVisibility);
	return byte;
}

LLVMValueRef wm_inner_entries_open_byte(
	struct wm_arena *arena, LLVMModuleRef module, LLVMValueRef function)
{
	const char *name = name_of_byte(arena, function);
	LLVMValueRef byte = LLVMGetNamedGlobal(module, name);
	if (byte)
		return byte;
	byte = add_byte(module, name, 1);
	LLVMSetLinkage(byte, LLVMWeakAnyLinkage);
	LLVMSetComdat(byte, LLVMGetOrInsertComdat(module, name));
	return byte;
}

/* The place of the call, which functions with two entries can be given. */
static LLVMValueRef no_place(LLVMModuleRef module)
{
	return LLVMGetPoison(LLVMPointerTypeInContext(LLVMGetModuleContext(module), 0));
}

static void enter_inside(LLVMModuleRef module, const struct wm_inner_call *call)
{
	wm_bridge_link_call(
		call->call, wm_bridge_outer_entry(call->callee, NULL), no_place(module));
}

static void write_outside(
	LLVMModuleRef module, LLVMBuilderRef builder, const struct wm_inner_function *function)
{
	LLVMBasicBlockRef block =
		LLVMAppendBasicBlockInContext(LLVMGetModuleContext(module), function->function, "");
	LLVMValueRef body = wm_bridge_outer_entry(function->function, NULL);
	LLVMPositionBuilderAtEnd(builder, block);
	LLVMInsertIntoBuilder(builder, function->told);
	wm_bridge_forward(block, body, no_place(module), NULL, NULL);
}

void wm_inner_entries_finish(LLVMModuleRef module, struct wm_inner_entries *entries)
{
	LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
	for (uint32_t i = 0; i < entries->function_count; i++)
		wm_bridge_split(entries->functions[i].function);
	for (uint32_t i = 0; i < entries->call_count; i++)
		enter_inside(module, &entries->calls[i]);
	for (uint32_t i = 0; i < entries->function_count; i++) {
		LLVMValueRef function = entries->functions[i].function;
		LLVMInstructionRemoveFromParent(entries->functions[i].told);
		if (!is_local(function))
			add_byte(module, name_of_byte(entries->arena, function), 0);
		if (!is_local(function) || LLVMGetFirstUse(function)) {
			write_outside(module, builder, &entries->functions[i]);
			continue;
		}
		LLVMDeleteInstruction(entries->functions[i].told);
		LLVMDeleteFunction(function);
	}
	LLVMDisposeBuilder(builder);
}
