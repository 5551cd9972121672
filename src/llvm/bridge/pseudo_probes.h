/* LLVM's own pseudo probes, which clang writes with -fpseudo-probe-for-profiling: at the start of
 * blocks, and in the positions of calls. */
#ifndef WM_LLVM_BRIDGE_PSEUDO_PROBES_H
#define WM_LLVM_BRIDGE_PSEUDO_PROBES_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>

#include "format/pseudo_probes.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wm_pseudo_mark {
	uint64_t function; /* its GUID */
	uint32_t number;
	uint32_t kind;		/* enum wm_pseudo_kind */
	uint32_t factor;	/* executions for each of the code */
	const void *inlined_at; /* the call by which it came here, or NULL */
};

/* False if the instruction has none. */
bool wm_pseudo_mark_read(LLVMValueRef instruction, struct wm_pseudo_mark *mark);

/* The call itself, in the function that holds it; false if it has no number. */
bool wm_pseudo_mark_of_call(const void *inlined_at, struct wm_pseudo_mark *mark);

#ifdef __cplusplus
}
#endif

#endif
