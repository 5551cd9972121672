/* Which probes of the text the optimiser has deleted. Text whose probe is gone may run unseen; all
 * other text is seen wherever it runs (bridge/marks.h). */
#ifndef WM_LLVM_BRIDGE_LOSSES_H
#define WM_LLVM_BRIDGE_LOSSES_H

#include "llvm/bridge/passable.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/ValueHandle.h>

#include <memory>

namespace llvm
{
class DILocation;
class Function;
class PassInstrumentationCallbacks;
class PseudoProbeInst;
} // namespace llvm

/* A loss belongs to a copy of the text: the chain of calls by which it was inlined into the
 * function in which the probe was deleted. Copies made from that one later lack the probe, too. */
class wm_losses
{
      public:
	wm_losses();
	~wm_losses();

	/* Follows all passes. What is deleted with a whole function, or because control cannot
	 * reach it, is no loss. */
	static void watch(const std::shared_ptr<wm_losses> &losses,
		llvm::PassInstrumentationCallbacks &callbacks);

	/* Ends that. */
	void stop();

	/* The probe will be deleted: nothing is lost by it; or its block may run unseen. */
	void forget(llvm::PseudoProbeInst &probe);
	void lose(llvm::PseudoProbeInst &probe);

	/* Whether a copy of the block of text was lost; whether one may have been lost without
	 * being noticed. `inlined_at` is the chain. */
	bool has(uint64_t key, uint32_t block, const llvm::DILocation *inlined_at) const;
	bool may_have(uint64_t key, uint32_t block, const llvm::DILocation *inlined_at) const;

	bool planted = false; // all probes were seen from the first

      private:
	struct Handle;
	llvm::DenseMap<const llvm::Value *, std::unique_ptr<Handle>> handles;
	llvm::DenseSet<uint64_t> lost;
	llvm::DenseSet<uint64_t> passed; // those that control may have been led around
	wm_passable passable;
	bool active = false; // a pass runs that makes text run unseen
	bool stopped = false;

	bool is_among(const llvm::DenseSet<uint64_t> &set, uint64_t key, uint32_t block,
		const llvm::DILocation *inlined_at) const;
	void find_probes(llvm::Function &function);
};

#endif
