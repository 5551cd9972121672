// The bridge's view of loops: their blocks, exits and iterations.
#include "llvm/bridge/state.h"

#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

using namespace llvm;

extern "C" wm_loop_ref wm_bridge_loop_of(wm_bridge *bridge, LLVMBasicBlockRef block)
{
	return reinterpret_cast<wm_loop_ref>(bridge->loops->getLoopFor(unwrap(block)));
}

extern "C" wm_loop_ref wm_bridge_loop_around(
	wm_bridge *bridge, LLVMBasicBlockRef first, LLVMBasicBlockRef second)
{
	Loop *loop = bridge->loops->getLoopFor(unwrap(first));
	while (loop && !loop->contains(unwrap(second)))
		loop = loop->getParentLoop();
	return reinterpret_cast<wm_loop_ref>(loop);
}

extern "C" LLVMBasicBlockRef wm_bridge_loop_header(wm_loop_ref loop)
{
	return wrap(wm_bridge_unwrap(loop)->getHeader());
}

extern "C" LLVMBasicBlockRef wm_bridge_loop_latch(wm_loop_ref loop)
{
	return wrap(wm_bridge_unwrap(loop)->getLoopLatch());
}

extern "C" LLVMBasicBlockRef wm_bridge_make_preheader(wm_bridge *bridge, wm_loop_ref handle)
{
	Loop *loop = wm_bridge_unwrap(handle);
	if (BasicBlock *there = loop->getLoopPreheader())
		return wrap(there);
	DominatorTree &dominators = wm_bridge_dominators(bridge);
	return wrap(InsertPreheaderForLoop(loop, &dominators, bridge->loops, nullptr, false));
}

// A loop that waits for another thread or for a signal has such an access, and a signal may leave
// it.
static bool is_watched(const Instruction &instruction)
{
	return instruction.isVolatile() || instruction.isAtomic();
}

static bool may_be_left_in(wm_bridge *bridge, const BasicBlock &block)
{
	for (const Instruction &instruction : block) {
		auto *call = dyn_cast<CallBase>(&instruction);
		if (is_watched(instruction) || wm_bridge_may_trap(bridge, wrap(&instruction)))
			return true;
		if (call && !isa<DbgInfoIntrinsic>(call) &&
			!wm_bridge_call_returns(bridge, wrap(call)))
			return true;
	}
	return false;
}

static bool has_call(const BasicBlock &block)
{
	return any_of(block, [](const Instruction &instruction) {
		return isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction);
	});
}

static double entries_of(wm_bridge *bridge, Loop *loop)
{
	double entries = 0;
	SmallPtrSet<BasicBlock *, 4> seen; // a switch may be here several times
	for (BasicBlock *from : predecessors(loop->getHeader()))
		if (!loop->contains(from) && seen.insert(from).second)
			entries += wm_bridge_edge_frequency(
				bridge, wrap(from), wrap(loop->getHeader()));
	return entries;
}

// Without instructions that become none of the machine's, such as an address that is part of an
// access.
static size_t machine_instructions_of(wm_bridge *bridge, const Loop *loop)
{
	auto &target = bridge->analyses.getResult<TargetIRAnalysis>(bridge->function);
	size_t count = 0;
	for (const BasicBlock *block : loop->blocks())
		for (const Instruction &instruction : *block)
			count += target.getInstructionCost(
					 &instruction, TargetTransformInfo::TCK_SizeAndLatency) !=
				 TargetTransformInfo::TCC_Free;
	return count;
}

extern "C" wm_loop_facts wm_bridge_loop_facts(wm_bridge *bridge, wm_loop_ref handle)
{
	Loop *loop = wm_bridge_unwrap(handle);
	auto [known, is_new] = bridge->facts.try_emplace(loop);
	wm_loop_facts &facts = known->second;
	if (!is_new)
		return facts;
	facts.closed = true;
	facts.innermost = loop->isInnermost();
	facts.entries = entries_of(bridge, loop);
	facts.iterations = wm_bridge_block_frequency(bridge, wrap(loop->getHeader()));
	for (BasicBlock *block : loop->blocks()) {
		facts.has_calls = facts.has_calls || has_call(*block);
		facts.closed = facts.closed && !may_be_left_in(bridge, *block);
	}
	if (facts.innermost) {
		facts.left_at_one_place = loop->getExitingBlock() != nullptr;
		facts.instructions = machine_instructions_of(bridge, loop);
	}
	return facts;
}

static ScalarEvolution &evolution_of(wm_bridge *bridge)
{
	return bridge->analyses.getResult<ScalarEvolutionAnalysis>(bridge->function);
}

// Whether one side changes by the same amount in each iteration and the other not at all.
static bool compares_step(ScalarEvolution &evolution, const Loop *loop, const ICmpInst *compare)
{
	if (!evolution.isSCEVable(compare->getOperand(0)->getType()))
		return false;
	const SCEV *sides[] = {evolution.getSCEV(compare->getOperand(0)),
		evolution.getSCEV(compare->getOperand(1))};
	for (unsigned i = 0; i < 2; i++) {
		auto *step = dyn_cast<SCEVAddRecExpr>(sides[i]);
		if (step && step->getLoop() == loop && step->isAffine() &&
			evolution.isLoopInvariant(sides[1 - i], loop))
			return true;
	}
	return false;
}

// Conditions joined by "and" and "or" become jumps of their own in machine code.
static bool depends_on_step(ScalarEvolution &evolution, const Loop *loop, Value *condition)
{
	using namespace PatternMatch;
	Value *left, *right;
	if (match(condition, m_LogicalAnd(m_Value(left), m_Value(right))) ||
		match(condition, m_LogicalOr(m_Value(left), m_Value(right))))
		return depends_on_step(evolution, loop, left) ||
		       depends_on_step(evolution, loop, right);
	auto *compare = dyn_cast<ICmpInst>(condition);
	return compare && compares_step(evolution, loop, compare);
}

static bool is_stepped(wm_bridge *bridge, Loop *loop)
{
	SmallVector<BasicBlock *, 8> exiting;
	loop->getExitingBlocks(exiting);
	return any_of(exiting, [&](BasicBlock *block) {
		auto *branch = dyn_cast<BranchInst>(block->getTerminator());
		return branch && branch->isConditional() &&
		       depends_on_step(evolution_of(bridge), loop, branch->getCondition());
	});
}

extern "C" bool wm_bridge_loop_is_stepped(wm_bridge *bridge, wm_loop_ref handle)
{
	auto [known, is_new] = bridge->stepped.try_emplace(wm_bridge_unwrap(handle));
	if (is_new)
		known->second = is_stepped(bridge, wm_bridge_unwrap(handle));
	return known->second;
}

static const SCEV *back_edges_of(wm_bridge *bridge, Loop *loop)
{
	return evolution_of(bridge).getBackedgeTakenCount(loop);
}

extern "C" bool wm_bridge_loop_is_counted(wm_bridge *bridge, wm_loop_ref handle)
{
	const unsigned cheap = 4; // LLVM's own budget for expansions outside of loops
	Loop *loop = wm_bridge_unwrap(handle);
	if (!loop->getLoopPredecessor() || !loop->getLoopLatch())
		return false;
	const SCEV *count = back_edges_of(bridge, loop);
	if (isa<SCEVCouldNotCompute>(count) || !count->getType()->isIntegerTy() ||
		count->getType()->getIntegerBitWidth() > 64)
		return false;
	Instruction *at = loop->getLoopPredecessor()->getTerminator();
	ScalarEvolution &evolution = evolution_of(bridge);
	auto &target = bridge->analyses.getResult<TargetIRAnalysis>(bridge->function);
	SCEVExpander expander(evolution, bridge->function.getDataLayout(), "waymark");
	return expander.isSafeToExpandAt(count, at) &&
	       !expander.isHighCostExpansion(count, loop, cheap, &target, at);
}

extern "C" LLVMValueRef wm_bridge_loop_back_edges(
	wm_bridge *bridge, wm_loop_ref handle, LLVMValueRef before)
{
	wm_bridge_dominators(bridge); // which ScalarEvolution has a reference to
	Loop *loop = wm_bridge_unwrap(handle);
	ScalarEvolution &evolution = evolution_of(bridge);
	Type *wide = Type::getInt64Ty(bridge->function.getContext());
	const SCEV *count = evolution.getNoopOrZeroExtend(back_edges_of(bridge, loop), wide);
	SCEVExpander expander(evolution, bridge->function.getDataLayout(), "waymark");
	return wrap(expander.expandCodeFor(count, wide, unwrap<Instruction>(before)));
}

extern "C" size_t wm_bridge_loop_exits(
	wm_bridge *bridge, wm_loop_ref handle, LLVMBasicBlockRef *exits, size_t capacity)
{
	Loop *loop = wm_bridge_unwrap(handle);
	SmallVector<BasicBlock *, 8> found;
	formDedicatedExitBlocks(loop, &wm_bridge_dominators(bridge), bridge->loops, nullptr, false);
	loop->getUniqueExitBlocks(found);
	if (!loop->hasDedicatedExits() || found.size() > capacity)
		return 0;
	for (size_t i = 0; i < found.size(); i++) {
		if (found[i]->isEHPad())
			return 0;
		exits[i] = wrap(found[i]);
	}
	return found.size();
}
