/* The code that a trace puts into a function: assembler, written before an instruction. */
#ifndef WM_LLVM_TRACE_CODE_H
#define WM_LLVM_TRACE_CODE_H

#include "llvm/probe/lowerer.h"

struct wm_trace_code {
	struct wm_lowerer *lowerer;
	LLVMValueRef words; /* of the thread: struct wm_trace_stream */
	LLVMTypeRef i32, nothing;
	bool in_ring;
};

struct wm_trace_code wm_trace_code_start(struct wm_lowerer *lowerer);

/* Moves the running sum of bits. */
void wm_trace_code_move(const struct wm_trace_code *code, LLVMValueRef before, int64_t bits);

/* Writes the ones of a code of the block's branch, at the running sum plus the potential. */
void wm_trace_code_bits(const struct wm_trace_code *code, LLVMValueRef before, int64_t potential,
	uint64_t bits, uint32_t block);

/* Tells that the function is entered; that a call with this mark came back; that one which may come
 * back again did so; that an exception landed in the block. */
LLVMValueRef wm_trace_code_entry(const struct wm_trace_code *code, LLVMValueRef before);
/* Writes nothing: the linker keeps the function's description with the code. */
void wm_trace_code_keep(const struct wm_trace_code *code, LLVMValueRef before);
void wm_trace_code_return(const struct wm_trace_code *code, LLVMValueRef before, uint16_t mark);
void wm_trace_code_return_if(const struct wm_trace_code *code, LLVMValueRef before, uint16_t mark,
	LLVMValueRef open); /* a byte: unless it is zero */
void wm_trace_code_again(const struct wm_trace_code *code, LLVMValueRef before, uint16_t mark,
	LLVMValueRef place); /* in the frame, which its address stands for */
void wm_trace_code_landing(const struct wm_trace_code *code, LLVMValueRef before, uint32_t block);

/* In a function that may be a handler of signals: whether it is one now, where it is entered; and
 * that it returns. */
LLVMValueRef wm_trace_code_handler(const struct wm_trace_code *code, LLVMValueRef before);
void wm_trace_code_handler_end(
	const struct wm_trace_code *code, LLVMValueRef before, LLVMValueRef is_handler);

#endif
