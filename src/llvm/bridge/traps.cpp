// Instructions that programs let trap, to leave the function from the signal's handler.
#include "llvm/bridge/state.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LazyValueInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

using namespace llvm;

// A volatile access to a computed address: programs probe memory with it.
static bool probes_memory(const Instruction &instruction)
{
	const Value *address = getLoadStorePointerOperand(&instruction);
	if (!address || !instruction.isVolatile())
		return false;
	const Value *object = getUnderlyingObject(address);
	return !isa<AllocaInst>(object) && !isa<GlobalVariable>(object);
}

// Branches and switches around the division are taken into account.
static bool may_divide_by_zero(Instruction &instruction, FunctionAnalysisManager &analyses)
{
	if (!instruction.isIntDivRem() || isa<Constant>(instruction.getOperand(1)))
		return false;
	Value *divisor = instruction.getOperand(1);
	auto &values = analyses.getResult<LazyValueAnalysis>(*instruction.getFunction());
	Constant *zero = Constant::getNullValue(divisor->getType());
	Constant *differs =
		values.getPredicateAt(CmpInst::ICMP_NE, divisor, zero, &instruction, true);
	return !differs || !differs->isAllOnesValue();
}

static bool may_trap(Instruction &instruction, FunctionAnalysisManager &analyses)
{
	return probes_memory(instruction) || may_divide_by_zero(instruction, analyses);
}

extern "C" bool wm_bridge_may_trap(wm_bridge *bridge, LLVMValueRef value)
{
	return may_trap(*unwrap<Instruction>(value), bridge->analyses);
}

static bool has_trap(Function &function, FunctionAnalysisManager &analyses)
{
	return any_of(instructions(function),
		[&](Instruction &instruction) { return may_trap(instruction, analyses); });
}

// Whether the function, or one that it calls by its name, has such an instruction. Functions do not
// change in this respect while a module is instrumented.
bool wm_bridge_traps::reach_from(Function &start, FunctionAnalysisManager &analyses)
{
	if (auto found = known.find(&start); found != known.end())
		return found->second;
	SmallSetVector<Function *, 16> reached;
	reached.insert(&start);
	for (size_t i = 0; i < reached.size(); i++) {
		Function &function = *reached[i];
		if (has_trap(function, analyses))
			return known[&start] = true;
		for (Instruction &instruction : instructions(function)) {
			auto *call = dyn_cast<CallBase>(&instruction);
			Function *callee = call ? call->getCalledFunction() : nullptr;
			if (callee && known.lookup(callee))
				return known[&start] = true;
			if (callee && !callee->isDeclaration() && !known.contains(callee))
				reached.insert(callee);
		}
	}
	for (Function *function : reached)
		known[function] = false;
	return false;
}

extern "C" bool wm_bridge_call_returns(wm_bridge *bridge, LLVMValueRef instruction)
{
	auto &call = *unwrap<CallBase>(instruction);
	const Function *named = call.getCalledFunction();
	if (named && named->getName() == "__waymark_event") // a mark, which becomes no call
		return true;
	if (!call.hasFnAttr(Attribute::WillReturn) || !call.doesNotThrow() || call.isInlineAsm() ||
		call.hasFnAttr(Attribute::ReturnsTwice))
		return false;
	Function *callee = call.getCalledFunction();
	return !callee || callee->isDeclaration() ||
	       !bridge->traps.reach_from(*callee, bridge->analyses);
}
