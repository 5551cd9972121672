// Reading clang's coverage mapping with LLVM's own readers.
#include "llvm/bridge/coverage.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/ProfileData/Coverage/CoverageMapping.h>
#include <llvm/ProfileData/Coverage/CoverageMappingReader.h>
#include <llvm/ProfileData/InstrProf.h>
#include <llvm/Support/MD5.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <vector>

using namespace llvm;
using namespace llvm::coverage;

// Sums longer than this are not known: each condition of a long chain is the sum of all before it.
static constexpr size_t max_term = 96;

namespace
{
struct Mapped {
	wm_coverage_function function;
	std::vector<std::string> files;
	std::vector<const char *> names;
	std::vector<wm_coverage_region> regions;
	std::vector<std::unique_ptr<std::vector<uint32_t>>> terms;
};
} // namespace

struct wm_coverage {
	Module &module;
	std::vector<std::string> files;
	DenseMap<uint64_t, StringRef> mappings; // by hash of the function's name
	std::map<uint64_t, std::unique_ptr<Mapped>> read;

	explicit wm_coverage(Module &module) : module(module)
	{
	}
};

static StringRef bytes_of(const Constant *constant)
{
	auto *data = dyn_cast_or_null<ConstantDataSequential>(constant);
	return data ? data->getRawDataValues() : StringRef();
}

static uint64_t number_of(const Constant *constant)
{
	auto *number = dyn_cast_or_null<ConstantInt>(constant);
	return number ? number->getZExtValue() : 0;
}

// The global holds { { records, bytes of names, bytes of mappings, version }, names }.
static void read_files(wm_coverage &coverage)
{
	GlobalVariable *global = coverage.module.getNamedGlobal("__llvm_coverage_mapping");
	if (!global || !global->hasInitializer())
		return;
	Constant *value = global->getInitializer();
	Constant *head = value->getAggregateElement(0u);
	StringRef names = bytes_of(value->getAggregateElement(1u));
	if (!head || names.empty())
		return;
	auto version = CovMapVersion(number_of(head->getAggregateElement(3u)));
	RawCoverageFilenamesReader reader(names, coverage.files);
	if (Error error = reader.read(version)) {
		consumeError(std::move(error));
		coverage.files.clear();
	}
}

// A record holds { hash of the name, bytes, hash of the function, hash of the file names, bytes }.
static void find_mappings(wm_coverage &coverage)
{
	for (GlobalVariable &global : coverage.module.globals()) {
		if (!global.getName().starts_with("__covrec_") || !global.hasInitializer())
			continue;
		Constant *value = global.getInitializer();
		uint64_t name = number_of(value->getAggregateElement(0u));
		StringRef mapping = bytes_of(value->getAggregateElement(4u));
		// A dummy record, for a function without code, has no hash and comes second.
		if (number_of(value->getAggregateElement(2u)) || !coverage.mappings.count(name))
			coverage.mappings[name] = mapping;
	}
}

extern "C" wm_coverage *wm_coverage_open(LLVMModuleRef module)
{
	auto *coverage = new wm_coverage(*unwrap(module));
	read_files(*coverage);
	find_mappings(*coverage);
	return coverage;
}

namespace
{
// Adds up an expression: how often each counter stands in it.
struct Sum {
	ArrayRef<CounterExpression> expressions;
	std::map<uint32_t, int> counts;
	unsigned steps = 0;

	bool add(Counter counter, int sign)
	{
		if (++steps > 4 * max_term)
			return false;
		if (counter.isZero())
			return true;
		if (!counter.isExpression()) {
			counts[counter.getCounterID()] += sign;
			return true;
		}
		const CounterExpression &expression = expressions[counter.getExpressionID()];
		int right = expression.Kind == CounterExpression::Subtract ? -sign : sign;
		return add(expression.LHS, sign) && add(expression.RHS, right);
	}
};
} // namespace

static wm_coverage_term make_term(
	Mapped &mapped, ArrayRef<CounterExpression> expressions, Counter counter)
{
	Sum sum{expressions, {}, 0};
	wm_coverage_term term{};
	if (!sum.add(counter, 1) || sum.counts.size() > max_term)
		return term;
	auto plus = std::make_unique<std::vector<uint32_t>>();
	auto minus = std::make_unique<std::vector<uint32_t>>();
	for (auto [id, times] : sum.counts)
		(times > 0 ? plus : minus)
			->insert((times > 0 ? plus : minus)->end(), size_t(std::abs(times)), id);
	term = {true, uint32_t(plus->size()), plus->data(), uint32_t(minus->size()), minus->data()};
	mapped.terms.push_back(std::move(plus));
	mapped.terms.push_back(std::move(minus));
	return term;
}

static bool kind_of(const CounterMappingRegion &region, wm_coverage_kind *kind)
{
	switch (region.Kind) {
	case CounterMappingRegion::CodeRegion:
		*kind = WM_COVERAGE_CODE;
		return true;
	case CounterMappingRegion::GapRegion:
		*kind = WM_COVERAGE_GAP;
		return true;
	case CounterMappingRegion::SkippedRegion:
		*kind = WM_COVERAGE_SKIPPED;
		return true;
	case CounterMappingRegion::ExpansionRegion:
		*kind = WM_COVERAGE_EXPANSION;
		return true;
	case CounterMappingRegion::BranchRegion:
	case CounterMappingRegion::MCDCBranchRegion:
		*kind = WM_COVERAGE_BRANCH;
		return true;
	default:
		return false;
	}
}

using Span = std::tuple<unsigned, unsigned, unsigned, unsigned, unsigned>;

static Span span_of(const CounterMappingRegion &region)
{
	return {region.FileID, region.LineStart, region.ColumnStart, region.LineEnd,
		region.ColumnEnd};
}

static std::unique_ptr<Mapped> read_mapping(wm_coverage &coverage, StringRef bytes)
{
	auto mapped = std::make_unique<Mapped>();
	std::vector<StringRef> files;
	std::vector<CounterExpression> expressions;
	std::vector<CounterMappingRegion> regions;
	ArrayRef<std::string> all_files(coverage.files);
	RawCoverageMappingReader reader(bytes, all_files, files, expressions, regions);
	if (Error error = reader.read()) {
		consumeError(std::move(error));
		return nullptr;
	}
	for (StringRef file : files)
		mapped->files.push_back(file.str());
	for (const std::string &file : mapped->files)
		mapped->names.push_back(file.c_str());
	std::set<Span> code;
	for (const CounterMappingRegion &region : regions)
		if (region.Kind == CounterMappingRegion::CodeRegion)
			code.insert(span_of(region));
	for (const CounterMappingRegion &from : regions) {
		wm_coverage_region to{};
		if (!kind_of(from, &to.kind))
			continue;
		to.is_also_code = to.kind == WM_COVERAGE_EXPANSION && code.count(span_of(from));
		to.file = from.FileID;
		to.expanded = from.ExpandedFileID;
		to.line = from.LineStart;
		to.column = from.ColumnStart;
		to.last_line = from.LineEnd;
		to.last_column = from.ColumnEnd;
		to.term = make_term(*mapped, expressions, from.Count);
		to.no = make_term(*mapped, expressions, from.FalseCount);
		mapped->regions.push_back(to);
	}
	mapped->function = {uint32_t(mapped->names.size()), mapped->names.data(),
		uint32_t(mapped->regions.size()), mapped->regions.data()};
	return mapped;
}

extern "C" const wm_coverage_function *wm_coverage_find(wm_coverage *coverage, LLVMValueRef name)
{
	auto *global = dyn_cast<GlobalVariable>(unwrap(name));
	if (!global || !global->hasInitializer())
		return nullptr;
	uint64_t hash = MD5Hash(bytes_of(global->getInitializer()));
	auto found = coverage->mappings.find(hash);
	if (found == coverage->mappings.end())
		return nullptr;
	auto [at, is_new] = coverage->read.try_emplace(hash, nullptr);
	if (is_new)
		at->second = read_mapping(*coverage, found->second);
	return at->second ? &at->second->function : nullptr;
}

extern "C" bool wm_coverage_counter(
	LLVMValueRef instruction, LLVMValueRef *name, uint32_t *counter, bool *is_step)
{
	auto *increment = dyn_cast<InstrProfIncrementInst>(unwrap(instruction));
	if (!increment)
		return false;
	*name = wrap(increment->getName());
	*counter = uint32_t(increment->getIndex()->getZExtValue());
	*is_step = isa<InstrProfIncrementInstStep>(increment);
	return true;
}

static bool is_of_coverage(const GlobalVariable &global)
{
	StringRef name = global.getName();
	return name.starts_with("__covrec_") || name.starts_with("__llvm_coverage_") ||
	       name.starts_with("__profn_") || name == "__llvm_profile_runtime" ||
	       name == "__llvm_profile_raw_version" || name == "__llvm_profile_filename" ||
	       name == "__llvm_coverage_names";
}

static void remove_counters(Module &module)
{
	SmallVector<Instruction *, 64> counters;
	for (Function &function : module)
		for (Instruction &instruction : instructions(function))
			if (isa<InstrProfInstBase>(instruction))
				counters.push_back(&instruction);
	for (Instruction *counter : counters)
		counter->eraseFromParent();
	for (Function &function : make_early_inc_range(module))
		if (function.isIntrinsic() && function.use_empty() &&
			function.getName().starts_with("llvm.instrprof."))
			function.eraseFromParent();
}

static void remove_globals(Module &module)
{
	SmallPtrSet<GlobalVariable *, 32> removed;
	for (GlobalVariable &global : module.globals())
		if (is_of_coverage(global))
			removed.insert(&global);
	removeFromUsedLists(module, [&](Constant *used) {
		auto *global = dyn_cast<GlobalVariable>(used->stripPointerCasts());
		return global && removed.contains(global);
	});
	for (GlobalVariable *global : removed) {
		global->removeDeadConstantUsers();
		if (global->hasInitializer())
			global->setInitializer(nullptr);
	}
	for (GlobalVariable *global : removed) {
		global->removeDeadConstantUsers();
		if (global->use_empty())
			global->eraseFromParent();
	}
	for (Function &function : module)
		function.setMetadata(getPGOFuncNameMetadataName(), nullptr);
}

extern "C" void wm_coverage_close(wm_coverage *coverage)
{
	remove_counters(coverage->module);
	remove_globals(coverage->module);
	delete coverage;
}
