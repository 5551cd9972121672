/* Marks are calls of __waymark_event(name, number) with a literal for a name. */
#include "llvm/subject/user_marks.h"

#include <string.h>

#include <llvm-c/Core.h>

static const char marker[] = "__waymark_event";

bool wm_user_mark_is(LLVMValueRef instruction)
{
	LLVMValueRef callee = instruction && LLVMIsACallInst(instruction)
				      ? LLVMGetCalledValue(instruction)
				      : NULL;
	size_t bytes;
	return callee && LLVMIsAFunction(callee) &&
	       strcmp(LLVMGetValueName2(callee, &bytes), marker) == 0 &&
	       LLVMGetNumArgOperands(instruction) == 2;
}

const char *wm_user_mark_name(LLVMValueRef mark)
{
	LLVMValueRef global = LLVMIsAGlobalVariable(LLVMGetOperand(mark, 0));
	LLVMValueRef text = global && LLVMIsGlobalConstant(global) ? LLVMGetInitializer(global)
								   : NULL;
	size_t bytes;
	if (!text || !LLVMIsAConstantDataArray(text) || !LLVMIsConstantString(text))
		return NULL;
	const char *name = LLVMGetAsString(text, &bytes);
	return bytes > 0 && memchr(name, '\0', bytes) == name + bytes - 1 ? name : NULL;
}

uint64_t wm_user_mark_amount(LLVMValueRef instruction, const char *name)
{
	if (!wm_user_mark_is(instruction))
		return 0;
	const char *own = wm_user_mark_name(instruction);
	LLVMValueRef number = LLVMGetOperand(instruction, 1);
	if (!own || strcmp(own, name) != 0 || !LLVMIsAConstantInt(number))
		return 0;
	return LLVMConstIntGetZExtValue(number);
}

LLVMValueRef wm_user_mark_variable(LLVMValueRef mark)
{
	LLVMValueRef number = LLVMGetOperand(mark, 1);
	return LLVMIsAConstantInt(number) ? NULL : number;
}

void wm_user_marks_forget(LLVMModuleRef module)
{
	LLVMValueRef function = LLVMGetNamedFunction(module, marker);
	if (function && !LLVMGetFirstUse(LLVMIsAFunction(function)))
		LLVMDeleteFunction(function);
}

void wm_user_marks_remove(LLVMValueRef function)
{
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
		block = LLVMGetNextBasicBlock(block))
		for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
			next = LLVMGetNextInstruction(at);
			if (wm_user_mark_is(at))
				LLVMInstructionEraseFromParent(at);
		}
}

void wm_user_marks_describe(
	struct wm_arena *arena, const struct wm_capture *capture, struct wm_function *described)
{
	struct wm_block_mark *marks = NULL;
	size_t capacity = 0;
	for (uint32_t v = 0; v < capture->block_count; v++)
		for (LLVMValueRef at = LLVMGetFirstInstruction(capture->blocks[v]); at;
			at = LLVMGetNextInstruction(at)) {
			const char *name = wm_user_mark_is(at) ? wm_user_mark_name(at) : NULL;
			uint64_t amount = name ? wm_user_mark_amount(at, name) : 0;
			if (!amount || amount > UINT32_MAX)
				continue;
			marks = wm_arena_grow(arena, marks, described->mark_count, &capacity,
				sizeof *marks);
			marks[described->mark_count++] = (struct wm_block_mark){
				v, wm_arena_copy_text(arena, name), (uint32_t)amount};
		}
	described->marks = marks;
}
