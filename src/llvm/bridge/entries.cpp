// Two entries of one body: attributes, metadata and addresses of blocks move with the body, the
// name stays with the public entry.
#include "llvm/bridge/entries.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

using namespace llvm;

static constexpr char suffix[] = ".waymark";

static bool passes_arguments_as_usual(CallingConv::ID convention)
{
	return convention == CallingConv::C || convention == CallingConv::Fast ||
	       convention == CallingConv::Cold;
}

static bool has_unusual_argument(const AttributeList &attributes)
{
	for (Attribute::AttrKind kind : {Attribute::Nest, Attribute::InAlloca,
		     Attribute::Preallocated, Attribute::SwiftError, Attribute::SwiftAsync})
		if (attributes.hasAttrSomewhere(kind))
			return true;
	return false;
}

extern "C" bool wm_bridge_is_definite(LLVMValueRef handle)
{
	const Function &function = *unwrap<Function>(handle);
	return function.isDeclaration() ? !function.hasExternalWeakLinkage()
					: !function.isInterposable();
}

extern "C" bool wm_bridge_can_split(LLVMValueRef handle)
{
	const Function &function = *unwrap<Function>(handle);
	return !function.isVarArg() && wm_bridge_is_definite(handle) &&
	       passes_arguments_as_usual(function.getCallingConv()) &&
	       !has_unusual_argument(function.getAttributes()) && !function.hasPrologueData() &&
	       !function.hasPrefixData() && !function.hasFnAttribute("split-stack") &&
	       !function.hasFnAttribute("fentry-call") &&
	       !function.hasFnAttribute(Attribute::ReturnsTwice);
}

extern "C" bool wm_bridge_can_link(LLVMValueRef handle)
{
	const CallBase &call = *unwrap<CallBase>(handle);
	return !isa<CallBrInst>(call) && passes_arguments_as_usual(call.getCallingConv()) &&
	       !has_unusual_argument(call.getAttributes());
}

extern "C" bool wm_bridge_has_address(LLVMValueRef handle)
{
	return unwrap<Function>(handle)->hasAddressTaken();
}

// The attributes with those of one more parameter in front.
static AttributeList shifted(LLVMContext &context, const AttributeList &attributes, unsigned count)
{
	SmallVector<AttributeSet, 8> parameters;
	AttrBuilder nest(context);
	nest.addAttribute(Attribute::Nest);
	parameters.push_back(AttributeSet::get(context, nest));
	for (unsigned i = 0; i < count; i++)
		parameters.push_back(attributes.getParamAttrs(i));
	AttributeSet own = attributes.getFnAttrs();
	AttrBuilder kept(context, own);
	kept.removeAttribute(Attribute::AllocSize);
	return AttributeList::get(
		context, AttributeSet::get(context, kept), attributes.getRetAttrs(), parameters);
}

static FunctionType *with_link(FunctionType *type)
{
	SmallVector<Type *, 8> parameters = {PointerType::getUnqual(type->getContext())};
	parameters.append(type->param_begin(), type->param_end());
	return FunctionType::get(type->getReturnType(), parameters, type->isVarArg());
}

static void take_blocks(Function &from, Function &to)
{
	SmallVector<std::pair<BlockAddress *, BasicBlock *>, 4> addresses;
	for (BasicBlock &block : from)
		if (block.hasAddressTaken())
			addresses.push_back({BlockAddress::get(&from, &block), &block});
	to.splice(to.begin(), &from);
	for (auto &[address, block] : addresses) {
		address->replaceAllUsesWith(BlockAddress::get(&to, block));
		address->destroyConstant();
	}
}

static void take_arguments(Function &from, Function &to)
{
	for (Argument &argument : from.args()) {
		Argument *own = to.getArg(argument.getArgNo() + 1);
		argument.replaceAllUsesWith(own);
		own->takeName(&argument);
	}
}

static void take_metadata(Function &from, Function &to)
{
	SmallVector<std::pair<unsigned, MDNode *>, 4> all;
	from.getAllMetadata(all);
	for (auto &[kind, node] : all)
		to.addMetadata(kind, *node);
	from.clearMetadata();
}

static void place_in_file(Function &from, Function &to)
{
	Module &module = *from.getParent();
	to.setDSOLocal(true);
	if (from.hasLocalLinkage())
		return;
	to.setVisibility(GlobalValue::HiddenVisibility);
	if (from.hasLinkOnceLinkage() || from.hasWeakLinkage()) {
		Comdat *group = module.getOrInsertComdat(to.getName());
		group->setSelectionKind(Comdat::Any);
		to.setComdat(group);
	} else {
		to.setComdat(from.getComdat());
	}
}

// Of the public entry, which touches memory of ours and calls the body.
static void forget_attributes(Function &function)
{
	for (Attribute::AttrKind kind : {Attribute::SanitizeAddress, Attribute::SanitizeMemory,
		     Attribute::SanitizeThread, Attribute::SanitizeHWAddress,
		     Attribute::StackProtect, Attribute::StackProtectReq,
		     Attribute::StackProtectStrong, Attribute::SafeStack, Attribute::AlwaysInline})
		function.removeFnAttr(kind);
}

extern "C" LLVMValueRef wm_bridge_split(LLVMValueRef handle)
{
	Function &function = *unwrap<Function>(handle);
	Function *body = Function::Create(with_link(function.getFunctionType()),
		function.getLinkage(), function.getAddressSpace(), function.getName() + suffix);
	function.getParent()->getFunctionList().insertAfter(function.getIterator(), body);
	body->copyAttributesFrom(&function);
	body->setAttributes(
		shifted(function.getContext(), function.getAttributes(), function.arg_size()));
	place_in_file(function, *body);
	take_blocks(function, *body);
	take_arguments(function, *body);
	take_metadata(function, *body);
	function.setPersonalityFn(nullptr);
	forget_attributes(function);
	return wrap(body);
}

// By symbols, so that the linker sees that both are used, also where code has no fixed address.
static void write_jump(Function &entry, Function &function, GlobalVariable *word)
{
	static constexpr char store[] = "movq ${1:p}@gottpoff(%rip), %r11\n\t"
					"movq %r10, %fs:(%r11)\n\tjmp ${0:p}";
	IRBuilder<> builder(BasicBlock::Create(entry.getContext(), "", &entry));
	SmallVector<Value *, 2> symbols = {&function};
	if (word)
		symbols.push_back(word);
	SmallVector<Type *, 2> types(symbols.size(), builder.getPtrTy());
	auto *type = FunctionType::get(builder.getVoidTy(), types, false);
	auto *code = word ? InlineAsm::get(type, store, "^Ws,^Ws,~{r11},~{memory}", true)
			  : InlineAsm::get(type, "jmp ${0:p}", "^Ws", true);
	builder.CreateCall(code, symbols);
	builder.CreateUnreachable();
	entry.addFnAttr(Attribute::Naked);
	entry.addFnAttr(Attribute::NoInline);
}

extern "C" LLVMValueRef wm_bridge_outer_entry(LLVMValueRef handle, LLVMValueRef word)
{
	Function &function = *unwrap<Function>(handle);
	Module &module = *function.getParent();
	std::string name = (function.getName() + suffix).str();
	if (Function *there = module.getFunction(name))
		return wrap(there);
	auto *nothing = FunctionType::get(Type::getVoidTy(module.getContext()), false);
	Function *entry = Function::Create(nothing, GlobalValue::WeakAnyLinkage, name, module);
	entry->setVisibility(GlobalValue::HiddenVisibility);
	entry->setDSOLocal(true);
	entry->setComdat(module.getOrInsertComdat(name));
	write_jump(*entry, function, word ? unwrap<GlobalVariable>(word) : nullptr);
	return wrap(entry);
}

static CallBase *copy_call(
	CallBase &call, FunctionType *type, Value *callee, ArrayRef<Value *> arguments)
{
	SmallVector<OperandBundleDef, 1> bundles;
	call.getOperandBundlesAsDefs(bundles);
	if (auto *invoke = dyn_cast<InvokeInst>(&call))
		return InvokeInst::Create(type, callee, invoke->getNormalDest(),
			invoke->getUnwindDest(), arguments, bundles, "", call.getIterator());
	auto *copy = CallInst::Create(type, callee, arguments, bundles, "", call.getIterator());
	copy->setTailCallKind(cast<CallInst>(call).getTailCallKind());
	return copy;
}

extern "C" LLVMValueRef wm_bridge_link_call(
	LLVMValueRef handle, LLVMValueRef callee, LLVMValueRef link)
{
	CallBase &call = *unwrap<CallBase>(handle);
	SmallVector<Value *, 8> arguments = {unwrap(link)};
	arguments.append(call.arg_begin(), call.arg_end());
	CallBase *copy =
		copy_call(call, with_link(call.getFunctionType()), unwrap(callee), arguments);
	copy->setCallingConv(call.getCallingConv());
	copy->setAttributes(shifted(call.getContext(), call.getAttributes(), call.arg_size()));
	copy->copyMetadata(call);
	copy->takeName(&call);
	call.replaceAllUsesWith(copy);
	call.eraseFromParent();
	return wrap(copy);
}

extern "C" void wm_bridge_forbid_jump(LLVMValueRef handle)
{
	if (auto *call = dyn_cast<CallInst>(unwrap(handle)))
		call->setTailCallKind(CallInst::TCK_NoTail);
}

// The one that the module's functions have, if any.
static Constant *find_personality(Module &module)
{
	for (const Function &function : module)
		if (function.hasPersonalityFn())
			return function.getPersonalityFn();
	auto *type = FunctionType::get(Type::getInt32Ty(module.getContext()), true);
	return cast<Constant>(module.getOrInsertFunction("__gcc_personality_v0", type).getCallee());
}

static void mark(Instruction *instruction)
{
	LLVMContext &context = instruction->getContext();
	instruction->setMetadata("nosanitize", MDNode::get(context, {}));
}

static void write_cleanup(BasicBlock *block, Value *word, Value *value)
{
	IRBuilder<> builder(block);
	Function &function = *block->getParent();
	if (!function.hasPersonalityFn())
		function.setPersonalityFn(find_personality(*function.getParent()));
	LandingPadInst *pad = builder.CreateLandingPad(
		StructType::get(builder.getPtrTy(), builder.getInt32Ty()), 0);
	pad->setCleanup(true);
	mark(builder.CreateStore(value, word));
	builder.CreateResume(pad);
}

static void write_return(IRBuilder<> &builder, CallBase *call)
{
	if (call->getType()->isVoidTy())
		builder.CreateRetVoid();
	else
		builder.CreateRet(call);
}

extern "C" void wm_bridge_forward(LLVMBasicBlockRef block, LLVMValueRef body_handle,
	LLVMValueRef link, LLVMValueRef word, LLVMValueRef value)
{
	IRBuilder<> builder(unwrap(block));
	Function &function = *unwrap(block)->getParent(), &body = *unwrap<Function>(body_handle);
	LLVMContext &context = function.getContext();
	SmallVector<Value *, 8> arguments = {unwrap(link)};
	for (Argument &argument : function.args())
		arguments.push_back(&argument);
	CallBase *call;
	if (word && !function.doesNotThrow()) {
		BasicBlock *behind = BasicBlock::Create(context, "", &function);
		BasicBlock *cleanup = BasicBlock::Create(context, "", &function);
		call = builder.CreateInvoke(&body, behind, cleanup, arguments);
		write_cleanup(cleanup, unwrap(word), unwrap(value));
		builder.SetInsertPoint(behind);
	} else {
		call = builder.CreateCall(&body, arguments);
		cast<CallInst>(call)->setTailCallKind(
			word ? CallInst::TCK_NoTail : CallInst::TCK_Tail);
	}
	call->setCallingConv(body.getCallingConv());
	call->setAttributes(AttributeList::get(
		context, AttributeSet(), body.getAttributes().getRetAttrs(), [&] {
			SmallVector<AttributeSet, 8> parameters;
			for (unsigned i = 0; i < body.arg_size(); i++)
				parameters.push_back(body.getAttributes().getParamAttrs(i));
			return parameters;
		}()));
	if (word)
		mark(builder.CreateStore(unwrap(value), unwrap(word)));
	write_return(builder, call);
}
