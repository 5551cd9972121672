// Functions that the code generator compiles without one of its passes.
//
// LLVM asks the gate of a context before it runs a pass on a function. Gates are there to find, by
// bisection, the pass that breaks a program. A gate gets the function as text.
#include <llvm/ADT/StringSet.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/OptBisect.h>

#include "llvm/bridge/bridge.h"

using namespace llvm;

namespace
{
struct Gate : OptPassGate {
	Gate(OptPassGate &others, StringRef pass, StringSet<> functions)
	    : others(others), pass(pass), functions(std::move(functions))
	{
	}

	bool isEnabled() const override
	{
		return true;
	}

	bool shouldRunPass(StringRef asked, StringRef unit) override
	{
		if (others.isEnabled() && !others.shouldRunPass(asked, unit))
			return false;
		bool is_function = unit.consume_front("function (") && unit.consume_back(")");
		return asked != pass || !is_function || !functions.contains(unit);
	}

	OptPassGate &others; // the context's earlier gate, perhaps of a bisection
	std::string pass;
	StringSet<> functions;
};
} // namespace

extern "C" void wm_bridge_skip_pass(LLVMModuleRef handle, const char *pass, size_t max_blocks)
{
	Module &module = *unwrap(handle);
	LLVMContext &context = module.getContext();
	StringSet<> functions;
	for (const Function &function : module)
		if (function.size() > max_blocks)
			functions.insert(function.getName());
	if (!functions.empty()) // the context may need the gate until the process ends
		context.setOptPassGate(
			*new Gate(context.getOptPassGate(), pass, std::move(functions)));
}
