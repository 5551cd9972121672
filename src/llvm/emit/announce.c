/* A process that ends in `_exit` or is replaced by `exec` runs no destructors, and would look like
 * one that was killed. */
#include "llvm/emit/announce.h"

#include <stdbool.h>
#include <string.h>

#include "llvm/emit/record.h"

static const char *const enders[] = {"_exit", "_Exit", "execl", "execle", "execlp", "execv",
	"execve", "execvp", "execvpe", "execveat", "fexecve"};

/* Its child runs in the parent's memory until it ends. What the child announces is not true of the
 * parent. */
static const char *const sharers[] = {"vfork", "__vfork"};

#define LIST(list) list, sizeof list / sizeof *list

static bool calls_one_of(LLVMValueRef instruction, const char *const *names, size_t count)
{
	size_t bytes;
	if (!LLVMIsACallInst(instruction))
		return false;
	LLVMValueRef callee = LLVMGetCalledValue(instruction);
	if (!LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee))
		return false;
	const char *name = LLVMGetValueName2(callee, &bytes);
	for (size_t i = 0; i < count; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static void announce(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef before, bool ending)
{
	LLVMContextRef context = LLVMGetModuleContext(module);
	LLVMTypeRef integer = LLVMInt32TypeInContext(context);
	LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), &integer, 1, false);
	LLVMValueRef function = wm_record_runtime_function(module, "__waymark_ending", type);
	LLVMValueRef argument = LLVMConstInt(integer, ending, false);
	LLVMPositionBuilderBefore(builder, before);
	LLVMBuildCall2(builder, type, function, &argument, 1, "");
}

void wm_announce_endings(LLVMModuleRef module, LLVMValueRef function)
{
	LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
		block = LLVMGetNextBasicBlock(block)) {
		for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
			next = LLVMGetNextInstruction(at);
			bool ends = calls_one_of(at, LIST(enders));
			if (LLVMIsACallInst(at) &&
				LLVMGetTailCallKind(at) == LLVMTailCallKindMustTail)
				continue;
			if (ends)
				announce(module, builder, at, true);
			if (ends || calls_one_of(at, LIST(sharers)))
				announce(module, builder, next, false);
		}
	}
	LLVMDisposeBuilder(builder);
}
