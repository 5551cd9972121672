// At the start of the pipeline nothing is known of functions yet. All are taken to be pure until
// one has an effect, or calls one that has.
#include "llvm/bridge/pure.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/BuildLibCalls.h>

using namespace llvm;

static bool is_local(const Value *pointer)
{
	return isa<AllocaInst>(pointer->stripInBoundsOffsets());
}

static bool writes_elsewhere(const Instruction &instruction)
{
	if (instruction.isVolatile() || instruction.isAtomic())
		return true;
	if (auto *store = dyn_cast<StoreInst>(&instruction))
		return !is_local(store->getPointerOperand());
	if (auto *copy = dyn_cast<AnyMemIntrinsic>(&instruction))
		return !is_local(copy->getRawDest());
	return false;
}

static bool has_effect_elsewhere(const CallBase &call, const Function &callee)
{
	MemoryEffects effects = callee.getMemoryEffects() & call.getMemoryEffects();
	return !effects.onlyReadsMemory() && !effects.onlyAccessesArgPointees() &&
	       !effects.onlyAccessesInaccessibleOrArgMem();
}

namespace
{
struct Finder {
	DenseMap<const Function *, size_t> known; // functions with code that are asked about
	bool *pure;

	bool call_has_effect(const CallBase &call) const
	{
		auto *callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
		if (auto *code = dyn_cast<InlineAsm>(call.getCalledOperand()))
			return code->hasSideEffects();
		if (isa<AnyMemIntrinsic>(call))
			return writes_elsewhere(call);
		if (auto *intrinsic = dyn_cast<IntrinsicInst>(&call);
			intrinsic && intrinsic->isAssumeLikeIntrinsic())
			return false;
		if (!callee)
			return true;
		if (auto found = known.find(callee); found != known.end())
			return !pure[found->second];
		return has_effect_elsewhere(call, *callee);
	}

	bool has_effect(const Function &function) const
	{
		return any_of(instructions(function), [&](const Instruction &instruction) {
			if (auto *call = dyn_cast<CallBase>(&instruction))
				return call_has_effect(*call);
			return writes_elsewhere(instruction);
		});
	}
};
} // namespace

extern "C" void wm_pure_infer(LLVMModuleRef handle)
{
	Module &module = *unwrap(handle);
	TargetLibraryInfoImpl implementation(Triple(module.getTargetTriple()));
	for (Function &function : module)
		if (function.isDeclaration())
			inferNonMandatoryLibFuncAttrs(
				function, TargetLibraryInfo(implementation, &function));
}

extern "C" bool wm_pure_lasts(LLVMValueRef value)
{
	auto *call = unwrap<CallBase>(value);
	auto *callee = dyn_cast<Function>(call->getCalledOperand());
	return callee && callee->isDeclaration() && !callee->isIntrinsic() &&
	       has_effect_elsewhere(*call, *callee);
}

extern "C" void wm_pure_find(const LLVMValueRef *functions, size_t count, bool *pure)
{
	Finder finder;
	finder.pure = pure;
	for (size_t i = 0; i < count; i++) {
		finder.known[unwrap<Function>(functions[i])] = i;
		pure[i] = true;
	}
	SmallVector<Function *, 64> waiting;
	for (size_t i = 0; i < count; i++)
		waiting.push_back(unwrap<Function>(functions[i]));
	while (!waiting.empty()) {
		Function *function = waiting.pop_back_val();
		bool &is_pure = pure[finder.known[function]];
		if (!is_pure || !finder.has_effect(*function))
			continue;
		is_pure = false;
		for (User *user : function->users())
			if (auto *call = dyn_cast<CallBase>(user);
				call && finder.known.count(call->getFunction()))
				waiting.push_back(call->getFunction());
	}
}

extern "C" bool wm_pure_is_called_otherwise(LLVMValueRef value, bool for_library)
{
	auto *function = unwrap<Function>(value);
	return function->hasAddressTaken(nullptr, false, true, true) ||
	       (for_library && !function->hasLocalLinkage());
}
