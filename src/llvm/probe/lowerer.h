/* Lowering: the probes of a plan become steps, and the steps become code.
 *
 * A step is something to do before an instruction: add to a counter, or change the register that
 * holds the history. Steps before the same instruction happen in the order in which they were
 * added, but for those of calls, which want all sums as they are right before and behind the call.
 */
#ifndef WM_LLVM_LOWERER_H
#define WM_LLVM_LOWERER_H

#include "core/chosen/probe_keys.h"
#include "llvm/subject/subject.h"

enum wm_step_kind {
	WM_STEP_COUNT,		  /* counter += amount */
	WM_STEP_COUNT_BY_HISTORY, /* (counter + register) += amount */
	WM_STEP_COUNT_IN_TABLE,	  /* a table; key: register + potential, and the prehistory */
	WM_STEP_COUNT_KNOWN,	  /* the counter of a known key, likewise; else this counter */
	WM_STEP_SET_PREHISTORY,	  /* prehistory = counter, plus, if asked for, the route to here */
	WM_STEP_SET_HISTORY,	  /* register = counter */
	WM_STEP_MOVE_HISTORY,	  /* register += counter */
	WM_STEP_DEPARTURE,	  /* tells the runtime if the counter's sentinel is armed; with_route:
				     that of counter + register */
	WM_STEP_CHECK,		  /* counter += amount; tells the runtime unless it is below zero */
	WM_STEP_ENTER_METERS,	  /* remembers what meters say */
	WM_STEP_READ_METERS, /* counter, or that of the route, += what passed; unless amount is 0 */
	WM_STEP_CALL_ENDS,   /* what the call did is added up; before other steps */
	WM_STEP_CALL_BEGINS  /* the sums are kept for its end; behind other steps */
};

struct wm_step {
	enum wm_step_kind kind;
	LLVMValueRef before;  /* NULL: moved away */
	uint64_t counter;     /* its number, modulo 2^64 */
	LLVMValueRef address; /* of a counter that has no number here; otherwise NULL */
	LLVMValueRef amount;  /* an i64, or NULL for 1 */
	double weight;
	bool with_prehistory; /* counts: what comes with a prehistory goes to the table;
				 prehistories: there is one before */
	bool with_route;      /* the register tells routes apart here */
	uint64_t routes;      /* prehistories: the number of routes to here */
	uint64_t table;	      /* the counter that names the table */
	uint64_t stride;      /* of meters: from the counter of one to that of the next */
	uint64_t potential;   /* for keys, and of running sums */
	const struct wm_probe_keys *known; /* likewise: those with counters of their own, or NULL */
	LLVMValueRef unless;		   /* sets: an i1, or NULL; if it is true nothing changes */
	const struct wm_measured_call *call; /* of ends and beginnings (measured_calls.h) */
};

/* The iterations of a loop, known where it is entered. */
struct wm_iterations {
	wm_loop_ref loop;
	LLVMValueRef before; /* there: the instruction before which to use the number */
	LLVMValueRef number; /* of back edges that will be taken: an i64 */
	double weight;	     /* entries */
};

struct wm_lowerer {
	const struct wm_subject *subject;
	LLVMValueRef counters; /* the function's, an array of i64 */
	LLVMValueRef armed;    /* by counter, an i8: its sentinel is armed; or NULL. The register
				  holds an address there */
	bool in_segment;       /* they are addressed relative to the gs register */
	bool in_record;	       /* or relative to the function's record, each in a cell */
	LLVMValueRef record;   /* that one, once steps are written; else NULL */
	bool holds_blocks;     /* blocks without a probe are kept from being copied */
	LLVMBuilderRef builder;
	LLVMTypeRef i64;
	LLVMTypeRef i8;
	unsigned mark_kind; /* kind of metadata that marks what we wrote, for sanitizers and for us
			     */
	LLVMValueRef mark;  /* of that kind */
	struct wm_step *pending;
	uint32_t pending_count;
	size_t pending_capacity;
	LLVMBasicBlockRef *split;	     /* by edge: the block put on it, or NULL */
	struct wm_iterations **iterations;   /* by back edge: if a mode asked and they are known */
	LLVMValueRef history;		     /* the slot of the register, or NULL */
	LLVMValueRef prehistory;	     /* the slot of the prehistory, or NULL */
	LLVMValueRef entered[WM_MAX_METERS]; /* slots: probe/meters.h; or NULL */
	unsigned target_count;		     /* targets of indirect jumps that were kept apart */
	LLVMValueRef *slots;		     /* registers-to-be */
	size_t slot_count;
	size_t slot_capacity;
	bool counts_in_registers; /* of loops */
};

/* Whether increments are written as placeholders. */
bool wm_lowerer_defers(const struct wm_lowerer *lowerer);

/* Starts; modes then add their steps. Counters are numbered from the first of `counters`. */
struct wm_lowerer *wm_lowerer_open(
	const struct wm_subject *subject, LLVMValueRef counters, bool in_segment);

/* Writes all steps. The control-flow graph changes by new blocks on edges. */
void wm_lowerer_close(struct wm_lowerer *lowerer);

void wm_lowerer_add(struct wm_lowerer *lowerer, struct wm_step step);

/* Adds a step that adds the amount, an i64 or NULL for 1, to the counter. */
void wm_lowerer_count(struct wm_lowerer *lowerer, LLVMValueRef before, uint64_t counter,
	LLVMValueRef amount, double weight);

/* The instruction before which the edge's probe stands; splits a critical edge, once. */
LLVMValueRef wm_lowerer_edge_position(struct wm_lowerer *lowerer, uint32_t edge);

/* Before the instruction: adds 1 to the counter whose number is this i64. */
void wm_lowerer_count_at(struct wm_lowerer *lowerer, LLVMValueRef before, LLVMValueRef number);

/* A new slot in the function's frame; whether it becomes a register. */
LLVMValueRef wm_lowerer_slot(struct wm_lowerer *lowerer, LLVMTypeRef type);
void wm_lowerer_make_register(struct wm_lowerer *lowerer, LLVMValueRef slot);

/* What the register that holds the history is. */
LLVMTypeRef wm_lowerer_history_type(const struct wm_lowerer *lowerer);

/* Adds the steps that count the edge. */
void wm_lowerer_count_edge(
	struct wm_lowerer *lowerer, enum wm_step_kind kind, uint32_t edge, uint64_t counter);

/* Adds the step that adds a constant to the counter on the edge. */
void wm_lowerer_add_on_edge(
	struct wm_lowerer *lowerer, uint32_t edge, uint64_t counter, uint64_t amount);

/* The iterations of the loop with this back edge, or NULL if they are not known at its entry.
 * wm_lowerer_compute_iterations, to be called after all such questions and before any change to a
 * loop, gives their number. */
const struct wm_iterations *wm_lowerer_ask_iterations(
	struct wm_lowerer *lowerer, uint32_t back_edge);
void wm_lowerer_compute_iterations(struct wm_lowerer *lowerer);

/* Adds the number of iterations, times the amount, to the counter, outside of the loop. */
void wm_lowerer_count_iterations(struct wm_lowerer *lowerer, const struct wm_iterations *iterations,
	uint64_t counter, uint64_t amount);

/* Before the instruction: the calling thread's counters of the function; `shared` or NULL are those
 * of a place that is before all others. */
LLVMValueRef wm_lowerer_base(struct wm_lowerer *lowerer, LLVMValueRef shared, LLVMValueRef before);

/* At the builder's place: reads a word of ours; adds to a counter by one instruction. */
LLVMValueRef wm_lowerer_load(struct wm_lowerer *lowerer, LLVMValueRef address);
void wm_lowerer_add_to_counter(
	struct wm_lowerer *lowerer, LLVMValueRef address, LLVMValueRef amount);

/* What the step adds: an i64. */
LLVMValueRef wm_lowerer_amount(const struct wm_lowerer *lowerer, const struct wm_step *step);

/* At the builder's place: adds the amount to the word at the address. */
void wm_lowerer_add_to_memory(
	struct wm_lowerer *lowerer, LLVMValueRef address, LLVMValueRef amount);

/* At the builder's place: the address of the step's counter. */
LLVMValueRef wm_lowerer_counter_address(
	struct wm_lowerer *lowerer, const struct wm_step *step, LLVMValueRef base);

/* The amount, but the code generator cannot see how it is computed. It would mix that with the
 * addition, which would then no longer be one instruction. */
LLVMValueRef wm_lowerer_hide_origin(struct wm_lowerer *lowerer, LLVMValueRef amount);

/* Whether we wrote the instruction, and not the program: an access of a probe, or an empty one. */
bool wm_lowerer_is_ours(const struct wm_lowerer *lowerer, LLVMValueRef instruction);

/* At the builder's place: assembler code, with operands of the type's kinds. */
LLVMValueRef wm_lowerer_assemble(struct wm_lowerer *lowerer, const char *text,
	const char *constraints, LLVMTypeRef type, LLVMValueRef *operands);

/* Moves counts of short loops into registers where that pays. */
void wm_lowerer_keep_in_registers(struct wm_lowerer *lowerer);

/* Writes all steps. */
void wm_lowerer_write(struct wm_lowerer *lowerer);

/* Keeps short blocks that have no probe from being copied, where copies would cost time. */
void wm_lowerer_hold_blocks(struct wm_lowerer *lowerer);

#endif
