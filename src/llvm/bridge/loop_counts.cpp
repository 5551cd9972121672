// Placeholders that leave their loops while the optimiser runs, so that it treats the loops as if
// nothing were counted in them: it deletes, unrolls and vectorises them.
//
// What each iteration counts is counted where the loop is entered, times the iterations. What only
// some iterations count goes into a register, which is counted where the loop is left. Both need a
// loop whose number of iterations is known at its entry and which is left along its exits only.
#include "llvm/bridge/loop_counts.h"

#include "llvm/bridge/placeholders.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

using namespace llvm;

namespace
{
// Registers of a loop; more would take those of its own values.
constexpr size_t max_registers = 3;
constexpr size_t max_exits = 4;
// Instructions of a loop that a register is worth it for.
constexpr size_t max_size = 60;
constexpr unsigned cheap = 4; // LLVM's own budget for expansions outside of loops

struct LoopCounts {
	Loop &loop;
	LoopStandardAnalysisResults &known;
	Function *placeholder;
	SmallVector<CallInst *, 8> always, sometimes;
	SmallVector<BasicBlock *, 4> exits;

	LoopCounts(Loop &loop, LoopStandardAnalysisResults &known, Function *placeholder)
	    : loop(loop), known(known), placeholder(placeholder)
	{
	}

	bool run();
	CallInst *placeholder_at(Instruction &instruction) const;
	bool may_be_left_in(const Instruction &instruction) const;
	bool is_closed() const;
	bool runs_in_each_iteration(const BasicBlock *block) const;
	void find();
	const SCEV *iterations() const;
	bool can_compute(const SCEV *count) const;
	void count_at_entry(const SCEV *count);
	Type *register_type(const SCEV *count) const;
	bool has_room() const;
	void keep_in_register(CallInst *call, Type *type, AllocaInst *slot);
	void keep_in_registers(const SCEV *count);
};
} // namespace

CallInst *LoopCounts::placeholder_at(Instruction &instruction) const
{
	auto *call = dyn_cast<CallInst>(&instruction);
	return call && call->getCalledOperand() == placeholder ? call : nullptr;
}

// A pin stands before what may trap. Signals may leave a loop that watches memory for them.
bool LoopCounts::may_be_left_in(const Instruction &instruction) const
{
	if (instruction.isVolatile() || instruction.isAtomic())
		return true;
	auto *call = dyn_cast<CallBase>(&instruction);
	return call && !isa<DbgInfoIntrinsic>(call) &&
	       (!call->willReturn() || !call->doesNotThrow() || call->isInlineAsm() ||
		       call->hasFnAttr(Attribute::ReturnsTwice) ||
		       (call->getCalledOperand() != placeholder && !isa<IntrinsicInst>(call)));
}

bool LoopCounts::is_closed() const
{
	for (const BasicBlock *block : loop.blocks())
		for (const Instruction &instruction : *block)
			if (may_be_left_in(instruction))
				return false;
	return true;
}

// Each iteration ends at the latch or where it leaves the loop.
bool LoopCounts::runs_in_each_iteration(const BasicBlock *block) const
{
	SmallVector<BasicBlock *, 4> ends;
	loop.getExitingBlocks(ends);
	ends.push_back(loop.getLoopLatch());
	return known.LI.getLoopFor(block) == &loop &&
	       all_of(ends, [&](BasicBlock *end) { return known.DT.dominates(block, end); });
}

void LoopCounts::find()
{
	for (BasicBlock *block : loop.blocks())
		for (Instruction &instruction : *block) {
			CallInst *call = placeholder_at(instruction);
			if (!call || !loop.hasLoopInvariantOperands(call))
				continue;
			bool is_each = runs_in_each_iteration(block);
			(is_each ? always : sometimes).push_back(call);
		}
}

// An i64, as counters are: it may be 2 to the 64.
const SCEV *LoopCounts::iterations() const
{
	Type *i64 = Type::getInt64Ty(placeholder->getContext());
	const SCEV *backs = known.SE.getBackedgeTakenCount(&loop);
	if (isa<SCEVCouldNotCompute>(backs) || !backs->getType()->isIntegerTy() ||
		backs->getType()->getIntegerBitWidth() > 64)
		return nullptr;
	return known.SE.getAddExpr(known.SE.getNoopOrZeroExtend(backs, i64), known.SE.getOne(i64));
}

bool LoopCounts::can_compute(const SCEV *count) const
{
	Instruction *at = loop.getLoopPreheader()->getTerminator();
	SCEVExpander expander(known.SE, at->getDataLayout(), "waymark");
	return expander.isSafeToExpandAt(count, at) &&
	       !expander.isHighCostExpansion(count, &loop, cheap, &known.TTI, at);
}

void LoopCounts::count_at_entry(const SCEV *count)
{
	Instruction *at = loop.getLoopPreheader()->getTerminator();
	SCEVExpander expander(known.SE, at->getDataLayout(), "waymark");
	Value *number = expander.expandCodeFor(count, count->getType(), at);
	for (CallInst *call : always) {
		Value *amount = IRBuilder<>(at).CreateMul(number, call->getArgOperand(1));
		call->setArgOperand(1, amount);
		call->moveBefore(at);
	}
}

// Narrow if the count fits: as many of them as of the loop's own values go into a vector.
Type *LoopCounts::register_type(const SCEV *count) const
{
	bool fits = known.SE.getUnsignedRangeMax(count).getActiveBits() <= 32;
	LLVMContext &context = placeholder->getContext();
	return fits ? Type::getInt32Ty(context) : Type::getInt64Ty(context);
}

bool LoopCounts::has_room() const
{
	size_t size = 0;
	for (const BasicBlock *block : loop.blocks())
		size += block->sizeWithoutDebug();
	return loop.isInnermost() && size <= max_size && sometimes.size() <= max_registers &&
	       exits.size() <= max_exits && loop.hasDedicatedExits() &&
	       none_of(exits, [](const BasicBlock *exit) { return exit->isEHPad(); }) &&
	       all_of(sometimes, [](const CallInst *call) {
		       return PatternMatch::match(call->getArgOperand(1), PatternMatch::m_One());
	       });
}

void LoopCounts::keep_in_register(CallInst *call, Type *type, AllocaInst *slot)
{
	IRBuilder<> before(loop.getLoopPreheader()->getTerminator());
	before.CreateStore(ConstantInt::get(type, 0), slot);
	for (BasicBlock *exit : exits) {
		IRBuilder<> builder(exit, exit->getFirstInsertionPt());
		Instruction *flush = call->clone();
		flush->setOperand(1,
			builder.CreateZExt(builder.CreateLoad(type, slot), builder.getInt64Ty()));
		builder.Insert(flush);
	}
	IRBuilder<> builder(call);
	Value *sum = builder.CreateAdd(builder.CreateLoad(type, slot), ConstantInt::get(type, 1));
	builder.CreateStore(sum, slot);
	call->eraseFromParent();
}

void LoopCounts::keep_in_registers(const SCEV *count)
{
	loop.getUniqueExitBlocks(exits);
	if (sometimes.empty() || !has_room())
		return;
	Type *type = register_type(count);
	SmallVector<AllocaInst *, 4> slots;
	IRBuilder<> entry(&*loop.getHeader()->getParent()->getEntryBlock().begin());
	for (CallInst *call : sometimes) {
		slots.push_back(entry.CreateAlloca(type));
		keep_in_register(call, type, slots.back());
	}
	PromoteMemToReg(slots, known.DT, &known.AC);
	formLCSSA(loop, known.DT, &known.LI, &known.SE);
}

bool LoopCounts::run()
{
	find();
	if ((always.empty() && sometimes.empty()) || !loop.isLoopSimplifyForm() || !is_closed())
		return false;
	const SCEV *count = iterations();
	if (!count)
		return false;
	if (!always.empty() && can_compute(count))
		count_at_entry(count);
	keep_in_registers(count);
	return true;
}

PreservedAnalyses wm_loop_counts_pass::run(
	Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &known, LPMUpdater &)
{
	LLVMValueRef found = wm_placeholder_function_in(wrap(loop.getHeader()->getModule()));
	auto *placeholder = cast_or_null<Function>(unwrap(found));
	bool changed = placeholder && !known.MSSA && LoopCounts(loop, known, placeholder).run();
	return changed ? getLoopPassPreservedAnalyses() : PreservedAnalyses::all();
}
