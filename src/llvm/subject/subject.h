/* The function at hand, as planning and lowering see it: captured, described and weighed.
 *
 * A subject is made before any mode plans and does not change afterwards. What the code around a
 * probe costs is asked of it: whether a loop can do the counting follows from the function, not
 * from what is placed in it.
 */
#ifndef WM_LLVM_SUBJECT_SUBJECT_H
#define WM_LLVM_SUBJECT_SUBJECT_H

#include <llvm-c/Core.h>

#include "format/plugin_options.h"
#include "llvm/source/pseudo_probes.h"
#include "llvm/source/texts.h"
#include "llvm/subject/capture.h"
#include "llvm/subject/knowledge.h"

struct wm_subject {
	struct wm_arena *arena; /* everything that belongs to the function lives here */
	struct wm_bridge *bridge;
	LLVMModuleRef module;
	const struct wm_plugin_options *options;
	struct wm_knowledge *knowledge;
	const struct wm_texts *texts; /* the source records of the module */
	const struct wm_pseudo_functions *pseudo_functions;
	struct wm_inner_entries *inner; /* of the module, while modes collect them */
	const struct wm_capture *capture;
	struct wm_function described;	       /* name, graph and positions; no mode's section. The
						  hash is set when the description is made */
	const struct wm_prior_function *prior; /* what an earlier profile tells, or NULL */
	const double *edge_weight;	       /* by edge: expected executions per call */
	const double *vertex_weight;	       /* by vertex, likewise */
	bool measured;			       /* these were measured in an earlier build */
	bool optimise;			       /* whether counters may leave loops */
	bool opaque; /* an increment must be written as the one instruction that it should become */
	bool deferred; /* or as a placeholder, if the counters are in the segment */
};

/* Captures, describes and weighs the function: options, knowledge, module, bridge and arena of
 * *subject are set. `in_place`: no counter may leave a loop, as for the oracles. Changes the code:
 * blocks are split behind setjmp, and first iterations of loops may get code of their own. */
void wm_subject_make(struct wm_subject *subject, LLVMValueRef function, bool in_place);

/* The function's name as the linker knows it. */
const char *wm_subject_linker_name(LLVMValueRef function);

/* Whether the function has the attribute of this name. */
bool wm_subject_has(LLVMValueRef function, const char *attribute);

/* Whether it has one of the types that handlers of signals have. */
bool wm_subject_may_be_handler(LLVMValueRef function);

#endif
