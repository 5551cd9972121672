// Probes are seen one after another. Where other probes than before come next behind one, control
// may have been led around each quiet block between one that came next and one that does now. Only
// a small block without an effect that would stay is led around.
#include "llvm/bridge/passable.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

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

static void add(SmallVectorImpl<unsigned> &numbers, unsigned number)
{
	if (!is_contained(numbers, number))
		numbers.push_back(number);
}

// The probes that come next behind the block, through blocks without one.
static void add_next(const BasicBlock &block, const DenseMap<const BasicBlock *, unsigned> &first,
	SmallVectorImpl<unsigned> &next)
{
	SmallVector<const BasicBlock *, 8> stack(successors(&block));
	SmallPtrSet<const BasicBlock *, 8> seen;
	while (!stack.empty()) {
		const BasicBlock *at = stack.pop_back_val();
		if (!seen.insert(at).second)
			continue;
		if (auto found = first.find(at); found != first.end())
			add(next, found->second);
		else
			append_range(stack, successors(at));
	}
}

std::vector<wm_passable::Sight> wm_passable::list_sights(Function &function, Identify identify)
{
	std::vector<Sight> sights;
	DenseMap<const BasicBlock *, unsigned> first;
	for (BasicBlock &block : function)
		for (Instruction &instruction : block) {
			auto *probe = dyn_cast<PseudoProbeInst>(&instruction);
			if (!probe || !probe->getDebugLoc())
				continue;
			unsigned number = sights.size();
			if (!first.try_emplace(&block, number).second)
				sights.back().behind.push_back(number);
			sights.push_back({probe, identify(*probe), {}, is_quiet(block), false});
		}
	for (unsigned i = 0; i < sights.size(); i++)
		if (sights[i].behind.empty())
			add_next(*cast<Instruction>(sights[i].probe)->getParent(), first,
				sights[i].behind);
	return sights;
}

void wm_passable::look_at(Function &function, Identify identify)
{
	sights = list_sights(function, identify);
}

// The probes that came next behind one, through those that are gone: these are known to be lost.
SmallVector<unsigned, 4> wm_passable::next_behind(unsigned number, ArrayRef<uint64_t> now) const
{
	SmallVector<unsigned, 8> stack(ArrayRef<unsigned>(sights[number].behind));
	SmallVector<unsigned, 4> next, gone;
	while (!stack.empty()) {
		unsigned at = stack.pop_back_val();
		if (sights[at].probe || is_contained(now, sights[at].identity)) {
			add(next, at);
		} else if (!is_contained(gone, at)) {
			gone.push_back(at);
			append_range(stack, sights[at].behind);
		}
	}
	return next;
}

SmallVector<uint64_t, 4> wm_passable::identities(
	const std::vector<Sight> &sights, ArrayRef<unsigned> numbers)
{
	SmallVector<uint64_t, 4> set;
	for (unsigned number : numbers)
		set.push_back(sights[number].identity);
	sort(set);
	set.erase(unique(set), set.end());
	return set;
}

// Notes all quiet blocks by which control came from the probe to one of that identity.
void wm_passable::pass_between(unsigned from, uint64_t to)
{
	SmallVector<unsigned, 16> reached, leading;
	auto reach = [&](unsigned number) {
		if (sights[number].identity != to && sights[number].is_quiet)
			add(reached, number);
	};
	reach(from);
	for (unsigned i = 0; i < reached.size(); i++)
		for_each(sights[reached[i]].behind, reach);
	auto leads_on = [&](unsigned number) {
		return any_of(sights[number].behind, [&](unsigned next) {
			return sights[next].identity == to || is_contained(leading, next);
		});
	};
	for (size_t before = SIZE_MAX; before != leading.size();) {
		before = leading.size();
		for (unsigned number : reverse(reached))
			if (leads_on(number))
				add(leading, number);
	}
	for (unsigned number : leading)
		sights[number].was_passed = true;
}

// What was next behind the probe is compared with what is.
void wm_passable::compare_next(unsigned number, ArrayRef<uint64_t> now)
{
	SmallVector<unsigned, 4> next = next_behind(number, now);
	SmallVector<uint64_t, 4> before = identities(sights, next);
	for (unsigned from : next)
		for (uint64_t to : now)
			if (sights[from].identity != to &&
				(!is_contained(now, sights[from].identity) ||
					!is_contained(before, to)) &&
				done.insert({from, to}).second)
				pass_between(from, to);
}

// A copy is fine if some probe that it may be a copy of was followed by the same.
void wm_passable::compare_copy(ArrayRef<unsigned> originals, ArrayRef<uint64_t> now)
{
	if (none_of(originals, [&](unsigned original) {
		    auto before = identities(sights, next_behind(original, now));
		    return ArrayRef<uint64_t>(before) == now;
	    }))
		for (unsigned original : originals)
			compare_next(original, now);
}

void wm_passable::compare(Function &function, Identify identify, function_ref<void(uint64_t)> note)
{
	DenseMap<const Value *, unsigned> alive;
	DenseMap<uint64_t, SmallVector<unsigned, 2>> by_identity;
	for (unsigned i = 0; i < sights.size(); i++) {
		if (sights[i].probe)
			alive[sights[i].probe] = i;
		by_identity[sights[i].identity].push_back(i);
	}
	std::vector<Sight> present = list_sights(function, identify);
	for (unsigned i = 0; i < present.size(); i++) {
		SmallVector<uint64_t, 4> now = identities(present, present[i].behind);
		auto original = alive.find(present[i].probe);
		if (original != alive.end())
			compare_next(original->second, now);
		else
			compare_copy(by_identity[present[i].identity], now);
	}
	for (const Sight &sight : sights)
		if (sight.was_passed)
			note(sight.identity);
	sights.clear();
	done.clear();
}
