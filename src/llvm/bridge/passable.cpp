// Only a small block without an effect that would stay is led around. Edges that led there lead
// elsewhere afterwards, unless they came from the copy of such a block.
#include "llvm/bridge/passable.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

using namespace llvm;

// More instructions than any pass copies in order to get around them.
static const unsigned max_copied = 20;

static bool is_quiet(const BasicBlock &block)
{
	unsigned size = 0;
	for (const Instruction &instruction : block) {
		auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
		if (isa<PHINode>(instruction) || instruction.isTerminator() ||
			(intrinsic && intrinsic->isAssumeLikeIntrinsic()))
			continue;
		if (instruction.mayHaveSideEffects() || ++size > max_copied)
			return false;
	}
	return true;
}

void wm_passable::look_at(
	Function &function, function_ref<uint64_t(const PseudoProbeInst &)> identify)
{
	blocks.clear();
	for (const BasicBlock &block : function) {
		Block &noted = blocks[&block];
		append_range(noted.before, predecessors(&block));
		append_range(noted.behind, successors(&block));
		llvm::sort(noted.before);
		llvm::sort(noted.behind);
		noted.is_quiet = is_quiet(block);
		for (const Instruction &instruction : block)
			if (auto *probe = dyn_cast<PseudoProbeInst>(&instruction);
				probe && probe->getDebugLoc())
				noted.probes.push_back(identify(*probe));
	}
}

void wm_passable::find_changes(Function &function)
{
	for (const BasicBlock &block : function) {
		auto at = blocks.find(&block);
		if (at == blocks.end())
			continue;
		Block &noted = at->second;
		SmallVector<const BasicBlock *, 4> before(predecessors(&block));
		SmallVector<const BasicBlock *, 4> behind(successors(&block));
		llvm::sort(before);
		llvm::sort(behind);
		noted.lost_edges = !std::includes(
			before.begin(), before.end(), noted.before.begin(), noted.before.end());
		noted.has_other_edges = before != noted.before;
		noted.goes_elsewhere = behind != noted.behind;
	}
}

// Control that was led around a block comes to a later one by another edge.
bool wm_passable::is_reached_otherwise(const Block &block) const
{
	return block.has_other_edges || any_of(block.before, [&](const BasicBlock *from) {
		return blocks.find(from)->second.goes_elsewhere;
	});
}

bool wm_passable::was_passed(const Block &block) const
{
	return block.is_quiet && any_of(block.behind, [&](const BasicBlock *target) {
		return is_reached_otherwise(blocks.find(target)->second);
	});
}

void wm_passable::compare(Function &function, function_ref<void(uint64_t)> note)
{
	SmallVector<Block *, 16> next;
	find_changes(function);
	auto find = [&](Block &block) {
		if (block.is_found || !was_passed(block))
			return;
		block.is_found = true;
		next.push_back(&block);
	};
	auto find_behind = [&](const Block &block) {
		for (const BasicBlock *target : block.behind)
			find(blocks.find(target)->second);
	};
	for (auto &entry : blocks)
		if (entry.second.lost_edges) {
			find(entry.second);
			find_behind(entry.second);
		}
	while (!next.empty()) {
		const Block &block = *next.pop_back_val();
		for (uint64_t probe : block.probes)
			note(probe);
		find_behind(block);
	}
	blocks.clear();
}
