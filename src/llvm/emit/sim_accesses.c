/* An access to the line that was used last of its set changes nothing in a cache whose sets forget
 * what was used least recently. Code sees this by itself: the set's first tag is the line's number
 * plus 1. Everything else goes to the runtime (format/sim_state.h). */
#include "llvm/emit/sim_accesses.h"

#include <llvm-c/Target.h>
#include <string.h>

#include "format/sim_state.h"
#include "llvm/emit/record.h"

static const char state_name[] = "__waymark_sim", empty_name[] = "__waymark_sim_empty";

enum { STATE_WORDS = sizeof(struct wm_sim_state) / 8 };

struct access {
	LLVMValueRef address, bytes; /* an i64 */
	uint64_t size;		     /* 0: not known here */
	uint64_t alignment;
};

struct writer {
	const struct wm_subject *subject;
	LLVMBuilderRef builder;
	LLVMTypeRef i64, pointer;
	LLVMValueRef function; /* of the runtime */
	unsigned mark_kind;
	LLVMValueRef mark;
};

static bool is_copy(LLVMValueRef instruction)
{
	size_t length;
	LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
	const char *name =
		callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
	return !strncmp(name, "llvm.memcpy.", 12) || !strncmp(name, "llvm.memmove.", 13) ||
	       !strncmp(name, "llvm.memset.", 12);
}

/* What an instruction reads or writes: its operand for the address, and the type of that. */
static LLVMTypeRef accessed(LLVMValueRef instruction, unsigned *operand)
{
	*operand = 0;
	if (LLVMIsALoadInst(instruction))
		return LLVMTypeOf(instruction);
	if (LLVMIsAAtomicRMWInst(instruction) || LLVMIsAAtomicCmpXchgInst(instruction))
		return LLVMTypeOf(LLVMGetOperand(instruction, 1));
	if (!LLVMIsAStoreInst(instruction))
		return NULL;
	*operand = 1;
	return LLVMTypeOf(LLVMGetOperand(instruction, 0));
}

static bool is_access(LLVMValueRef instruction)
{
	unsigned operand;
	if (is_copy(instruction))
		return true;
	return accessed(instruction, &operand) &&
	       LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(instruction, operand))) == 0;
}

static uint32_t visit(const struct wm_subject *subject, LLVMValueRef *list)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < subject->capture->block_count; i++)
		for (LLVMValueRef at = LLVMGetFirstInstruction(subject->capture->blocks[i]); at;
			at = LLVMGetNextInstruction(at)) {
			if (!is_access(at))
				continue;
			if (list)
				list[count] = at;
			count++;
		}
	return count;
}

struct wm_sim_accesses wm_sim_accesses_find(const struct wm_subject *subject)
{
	struct wm_sim_accesses accesses = {.count = visit(subject, NULL)};
	accesses.list = wm_arena_alloc(subject->arena, accesses.count, sizeof *accesses.list);
	visit(subject, accesses.list);
	return accesses;
}

/* Weak in each unit: a thread starts with no caches. */
static LLVMValueRef state_of(LLVMModuleRef module, const struct wm_cache_shape *first)
{
	LLVMContextRef context = LLVMGetModuleContext(module);
	LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
	LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
	LLVMTypeRef tags = LLVMArrayType2(i64, first->bytes / first->line);
	LLVMValueRef state = LLVMGetNamedGlobal(module, state_name);
	if (state)
		return state;
	LLVMValueRef empty = LLVMAddGlobal(module, tags, empty_name);
	LLVMSetInitializer(empty, LLVMConstNull(tags));
	LLVMSetLinkage(empty, LLVMWeakAnyLinkage);
	LLVMSetVisibility(empty, LLVMHiddenVisibility);
	LLVMValueRef fields[STATE_WORDS] = {empty};
	LLVMTypeRef types[STATE_WORDS] = {pointer};
	for (unsigned i = 1; i < STATE_WORDS; i++) {
		types[i] = i64;
		fields[i] = LLVMConstInt(i64, 0, false);
	}
	state = LLVMAddGlobal(
		module, LLVMStructTypeInContext(context, types, STATE_WORDS, false), state_name);
	LLVMSetInitializer(state, LLVMConstStructInContext(context, fields, STATE_WORDS, false));
	LLVMSetLinkage(state, LLVMWeakAnyLinkage);
	LLVMSetThreadLocalMode(state, LLVMInitialExecTLSModel);
	return state;
}

LLVMValueRef wm_sim_accesses_misses(LLVMModuleRef module, LLVMBuilderRef builder,
	const struct wm_sim_shapes *shapes, uint32_t level)
{
	LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(module));
	LLVMValueRef offset =
		LLVMConstInt(i64, offsetof(struct wm_sim_state, misses) / 8 + level, false);
	return LLVMBuildGEP2(builder, i64, state_of(module, &shapes->level[0]), &offset, 1, "");
}

static LLVMValueRef load(struct writer *writer, LLVMTypeRef type, LLVMValueRef address)
{
	LLVMValueRef value = LLVMBuildLoad2(writer->builder, type, address, "");
	LLVMSetMetadata(value, writer->mark_kind, writer->mark);
	LLVMSetVolatile(value, true);
	return value;
}

static LLVMValueRef constant(const struct writer *writer, uint64_t value)
{
	return LLVMConstInt(writer->i64, value, false);
}

/* Whether the access is one to the line that was used last of its set: an i1. */
static LLVMValueRef finds_line(struct writer *writer, const struct access *access)
{
	const struct wm_cache_shape *shape = &writer->subject->options->sim.level[0];
	LLVMBuilderRef builder = writer->builder;
	unsigned bits = 0;
	while (shape->line >> bits > 1)
		bits++;
	LLVMValueRef address = LLVMBuildPtrToInt(builder, access->address, writer->i64, "");
	LLVMValueRef line = LLVMBuildLShr(builder, address, constant(writer, bits), "");
	LLVMValueRef set = LLVMBuildAnd(
		builder, line, constant(writer, shape->bytes / shape->line / shape->ways - 1), "");
	LLVMValueRef place = LLVMBuildMul(builder, set, constant(writer, shape->ways), "");
	LLVMValueRef tags = load(writer, writer->pointer, state_of(writer->subject->module, shape));
	LLVMValueRef tag =
		load(writer, writer->i64, LLVMBuildGEP2(builder, writer->i64, tags, &place, 1, ""));
	LLVMValueRef found = LLVMBuildICmp(
		builder, LLVMIntEQ, tag, LLVMBuildAdd(builder, line, constant(writer, 1), ""), "");
	if (access->alignment >= access->size)
		return found;
	LLVMValueRef last = LLVMBuildLShr(builder,
		LLVMBuildAdd(builder, address, constant(writer, access->size - 1), ""),
		constant(writer, bits), "");
	return LLVMBuildAnd(builder, found, LLVMBuildICmp(builder, LLVMIntEQ, last, line, ""), "");
}

static void write_access(struct writer *writer, LLVMValueRef before, const struct access *access)
{
	const struct wm_cache_shape *shape = &writer->subject->options->sim.level[0];
	LLVMValueRef found = before, other = before;
	LLVMPositionBuilderBefore(writer->builder, before);
	if (access->size && access->size <= shape->line)
		wm_bridge_branch(writer->subject->bridge, finds_line(writer, access), before,
			&found, &other);
	LLVMPositionBuilderBefore(writer->builder, other);
	LLVMValueRef arguments[] = {access->address, access->bytes};
	LLVMValueRef call = LLVMBuildCall2(writer->builder,
		LLVMGlobalGetValueType(writer->function), writer->function, arguments, 2, "");
	LLVMSetInstructionCallConv(call, WM_PRESERVE_ALL);
}

/* From and to, line by line. */
static void write_copy(struct writer *writer, LLVMValueRef copy)
{
	LLVMPositionBuilderBefore(writer->builder, copy);
	LLVMValueRef bytes =
		LLVMBuildZExtOrBitCast(writer->builder, LLVMGetOperand(copy, 2), writer->i64, "");
	if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(copy, 1))) == LLVMPointerTypeKind)
		write_access(writer, copy, &(struct access){LLVMGetOperand(copy, 1), bytes, 0, 1});
	write_access(writer, copy, &(struct access){LLVMGetOperand(copy, 0), bytes, 0, 1});
}

static void write_one(struct writer *writer, LLVMValueRef instruction)
{
	unsigned operand;
	LLVMTypeRef type = accessed(instruction, &operand);
	if (!type) {
		write_copy(writer, instruction);
		return;
	}
	uint64_t size = LLVMStoreSizeOfType(LLVMGetModuleDataLayout(writer->subject->module), type);
	write_access(writer, instruction,
		&(struct access){LLVMGetOperand(instruction, operand), constant(writer, size), size,
			LLVMGetAlignment(instruction)});
}

void wm_sim_accesses_write(const struct wm_subject *subject, const struct wm_sim_accesses *accesses)
{
	static const char mark[] = "nosanitize";
	LLVMContextRef context = LLVMGetModuleContext(subject->module);
	struct writer writer = {.subject = subject,
		.builder = LLVMCreateBuilderInContext(context),
		.i64 = LLVMInt64TypeInContext(context),
		.pointer = LLVMPointerTypeInContext(context, 0),
		.mark_kind = LLVMGetMDKindIDInContext(context, mark, sizeof mark - 1),
		.mark = LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, NULL, 0))};
	LLVMTypeRef types[] = {writer.pointer, writer.i64};
	writer.function = wm_record_runtime_function(subject->module, "__waymark_sim_access",
		LLVMFunctionType(writer.i64, types, 2, false));
	LLVMSetFunctionCallConv(writer.function, WM_PRESERVE_ALL);
	for (uint32_t i = 0; i < accesses->count; i++)
		write_one(&writer, accesses->list[i]);
	LLVMDisposeBuilder(writer.builder);
}

void wm_sim_accesses_write_shapes(LLVMModuleRef module, const struct wm_sim_shapes *shapes)
{
	LLVMContextRef context = LLVMGetModuleContext(module);
	LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
	LLVMValueRef words[3 * WM_SIM_LEVELS];
	for (unsigned i = 0; i < WM_SIM_LEVELS; i++) {
		words[3 * i] = LLVMConstInt(i32, shapes->level[i].bytes, false);
		words[3 * i + 1] = LLVMConstInt(i32, shapes->level[i].ways, false);
		words[3 * i + 2] = LLVMConstInt(i32, shapes->level[i].line, false);
	}
	LLVMValueRef array = LLVMConstArray2(i32, words, 3 * WM_SIM_LEVELS);
	LLVMValueRef global = LLVMAddGlobal(module, LLVMTypeOf(array), "__waymark_sim_shapes");
	LLVMSetInitializer(global, array);
	LLVMSetGlobalConstant(global, true);
	LLVMSetLinkage(global, LLVMWeakAnyLinkage);
	LLVMSetVisibility(global, LLVMHiddenVisibility);
	LLVMValueRef state = state_of(module, &shapes->level[0]);
	wm_bridge_keep(module, &global, 1);
	wm_bridge_keep(module, &state, 1);
}
