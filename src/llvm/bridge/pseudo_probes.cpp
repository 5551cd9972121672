// As LLVM's own writer of pseudo probes reads them (CodeGen/AsmPrinter/PseudoProbePrinter.cpp).
#include "llvm/bridge/pseudo_probes.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PseudoProbe.h>

using namespace llvm;

static uint64_t function_of(const DILocation *place)
{
	DISubprogram *text = place->getScope()->getSubprogram();
	StringRef name = text->getLinkageName();
	return Function::getGUID(name.empty() ? text->getName() : name);
}

// All ones means once: other factors are those of loops that were vectorised (bridge/vectors.h).
static uint32_t factor_of(const PseudoProbeInst &probe)
{
	uint64_t factor = probe.getFactor()->getZExtValue();
	return factor > 0 && factor <= UINT32_MAX ? uint32_t(factor) : 1;
}

static bool read_block(const PseudoProbeInst &probe, wm_pseudo_mark *mark)
{
	const DILocation *place = probe.getDebugLoc();
	if (!place) // it cannot be told in which call it came here
		return false;
	mark->function = probe.getFuncGuid()->getZExtValue();
	mark->number = uint32_t(probe.getIndex()->getZExtValue());
	mark->kind = WM_PSEUDO_BLOCK;
	mark->factor = factor_of(probe);
	mark->inlined_at = place->getInlinedAt();
	return true;
}

static bool read_call(const DILocation *place, wm_pseudo_mark *mark)
{
	unsigned discriminator = place->getDiscriminator();
	if (!DILocation::isPseudoProbeDiscriminator(discriminator))
		return false;
	mark->function = function_of(place);
	mark->number = PseudoProbeDwarfDiscriminator::extractProbeIndex(discriminator);
	mark->kind = PseudoProbeDwarfDiscriminator::extractProbeType(discriminator) ==
				     uint32_t(PseudoProbeType::DirectCall)
			     ? WM_PSEUDO_CALL
			     : WM_PSEUDO_POINTER_CALL;
	mark->factor = 1;
	mark->inlined_at = place->getInlinedAt();
	return true;
}

extern "C" bool wm_pseudo_mark_read(LLVMValueRef value, wm_pseudo_mark *mark)
{
	auto *instruction = unwrap<Instruction>(value);
	if (auto *probe = dyn_cast<PseudoProbeInst>(instruction))
		return read_block(*probe, mark);
	const DILocation *place = instruction->getDebugLoc();
	return isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction) && place &&
	       read_call(place, mark);
}

extern "C" bool wm_pseudo_mark_of_call(const void *inlined_at, wm_pseudo_mark *mark)
{
	return read_call(static_cast<const DILocation *>(inlined_at), mark);
}
