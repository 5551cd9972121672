// The inside of the bridge, for the files that make it up.
#ifndef WM_LLVM_BRIDGE_STATE_H
#define WM_LLVM_BRIDGE_STATE_H

#include "llvm/bridge/bridge.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/BlockFrequencyInfo.h>
#include <llvm/Analysis/BranchProbabilityInfo.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/PassManager.h>

// Which functions of a module have an instruction that may trap, or call one that has.
struct wm_bridge_traps {
	llvm::DenseMap<llvm::Function *, bool> known;

	bool reach_from(llvm::Function &start, llvm::FunctionAnalysisManager &analyses);
};

class wm_losses;

struct wm_bridge {
	llvm::Function &function;
	llvm::FunctionAnalysisManager &analyses;
	wm_bridge_traps &traps;
	const wm_losses &losses;
	llvm::DominatorTree *dominators = nullptr; // through wm_bridge_dominators only
	bool dominators_are_old = false;
	llvm::LoopInfo *loops = nullptr;
	llvm::BlockFrequencyInfo *frequencies = nullptr;
	llvm::BranchProbabilityInfo *probabilities = nullptr;
	// Of the last block with many successors that was asked about: where it goes, and how
	// likely.
	llvm::BasicBlock *wide = nullptr;
	llvm::DenseMap<llvm::BasicBlock *, llvm::BranchProbability> shares;
	// Of those loops that were asked about:
	llvm::DenseMap<llvm::Loop *, wm_loop_facts> facts;
	llvm::DenseMap<llvm::Loop *, bool> stepped;
	// Headers of loops whose first iteration is code of its own, and what its blocks are copies
	// of.
	llvm::DenseSet<llvm::BasicBlock *> peeled;
	llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> originals;

	wm_bridge(llvm::Function &function, llvm::FunctionAnalysisManager &analyses,
		wm_bridge_traps &traps, const wm_losses &losses)
	    : function(function), analyses(analyses), traps(traps), losses(losses)
	{
	}
};

inline llvm::Loop *wm_bridge_unwrap(wm_loop_ref loop)
{
	return reinterpret_cast<llvm::Loop *>(loop);
}

// The tree of the function as it is now.
llvm::DominatorTree &wm_bridge_dominators(wm_bridge *bridge);

#endif
