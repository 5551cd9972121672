// The pass that takes placeholders out of loops.
#ifndef WM_LLVM_LOOP_COUNTS_H
#define WM_LLVM_LOOP_COUNTS_H

#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>

struct wm_loop_counts_pass : llvm::PassInfoMixin<wm_loop_counts_pass> {
	llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &analyses,
		llvm::LoopStandardAnalysisResults &known, llvm::LPMUpdater &updater);
};

#endif
