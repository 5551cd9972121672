// Marks as LLVM's pseudo probes and discriminators.
#include "llvm/bridge/marks.h"

#include "core/base/none.h"
#include "llvm/bridge/losses.h"
#include "llvm/bridge/state.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

using namespace llvm;

// Where the debug information is made for profilers that sample, discriminators are taken.
extern "C" bool wm_marks_fit(LLVMValueRef value)
{
	DISubprogram *text = unwrap<Function>(value)->getSubprogram();
	return text && text->getUnit() && !text->getUnit()->getDebugInfoForProfiling();
}

static DILocation *nowhere_in(Function &function)
{
	DISubprogram *text = function.getSubprogram();
	return DILocation::get(function.getContext(), 0, 0, text);
}

extern "C" void wm_marks_add_probe(LLVMValueRef before, uint64_t key, uint32_t block)
{
	auto *at = unwrap<Instruction>(before);
	Function *probe = Intrinsic::getDeclaration(at->getModule(), Intrinsic::pseudoprobe);
	IRBuilder<> builder(at);
	Value *operands[] = {builder.getInt64(key), builder.getInt64(block), builder.getInt32(0),
		builder.getInt64(1)};
	CallInst *call = builder.CreateCall(probe, operands);
	call->setDebugLoc(nowhere_in(*at->getFunction()));
}

// A discriminator of 0 means none.
extern "C" void wm_marks_add_decision(LLVMValueRef value, uint32_t block)
{
	auto *instruction = unwrap<Instruction>(value);
	const DILocation *place = instruction->getDebugLoc();
	if (!place)
		place = nowhere_in(*instruction->getFunction());
	instruction->setDebugLoc(place->cloneWithDiscriminator(block + 1));
}

static wm_mark_instance instance_of(const DILocation *place)
{
	return {place->getScope()->getSubprogram(), place->getInlinedAt()};
}

extern "C" wm_mark_instance wm_marks_own(LLVMValueRef function)
{
	return {unwrap<Function>(function)->getSubprogram(), nullptr};
}

extern "C" bool wm_marks_read_probe(LLVMValueRef value, wm_mark *mark)
{
	auto *probe = dyn_cast<PseudoProbeInst>(unwrap(value));
	if (!probe || !probe->getDebugLoc())
		return false;
	mark->instance = instance_of(probe->getDebugLoc());
	mark->key = probe->getFuncGuid()->getZExtValue();
	mark->block = uint32_t(probe->getIndex()->getZExtValue());
	mark->factor = uint32_t(probe->getFactor()->getZExtValue());
	return true;
}

extern "C" bool wm_marks_read_decision(LLVMValueRef value, wm_mark *mark)
{
	const DILocation *place = unwrap<Instruction>(value)->getDebugLoc();
	if (!place || !place->getDiscriminator())
		return false;
	mark->instance = instance_of(place);
	mark->block = place->getDiscriminator() - 1;
	return true;
}

extern "C" bool wm_marks_instance_of(LLVMValueRef value, wm_mark_instance *instance)
{
	const DILocation *place = unwrap<Instruction>(value)->getDebugLoc();
	if (!place)
		return false;
	*instance = instance_of(place);
	return true;
}

extern "C" bool wm_marks_call_of(wm_mark_instance instance, wm_mark *mark)
{
	auto *call = static_cast<const DILocation *>(instance.inlined_at);
	if (!call)
		return false;
	mark->instance = instance_of(call);
	mark->block = call->getDiscriminator() ? call->getDiscriminator() - 1 : WM_NONE;
	return true;
}

extern "C" const char *wm_marks_name_of(wm_mark_instance instance, size_t *bytes)
{
	auto *text = static_cast<const DISubprogram *>(instance.text);
	if (!text) {
		*bytes = 0;
		return "";
	}
	StringRef name = text->getLinkageName().empty() ? text->getName() : text->getLinkageName();
	*bytes = name.size();
	return name.data();
}

extern "C" bool wm_marks_may_be_lost(
	wm_bridge *bridge, wm_mark_instance instance, uint64_t key, uint32_t block)
{
	return bridge->losses.has(key, block, static_cast<const DILocation *>(instance.inlined_at));
}

extern "C" bool wm_marks_may_be_passed(
	wm_bridge *bridge, wm_mark_instance instance, uint64_t key, uint32_t block)
{
	return bridge->losses.may_have(
		key, block, static_cast<const DILocation *>(instance.inlined_at));
}

// The position as it was before; none if we made it. A call keeps what it has: without a position
// LLVM cannot say where its code came from once it is inlined, and crashes.
static DebugLoc without_mark(const DILocation *place, bool is_call)
{
	if (!place->getLine() && !place->getColumn() && !is_call)
		return DebugLoc();
	DILocalScope *scope = place->getScope();
	while (auto *file = dyn_cast<DILexicalBlockFile>(scope)) {
		if (!file->getDiscriminator())
			break;
		scope = file->getScope();
	}
	return DILocation::get(place->getContext(), place->getLine(), place->getColumn(), scope,
		place->getInlinedAt(), place->isImplicitCode());
}

extern "C" void wm_marks_remove(LLVMValueRef value)
{
	Function &function = *unwrap<Function>(value);
	for (BasicBlock &block : function)
		for (Instruction &instruction : make_early_inc_range(block)) {
			const DILocation *place = instruction.getDebugLoc();
			if (isa<PseudoProbeInst>(instruction))
				instruction.eraseFromParent();
			else if (place && place->getDiscriminator())
				instruction.setDebugLoc(
					without_mark(place, isa<CallBase>(instruction)));
		}
}
