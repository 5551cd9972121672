// LLVM's inliner, call by call.
#include "llvm/bridge/inline.h"
#include "llvm/bridge/state.h"

#include <llvm/Analysis/InlineCost.h>
#include <llvm/IR/Attributes.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/CallPromotionUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

static bool is_coroutine_or_naked(const Function &function)
{
	return function.hasFnAttribute(Attribute::Naked) || function.isPresplitCoroutine();
}

static const char *obstacle_of_function(Function &function, bool is_named)
{
	if (function.isDeclaration())
		return "its code is in another file";
	if (function.isInterposable())
		return "another definition may take its place";
	if (function.hasFnAttribute(Attribute::NoInline) && !is_named)
		return "it is marked noinline";
	if (function.isVarArg())
		return "it takes a variable number of arguments";
	if (function.callsFunctionThatReturnsTwice())
		return "it calls setjmp";
	if (is_coroutine_or_naked(function))
		return "its code is special";
	// A copy calls the function that it is a copy of, so it does not call itself.
	InlineResult viable = isInlineViable(function);
	if (!viable.isSuccess() && StringRef(viable.getFailureReason()) != "recursive call")
		return "it jumps to addresses that it computes";
	return nullptr;
}

extern "C" const char *wm_inline_obstacle(LLVMValueRef call, LLVMValueRef function, bool is_named)
{
	auto *base = cast<CallBase>(unwrap(call));
	auto *callee = cast<Function>(unwrap(function));
	if (const char *obstacle = obstacle_of_function(*callee, is_named))
		return obstacle;
	if (base->isMustTailCall() || (base->isNoInline() && !is_named) || isa<CallBrInst>(base))
		return "the call is special";
	if (base->getFunctionType() != callee->getFunctionType())
		return "the call has other arguments";
	if (!AttributeFuncs::areInlineCompatible(*base->getFunction(), *callee))
		return "it was compiled with other options";
	Function &caller = *base->getFunction();
	if (caller.hasPersonalityFn() && callee->hasPersonalityFn() &&
		caller.getPersonalityFn()->stripPointerCasts() !=
			callee->getPersonalityFn()->stripPointerCasts())
		return "it handles exceptions in another way";
	return nullptr;
}

extern "C" bool wm_inline_fits(LLVMValueRef call, LLVMValueRef function)
{
	return isLegalToPromote(*cast<CallBase>(unwrap(call)), cast<Function>(unwrap(function)));
}

extern "C" LLVMValueRef wm_inline_guard(LLVMValueRef call, LLVMValueRef function)
{
	return wrap(&promoteCallWithIfThenElse(
		*cast<CallBase>(unwrap(call)), cast<Function>(unwrap(function))));
}

extern "C" size_t wm_inline_size(LLVMValueRef function)
{
	size_t size = 0;
	for (const BasicBlock &block : *cast<Function>(unwrap(function)))
		size += block.sizeWithoutDebug();
	return size;
}

extern "C" bool wm_inline_chooses(LLVMValueRef function)
{
	for (const BasicBlock &block : *cast<Function>(unwrap(function)))
		if (block.getTerminator()->getNumSuccessors() > 1)
			return true;
	return false;
}

// The copy's text is the function's own: what is inlined from it says so, and marks keep their
// meaning. No debugger sees the copy itself.
extern "C" LLVMValueRef wm_inline_copy(LLVMValueRef function)
{
	ValueToValueMapTy values;
	auto *original = cast<Function>(unwrap(function));
	if (DISubprogram *text = original->getSubprogram())
		values.MD()[text].reset(text);
	Function *copy = CloneFunction(original, values);
	copy->setLinkage(GlobalValue::InternalLinkage);
	copy->setComdat(nullptr);
	return wrap(copy);
}

extern "C" void wm_inline_drop_copy(LLVMValueRef copy)
{
	cast<Function>(unwrap(copy))->eraseFromParent();
}

extern "C" long wm_inline_call(
	LLVMValueRef call, LLVMValueRef copy, LLVMValueRef *calls, size_t capacity)
{
	auto *base = cast<CallBase>(unwrap(call));
	auto *code = cast<Function>(unwrap(copy));
	Function *caller = base->getFunction();
	Value *before = base->getCalledOperand();
	base->setCalledFunction(code);
	InlineFunctionInfo info;
	if (!InlineFunction(*base, info, true).isSuccess()) {
		base->setCalledOperand(before);
		return -1;
	}
	AttributeFuncs::mergeAttributesForInlining(*caller, *code);
	size_t count = 0;
	for (CallBase *inner : info.InlinedCallSites)
		if (count < capacity)
			calls[count++] = wrap(inner);
	return (long)count;
}

extern "C" void wm_inline_tidy(LLVMValueRef function)
{
	SmallVector<WeakTrackingVH, 16> unused;
	for (Instruction &instruction : instructions(*cast<Function>(unwrap(function))))
		if (isInstructionTriviallyDead(&instruction))
			unused.push_back(&instruction);
	RecursivelyDeleteTriviallyDeadInstructions(unused);
}

extern "C" void wm_bridge_forget(wm_bridge *bridge)
{
	bridge->analyses.invalidate(bridge->function, PreservedAnalyses::none());
}
