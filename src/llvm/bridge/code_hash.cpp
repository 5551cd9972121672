// Values of the function are numbered in the order of the code, so that a hash of operands does not
// depend on names. What lies outside of the function counts by its name, or, where the compiler
// makes up the name, by its contents. The hash must be the same in every process: LLVM's own are
// not.
#include "llvm/bridge/code_hash.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace
{
enum Kind : uint64_t { LOCAL = 1, NAMED, CONTENTS, INTEGER, REAL, DATA, PARTS, ASSEMBLER, OTHER };

class Hasher
{
	DenseMap<const Value *, uint64_t> number;
	uint64_t state = 0x243f6a8885a308d3;
	unsigned depth = 0;

	// Contents of variables may name each other in a circle.
	static constexpr unsigned MAX_DEPTH = 16;

	void add(uint64_t word)
	{
		state = (state ^ word) * 0x9e3779b97f4a7c15;
		state ^= state >> 29;
	}

	void add(StringRef text)
	{
		add(text.size());
		for (unsigned char byte : text)
			add(byte);
	}

	void add(const APInt &bits)
	{
		add(bits.getBitWidth());
		for (unsigned i = 0; i < bits.getNumWords(); i++)
			add(bits.getRawData()[i]);
	}

	void add(Type *type)
	{
		add(type->getTypeID());
		if (auto *integer = dyn_cast<IntegerType>(type))
			add(integer->getBitWidth());
		else if (auto *vector = dyn_cast<VectorType>(type))
			add(vector->getElementCount().getKnownMinValue());
		else if (auto *array = dyn_cast<ArrayType>(type))
			add(array->getNumElements());
		else if (auto *pointer = dyn_cast<PointerType>(type))
			add(pointer->getAddressSpace());
		add(type->getNumContainedTypes());
		for (Type *part : type->subtypes())
			add(part);
	}

	// A function that ThinLTO made visible has a suffix that differs from build to build.
	void add_name(const GlobalValue &global)
	{
		add(NAMED);
		add(global.getName().split(".llvm.").first);
	}

	void add_global(const GlobalValue &global)
	{
		auto *variable = dyn_cast<GlobalVariable>(&global);
		if (!variable || !variable->hasPrivateLinkage() || !variable->hasInitializer() ||
			depth >= MAX_DEPTH)
			return add_name(global);
		add(CONTENTS);
		depth++;
		add_value(variable->getInitializer());
		depth--;
	}

	void add_parts(const Constant &constant)
	{
		add(PARTS);
		if (auto *expression = dyn_cast<ConstantExpr>(&constant))
			add(expression->getOpcode());
		if (auto *address = dyn_cast<GEPOperator>(&constant))
			add(address->getSourceElementType());
		add(constant.getNumOperands());
		for (const Value *part : constant.operand_values())
			add_value(part);
	}

	void add_constant(const Constant &constant)
	{
		add(constant.getType());
		if (auto *global = dyn_cast<GlobalValue>(&constant))
			return add_global(*global);
		if (auto *integer = dyn_cast<ConstantInt>(&constant)) {
			add(INTEGER);
			add(integer->getValue());
		} else if (auto *real = dyn_cast<ConstantFP>(&constant)) {
			add(REAL);
			add(real->getValueAPF().bitcastToAPInt());
		} else if (auto *data = dyn_cast<ConstantDataSequential>(&constant)) {
			add(DATA);
			add(data->getRawDataValues());
		} else {
			add(constant.getValueID());
			add_parts(constant);
		}
	}

	void add_value(const Value *value)
	{
		auto known = number.find(value);
		if (known != number.end()) {
			add(LOCAL);
			add(known->second);
		} else if (auto *code = dyn_cast<InlineAsm>(value)) {
			add(ASSEMBLER);
			add(code->getAsmString());
			add(code->getConstraintString());
		} else if (auto *constant = dyn_cast<Constant>(value)) {
			add_constant(*constant);
		} else {
			add(OTHER);
		}
	}

	void add_access(const Instruction &instruction)
	{
		add(instruction.isVolatile() | instruction.isAtomic() << 1);
		if (auto *load = dyn_cast<LoadInst>(&instruction))
			add(uint64_t(load->getOrdering()));
		else if (auto *store = dyn_cast<StoreInst>(&instruction))
			add(uint64_t(store->getOrdering()));
		else if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
			add(update->getOperation() | uint64_t(update->getOrdering()) << 8);
		else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
			add(uint64_t(exchange->getSuccessOrdering()) |
				uint64_t(exchange->getFailureOrdering()) << 8);
		else if (auto *fence = dyn_cast<FenceInst>(&instruction))
			add(uint64_t(fence->getOrdering()));
	}

	// What an instruction holds besides its opcode, type and operands.
	void add_particulars(const Instruction &instruction)
	{
		add(instruction.getRawSubclassOptionalData());
		add_access(instruction);
		if (auto *comparison = dyn_cast<CmpInst>(&instruction))
			add(comparison->getPredicate());
		else if (auto *variable = dyn_cast<AllocaInst>(&instruction))
			add(variable->getAllocatedType());
		else if (auto *address = dyn_cast<GetElementPtrInst>(&instruction))
			add(address->getSourceElementType());
		else if (auto *call = dyn_cast<CallBase>(&instruction))
			add(call->getFunctionType());
		else if (auto *landing = dyn_cast<LandingPadInst>(&instruction))
			add(landing->isCleanup());
		add_indices(instruction);
	}

	void add_indices(const Instruction &instruction)
	{
		if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction))
			for (int index : shuffle->getShuffleMask())
				add(uint64_t(index));
		else if (auto *extract = dyn_cast<ExtractValueInst>(&instruction))
			for (unsigned index : extract->indices())
				add(index);
		else if (auto *insert = dyn_cast<InsertValueInst>(&instruction))
			for (unsigned index : insert->indices())
				add(index);
		else if (auto *phi = dyn_cast<PHINode>(&instruction))
			for (const BasicBlock *block : phi->blocks())
				add_value(block);
	}

	static bool only_informs(const Instruction &instruction)
	{
		auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
		return intrinsic && intrinsic->isAssumeLikeIntrinsic();
	}

	void add(const Instruction &instruction)
	{
		add(instruction.getOpcode());
		add(instruction.getType());
		add(instruction.getNumOperands());
		for (const Value *operand : instruction.operand_values())
			add_value(operand);
		add_particulars(instruction);
	}

      public:
	explicit Hasher(const Function &function)
	{
		for (const Argument &argument : function.args())
			number.insert({&argument, number.size()});
		for (const BasicBlock &block : function) {
			number.insert({&block, number.size()});
			for (const Instruction &instruction : block)
				if (!only_informs(instruction))
					number.insert({&instruction, number.size()});
		}
	}

	uint64_t hash(const Function &function)
	{
		add(function.getFunctionType());
		for (const BasicBlock &block : function) {
			add_value(&block);
			for (const Instruction &instruction : block)
				if (!only_informs(instruction))
					add(instruction);
		}
		return state;
	}
};
} // namespace

extern "C" uint64_t wm_code_hash(LLVMValueRef value)
{
	auto &function = *unwrap<Function>(value);
	return Hasher(function).hash(function);
}
