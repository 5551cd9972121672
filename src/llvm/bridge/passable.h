/* Blocks around which a pass has led control. It copies a block for some of the edges that lead
 * there, finds that nothing is left of the copy, and deletes it at once; nobody sees the copy. */
#ifndef WM_LLVM_BRIDGE_PASSABLE_H
#define WM_LLVM_BRIDGE_PASSABLE_H

#include <vector>

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/ValueHandle.h>

namespace llvm
{
class Function;
class PseudoProbeInst;
} // namespace llvm

class wm_passable
{
      public:
	using Identify = llvm::function_ref<uint64_t(const llvm::PseudoProbeInst &)>;

	/* Before the pass. `identify` gives the identity of each probe; copies have the same. */
	void look_at(llvm::Function &function, Identify identify);

	/* After it: calls `note` for the identity of each probe in a block that it may have led
	 * around. */
	void compare(llvm::Function &function, Identify identify,
		llvm::function_ref<void(uint64_t)> note);

      private:
	struct Sight { // a probe
		llvm::WeakVH probe;
		uint64_t identity;
		llvm::SmallVector<unsigned, 2> behind; // numbers of the probes that come next
		bool is_quiet;			       // its block
		bool was_passed;
	};
	std::vector<Sight> sights; // before the pass
	llvm::DenseSet<std::pair<unsigned, uint64_t>> done;

	static std::vector<Sight> list_sights(llvm::Function &function, Identify identify);
	llvm::SmallVector<unsigned, 4> next_behind(
		unsigned number, llvm::ArrayRef<uint64_t> now) const;
	static llvm::SmallVector<uint64_t, 4> identities(
		const std::vector<Sight> &sights, llvm::ArrayRef<unsigned> numbers);
	void compare_next(unsigned number, llvm::ArrayRef<uint64_t> now);
	void compare_copy(llvm::ArrayRef<unsigned> originals, llvm::ArrayRef<uint64_t> now);
	void pass_between(unsigned from, uint64_t to);
};

#endif
