// The C++ side of bridge.h: each function translates one request into LLVM's own classes.
#include "llvm/bridge/loop_counts.h"
#include "llvm/bridge/losses.h"
#include "llvm/bridge/state.h"
#include "llvm/bridge/vectors.h"
#include "llvm/source/plant.h"

#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <algorithm>
#include <limits>
#include <numeric>

using namespace llvm;

// New blocks only leave a mark: updating the tree for each would take time that grows with the
// square of their number.
DominatorTree &wm_bridge_dominators(wm_bridge *bridge)
{
	if (bridge->dominators_are_old)
		bridge->dominators->recalculate(bridge->function);
	bridge->dominators_are_old = false;
	return *bridge->dominators;
}

static void take_analyses(wm_bridge *bridge)
{
	FunctionAnalysisManager &analyses = bridge->analyses;
	bridge->dominators = &analyses.getResult<DominatorTreeAnalysis>(bridge->function);
	bridge->dominators_are_old = false;
	bridge->loops = &analyses.getResult<LoopAnalysis>(bridge->function);
	bridge->frequencies = &analyses.getResult<BlockFrequencyAnalysis>(bridge->function);
	bridge->probabilities = &analyses.getResult<BranchProbabilityAnalysis>(bridge->function);
	bridge->wide = nullptr;
	bridge->facts.clear();
	bridge->stepped.clear();
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
	to->column = from->getColumn();
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
	// LLVM's own unit leaves no room for a block that runs a million times as often as
	// expected.
	const double once = 1 << 24, max = std::numeric_limits<int64_t>::max() / 2;
	bridge->frequencies->setBlockFreq(
		unwrap(block), BlockFrequency(uint64_t(std::min(frequency * once, max))));
}

// For each successor that it is asked about LLVM looks through all of them, so those of a wide
// switch are added up once. Where it has no expectation all get the same share, and it rounds only
// then.
static void add_up_shares(wm_bridge *bridge, BasicBlock *source)
{
	const unsigned count = succ_size(source);
	DenseMap<BasicBlock *, unsigned> times;
	bool even = true;
	bridge->wide = source;
	bridge->shares.clear();
	for (auto to = succ_begin(source); to != succ_end(source); ++to) {
		BranchProbability part =
			bridge->probabilities->getEdgeProbability(source, to.getSuccessorIndex());
		even = even && part == BranchProbability(1, count);
		auto [share, is_new] = bridge->shares.try_emplace(*to, part);
		if (!is_new)
			share->second += part;
		times[*to]++;
	}
	if (!even)
		return;
	for (auto &[target, number] : times)
		bridge->shares[target] = BranchProbability(number, count);
}

static BranchProbability share_of(wm_bridge *bridge, BasicBlock *source, BasicBlock *target)
{
	constexpr unsigned few = 16;
	if (succ_size(source) <= few)
		return bridge->probabilities->getEdgeProbability(source, target);
	if (bridge->wide != source)
		add_up_shares(bridge, source);
	auto found = bridge->shares.find(target);
	return found == bridge->shares.end() ? BranchProbability::getZero() : found->second;
}

extern "C" double wm_bridge_edge_frequency(
	wm_bridge *bridge, LLVMBasicBlockRef source, LLVMBasicBlockRef target)
{
	BranchProbability share = share_of(bridge, unwrap(source), unwrap(target));
	return wm_bridge_block_frequency(bridge, source) * share.getNumerator() /
	       share.getDenominator();
}

extern "C" void wm_bridge_remove_globals(LLVMModuleRef value, const char *prefix)
{
	Module &module = *unwrap(value);
	auto is_meant = [&](const Constant *constant) {
		auto *global = dyn_cast<GlobalVariable>(constant->stripPointerCasts());
		return global && global->getName().starts_with(prefix);
	};
	removeFromUsedLists(module, [&](Constant *constant) { return is_meant(constant); });
	for (GlobalVariable &global : make_early_inc_range(module.globals()))
		if (is_meant(&global) && global.use_empty())
			global.eraseFromParent();
}

extern "C" void wm_bridge_set_entry_count(LLVMValueRef value, uint64_t count)
{
	unwrap<Function>(value)->setEntryCount(count);
}

extern "C" void wm_bridge_set_branch_weights(
	wm_bridge *bridge, LLVMBasicBlockRef block, const double *weights)
{
	const double once = 1 << 20; // the largest
	Instruction *jump = unwrap(block)->getTerminator();
	const double *end = weights + jump->getNumSuccessors();
	double largest = weights == end ? 0 : *std::max_element(weights, end);
	if (end - weights < 2 || !(largest > 0) ||
		!isa<BranchInst, SwitchInst, IndirectBrInst>(jump))
		return;
	SmallVector<uint32_t, 16> scaled;
	SmallVector<BranchProbability, 16> shares;
	double sum = std::accumulate(weights, end, 0.0);
	for (const double *weight = weights; weight != end; weight++) {
		scaled.push_back(uint32_t(*weight / largest * once));
		shares.push_back(BranchProbability::getBranchProbability(
			uint64_t(*weight / sum * once), uint64_t(once)));
	}
	BranchProbability::normalizeProbabilities(shares.begin(), shares.end());
	bridge->probabilities->setEdgeProbability(unwrap(block), shares);
	bridge->wide = nullptr;
	jump->setMetadata(
		LLVMContext::MD_prof, MDBuilder(jump->getContext()).createBranchWeights(scaled));
}

extern "C" LLVMBasicBlockRef wm_bridge_split_edge(
	wm_bridge *bridge, LLVMValueRef terminator, unsigned successor)
{
	Instruction *jump = unwrap<Instruction>(terminator);
	BasicBlock *target = jump->getSuccessor(successor);
	// Not told of the loops: otherwise LLVM would also move other edges onto new exit blocks.
	CriticalEdgeSplittingOptions options;
	BasicBlock *added = SplitCriticalEdge(jump, successor, options.setMergeIdenticalEdges());
	bridge->dominators_are_old = true;
	if (wm_loop_ref loop = wm_bridge_loop_around(bridge, wrap(jump->getParent()), wrap(target)))
		wm_bridge_unwrap(loop)->addBasicBlockToLoop(added, *bridge->loops);
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
	DominatorTree &dominators = wm_bridge_dominators(bridge);
	BasicBlock *common = unwrap(blocks[0]);
	for (size_t i = 1; i < count; i++)
		common = dominators.findNearestCommonDominator(common, unwrap(blocks[i]));
	while (Loop *loop = bridge->loops->getLoopFor(common))
		common = dominators.getNode(loop->getOutermostLoop()->getHeader())
				 ->getIDom()
				 ->getBlock();
	return wrap(common);
}

extern "C" bool wm_bridge_merges_outer_value(LLVMBasicBlockRef handle)
{
	BasicBlock *block = unwrap(handle);
	df_iterator_default_set<BasicBlock *> behind;
	for (BasicBlock *successor : successors(block))
		for (BasicBlock *reached : depth_first_ext(successor, behind))
			(void)reached;
	for (PHINode &phi : block->phis())
		for (unsigned i = 0; i < phi.getNumIncomingValues(); i++) {
			auto *value = dyn_cast<Instruction>(phi.getIncomingValue(i));
			bool is_outer = !value || !behind.contains(value->getParent());
			if (is_outer && behind.contains(phi.getIncomingBlock(i)))
				return true;
		}
	return false;
}

extern "C" void wm_bridge_promote(wm_bridge *bridge, LLVMValueRef *slots, size_t count)
{
	SmallVector<AllocaInst *, 16> allocas;
	for (size_t i = 0; i < count; i++)
		allocas.push_back(unwrap<AllocaInst>(slots[i]));
	PromoteMemToReg(allocas, wm_bridge_dominators(bridge));
}

static LLVMValueRef or_call(wm_bridge *bridge, Value *known, Function *callee,
	CallingConv::ID convention, ArrayRef<Value *> arguments, Instruction *at)
{
	BasicBlock *head = at->getParent();
	Value *missing = IRBuilder<>(at).CreateIsNull(known);
	Instruction *end = SplitBlockAndInsertIfThen(missing, at, false,
		MDBuilder(at->getContext()).createUnlikelyBranchWeights(), nullptr, bridge->loops);
	bridge->dominators_are_old = true;
	CallInst *found = CallInst::Create(
		callee->getFunctionType(), callee, arguments, "", end->getIterator());
	found->setCallingConv(convention);
	IRBuilder<> join(at->getParent(), at->getParent()->begin());
	PHINode *result = join.CreatePHI(known->getType(), 2);
	result->addIncoming(known, head);
	result->addIncoming(found, end->getParent());
	return wrap(result);
}

extern "C" LLVMValueRef wm_bridge_or_call(
	wm_bridge *bridge, LLVMValueRef value, LLVMValueRef function, LLVMValueRef before)
{
	return or_call(bridge, unwrap(value), unwrap<Function>(function), CallingConv::PreserveMost,
		{}, unwrap<Instruction>(before));
}

extern "C" LLVMValueRef wm_bridge_or_ask(wm_bridge *bridge, LLVMValueRef value,
	LLVMValueRef function, LLVMValueRef *arguments, size_t count, LLVMValueRef before)
{
	Function *callee = unwrap<Function>(function);
	SmallVector<Value *, 4> values;
	for (size_t i = 0; i < count; i++)
		values.push_back(unwrap(arguments[i]));
	return or_call(bridge, unwrap(value), callee, callee->getCallingConv(), values,
		unwrap<Instruction>(before));
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

static SmallVector<GlobalValue *, 64> unwrap_all(LLVMValueRef *globals, size_t count)
{
	SmallVector<GlobalValue *, 64> values;
	for (size_t i = 0; i < count; i++)
		values.push_back(unwrap<GlobalValue>(globals[i]));
	return values;
}

extern "C" const char *wm_bridge_opcode_name(LLVMValueRef instruction)
{
	return unwrap<Instruction>(instruction)->getOpcodeName();
}

extern "C" void wm_bridge_keep(LLVMModuleRef module, LLVMValueRef *globals, size_t count)
{
	appendToCompilerUsed(*unwrap(module), unwrap_all(globals, count));
}

extern "C" void wm_bridge_retain(LLVMModuleRef module, LLVMValueRef *globals, size_t count)
{
	appendToUsed(*unwrap(module), unwrap_all(globals, count));
}

namespace
{
struct Diagnostic : DiagnosticInfo {
	Diagnostic(DiagnosticSeverity severity, const char *text)
	    : DiagnosticInfo(kind(), severity), text(text)
	{
	}

	void print(DiagnosticPrinter &printer) const override
	{
		printer << "waymark: " << text;
	}

	static int kind()
	{
		static const int kind = getNextAvailablePluginDiagnosticKind();
		return kind;
	}

	const char *text;
};
} // namespace

extern "C" void wm_bridge_diagnose(LLVMModuleRef module, bool is_error, const char *text)
{
	unwrap(module)->getContext().diagnose(Diagnostic(is_error ? DS_Error : DS_Warning, text));
}

extern "C" void wm_bridge_prefer_option(const char *name, const char *value)
{
	cl::Option *option = cl::getRegisteredOptions().lookup(name);
	if (option && !option->getNumOccurrences())
		option->addOccurrence(0, name, value);
}

namespace
{
// What all functions of a module share.
struct ModuleState {
	FunctionAnalysisManager &analyses;
	wm_bridge_traps traps;
	const wm_losses &losses;

	ModuleState(FunctionAnalysisManager &analyses, const wm_losses &losses)
	    : analyses(analyses), losses(losses)
	{
	}
};
} // namespace

static wm_bridge *open_function(void *context, LLVMValueRef value)
{
	auto &state = *static_cast<ModuleState *>(context);
	auto *bridge =
		new wm_bridge(*unwrap<Function>(value), state.analyses, state.traps, state.losses);
	take_analyses(bridge);
	return bridge;
}

static void close_function(void *, wm_bridge *bridge)
{
	bridge->analyses.invalidate(bridge->function, PreservedAnalyses::none());
	delete bridge;
}

namespace
{
struct InstrumentPass : PassInfoMixin<InstrumentPass> {
	std::shared_ptr<wm_losses> losses;

	explicit InstrumentPass(std::shared_ptr<wm_losses> losses) : losses(std::move(losses))
	{
	}

	PreservedAnalyses run(Module &module, ModuleAnalysisManager &analyses)
	{
		losses->stop();
		ModuleState state(
			analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager(),
			*losses);
		bool changed =
			wm_instrument_module(wrap(&module), open_function, close_function, &state);
		return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
	}
	static bool isRequired()
	{
		return true;
	}
};
} // namespace

namespace
{
struct FinishPass : PassInfoMixin<FinishPass> {
	std::shared_ptr<wm_losses> losses;

	explicit FinishPass(std::shared_ptr<wm_losses> losses) : losses(std::move(losses))
	{
	}

	PreservedAnalyses run(Module &module, ModuleAnalysisManager &analyses)
	{
		ModuleState state(
			analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager(),
			*losses);
		bool changed =
			wm_instrument_finish(wrap(&module), open_function, close_function, &state);
		return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
	}
	static bool isRequired()
	{
		return true;
	}
};
} // namespace

namespace
{
struct PlantPass : PassInfoMixin<PlantPass> {
	std::shared_ptr<wm_losses> losses;

	explicit PlantPass(std::shared_ptr<wm_losses> losses) : losses(std::move(losses))
	{
	}

	PreservedAnalyses run(Module &module, ModuleAnalysisManager &)
	{
		bool changed = wm_plant_module(wrap(&module));
		losses->planted = true;
		return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
	}
	static bool isRequired()
	{
		return true;
	}
};
} // namespace

// The passes by their names, to be run on a module as it is: `opt -passes=waymark`.
static void register_names(PassBuilder &builder, const std::shared_ptr<wm_losses> &losses)
{
	builder.registerPipelineParsingCallback([losses](StringRef name, ModulePassManager &passes,
							ArrayRef<PassBuilder::PipelineElement>) {
		if (name == "waymark")
			passes.addPass(InstrumentPass(losses));
		else if (name == "waymark-plant")
			passes.addPass(PlantPass(losses));
		else if (name == "waymark-finish")
			passes.addPass(FinishPass(losses));
		return name == "waymark" || name == "waymark-plant" || name == "waymark-finish";
	});
	builder.registerPipelineParsingCallback([](StringRef name, LoopPassManager &passes,
							ArrayRef<PassBuilder::PipelineElement>) {
		if (name == "waymark-loop-counts")
			passes.addPass(wm_loop_counts_pass());
		return name == "waymark-loop-counts";
	});
}

static void take_counts_out_of_loops(LoopPassManager &passes, OptimizationLevel)
{
	passes.addPass(wm_loop_counts_pass());
}

static void register_pass(PassBuilder &builder)
{
	auto losses = std::make_shared<wm_losses>();
	auto plant = [losses](ModulePassManager &passes, OptimizationLevel) {
		passes.addPass(PlantPass(losses));
	};
	auto instrument = [losses](ModulePassManager &passes, OptimizationLevel) {
		passes.addPass(InstrumentPass(losses));
	};
	register_names(builder, losses);
	builder.registerPipelineStartEPCallback(plant);
	if (PassInstrumentationCallbacks *callbacks = builder.getPassInstrumentationCallbacks()) {
		wm_losses::watch(losses, *callbacks);
		wm_vectors_watch(losses, *callbacks);
	}
	auto finish = [losses](ModulePassManager &passes, OptimizationLevel) {
		passes.addPass(FinishPass(losses));
	};
	switch (wm_instrument_point()) {
	case WM_INSTRUMENT_EARLY:
		builder.registerPipelineStartEPCallback(instrument);
		builder.registerLateLoopOptimizationsEPCallback(take_counts_out_of_loops);
		builder.registerOptimizerLastEPCallback(finish);
		break;
	case WM_INSTRUMENT_LATE:
		builder.registerOptimizerLastEPCallback(instrument);
		break;
	case WM_INSTRUMENT_AT_LINK:
		builder.registerFullLinkTimeOptimizationLastEPCallback(instrument);
		break;
	}
}

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo()
{
	return {LLVM_PLUGIN_API_VERSION, "waymark", "1", register_pass};
}
