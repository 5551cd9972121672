// First iterations of loops as code of their own.
//
// A classic path that comes into a loop ends with its first iteration; all later iterations start
// at the loop's header. As long as both run through the same code, a register must tell them apart
// there, iteration by iteration. A copy of the loop's code for the first iteration takes that out
// of the loop: whatever leads to its header ends a path.
#include "llvm/bridge/state.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Transforms/Utils/LoopPeel.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

using namespace llvm;

// In instructions. Those of a loop around others include the copies of their first iterations.
// Copies of larger loops were measured to save less than they cost: there is more code, and behind
// the loop there are more paths to tell apart.
static constexpr size_t max_innermost = 300, max_around_others = 100;

static size_t size_of(const Loop &loop)
{
	size_t size = 0;
	for (const BasicBlock *block : loop.blocks())
		size += block->sizeWithoutDebug();
	return size;
}

// A loop of one block whose iterations can be computed is counted outside of it already.
static bool is_worth_a_copy(const Loop &loop, ScalarEvolution &evolution)
{
	if (size_of(loop) > (loop.isInnermost() ? max_innermost : max_around_others))
		return false;
	return loop.getNumBlocks() > 1 || !evolution.hasLoopInvariantBackedgeTakenCount(&loop);
}

static bool may_be_copied(const Loop &loop)
{
	for (const BasicBlock *block : loop.blocks())
		if (block->hasAddressTaken())
			return false;
	return loop.isSafeToClone();
}

static BasicBlock *original_of(const wm_bridge *bridge, BasicBlock *block)
{
	auto found = bridge->originals.find(block);
	return found == bridge->originals.end() ? block : found->second;
}

// If a loop inside already has a first iteration of its own, so has its copy. The copied header of
// the loop itself is no header any more.
static void note_copy(wm_bridge *bridge, const Loop *loop, BasicBlock *block, BasicBlock *copy)
{
	bridge->originals[copy] = original_of(bridge, block);
	if (block != loop->getHeader() && bridge->peeled.contains(block))
		bridge->peeled.insert(copy);
}

static void peel(wm_bridge *bridge, Loop *loop, ScalarEvolution &evolution)
{
	auto &assumptions = bridge->analyses.getResult<AssumptionAnalysis>(bridge->function);
	DominatorTree &dominators = wm_bridge_dominators(bridge);
	ValueToValueMapTy copies;
	simplifyLoop(loop, &dominators, bridge->loops, &evolution, &assumptions, nullptr, false);
	formLCSSARecursively(*loop, dominators, bridge->loops, &evolution);
	if (!canPeel(loop) || !peelLoop(loop, 1, bridge->loops, &evolution, dominators,
				      &assumptions, true, copies))
		return;
	bridge->peeled.insert(loop->getHeader());
	for (BasicBlock *block : loop->blocks())
		if (auto *copy = cast_or_null<BasicBlock>(copies.lookup(block)))
			note_copy(bridge, loop, block, copy);
}

extern "C" void wm_bridge_peel_loops(wm_bridge *bridge)
{
	Function &function = bridge->function;
	if (bridge->loops->empty() || function.hasOptSize() ||
		function.callsFunctionThatReturnsTwice())
		return;
	auto &evolution = bridge->analyses.getResult<ScalarEvolutionAnalysis>(function);
	SmallVector<Loop *, 4> outer_first = bridge->loops->getLoopsInPreorder();
	for (Loop *loop : reverse(outer_first))
		if (may_be_copied(*loop) && is_worth_a_copy(*loop, evolution))
			peel(bridge, loop, evolution);
	wm_bridge_refresh(bridge);
}

extern "C" bool wm_bridge_is_peeled(wm_bridge *bridge, LLVMBasicBlockRef header)
{
	return bridge->peeled.contains(unwrap(header));
}

extern "C" LLVMBasicBlockRef wm_bridge_original_block(wm_bridge *bridge, LLVMBasicBlockRef block)
{
	return wrap(original_of(bridge, unwrap(block)));
}
