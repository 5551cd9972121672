/* Placeholders become increments.
 *
 * Before the optimiser an increment is written as a placeholder: a call that the optimiser copies
 * and deletes with the code around it, and never moves to other code. Its copies count in the same
 * counter, so whatever becomes of the code, each count is that of the text. Behind the optimiser
 * the increments get the form that they have in optimised code: one instruction each, or a register
 * of a loop. */
#include "llvm/probe/placeholders.h"

#include "llvm/bridge/placeholders.h"
#include "llvm/probe/lowerer.h"

static LLVMValueRef call(struct wm_lowerer *lowerer, LLVMValueRef address, LLVMValueRef amount)
{
	LLVMValueRef function =
		wm_placeholder_function(lowerer->subject->module, LLVMTypeOf(address));
	LLVMValueRef operands[] = {address, amount};
	return LLVMBuildCall2(
		lowerer->builder, LLVMGlobalGetValueType(function), function, operands, 2, "");
}

void wm_placeholder_write(struct wm_lowerer *lowerer, LLVMValueRef address, LLVMValueRef amount)
{
	LLVMContextRef context = LLVMGetTypeContext(lowerer->i64);
	unsigned returns = LLVMGetEnumAttributeKindForName("willreturn", 10);
	LLVMAddCallSiteAttribute(call(lowerer, address, amount), LLVMAttributeFunctionIndex,
		LLVMCreateEnumAttribute(context, returns, 0));
}

/* A placeholder that adds nothing, and of which LLVM does not know whether it returns. */
static void pin(struct wm_lowerer *lowerer, LLVMValueRef instruction)
{
	LLVMPositionBuilderBefore(lowerer->builder, instruction);
	call(lowerer, lowerer->counters, LLVMConstInt(lowerer->i64, 0, false));
}

void wm_placeholders_pin_traps(struct wm_lowerer *lowerer)
{
	const struct wm_capture *capture = lowerer->subject->capture;
	for (uint32_t i = 0; i < capture->block_count; i++)
		for (LLVMValueRef at = LLVMGetFirstInstruction(capture->blocks[i]); at;
			at = LLVMGetNextInstruction(at))
			if (wm_bridge_may_trap(lowerer->subject->bridge, at))
				pin(lowerer, at);
}

struct replacer {
	struct wm_subject subject;
	struct wm_capture capture;
	struct wm_cfg cfg; /* empty: no step asks for an edge */
	struct wm_lowerer *lowerer;
	LLVMValueRef placeholder; /* the function that they call */
	LLVMValueRef *found;
	uint32_t count;
	size_t capacity;
};

static bool is_placeholder(const struct replacer *replacer, LLVMValueRef instruction)
{
	return LLVMIsACallInst(instruction) &&
	       LLVMGetCalledValue(instruction) == replacer->placeholder;
}

static void find(struct replacer *replacer)
{
	LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(replacer->capture.function);
	for (; block; block = LLVMGetNextBasicBlock(block))
		for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
			at = LLVMGetNextInstruction(at)) {
			if (!is_placeholder(replacer, at))
				continue;
			replacer->found = wm_arena_grow(replacer->subject.arena, replacer->found,
				replacer->count, &replacer->capacity, sizeof(LLVMValueRef));
			replacer->found[replacer->count++] = at;
		}
}

static LLVMValueRef behind(const struct replacer *replacer, LLVMValueRef placeholder)
{
	LLVMValueRef at = LLVMGetNextInstruction(placeholder);
	while (is_placeholder(replacer, at))
		at = LLVMGetNextInstruction(at);
	return at;
}

static bool is_pin(LLVMValueRef placeholder)
{
	return LLVMIsNull(LLVMGetOperand(placeholder, 1));
}

static void add_step(struct replacer *replacer, LLVMValueRef placeholder)
{
	struct wm_step step = {.kind = WM_STEP_COUNT,
		.before = behind(replacer, placeholder),
		.address = LLVMGetOperand(placeholder, 0),
		.amount = LLVMGetOperand(placeholder, 1),
		.weight = wm_bridge_block_frequency(
			replacer->subject.bridge, LLVMGetInstructionParent(placeholder))};
	wm_lowerer_add(replacer->lowerer, step);
}

void wm_placeholders_replace(struct wm_arena *arena, struct wm_bridge *bridge,
	const struct wm_plugin_options *options, LLVMValueRef function)
{
	LLVMModuleRef module = LLVMGetGlobalParent(function);
	struct replacer replacer = {.subject = {.arena = arena,
					    .bridge = bridge,
					    .module = module,
					    .options = options,
					    .optimise = true},
		.placeholder = wm_placeholder_function_in(module)};
	replacer.subject.capture = &replacer.capture;
	replacer.capture.cfg = &replacer.cfg;
	replacer.capture.function = function;
	replacer.capture.block_count = LLVMCountBasicBlocks(function);
	find(&replacer);
	if (!replacer.count)
		return;
	replacer.lowerer = wm_lowerer_open(&replacer.subject, NULL, true);
	for (uint32_t i = 0; i < replacer.count; i++)
		if (!is_pin(replacer.found[i]))
			add_step(&replacer, replacer.found[i]);
	for (uint32_t i = 0; i < replacer.count; i++)
		LLVMInstructionEraseFromParent(replacer.found[i]);
	wm_lowerer_close(replacer.lowerer);
}
