/* Blocks around which a pass has led control. It copies a block for some of the edges that lead
 * there, finds that nothing is left of the copy, and deletes it at once; nobody sees the copy. */
#ifndef WM_LLVM_BRIDGE_PASSABLE_H
#define WM_LLVM_BRIDGE_PASSABLE_H

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>

namespace llvm
{
class BasicBlock;
class Function;
class PseudoProbeInst;
} // namespace llvm

class wm_passable
{
      public:
	/* Before the pass. `identify` gives the identity of each probe. */
	void look_at(llvm::Function &function,
		llvm::function_ref<uint64_t(const llvm::PseudoProbeInst &)> identify);

	/* After it: calls `note` for each probe of a block that it may have led around. */
	void compare(llvm::Function &function, llvm::function_ref<void(uint64_t)> note);

      private:
	struct Block { // before the pass; sorted
		llvm::SmallVector<const llvm::BasicBlock *, 4> before, behind;
		llvm::SmallVector<uint64_t, 2> probes;
		bool is_quiet = false;
		bool lost_edges = true, has_other_edges = true, goes_elsewhere = true; // if deleted
		bool is_found = false;
	};
	llvm::DenseMap<const llvm::BasicBlock *, Block> blocks;

	void find_changes(llvm::Function &function);
	bool is_reached_otherwise(const Block &block) const;
	bool was_passed(const Block &block) const;
};

#endif
