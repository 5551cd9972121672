/* Marks are calls of __waymark_event(name, number) with a literal for a name. */
#include "llvm/subject/user_marks.h"

#include <string.h>

#include <llvm-c/Core.h>

static const char marker[] = "__waymark_event", region[] = "__waymark_region_kind";

static bool calls(LLVMValueRef instruction, const char *name, unsigned arguments)
{
	LLVMValueRef callee = instruction && LLVMIsACallInst(instruction)
				      ? LLVMGetCalledValue(instruction)
				      : NULL;
	size_t bytes;
	return callee && LLVMIsAFunction(callee) &&
	       strcmp(LLVMGetValueName2(callee, &bytes), name) == 0 &&
	       LLVMGetNumArgOperands(instruction) == arguments;
}

bool wm_user_mark_is(LLVMValueRef instruction)
{
	return calls(instruction, marker, 2);
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

static int kind_of_region(const struct wm_summed_kinds *kinds, const char *word)
{
	for (uint32_t k = 0; word && k < kinds->count; k++)
		if (strcmp(kinds->list[k].word, word) == 0)
			return (int)k;
	return -1;
}

void wm_user_marks_answer(LLVMValueRef function, const struct wm_summed_kinds *kinds)
{
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
		block = LLVMGetNextBasicBlock(block))
		for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
			next = LLVMGetNextInstruction(at);
			if (!calls(at, region, 1))
				continue;
			int kind = kind_of_region(kinds, wm_user_mark_name(at));
			LLVMReplaceAllUsesWith(at, LLVMConstInt(LLVMTypeOf(at),
							   (unsigned long long)kind, true));
			LLVMInstructionEraseFromParent(at);
		}
}

static void forget(LLVMModuleRef module, const char *name)
{
	LLVMValueRef function = LLVMGetNamedFunction(module, name);
	if (function && LLVMIsDeclaration(function) && !LLVMGetFirstUse(function))
		LLVMDeleteFunction(function);
}

void wm_user_marks_forget(LLVMModuleRef module)
{
	forget(module, marker);
	forget(module, region);
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
