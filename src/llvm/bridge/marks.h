/* Marks in the code that say which text it was made from. LLVM carries them through the optimiser:
 * probes (llvm.pseudoprobe) stand at the start of each block of text and are copied, or dropped,
 * with its code; decisions stand in the positions of instructions that choose. */
#ifndef WM_LLVM_BRIDGE_MARKS_H
#define WM_LLVM_BRIDGE_MARKS_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One inlined copy of one function's text within another function. */
struct wm_mark_instance {
	const void *text;	/* the function, as the debug information knows it */
	const void *inlined_at; /* the call, or NULL */
};

struct wm_mark {
	struct wm_mark_instance instance;
	uint64_t key;	 /* of the source record; probes only */
	uint32_t block;	 /* of the text */
	uint32_t factor; /* probes only: executions of the text for each of the code; 0: unknown */
};

struct wm_bridge;

/* Whether marks can stand in the function's text: it has debug information of its own. */
bool wm_marks_fit(LLVMValueRef function);

/* Puts a probe before the instruction. */
void wm_marks_add_probe(LLVMValueRef before, uint64_t key, uint32_t block);

/* Marks the instruction, which ends the block and chooses. */
void wm_marks_add_decision(LLVMValueRef instruction, uint32_t block);

/* The function's own text. */
struct wm_mark_instance wm_marks_own(LLVMValueRef function);

/* Whether the instruction is a probe, or carries the mark of a decision; stores what it says. */
bool wm_marks_read_probe(LLVMValueRef instruction, struct wm_mark *mark);
bool wm_marks_read_decision(LLVMValueRef instruction, struct wm_mark *mark);

/* The copy of text that the instruction belongs to; false if that is not known. */
bool wm_marks_instance_of(LLVMValueRef instruction, struct wm_mark_instance *instance);

/* The copy that holds the call through which this one came here, and the block with that call, or
 * WM_NONE; false for text that is the function's own. */
bool wm_marks_call_of(struct wm_mark_instance instance, struct wm_mark *call);

/* What the linker calls the function of the text. The name belongs to the module. */
const char *wm_marks_name_of(struct wm_mark_instance instance, size_t *bytes);

/* Whether the block of that copy of the text may run where no probe stands. */
bool wm_marks_may_be_lost(
	struct wm_bridge *bridge, struct wm_mark_instance instance, uint64_t key, uint32_t block);

/* Whether control may have been led around it, which nobody notices. */
bool wm_marks_may_be_passed(
	struct wm_bridge *bridge, struct wm_mark_instance instance, uint64_t key, uint32_t block);

/* Takes all marks out of the function. */
void wm_marks_remove(LLVMValueRef function);

#ifdef __cplusplus
}
#endif

#endif
