// Deleted probes, noticed by handles on each of them while a pass runs that makes text run unseen.
// Other passes delete only what control cannot reach. Copies of probes are found before each pass.
#include "llvm/bridge/losses.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PassInstrumentation.h>

using namespace llvm;

struct wm_losses::Handle final : CallbackVH {
	wm_losses &owner;
	uint64_t identity;

	Handle(wm_losses &owner, Value *probe, uint64_t identity)
	    : CallbackVH(probe), owner(owner), identity(identity)
	{
	}

	void deleted() override
	{
		if (owner.active)
			owner.lost.insert(identity);
		owner.handles.erase(getValPtr()); // which ends this object
	}
};

wm_losses::wm_losses() = default;
wm_losses::~wm_losses() = default;

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
	return hash ^ (hash >> 29);
}

static uint64_t add_call(uint64_t hash, const DILocation *call)
{
	hash = mix(hash, reinterpret_cast<uintptr_t>(call->getScope()->getSubprogram()));
	return mix(mix(hash, uint64_t(call->getLine()) << 32 | call->getColumn()),
		call->getDiscriminator());
}

static uint64_t identity_of(uint64_t key, uint64_t block)
{
	return mix(mix(1, key), block) >> 1; // no value that the set reserves
}

static uint64_t identity_of(const PseudoProbeInst &probe)
{
	uint64_t hash =
		identity_of(probe.getFuncGuid()->getZExtValue(), probe.getIndex()->getZExtValue());
	const DILocation *place = probe.getDebugLoc();
	for (const DILocation *call = place ? place->getInlinedAt() : nullptr; call;
		call = call->getInlinedAt())
		hash = add_call(hash, call) >> 1;
	return hash;
}

bool wm_losses::is_among(const DenseSet<uint64_t> &set, uint64_t key, uint32_t block,
	const DILocation *inlined_at) const
{
	if (!planted)
		return true;
	uint64_t hash = identity_of(key, block);
	for (const DILocation *call = inlined_at; call; call = call->getInlinedAt()) {
		if (set.contains(hash))
			return true;
		hash = add_call(hash, call) >> 1;
	}
	return set.contains(hash);
}

bool wm_losses::has(uint64_t key, uint32_t block, const DILocation *inlined_at) const
{
	return is_among(lost, key, block, inlined_at);
}

bool wm_losses::may_have(uint64_t key, uint32_t block, const DILocation *inlined_at) const
{
	return is_among(passed, key, block, inlined_at);
}

// Where control goes from the block, as far as its condition is no constant.
static void add_targets(BasicBlock &block, SmallPtrSetImpl<BasicBlock *> &reached,
	SmallVectorImpl<BasicBlock *> &next)
{
	BasicBlock *only = nullptr;
	auto *end = block.getTerminator();
	if (auto *jump = dyn_cast<BranchInst>(end); jump && jump->isConditional()) {
		if (auto *constant = dyn_cast<ConstantInt>(jump->getCondition()))
			only = jump->getSuccessor(constant->isZero());
	} else if (auto *choice = dyn_cast<SwitchInst>(end)) {
		if (auto *constant = dyn_cast<ConstantInt>(choice->getCondition()))
			only = choice->findCaseValue(constant)->getCaseSuccessor();
	}
	for (BasicBlock *target : successors(&block))
		if ((!only || only == target) && reached.insert(target).second)
			next.push_back(target);
}

static SmallPtrSet<BasicBlock *, 32> reached_blocks(Function &function)
{
	SmallPtrSet<BasicBlock *, 32> reached;
	SmallVector<BasicBlock *, 32> next;
	reached.insert(&function.getEntryBlock());
	next.push_back(&function.getEntryBlock());
	while (!next.empty())
		add_targets(*next.pop_back_val(), reached, next);
	return reached;
}

void wm_losses::find_probes(Function &function)
{
	auto reached = reached_blocks(function);
	for (Instruction &instruction : instructions(function)) {
		auto *probe = dyn_cast<PseudoProbeInst>(&instruction);
		if (!probe)
			continue;
		if (!reached.contains(probe->getParent())) {
			handles.erase(probe);
			continue;
		}
		auto [at, is_new] = handles.try_emplace(probe, nullptr);
		if (is_new)
			at->second = std::make_unique<Handle>(*this, probe, identity_of(*probe));
	}
}

void wm_losses::forget(PseudoProbeInst &probe)
{
	handles.erase(&probe);
}

void wm_losses::lose(PseudoProbeInst &probe)
{
	lost.insert(identity_of(probe));
}

void wm_losses::stop()
{
	stopped = true;
	handles.clear();
}

// Passes that lead edges around blocks.
static bool leads_around(StringRef pass)
{
	return pass == "SimplifyCFGPass" || pass == "JumpThreadingPass";
}

// Passes that make text run unseen.
static bool hides(StringRef pass)
{
	return leads_around(pass) || pass == "LoopVectorizePass" || pass == "LoopDeletionPass";
}

static uint64_t identify(const PseudoProbeInst &probe)
{
	return identity_of(probe);
}

void wm_losses::watch(
	const std::shared_ptr<wm_losses> &losses, PassInstrumentationCallbacks &callbacks)
{
	callbacks.registerBeforeNonSkippedPassCallback([losses](StringRef pass, Any unit) {
		if (losses->stopped || !losses->planted)
			return;
		auto *function = any_cast<const Function *>(&unit);
		if (function && (hides(pass) || pass.starts_with("FunctionToLoopPassAdaptor")))
			losses->find_probes(const_cast<Function &>(**function));
		if (function && leads_around(pass))
			losses->passable.look_at(const_cast<Function &>(**function), identify);
		losses->active |= hides(pass);
	});
	callbacks.registerAfterPassCallback([losses](StringRef pass, Any unit,
						    const PreservedAnalyses &preserved) {
		auto *function = any_cast<const Function *>(&unit);
		losses->active &= !hides(pass);
		if (function && leads_around(pass) && !preserved.areAllPreserved() &&
			!losses->stopped && losses->planted)
			losses->passable.compare(const_cast<Function &>(**function), identify,
				[&](uint64_t probe) { losses->passed.insert(probe); });
	});
	callbacks.registerAfterPassInvalidatedCallback(
		[losses](StringRef pass, const PreservedAnalyses &) {
			losses->active &= !hides(pass);
		});
}
