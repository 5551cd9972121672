/* What code that counts contexts shares with the runtime, as values of a module. */
#ifndef WM_LLVM_CONTEXT_WORDS_H
#define WM_LLVM_CONTEXT_WORDS_H

#include <stdbool.h>

#include <llvm-c/Core.h>

#include "format/context_layout.h"

/* Functions whose calls stand for values that are known later. */
#define WM_CONTEXT_STAND_IN_LINK "__waymark_own_link"
#define WM_CONTEXT_STAND_IN_RECORD "__waymark_own_record"

struct wm_context_words {
	LLVMModuleRef module;
	LLVMBuilderRef builder;
	LLVMTypeRef i64, i8, pointer;
	LLVMValueRef here; /* the thread's word: where it calls code that takes no link */
	unsigned mark_kind;
	LLVMValueRef mark;
};

void wm_context_words_open(LLVMModuleRef module, struct wm_context_words *words);

/* At the builder's place: the word at that distance behind the address, as a pointer. */
LLVMValueRef wm_context_words_load(
	struct wm_context_words *words, LLVMValueRef address, uint64_t distance);
void wm_context_words_store(
	struct wm_context_words *words, LLVMValueRef value, LLVMValueRef address);
LLVMValueRef wm_context_words_at(
	struct wm_context_words *words, LLVMValueRef address, uint64_t distance);

/* Adds 1 to the word at that distance behind the address, by one instruction. */
void wm_context_words_count(
	struct wm_context_words *words, LLVMValueRef address, uint64_t distance);

/* The runtime's function of that many pointers that keeps the caller's registers and returns one.
 */
LLVMValueRef wm_context_words_function(
	struct wm_context_words *words, const char *name, unsigned parameters);

/* Calls such a function. */
LLVMValueRef wm_context_words_call(struct wm_context_words *words, LLVMValueRef function,
	LLVMValueRef *arguments, unsigned count);

/* Whether a function of this type may be a handler of signals, which the kernel calls. */
bool wm_context_words_is_handler(LLVMTypeRef type);

/* Finds and counts where the function was called by code that gave it no link. Returns the entry,
 * which is one. What the thread's word is then must be put back behind the body. */
LLVMValueRef wm_context_words_enter(
	struct wm_context_words *words, LLVMValueRef function, LLVMValueRef layout);

#endif
