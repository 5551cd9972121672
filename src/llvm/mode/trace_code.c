/* Assembler templates. In a program the thread's words are reached through the gs register; in a
 * library rdx gets their address. What rarely happens stands in a part of the section that is far
 * away. A function may keep values below its stack pointer, which a call there must step over.
 *
 * The templates name registers, because the runtime's functions take and return values in them. */
#include "llvm/mode/trace_code.h"

#include <stdio.h>
#include <string.h>

#include "format/trace_file.h"
#include "llvm/emit/record.h"

enum { TEXT_BYTES = 2048 };

struct template
{
	char text[TEXT_BYTES];
	size_t used;
};

static void put(struct template *template, const char *line)
{
	template->used += (size_t)snprintf(
		template->text + template->used, TEXT_BYTES - template->used, "%s\n", line);
}

/* Lines may have `W+8` for the second word of the thread, and `F` for the function's counters. */
static void put_line(const struct wm_trace_code *code, struct template *template, const char *line)
{
	char expanded[256];
	size_t used = 0;
	for (; *line && used + 32 < sizeof expanded; line++) {
		if (line[0] == 'W' && line[1] == '+') {
			int offset, bytes = 0;
			sscanf(line + 2, "%d%n", &offset, &bytes);
			const char *form =
				code->lowerer->in_segment ? "%%gs:${0:c}+%d(%%rip)" : "%d(%%rdx)";
			used += (size_t)snprintf(
				expanded + used, sizeof expanded - used, form, offset);
			line += 1 + bytes;
		} else if (*line == 'F' && line[1] == '+') {
			used += (size_t)snprintf(expanded + used, sizeof expanded - used, "${1:c}");
		} else if (*line == '$' && line[1] != '{') {
			used += (size_t)snprintf(expanded + used, sizeof expanded - used, "$$");
		} else {
			expanded[used++] = *line;
		}
	}
	expanded[used] = 0;
	put(template, expanded);
}

static void put_begin(const struct wm_trace_code *code, struct template *template)
{
	if (code->lowerer->in_segment)
		return;
	put(template, "movq __waymark_delta@gottpoff(%rip),%rdx");
	put(template, "movq %fs:(%rdx),%rdx");
	put(template, "leaq ${0:c}(%rip),%rcx");
	put(template, "addq %rcx,%rdx");
}

static void begin(const struct wm_trace_code *code, struct template *template)
{
	template->used = 0;
	template->text[0] = 0;
	put_begin(code, template);
}

/* No code of ours is a call in tail position. */
static LLVMValueRef set_no_tail(LLVMValueRef call)
{
	LLVMSetTailCallKind(call, LLVMTailCallKindNoTail);
	return call;
}

/* `registers` is the number of registers that are lost in a program: of rax, rcx and rsi. */
static LLVMValueRef end_with(const struct wm_trace_code *code, struct template *template,
	LLVMValueRef before, LLVMValueRef more, const char *kind, int registers)
{
	static const char *const lost[] = {
		"", ",~{rax}", ",~{rax},~{rcx}", ",~{rax},~{rcx},~{rsi}"};
	char constraints[128];
	snprintf(constraints, sizeof constraints, "i,i%s%s,~{memory},~{cc},~{flags}", kind,
		code->lowerer->in_segment ? lost[registers] : ",~{rax},~{rcx},~{rdx},~{rsi}");
	LLVMValueRef operands[] = {code->words, code->lowerer->counters, more};
	LLVMTypeRef types[] = {LLVMTypeOf(code->words), LLVMTypeOf(code->lowerer->counters),
		more ? LLVMTypeOf(more) : NULL};
	LLVMTypeRef type = LLVMFunctionType(code->nothing, types, more ? 3 : 2, false);
	LLVMPositionBuilderBefore(code->lowerer->builder, before);
	return set_no_tail(
		wm_lowerer_assemble(code->lowerer, template->text, constraints, type, operands));
}

static LLVMValueRef end(const struct wm_trace_code *code, struct template *template,
	LLVMValueRef before, int registers)
{
	return end_with(code, template, before, NULL, "", registers);
}

/* What happens rarely: calls the function, then goes on at label 1. */
static void put_rare_call(struct template *template, const char *function)
{
	char call[64];
	snprintf(call, sizeof call, "call %s", function);
	put(template, "2:");
	put(template, "leaq -128(%rsp),%rsp");
	put(template, call);
	put(template, "leaq 128(%rsp),%rsp");
	put(template, "jmp 1b");
}

static void put_rare(struct template *template, const char *function)
{
	put(template, ".subsection 1");
	put_rare_call(template, function);
	put(template, ".previous");
}

struct wm_trace_code wm_trace_code_start(struct wm_lowerer *lowerer)
{
	static const char name[] = "__waymark_trace";
	LLVMModuleRef module = lowerer->subject->module;
	LLVMContextRef context = LLVMGetModuleContext(module);
	LLVMValueRef words = LLVMGetNamedGlobal(module, name);
	if (!words) {
		words = LLVMAddGlobal(
			module, LLVMArrayType2(LLVMInt64TypeInContext(context), 8), name);
		LLVMSetVisibility(words, LLVMHiddenVisibility);
	}
	if (!lowerer->in_segment)
		wm_record_delta(module);
	return (struct wm_trace_code){.lowerer = lowerer,
		.words = words,
		.in_ring = lowerer->subject->options->trace_ring != 0,
		.i32 = LLVMInt32TypeInContext(context),
		.nothing = LLVMVoidTypeInContext(context)};
}

void wm_trace_code_move(const struct wm_trace_code *code, LLVMValueRef before, int64_t bits)
{
	struct template template;
	char line[64];
	begin(code, &template);
	snprintf(line, sizeof line, "addq $%lld,W+0", (long long)bits);
	put_line(code, &template, line);
	end(code, &template, before, 0);
}

/* Where nothing is mapped for a bit: the runtime notes the place, so that the ring can be read from
 * there on. */
static void put_rare_bits(
	const struct wm_trace_code *code, struct template *template, uint32_t block)
{
	char line[64];
	put(template, ".subsection 1\n2:\nleaq -128(%rsp),%rsp");
	put_line(code, template, "leaq F+0(%rip),%rcx");
	snprintf(line, sizeof line, "pushq $%u", block);
	put_line(code, template, line);
	put(template, "call __waymark_trace_bits\nleaq 136(%rsp),%rsp\njmp 1b\n.previous");
}

/* The position comes into rax, the address of position 0 into rcx. */
static void put_position(const struct wm_trace_code *code, struct template *template,
	int64_t potential, uint32_t block)
{
	char line[64];
	begin(code, template);
	put_line(code, template, "movq W+0,%rax");
	snprintf(line, sizeof line, "addq $%lld,%%rax", (long long)potential);
	if (potential)
		put_line(code, template, line);
	put_line(code, template, "cmpq W+8,%rax");
	put(template, "jae 2f");
	put_line(code, template, "movq W+16,%rcx");
	put(template, "1:");
	put_rare_bits(code, template, block);
}

/* One instruction for each bit. */
static void put_few_bits(struct template *template, uint64_t bits)
{
	char line[64];
	if (bits & 1)
		put(template, "btsq %rax,(%rcx)");
	for (int i = 1; i < 32; i++) {
		if (!(bits >> i & 1))
			continue;
		snprintf(line, sizeof line, "leaq %d(%%rax),%%rsi\nbtsq %%rsi,(%%rcx)", i);
		put(template, line);
	}
}

/* Codes have at most 24 bits: with the place in the first byte they fit into four bytes. */
static void put_many_bits(
	const struct wm_trace_code *code, struct template *template, uint64_t bits)
{
	char line[64];
	put_line(code, template, "movq %rax,%rsi");
	put_line(code, template, "shrq $3,%rsi");
	put_line(code, template, "addq %rcx,%rsi");
	put_line(code, template, "movl %eax,%ecx");
	put_line(code, template, "andl $7,%ecx");
	snprintf(line, sizeof line, "movl $%llu,%%eax", (unsigned long long)bits);
	put_line(code, template, line);
	put_line(code, template, "shll %cl,%eax");
	put_line(code, template, "orl %eax,(%rsi)");
}

void wm_trace_code_bits(const struct wm_trace_code *code, LLVMValueRef before, int64_t potential,
	uint64_t bits, uint32_t block)
{
	struct template template;
	put_position(code, &template, potential, block);
	if (__builtin_popcountll(bits) > 2)
		put_many_bits(code, &template, bits);
	else
		put_few_bits(&template, bits);
	end(code, &template, before, bits > 1 ? 3 : 2);
}

/* Takes the place of a unit whose first part is in rcx; the place comes into rax. What a kind of
 * unit needs is written before the kind, so that a kill leaves nothing in between. */
static void put_place(const struct wm_trace_code *code, struct template *template, unsigned bytes)
{
	char line[64];
	snprintf(line, sizeof line, "movl $%u,%%eax", bytes);
	put_line(code, template, line);
	put_line(code, template, "xaddq %rax,W+24");
	put_line(code, template, "cmpq W+32,%rax");
	put(template, "jae 2f");
	put(template, "1:");
	put_rare(template, "__waymark_trace_more");
}

/* The lower half of the running sum, which is exact at calls. */
static void put_sum(const struct wm_trace_code *code, struct template *template, int offset)
{
	char line[64];
	put_line(code, template, "movl W+0,%ecx");
	snprintf(line, sizeof line, "movl %%ecx,%d(%%rax)", offset);
	put(template, line);
}

LLVMValueRef wm_trace_code_entry(const struct wm_trace_code *code, LLVMValueRef before)
{
	struct template template;
	begin(code, &template);
	put_line(code, &template, "leaq F+1(%rip),%rcx");
	put_place(code, &template, code->in_ring ? 8 : 4);
	if (code->in_ring) {
		put_sum(code, &template, 4);
		put_line(code, &template, "leaq F+1(%rip),%rcx");
	}
	put(&template, "movl %ecx,(%rax)");
	return end(code, &template, before, 2);
}

void wm_trace_code_keep(const struct wm_trace_code *code, LLVMValueRef before)
{
	LLVMTypeRef types[] = {LLVMTypeOf(code->lowerer->counters)};
	LLVMValueRef operands[] = {code->lowerer->counters};
	LLVMPositionBuilderBefore(code->lowerer->builder, before);
	set_no_tail(wm_lowerer_assemble(code->lowerer, ".reloc ., R_X86_64_NONE, ${0:c}", "i",
		LLVMFunctionType(code->nothing, types, 1, false), operands));
}

static void put_unit(const struct wm_trace_code *code, struct template *template, uint32_t unit)
{
	char line[64];
	snprintf(line, sizeof line, "movl $%u,%%ecx", unit);
	put_line(code, template, line);
}

static uint32_t marked(uint32_t unit, uint16_t mark)
{
	return unit | (uint32_t)mark << WM_TRACE_MARK_SHIFT;
}

void wm_trace_code_return(const struct wm_trace_code *code, LLVMValueRef before, uint16_t mark)
{
	struct template template;
	begin(code, &template);
	put_unit(code, &template, marked(WM_TRACE_RETURN, mark));
	put_place(code, &template, code->in_ring ? 10 : 2);
	if (code->in_ring) {
		put_line(code, &template, "leaq F+0(%rip),%rcx");
		put(&template, "movl %ecx,2(%rax)");
		put_sum(code, &template, 6);
		put_unit(code, &template, marked(WM_TRACE_RETURN, mark));
	}
	put(&template, "movw %cx,(%rax)");
	end(code, &template, before, 2);
}

/* What tells the return stands far away as a whole; its own rare part is farther. */
void wm_trace_code_return_if(
	const struct wm_trace_code *code, LLVMValueRef before, uint16_t mark, LLVMValueRef open)
{
	struct template template = {0};
	put(&template, "cmpb $$0,${2:c}(%rip)\njne 3f\n4:\n.subsection 1\n3:");
	put_begin(code, &template);
	put_unit(code, &template, marked(WM_TRACE_RETURN, mark));
	put_line(code, &template, "movl $2,%eax");
	put_line(code, &template, "xaddq %rax,W+24");
	put_line(code, &template, "cmpq W+32,%rax");
	put(&template, "jae 2f\n1:\nmovw %cx,(%rax)\njmp 4b");
	put_rare_call(&template, "__waymark_trace_more");
	put(&template, ".subsection 0");
	end_with(code, &template, before, open, ",i", 2);
}

void wm_trace_code_again(
	const struct wm_trace_code *code, LLVMValueRef before, uint16_t mark, LLVMValueRef place)
{
	struct template template;
	LLVMBuilderRef builder = code->lowerer->builder;
	LLVMPositionBuilderBefore(builder, before);
	LLVMValueRef frame = LLVMBuildPtrToInt(builder, place, code->lowerer->i64, "");
	begin(code, &template);
	put_unit(code, &template, marked(WM_TRACE_AGAIN, mark));
	put_place(code, &template, 6);
	put(&template, "movl ${2:k},2(%rax)");
	put(&template, "movw %cx,(%rax)");
	end_with(code, &template, before, frame, ",r", 2);
}

void wm_trace_code_landing(const struct wm_trace_code *code, LLVMValueRef before, uint32_t block)
{
	struct template template;
	begin(code, &template);
	put_unit(code, &template, WM_TRACE_LANDING | block << 16);
	put_place(code, &template, 8);
	put_line(code, &template, "leaq F+0(%rip),%rcx");
	put(&template, "movl %ecx,4(%rax)");
	put_unit(code, &template, WM_TRACE_LANDING | block << 16);
	put(&template, "movl %ecx,(%rax)");
	end(code, &template, before, 2);
}

LLVMValueRef wm_trace_code_handler(const struct wm_trace_code *code, LLVMValueRef before)
{
	static const char name[] = "llvm.returnaddress";
	LLVMModuleRef module = code->lowerer->subject->module;
	LLVMContextRef context = LLVMGetModuleContext(module);
	LLVMBuilderRef builder = code->lowerer->builder;
	LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
	LLVMTypeRef type = LLVMFunctionType(code->i32, &pointer, 1, false);
	LLVMValueRef zero = LLVMConstInt(code->i32, 0, false);
	unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
	LLVMPositionBuilderBefore(builder, before);
	LLVMValueRef from = LLVMBuildCall2(builder, LLVMIntrinsicGetType(context, id, NULL, 0),
		LLVMGetIntrinsicDeclaration(module, id, NULL, 0), &zero, 1, "");
	return set_no_tail(LLVMBuildCall2(builder, type,
		wm_record_runtime_function(module, "__waymark_trace_signal", type), &from, 1, ""));
}

void wm_trace_code_handler_end(
	const struct wm_trace_code *code, LLVMValueRef before, LLVMValueRef is_handler)
{
	LLVMModuleRef module = code->lowerer->subject->module;
	LLVMTypeRef types[] = {code->i32};
	LLVMTypeRef type = LLVMFunctionType(code->nothing, types, 1, false);
	LLVMPositionBuilderBefore(code->lowerer->builder, before);
	set_no_tail(LLVMBuildCall2(code->lowerer->builder, type,
		wm_record_runtime_function(module, "__waymark_trace_signal_end", type), &is_handler,
		1, ""));
}
