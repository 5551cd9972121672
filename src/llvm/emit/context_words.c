/* Accesses are marked as ours, so that sanitizers leave them alone. */
#include "llvm/emit/context_words.h"

#include <stdio.h>
#include <string.h>

#include "llvm/bridge/bridge.h"
#include "llvm/emit/record.h"

static const char word_name[] = "__waymark_context_here";

static LLVMValueRef word_of_thread(LLVMModuleRef module, LLVMTypeRef type)
{
	LLVMValueRef word = LLVMGetNamedGlobal(module, word_name);
	if (word)
		return word;
	word = LLVMAddGlobal(module, type, word_name);
	LLVMSetVisibility(word, LLVMHiddenVisibility);
	LLVMSetThreadLocalMode(word, LLVMInitialExecTLSModel);
	return word;
}

void wm_context_words_open(LLVMModuleRef module, struct wm_context_words *words)
{
	static const char mark[] = "nosanitize";
	LLVMContextRef context = LLVMGetModuleContext(module);
	*words = (struct wm_context_words){.module = module,
		.builder = LLVMCreateBuilderInContext(context),
		.i64 = LLVMInt64TypeInContext(context),
		.i8 = LLVMInt8TypeInContext(context),
		.pointer = LLVMPointerTypeInContext(context, 0),
		.mark_kind = LLVMGetMDKindIDInContext(context, mark, sizeof mark - 1),
		.mark = LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, NULL, 0))};
	words->here = word_of_thread(module, words->pointer);
}

static LLVMValueRef marked(struct wm_context_words *words, LLVMValueRef access)
{
	LLVMSetMetadata(access, words->mark_kind, words->mark);
	return access;
}

LLVMValueRef wm_context_words_at(
	struct wm_context_words *words, LLVMValueRef address, uint64_t distance)
{
	LLVMValueRef offset = LLVMConstInt(words->i64, distance, false);
	if (!distance)
		return address;
	return LLVMBuildGEP2(words->builder, words->i8, address, &offset, 1, "");
}

LLVMValueRef wm_context_words_load(
	struct wm_context_words *words, LLVMValueRef address, uint64_t distance)
{
	LLVMValueRef at = wm_context_words_at(words, address, distance);
	return marked(words, LLVMBuildLoad2(words->builder, words->pointer, at, ""));
}

void wm_context_words_store(
	struct wm_context_words *words, LLVMValueRef value, LLVMValueRef address)
{
	marked(words, LLVMBuildStore(words->builder, value, address));
}

void wm_context_words_count(struct wm_context_words *words, LLVMValueRef address, uint64_t distance)
{
	static const char constraints[] = "r,~{memory},~{flags}";
	char text[48];
	size_t bytes =
		(size_t)snprintf(text, sizeof text, "incq %llu($0)", (unsigned long long)distance);
	LLVMContextRef context = LLVMGetModuleContext(words->module);
	LLVMTypeRef type =
		LLVMFunctionType(LLVMVoidTypeInContext(context), &words->pointer, 1, false);
	LLVMValueRef code = LLVMGetInlineAsm(type, text, bytes, constraints, sizeof constraints - 1,
		true, false, LLVMInlineAsmDialectATT, false);
	LLVMValueRef call = LLVMBuildCall2(words->builder, type, code, &address, 1, "");
	LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex,
		LLVMCreateEnumAttribute(
			context, LLVMGetEnumAttributeKindForName("nounwind", 8), 0));
	marked(words, call);
}

LLVMValueRef wm_context_words_function(
	struct wm_context_words *words, const char *name, unsigned parameters)
{
	LLVMTypeRef types[] = {words->pointer, words->pointer, words->pointer};
	LLVMValueRef function = wm_record_runtime_function(
		words->module, name, LLVMFunctionType(words->pointer, types, parameters, false));
	LLVMSetFunctionCallConv(function, WM_PRESERVE_ALL);
	return function;
}

LLVMValueRef wm_context_words_call(struct wm_context_words *words, LLVMValueRef function,
	LLVMValueRef *arguments, unsigned count)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(function);
	LLVMValueRef call = LLVMBuildCall2(words->builder, type, function, arguments, count, "");
	LLVMSetInstructionCallConv(call, WM_PRESERVE_ALL);
	return call;
}

bool wm_context_words_is_handler(LLVMTypeRef type)
{
	LLVMTypeRef parameters[3];
	unsigned count = LLVMCountParamTypes(type);
	if (LLVMGetTypeKind(LLVMGetReturnType(type)) != LLVMVoidTypeKind ||
		LLVMIsFunctionVarArg(type) || (count != 1 && count != 3))
		return false;
	LLVMGetParamTypes(type, parameters);
	bool rest = count == 1 || (LLVMGetTypeKind(parameters[1]) == LLVMPointerTypeKind &&
					  LLVMGetTypeKind(parameters[2]) == LLVMPointerTypeKind);
	return rest && LLVMGetTypeKind(parameters[0]) == LLVMIntegerTypeKind &&
	       LLVMGetIntTypeWidth(parameters[0]) == 32;
}

static LLVMValueRef return_address(struct wm_context_words *words, LLVMValueRef function)
{
	static const char name[] = "llvm.returnaddress";
	LLVMContextRef context = LLVMGetModuleContext(words->module);
	LLVMValueRef zero = LLVMConstInt(LLVMInt32TypeInContext(context), 0, false);
	if (!wm_context_words_is_handler(LLVMGlobalGetValueType(function)))
		return LLVMConstNull(words->pointer);
	unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
	LLVMValueRef intrinsic = LLVMGetIntrinsicDeclaration(words->module, id, NULL, 0);
	return LLVMBuildCall2(words->builder, LLVMIntrinsicGetType(context, id, NULL, 0), intrinsic,
		&zero, 1, "");
}

LLVMValueRef wm_context_words_enter(
	struct wm_context_words *words, LLVMValueRef function, LLVMValueRef layout)
{
	LLVMValueRef arguments[] = {layout, function, return_address(words, function)};
	LLVMValueRef enter = wm_context_words_function(words, "__waymark_context_enter", 3);
	return wm_context_words_call(words, enter, arguments, 3);
}
