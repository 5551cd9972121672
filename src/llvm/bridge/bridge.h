/* What the LLVM-C interface lacks, and nothing else: analyses, edge splitting, loop facts,
 * promotion to SSA, inlined source positions, options, plug-in registration. No decision is taken
 * behind this header.
 */
#ifndef WM_LLVM_BRIDGE_H
#define WM_LLVM_BRIDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The calling convention under which a call keeps nearly all registers, those of vectors among
 * them; LLVM-C has no name for it. */
enum { WM_PRESERVE_ALL = 15 };

/* The analyses of one function; they follow the changes made through this header. */
struct wm_bridge;

/* A natural loop of the function; valid as long as the bridge. */
typedef struct wm_opaque_loop *wm_loop_ref;

struct wm_loop_facts {
	double entries;	   /* expected, per call of the function */
	double iterations; /* likewise: executions of its first block */
	bool innermost;
	bool left_at_one_place; /* one block has all its exits; known of innermost loops only */
	size_t instructions;	/* of the machine, about; likewise */
	bool has_calls;		/* of functions: intrinsics may be single instructions */
	bool closed; /* control leaves the loop only along its exit edges: nothing in it can throw,
			stop the program, jump away or run forever inside a call */
};

/* One step of an instruction's inlining history. Texts belong to the module. */
struct wm_location {
	const void *scope;	/* identity of this inlined instance of a function in one file */
	const void *inlined_at; /* pass to wm_bridge_outer_location; NULL: not inlined */
	const char *function;
	size_t function_bytes;
	const char *directory;
	size_t directory_bytes;
	const char *file;
	size_t file_bytes;
	uint32_t function_line;
	uint32_t line;
	uint32_t column;
};

/* Source position of an instruction; false if it has none. */
bool wm_bridge_location(LLVMValueRef instruction, struct wm_location *location);

/* Position of the call that location->inlined_at stands for. */
void wm_bridge_outer_location(const void *inlined_at, struct wm_location *location);

/* Start of the function in the source; false without debug information. */
bool wm_bridge_function_location(LLVMValueRef function, struct wm_location *location);

/* Expected executions of a block, or of all edges between two blocks, per call of the function. */
double wm_bridge_block_frequency(struct wm_bridge *bridge, LLVMBasicBlockRef block);
double wm_bridge_edge_frequency(
	struct wm_bridge *bridge, LLVMBasicBlockRef source, LLVMBasicBlockRef target);

/* Replaces the expectation for a block, also per call of the function. To be called for all blocks
 * or none. */
void wm_bridge_set_block_frequency(
	struct wm_bridge *bridge, LLVMBasicBlockRef block, double frequency);

/* Removes the variables whose names start so, where nothing uses them. */
void wm_bridge_remove_globals(LLVMModuleRef module, const char *prefix);

/* How often the function was entered in an earlier run. */
void wm_bridge_set_entry_count(LLVMValueRef function, uint64_t count);

/* Replaces the expectation of how often the block's end goes to each of its successors, in any
 * unit; without effect if it never ran. */
void wm_bridge_set_branch_weights(
	struct wm_bridge *bridge, LLVMBasicBlockRef block, const double *weights);

/* Puts a new block on the (critical) edges from the terminator's block to that successor. */
LLVMBasicBlockRef wm_bridge_split_edge(
	struct wm_bridge *bridge, LLVMValueRef terminator, unsigned successor);

/* Changes before the graph is captured; wm_bridge_refresh brings the analyses up to date after
 * them: splits a block so that the instruction starts a new one; gives every invoke a landing pad
 * of its own (false if each had one already). */
void wm_bridge_split_before(LLVMValueRef instruction);
bool wm_bridge_split_landing_pads(LLVMValueRef function);
void wm_bridge_refresh(struct wm_bridge *bridge);

/* Before the instruction: the value, or what the function returns where the value is zero. The
 * function keeps the caller's registers and is seldom called. */
LLVMValueRef wm_bridge_or_call(
	struct wm_bridge *bridge, LLVMValueRef value, LLVMValueRef function, LLVMValueRef before);

/* The same with arguments, and by the function's own convention. */
LLVMValueRef wm_bridge_or_ask(struct wm_bridge *bridge, LLVMValueRef value, LLVMValueRef function,
	LLVMValueRef *arguments, size_t count, LLVMValueRef before);

/* Before the instruction: a branch to two new blocks, which meet at the instruction again. Stores
 * their ends. The first, where the condition holds, is the likely one. */
void wm_bridge_branch(struct wm_bridge *bridge, LLVMValueRef condition, LLVMValueRef before,
	LLVMValueRef *holds, LLVMValueRef *fails);

/* True for instructions that programs let trap, to leave from the signal's handler: a volatile
 * access to a computed address, by which they probe memory, and an integer division whose divisor
 * may be zero. */
bool wm_bridge_may_trap(struct wm_bridge *bridge, LLVMValueRef instruction);

/* True if the call is known to come back here: it cannot throw, stop, jump away or return twice,
 * and has no such instruction. */
bool wm_bridge_call_returns(struct wm_bridge *bridge, LLVMValueRef call);

/* LLVM's name of what the instruction does. */
const char *wm_bridge_opcode_name(LLVMValueRef instruction);

/* Whether control may come back to the block with a value for one of its phis that was computed
 * before control first came there, or is a constant. */
bool wm_bridge_merges_outer_value(LLVMBasicBlockRef block);

/* The block nearest to all of these that dominates them and lies in no loop. */
LLVMBasicBlockRef wm_bridge_common_dominator(
	struct wm_bridge *bridge, const LLVMBasicBlockRef *blocks, size_t count);

/* Innermost loop around a block, or around both, or NULL. */
wm_loop_ref wm_bridge_loop_of(struct wm_bridge *bridge, LLVMBasicBlockRef block);
wm_loop_ref wm_bridge_loop_around(
	struct wm_bridge *bridge, LLVMBasicBlockRef first, LLVMBasicBlockRef second);
LLVMBasicBlockRef wm_bridge_loop_header(wm_loop_ref loop);
LLVMBasicBlockRef wm_bridge_loop_latch(wm_loop_ref loop); /* NULL if there are several */

/* The block from which control comes to the loop and nowhere else; makes one if there is none.
 * NULL if that is not possible. */
LLVMBasicBlockRef wm_bridge_make_preheader(struct wm_bridge *bridge, wm_loop_ref loop);

/* The loop as it was when it was first asked about. */
struct wm_loop_facts wm_bridge_loop_facts(struct wm_bridge *bridge, wm_loop_ref loop);

/* Whether the condition of its exit compares a fixed value with one that changes by the same amount
 * in each iteration; likewise. */
bool wm_bridge_loop_is_stepped(struct wm_bridge *bridge, wm_loop_ref loop);

/* Whether the number of back edges taken per entry can be computed cheaply where the loop is
 * entered. */
bool wm_bridge_loop_is_counted(struct wm_bridge *bridge, wm_loop_ref loop);

/* Emits that computation before the instruction and returns it as an i64. */
LLVMValueRef wm_bridge_loop_back_edges(
	struct wm_bridge *bridge, wm_loop_ref loop, LLVMValueRef before);

/* Gives the loop exit blocks that are entered from inside it only, and stores up to capacity of
 * them. Returns their number, or 0 if that is not possible. */
size_t wm_bridge_loop_exits(
	struct wm_bridge *bridge, wm_loop_ref loop, LLVMBasicBlockRef *exits, size_t capacity);

/* Copies the code of loops for their first iteration, where that is worth it; and whether it was
 * done for the loop with this header. */
void wm_bridge_peel_loops(struct wm_bridge *bridge);
bool wm_bridge_is_peeled(struct wm_bridge *bridge, LLVMBasicBlockRef header);

/* The block that this one was copied from, which is no copy; or itself. */
LLVMBasicBlockRef wm_bridge_original_block(struct wm_bridge *bridge, LLVMBasicBlockRef block);

/* Turns stack slots with plain loads and stores into registers. */
void wm_bridge_promote(struct wm_bridge *bridge, LLVMValueRef *slots, size_t count);

/* True if the module's code may end up in a shared library. */
bool wm_bridge_is_for_library(LLVMModuleRef module);

/* Keeps globals that nothing refers to. */
void wm_bridge_keep(LLVMModuleRef module, LLVMValueRef *globals, size_t count);

/* Likewise, also when the linker drops what nothing refers to. */
void wm_bridge_retain(LLVMModuleRef module, LLVMValueRef *globals, size_t count);

/* Sets an option of LLVM that has a name on its command line, unless it was given there, or set
 * before. */
void wm_bridge_prefer_option(const char *name, const char *value);

/* Functions of more than `max_blocks` blocks will be compiled without this pass of the code
 * generator. */
void wm_bridge_skip_pass(LLVMModuleRef module, const char *pass, size_t max_blocks);

/* Reports a warning, or an error of this compilation, which then writes nothing. */
void wm_bridge_diagnose(LLVMModuleRef module, bool is_error, const char *text);

/* Gives the analyses of a function to the instrumentation. */
typedef struct wm_bridge *(*wm_bridge_open)(void *context, LLVMValueRef function);
typedef void (*wm_bridge_close)(void *context, struct wm_bridge *bridge);

/* Implemented in module.c: called once per module at the chosen point of the pipeline. */
bool wm_instrument_module(
	LLVMModuleRef module, wm_bridge_open open, wm_bridge_close close, void *context);

/* Where in LLVM's pipelines the options want code to be counted: before the optimiser, behind it,
 * or behind that of the linker. */
enum wm_instrument_point { WM_INSTRUMENT_EARLY, WM_INSTRUMENT_LATE, WM_INSTRUMENT_AT_LINK };
enum wm_instrument_point wm_instrument_point(void);

/* Likewise, behind the optimiser if the other was called before it. */
bool wm_instrument_finish(
	LLVMModuleRef module, wm_bridge_open open, wm_bridge_close close, void *context);

#ifdef __cplusplus
}
#endif

#endif
