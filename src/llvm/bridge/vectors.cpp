// Probes in loops that LLVM has vectorised.
//
// The vectoriser writes a new loop beside the old one, with a copy of each probe for each lane, or
// one for all. The new loop's counter tells how many of the old iterations one of the new ones
// stands for.
#include "llvm/bridge/vectors.h"

#include "llvm/bridge/losses.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PassInstrumentation.h>

#include <map>
#include <memory>
#include <tuple>
#include <vector>

using namespace llvm;

namespace
{
using Identity = std::tuple<uint64_t, uint64_t, const DILocation *>;

// What a function was before the vectoriser came.
struct Before {
	const Function *function = nullptr;
	DenseSet<const BasicBlock *> headers;
	std::map<Identity, unsigned> each; // probes of innermost loops that run once per iteration
};
} // namespace

static Identity identity_of(const PseudoProbeInst &probe)
{
	const DILocation *place = probe.getDebugLoc();
	return {probe.getFuncGuid()->getZExtValue(), probe.getIndex()->getZExtValue(),
		place ? place->getInlinedAt() : nullptr};
}

static std::vector<PseudoProbeInst *> probes_of(const Loop &loop)
{
	std::vector<PseudoProbeInst *> probes;
	for (BasicBlock *block : loop.blocks())
		for (Instruction &instruction : *block)
			if (auto *probe = dyn_cast<PseudoProbeInst>(&instruction))
				probes.push_back(probe);
	return probes;
}

static bool has_probes(const Function &function)
{
	return any_of(instructions(function),
		[](const Instruction &instruction) { return isa<PseudoProbeInst>(instruction); });
}

// A probe that stands in two places, or does not run in each iteration, gets the number 2.
static void remember_loop(Before &before, const Loop &loop, const DominatorTree &dominators)
{
	const BasicBlock *latch = loop.getLoopLatch();
	for (PseudoProbeInst *probe : probes_of(loop)) {
		bool always = latch && dominators.dominates(probe->getParent(), latch);
		before.each[identity_of(*probe)] += always ? 1 : 2;
	}
}

static Before remember(const Function &function)
{
	Before before;
	before.function = &function;
	DominatorTree dominators(const_cast<Function &>(function));
	LoopInfo loops(dominators);
	for (const Loop *loop : loops.getLoopsInPreorder()) {
		before.headers.insert(loop->getHeader());
		if (loop->isInnermost())
			remember_loop(before, *loop, dominators);
	}
	return before;
}

// By how much the counter of the new loop grows: the old iterations in one of its own. 0: unknown.
static uint64_t step_of(const Loop &loop)
{
	const BasicBlock *latch = loop.getLoopLatch();
	if (!latch)
		return 0;
	for (const PHINode &phi : loop.getHeader()->phis()) {
		auto *next = dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(latch));
		if (!next || next->getOpcode() != Instruction::Add || next->getOperand(0) != &phi)
			continue;
		auto *step = dyn_cast<ConstantInt>(next->getOperand(1));
		if (!step || !step->getValue().isStrictlyPositive())
			continue;
		auto *jump = dyn_cast<BranchInst>(latch->getTerminator());
		auto *end = jump && jump->isConditional() ? dyn_cast<ICmpInst>(jump->getCondition())
							  : nullptr;
		if (end && end->getOperand(0) == next)
			return step->getZExtValue();
	}
	return 0;
}

static bool is_mask(const Instruction &instruction)
{
	auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
	if (!intrinsic)
		return false;
	switch (intrinsic->getIntrinsicID()) {
	case Intrinsic::get_active_lane_mask:
	case Intrinsic::masked_load:
	case Intrinsic::masked_store:
	case Intrinsic::masked_gather:
	case Intrinsic::masked_scatter:
		return true;
	default:
		return isa<VPIntrinsic>(intrinsic);
	}
}

// A loop that has no scalar rest may run its last iteration for a part of the lanes only. Then
// something in it compares, or makes or takes a mask.
static bool may_be_masked(const Loop &loop)
{
	const BasicBlock *latch = loop.getLoopLatch();
	const BasicBlock *behind = loop.getExitBlock();
	auto *jump = behind ? dyn_cast<BranchInst>(behind->getTerminator()) : nullptr;
	if (jump && jump->isConditional() && !isa<Constant>(jump->getCondition()))
		return false;
	const Value *exit = nullptr;
	if (auto *end = latch ? dyn_cast<BranchInst>(latch->getTerminator()) : nullptr)
		exit = end->isConditional() ? end->getCondition() : nullptr;
	for (const BasicBlock *block : loop.blocks())
		for (const Instruction &instruction : *block)
			if ((isa<ICmpInst>(instruction) && &instruction != exit) ||
				is_mask(instruction))
				return true;
	return false;
}

// LLVM's own probes say once by all ones.
static bool counts_once(const PseudoProbeInst &probe)
{
	return probe.getFactor()->isOne() || probe.getFactor()->isMinusOne();
}

// One probe stands for all copies, which are one for each lane, or one for all.
static void correct_loop(const Loop &loop, const Before &before, wm_losses &losses)
{
	const uint64_t step = may_be_masked(loop) ? 0 : step_of(loop);
	std::map<Identity, std::vector<PseudoProbeInst *>> copies;
	for (PseudoProbeInst *probe : probes_of(loop))
		copies[identity_of(*probe)].push_back(probe);
	for (auto &[identity, probes] : copies) {
		auto earlier = before.each.find(identity);
		bool is_clear = step && step <= UINT32_MAX && earlier != before.each.end() &&
				earlier->second == 1 &&
				(probes.size() == 1 || probes.size() == step) &&
				counts_once(*probes[0]);
		if (!is_clear && probes[0]->getFactor()->isMinusOne())
			continue; // a lower bound of the count
		for (size_t i = is_clear; i < probes.size(); i++) {
			is_clear ? losses.forget(*probes[i]) : losses.lose(*probes[i]);
			probes[i]->eraseFromParent();
		}
		if (is_clear)
			probes[0]->setArgOperand(
				3, ConstantInt::get(probes[0]->getFactor()->getType(), step));
	}
}

static void correct(const Before &before, wm_losses &losses)
{
	auto &function = const_cast<Function &>(*before.function);
	DominatorTree dominators(function);
	LoopInfo loops(dominators);
	for (const Loop *loop : loops.getLoopsInPreorder())
		if (loop->isInnermost() && !before.headers.contains(loop->getHeader()))
			correct_loop(*loop, before, losses);
}

void wm_vectors_watch(
	const std::shared_ptr<wm_losses> &losses, PassInstrumentationCallbacks &callbacks)
{
	auto before = std::make_shared<Before>();
	callbacks.registerBeforeNonSkippedPassCallback([before](StringRef pass, Any unit) {
		auto *function = any_cast<const Function *>(&unit);
		*before = Before();
		if (pass == "LoopVectorizePass" && function && has_probes(**function))
			*before = remember(**function);
	});
	callbacks.registerAfterPassCallback([before, losses](StringRef pass, Any,
						    const PreservedAnalyses &kept) {
		if (pass == "LoopVectorizePass" && before->function && !kept.areAllPreserved())
			correct(*before, *losses);
		if (pass == "LoopVectorizePass")
			*before = Before();
	});
}
