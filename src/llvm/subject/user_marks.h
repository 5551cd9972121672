/* WAYMARK_EVENT of waymark.h: a call that only says that something happened, and how often. It
 * becomes no call: its number is added to running sums, or described, and it goes. */
#ifndef WM_LLVM_SUBJECT_USER_MARKS_H
#define WM_LLVM_SUBJECT_USER_MARKS_H

#include <stdint.h>

#include "format/event_kinds.h"
#include "llvm/subject/capture.h"

/* Whether the instruction is one; false for NULL. */
bool wm_user_mark_is(LLVMValueRef instruction);

/* Its name; NULL if it is not known when the code is compiled. */
const char *wm_user_mark_name(LLVMValueRef mark);

/* What the instruction adds to the events of that name, if that is known when the code is compiled;
 * otherwise 0. */
uint64_t wm_user_mark_amount(LLVMValueRef instruction, const char *name);

/* The number, an i64, if it is known when the code runs only; otherwise NULL. */
LLVMValueRef wm_user_mark_variable(LLVMValueRef mark);

/* Describes those whose name and number are known when the code is compiled. */
void wm_user_marks_describe(
	struct wm_arena *arena, const struct wm_capture *capture, struct wm_function *described);

/* Regions ask which running sum is theirs: the number takes the place of the question. */
void wm_user_marks_answer(LLVMValueRef function, const struct wm_summed_kinds *kinds);

/* Takes out what is left in a module without marks: the linker looks for a name that is declared. */
void wm_user_marks_forget(LLVMModuleRef module);

/* Takes all marks out of the function. */
void wm_user_marks_remove(LLVMValueRef function);

#endif
