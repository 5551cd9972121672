/* Selection by target, attribute, kind of function and the user's patterns. */
#include "llvm/select.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "llvm/complain.h"
#include "llvm/subject/asm_goto.h"
#include "llvm/subject/subject.h"

static const char done_mark[] = "waymark";

bool wm_select_knows_target(LLVMModuleRef module)
{
	const char *target = LLVMGetTarget(module);
	return !strncmp(target, "x86_64", 6) && strstr(target, "linux") && !strstr(target, "x32");
}

bool wm_select_target(LLVMModuleRef module)
{
	if (wm_select_knows_target(module))
		return true;
	wm_complain(module, WM_COMPLAINT_WARNING, "code for %s is compiled without counters",
		LLVMGetTarget(module));
	return false;
}

/* Resolvers of indirect functions run before thread-local storage exists. */
static bool is_resolver(LLVMModuleRef module, LLVMValueRef function)
{
	for (LLVMValueRef ifunc = LLVMGetFirstGlobalIFunc(module); ifunc;
		ifunc = LLVMGetNextGlobalIFunc(ifunc))
		if (LLVMGetGlobalIFuncResolver(ifunc) == function)
			return true;
	return false;
}

static bool has_funclets(LLVMValueRef function)
{
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
		block = LLVMGetNextBasicBlock(block)) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
		if (LLVMIsACatchSwitchInst(end) || LLVMIsACatchReturnInst(end) ||
			LLVMIsACleanupReturnInst(end))
			return true;
	}
	return false;
}

static bool forbids_probes(LLVMValueRef function)
{
	return wm_subject_has(function, "naked") || wm_subject_has(function, "noprofile") ||
	       wm_subject_has(function, "skipprofile") ||
	       wm_subject_has(function, "presplitcoroutine");
}

bool wm_select_is_done(LLVMValueRef function)
{
	return LLVMGetStringAttributeAtIndex(
		function, LLVMAttributeFunctionIndex, done_mark, sizeof(done_mark) - 1);
}

static bool is_wanted(
	LLVMModuleRef module, LLVMValueRef function, const struct wm_plugin_options *options)
{
	size_t bytes;
	return !LLVMIsDeclaration(function) && !forbids_probes(function) &&
	       !wm_select_is_done(function) && !is_resolver(module, function) &&
	       !has_funclets(function) &&
	       wm_plugin_options_select(options, LLVMGetValueName2(function, &bytes));
}

bool wm_select_will_count(
	LLVMModuleRef module, LLVMValueRef function, const struct wm_plugin_options *options)
{
	return is_wanted(module, function, options) && !wm_asm_goto_is_left_alone(function);
}

bool wm_select_function(
	LLVMModuleRef module, LLVMValueRef function, const struct wm_plugin_options *options)
{
	if (!is_wanted(module, function, options))
		return false;
	if (!wm_asm_goto_is_left_alone(function))
		return true;
	wm_complain(module, WM_COMPLAINT_WARNING,
		"function '%s' is not counted: with probes around its asm goto clang could compile "
		"it wrongly",
		wm_subject_linker_name(function));
	return false;
}

void wm_select_mark_done(LLVMValueRef function)
{
	LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
	LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
		LLVMCreateStringAttribute(
			context, done_mark, sizeof(done_mark) - 1, "instrumented", 12));
}
