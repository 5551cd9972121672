// The function that placeholders call. It is never defined: no call of it is left in the end.
#include "llvm/bridge/placeholders.h"

#include <llvm/IR/Module.h>

using namespace llvm;

static constexpr char name[] = "__waymark_placeholder";

// It counts in memory that the program cannot see, so the optimiser moves the program's accesses
// past it, but never the call itself off its place in the graph. Counts of different places stay
// apart. For the inliner it has no size: plain code would be inlined, too.
static void describe(Function &function)
{
	function.setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
	function.setDoesNotThrow();
	for (Attribute::AttrKind kind : {Attribute::NoCallback, Attribute::NoFree,
		     Attribute::NoSync, Attribute::NoMerge, Attribute::NoRecurse})
		function.addFnAttr(kind);
	function.addFnAttr("call-inline-cost", "0");
}

extern "C" LLVMValueRef wm_placeholder_function(LLVMModuleRef handle, LLVMTypeRef address)
{
	Module &module = *unwrap(handle);
	if (Function *there = module.getFunction(name))
		return wrap(there);
	Type *i64 = Type::getInt64Ty(module.getContext()),
	     *nothing = Type::getVoidTy(i64->getContext());
	auto *type = FunctionType::get(nothing, {unwrap(address), i64}, false);
	Function *function = Function::Create(type, GlobalValue::ExternalLinkage, name, module);
	describe(*function);
	return wrap(function);
}

extern "C" LLVMValueRef wm_placeholder_function_in(LLVMModuleRef module)
{
	return wrap(unwrap(module)->getFunction(name));
}
