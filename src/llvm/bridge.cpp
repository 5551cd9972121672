// The C++ side of bridge.h: each function translates one request into LLVM's own classes.
#include "llvm/bridge.h"

#include <llvm/Analysis/BlockFrequencyInfo.h>
#include <llvm/Analysis/BranchProbabilityInfo.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <algorithm>
#include <limits>

using namespace llvm;

struct wm_bridge {
	Function &function;
	FunctionAnalysisManager &analyses;
	DominatorTree *dominators; // through dominators_of only
	bool dominators_are_old;
	LoopInfo *loops;
	BlockFrequencyInfo *frequencies;
	BranchProbabilityInfo *probabilities;
};

static void take_analyses(wm_bridge *bridge)
{
	FunctionAnalysisManager &analyses = bridge->analyses;
	bridge->dominators = &analyses.getResult<DominatorTreeAnalysis>(bridge->function);
	bridge->dominators_are_old = false;
	bridge->loops = &analyses.getResult<LoopAnalysis>(bridge->function);
	bridge->frequencies = &analyses.getResult<BlockFrequencyAnalysis>(bridge->function);
	bridge->probabilities = &analyses.getResult<BranchProbabilityAnalysis>(bridge->function);
}

// New blocks only leave a mark: to bring the tree up to date for each would take time that grows
// with the square of their number.
static DominatorTree &dominators_of(wm_bridge *bridge)
{
	if (bridge->dominators_are_old)
		bridge->dominators->recalculate(bridge->function);
	bridge->dominators_are_old = false;
	return *bridge->dominators;
}

static Loop *loop_of(wm_loop_ref loop)
{
	return reinterpret_cast<Loop *>(loop);
}

static void fill_location(const DILocation *from, wm_location *to)
{
	const DISubprogram *subprogram = from->getScope()->getSubprogram();
	const DIFile *file = from->getFile();
	StringRef name = subprogram ? subprogram->getName() : StringRef();
	*to = wm_location{};
	// One lexical scope holds one file; the outermost block of a file is its function.
	to->scope = file == (subprogram ? subprogram->getFile() : nullptr)
			    ? static_cast<const void *>(subprogram)
			    : static_cast<const void *>(file);
	to->inlined_at = from->getInlinedAt();
	to->function = name.data();
	to->function_bytes = name.size();
	if (file) {
		to->directory = file->getDirectory().data();
		to->directory_bytes = file->getDirectory().size();
		to->file = file->getFilename().data();
		to->file_bytes = file->getFilename().size();
	}
	to->function_line = subprogram ? subprogram->getLine() : 0;
	to->line = from->getLine();
}

extern "C" bool wm_bridge_location(LLVMValueRef instruction, wm_location *location)
{
	const DILocation *from = unwrap<Instruction>(instruction)->getDebugLoc();
	if (!from)
		return false;
	fill_location(from, location);
	return true;
}

extern "C" void wm_bridge_outer_location(const void *inlined_at, wm_location *location)
{
	fill_location(static_cast<const DILocation *>(inlined_at), location);
}

extern "C" bool wm_bridge_function_location(LLVMValueRef function, wm_location *location)
{
	const DISubprogram *subprogram = unwrap<Function>(function)->getSubprogram();
	if (!subprogram)
		return false;
	*location = wm_location{};
	location->scope = subprogram;
	location->function = subprogram->getName().data();
	location->function_bytes = subprogram->getName().size();
	location->directory = subprogram->getDirectory().data();
	location->directory_bytes = subprogram->getDirectory().size();
	location->file = subprogram->getFilename().data();
	location->file_bytes = subprogram->getFilename().size();
	location->function_line = location->line = subprogram->getLine();
	return true;
}

extern "C" double wm_bridge_block_frequency(wm_bridge *bridge, LLVMBasicBlockRef block)
{
	double entry = bridge->frequencies->getEntryFreq().getFrequency();
	return bridge->frequencies->getBlockFreq(unwrap(block)).getFrequency() / entry;
}

extern "C" void wm_bridge_set_block_frequency(
	wm_bridge *bridge, LLVMBasicBlockRef block, double frequency)
{
	// LLVM's own unit leaves no room for what runs a million times as often as it expects.
	const double once = 1 << 24, most = std::numeric_limits<int64_t>::max() / 2;
	bridge->frequencies->setBlockFreq(
		unwrap(block), BlockFrequency(uint64_t(std::min(frequency * once, most))));
}

extern "C" double wm_bridge_edge_frequency(
	wm_bridge *bridge, LLVMBasicBlockRef source, LLVMBasicBlockRef target)
{
	BranchProbability share =
		bridge->probabilities->getEdgeProbability(unwrap(source), unwrap(target));
	return wm_bridge_block_frequency(bridge, source) * share.getNumerator() /
	       share.getDenominator();
}

extern "C" void wm_bridge_set_branch_weights(LLVMBasicBlockRef block, const double *weights)
{
	Instruction *jump = unwrap(block)->getTerminator();
	const double *end = weights + jump->getNumSuccessors();
	double largest = weights == end ? 0 : *std::max_element(weights, end);
	if (end - weights < 2 || !(largest > 0) ||
		!isa<BranchInst, SwitchInst, IndirectBrInst>(jump))
		return;
	SmallVector<uint32_t, 16> scaled;
	for (const double *weight = weights; weight != end; weight++)
		scaled.push_back(uint32_t(*weight / largest * (1u << 20)));
	jump->setMetadata(
		LLVMContext::MD_prof, MDBuilder(jump->getContext()).createBranchWeights(scaled));
}

extern "C" LLVMBasicBlockRef wm_bridge_split_edge(
	wm_bridge *bridge, LLVMValueRef terminator, unsigned successor)
{
	Instruction *jump = unwrap<Instruction>(terminator);
	BasicBlock *target = jump->getSuccessor(successor);
	// Without the loops: with them LLVM would also move other edges onto new exit blocks.
	CriticalEdgeSplittingOptions options;
	BasicBlock *added = SplitCriticalEdge(jump, successor, options.setMergeIdenticalEdges());
	bridge->dominators_are_old = true;
	Loop *loop = bridge->loops->getLoopFor(jump->getParent());
	while (loop && !loop->contains(target))
		loop = loop->getParentLoop();
	if (loop)
		loop->addBasicBlockToLoop(added, *bridge->loops);
	return wrap(added);
}

extern "C" void wm_bridge_split_before(LLVMValueRef instruction)
{
	Instruction *first = unwrap<Instruction>(instruction);
	SplitBlock(first->getParent(), first);
}

extern "C" bool wm_bridge_split_landing_pads(LLVMValueRef function)
{
	SmallVector<BasicBlock *, 16> shared;
	for (BasicBlock &block : *unwrap<Function>(function))
		if (block.isLandingPad() && block.hasNPredecessorsOrMore(2))
			shared.push_back(&block);
	for (BasicBlock *rest : shared) {
		while (rest->hasNPredecessorsOrMore(2)) {
			SmallVector<BasicBlock *, 2> parts; // for the one, and for all others
			SplitLandingPadPredecessors(
				rest, {*pred_begin(rest)}, ".own", ".rest", parts);
			rest = parts[1];
		}
	}
	return !shared.empty();
}

extern "C" void wm_bridge_refresh(wm_bridge *bridge)
{
	bridge->analyses.invalidate(bridge->function, PreservedAnalyses::none());
	take_analyses(bridge);
}

extern "C" LLVMBasicBlockRef wm_bridge_common_dominator(
	wm_bridge *bridge, const LLVMBasicBlockRef *blocks, size_t count)
{
	DominatorTree &dominators = dominators_of(bridge);
	BasicBlock *common = unwrap(blocks[0]);
	for (size_t i = 1; i < count; i++)
		common = dominators.findNearestCommonDominator(common, unwrap(blocks[i]));
	while (Loop *loop = bridge->loops->getLoopFor(common))
		common = dominators.getNode(loop->getOutermostLoop()->getHeader())
				 ->getIDom()
				 ->getBlock();
	return wrap(common);
}

extern "C" wm_loop_ref wm_bridge_loop_of(wm_bridge *bridge, LLVMBasicBlockRef block)
{
	return reinterpret_cast<wm_loop_ref>(bridge->loops->getLoopFor(unwrap(block)));
}

extern "C" LLVMBasicBlockRef wm_bridge_loop_header(wm_loop_ref loop)
{
	return wrap(loop_of(loop)->getHeader());
}

extern "C" LLVMBasicBlockRef wm_bridge_loop_latch(wm_loop_ref loop)
{
	return wrap(loop_of(loop)->getLoopLatch());
}

extern "C" LLVMBasicBlockRef wm_bridge_loop_preheader(wm_loop_ref loop)
{
	return wrap(loop_of(loop)->getLoopPreheader());
}

extern "C" size_t wm_bridge_loop_instructions(wm_loop_ref loop)
{
	size_t count = 0;
	for (BasicBlock *block : loop_of(loop)->blocks())
		count += block->sizeWithoutDebug();
	return count;
}

extern "C" bool wm_bridge_may_fault(LLVMValueRef value)
{
	auto *instruction = unwrap<Instruction>(value);
	const Value *address = getLoadStorePointerOperand(instruction);
	if (!address || !instruction->isVolatile())
		return false;
	const Value *object = getUnderlyingObject(address);
	return !isa<AllocaInst>(object) && !isa<GlobalVariable>(object);
}

// Whether the function, or one that it calls, has an access that may fault. Functions do not change
// in this respect while a module is instrumented.
static bool has_fault(Function *function, DenseMap<Function *, bool> &known)
{
	if (function->isDeclaration() || !known.try_emplace(function, false).second)
		return known.lookup(function);
	for (Instruction &instruction : instructions(function)) {
		auto *call = dyn_cast<CallBase>(&instruction);
		Function *callee = call ? call->getCalledFunction() : nullptr;
		if (wm_bridge_may_fault(wrap(&instruction)) || (callee && has_fault(callee, known)))
			return known[function] = true;
	}
	return false;
}

static bool callee_may_fault(const CallBase &call)
{
	static DenseMap<Function *, bool> known;
	static const Module *module;
	if (module != call.getModule())
		known.clear();
	module = call.getModule();
	Function *callee = call.getCalledFunction();
	return callee && has_fault(callee, known);
}

extern "C" bool wm_bridge_call_returns(LLVMValueRef instruction)
{
	auto &call = *unwrap<CallBase>(instruction);
	return call.hasFnAttr(Attribute::WillReturn) && call.doesNotThrow() &&
	       !call.isInlineAsm() && !call.hasFnAttr(Attribute::ReturnsTwice) &&
	       !callee_may_fault(call);
}

// What waits for another thread or for a signal says so by such an access, and may be left by one.
static bool is_watched(const Instruction &instruction)
{
	return instruction.isVolatile() || instruction.isAtomic();
}

extern "C" bool wm_bridge_loop_is_closed(wm_loop_ref loop)
{
	for (BasicBlock *block : loop_of(loop)->blocks())
		for (Instruction &instruction : *block) {
			auto *call = dyn_cast<CallBase>(&instruction);
			if (is_watched(instruction) || (call && !isa<DbgInfoIntrinsic>(call) &&
							       !wm_bridge_call_returns(wrap(call))))
				return false;
		}
	return true;
}

static const SCEV *back_edges_of(wm_bridge *bridge, Loop *loop)
{
	return bridge->analyses.getResult<ScalarEvolutionAnalysis>(bridge->function)
		.getBackedgeTakenCount(loop);
}

extern "C" bool wm_bridge_loop_is_counted(wm_bridge *bridge, wm_loop_ref handle)
{
	const unsigned cheap = 4; // LLVM's own budget for expansions outside of loops
	Loop *loop = loop_of(handle);
	if (!loop->getLoopPredecessor() || !loop->getLoopLatch())
		return false;
	const SCEV *count = back_edges_of(bridge, loop);
	if (isa<SCEVCouldNotCompute>(count) || !count->getType()->isIntegerTy() ||
		count->getType()->getIntegerBitWidth() > 64)
		return false;
	Instruction *at = loop->getLoopPredecessor()->getTerminator();
	auto &evolution = bridge->analyses.getResult<ScalarEvolutionAnalysis>(bridge->function);
	auto &target = bridge->analyses.getResult<TargetIRAnalysis>(bridge->function);
	SCEVExpander expander(evolution, bridge->function.getDataLayout(), "waymark");
	return expander.isSafeToExpandAt(count, at) &&
	       !expander.isHighCostExpansion(count, loop, cheap, &target, at);
}

extern "C" LLVMValueRef wm_bridge_loop_back_edges(
	wm_bridge *bridge, wm_loop_ref handle, LLVMValueRef before)
{
	dominators_of(bridge); // which ScalarEvolution has a reference to
	Loop *loop = loop_of(handle);
	auto &evolution = bridge->analyses.getResult<ScalarEvolutionAnalysis>(bridge->function);
	Type *wide = Type::getInt64Ty(bridge->function.getContext());
	const SCEV *count = evolution.getNoopOrZeroExtend(back_edges_of(bridge, loop), wide);
	SCEVExpander expander(evolution, bridge->function.getDataLayout(), "waymark");
	return wrap(expander.expandCodeFor(count, wide, unwrap<Instruction>(before)));
}

extern "C" size_t wm_bridge_loop_exits(
	wm_bridge *bridge, wm_loop_ref handle, LLVMBasicBlockRef *exits, size_t capacity)
{
	Loop *loop = loop_of(handle);
	SmallVector<BasicBlock *, 8> found;
	formDedicatedExitBlocks(loop, &dominators_of(bridge), bridge->loops, nullptr, false);
	loop->getUniqueExitBlocks(found);
	if (!loop->hasDedicatedExits() || found.size() > capacity)
		return 0;
	for (size_t i = 0; i < found.size(); i++) {
		if (found[i]->isEHPad())
			return 0;
		exits[i] = wrap(found[i]);
	}
	return found.size();
}

extern "C" void wm_bridge_promote(wm_bridge *bridge, LLVMValueRef *slots, size_t count)
{
	SmallVector<AllocaInst *, 16> allocas;
	for (size_t i = 0; i < count; i++)
		allocas.push_back(unwrap<AllocaInst>(slots[i]));
	PromoteMemToReg(allocas, dominators_of(bridge));
}

extern "C" LLVMValueRef wm_bridge_or_call(
	wm_bridge *bridge, LLVMValueRef value, LLVMValueRef function, LLVMValueRef before)
{
	Value *known = unwrap(value);
	Function *callee = unwrap<Function>(function);
	Instruction *at = unwrap<Instruction>(before);
	BasicBlock *head = at->getParent();
	Value *missing = IRBuilder<>(at).CreateIsNull(known);
	Instruction *end = SplitBlockAndInsertIfThen(missing, at, false,
		MDBuilder(at->getContext()).createUnlikelyBranchWeights(), nullptr, bridge->loops);
	bridge->dominators_are_old = true;
	CallInst *found =
		CallInst::Create(callee->getFunctionType(), callee, "", end->getIterator());
	found->setCallingConv(CallingConv::PreserveMost);
	IRBuilder<> join(at->getParent(), at->getParent()->begin());
	PHINode *result = join.CreatePHI(known->getType(), 2);
	result->addIncoming(known, head);
	result->addIncoming(found, end->getParent());
	return wrap(result);
}

extern "C" void wm_bridge_branch(wm_bridge *bridge, LLVMValueRef condition, LLVMValueRef before,
	LLVMValueRef *holds, LLVMValueRef *fails)
{
	Instruction *at = unwrap<Instruction>(before), *first, *second;
	SplitBlockAndInsertIfThenElse(unwrap(condition), at, &first, &second,
		MDBuilder(at->getContext()).createLikelyBranchWeights(), nullptr, bridge->loops);
	bridge->dominators_are_old = true;
	*holds = wrap(first);
	*fails = wrap(second);
}

extern "C" bool wm_bridge_is_for_library(LLVMModuleRef module)
{
	return unwrap(module)->getPICLevel() != PICLevel::NotPIC &&
	       unwrap(module)->getPIELevel() == PIELevel::Default;
}

extern "C" void wm_bridge_keep(LLVMModuleRef module, LLVMValueRef *globals, size_t count)
{
	SmallVector<GlobalValue *, 64> values;
	for (size_t i = 0; i < count; i++)
		values.push_back(unwrap<GlobalValue>(globals[i]));
	appendToCompilerUsed(*unwrap(module), values);
}

extern "C" void wm_bridge_fail(LLVMModuleRef module, const char *text)
{
	unwrap(module)->getContext().emitError(text);
}

static wm_bridge *open_function(void *context, LLVMValueRef value)
{
	auto &analyses = *static_cast<FunctionAnalysisManager *>(context);
	auto *bridge = new wm_bridge{
		*unwrap<Function>(value), analyses, nullptr, false, nullptr, nullptr, nullptr};
	take_analyses(bridge);
	return bridge;
}

static void close_function(void *context, wm_bridge *bridge)
{
	auto &analyses = *static_cast<FunctionAnalysisManager *>(context);
	analyses.invalidate(bridge->function, PreservedAnalyses::none());
	delete bridge;
}

namespace
{
struct InstrumentPass : PassInfoMixin<InstrumentPass> {
	PreservedAnalyses run(Module &module, ModuleAnalysisManager &analyses)
	{
		auto &functions =
			analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
		bool changed = wm_instrument_module(
			wrap(&module), open_function, close_function, &functions);
		return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
	}
	static bool isRequired()
	{
		return true;
	}
};
} // namespace

static void add_pass(ModulePassManager &passes, OptimizationLevel)
{
	passes.addPass(InstrumentPass());
}

static void register_pass(PassBuilder &builder)
{
	if (wm_instrument_is_early())
		builder.registerPipelineStartEPCallback(add_pass);
	else
		builder.registerOptimizerLastEPCallback(add_pass);
}

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo()
{
	return {LLVM_PLUGIN_API_VERSION, "waymark", "1", register_pass};
}
