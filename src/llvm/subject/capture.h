/* Capture: an LLVM function as control-flow graph, with the place of every edge in the code. */
#ifndef WM_LLVM_CAPTURE_H
#define WM_LLVM_CAPTURE_H

#include <llvm-c/Core.h>

#include "core/graph/cfg.h"
#include "format/description.h"
#include "llvm/bridge/bridge.h"

enum wm_site_kind {
	WM_SITE_SOURCE_END,   /* the source has one successor: before its end */
	WM_SITE_TARGET_START, /* the target has one predecessor: at its start */
	WM_SITE_SPLIT,	      /* critical: needs a block of its own */
	WM_SITE_COMPARED,  /* critical, from an indirectbr: compare the address before the jump */
	WM_SITE_RETURN,	   /* source -> EXIT by return or resume: before the end or its tail call */
	WM_SITE_NO_RETURN, /* source -> EXIT by unreachable: at the source's start */
	WM_SITE_BEFORE_SETJMP, /* source -> EXIT: before the call that ends the source but for a
				  jump */
	WM_SITE_ABANDONED, /* source -> EXIT inside a call that does not come back: no probe fits */
	WM_SITE_NOWHERE	   /* no probe fits */
};

/* Where an edge runs in the code. */
struct wm_site {
	enum wm_site_kind kind;
	LLVMBasicBlockRef source; /* NULL: EXIT */
	LLVMBasicBlockRef target; /* NULL: EXIT */
	unsigned successor;	  /* of the source's terminator, the first of parallel ones */
};

/* A call of the captured code; markers are none. */
struct wm_call {
	uint32_t block;
	LLVMValueRef instruction;
	LLVMValueRef callee; /* NULL: called through a pointer, or code of the assembler */
	bool is_tail;	     /* in tail position: may become a jump */
	bool may_not_return; /* control may end in it; not of calls in tail position */
};

/* Whether a probe fits on the edge. */
static inline bool wm_site_is_countable(const struct wm_site *site)
{
	return site->kind != WM_SITE_NOWHERE && site->kind != WM_SITE_ABANDONED;
}

struct wm_capture {
	LLVMValueRef function;
	bool early; /* captured before the optimiser, which may still make tail calls */
	uint32_t block_count;
	LLVMBasicBlockRef *blocks; /* by block number */
	uint32_t *original;	   /* likewise: the block that it is a copy of, or itself */
	struct wm_cfg *cfg;
	struct wm_site *sites; /* by edge */
	uint32_t call_count;
	struct wm_call *calls; /* in the order of blocks and of the code, reached blocks only */
};

/* Splits blocks after calls that return twice, then captures the graph into the arena. Parallel
 * edges of one terminator to one target are one edge. */
void wm_capture_function(struct wm_arena *arena, struct wm_bridge *bridge, LLVMValueRef function,
	bool early, struct wm_capture *capture);

/* Splits blocks after calls that return twice; whether there was one. */
bool wm_capture_split_after_setjmp(LLVMValueRef function);
bool wm_capture_returns_twice(LLVMValueRef instruction);

/* True for calls that become no code: llvm.dbg.*, llvm.lifetime.*, probes of the text. */
bool wm_capture_is_marker(LLVMValueRef instruction);

/* The first instruction of the block before which a probe may stand. */
LLVMValueRef wm_capture_block_start(LLVMBasicBlockRef block);

/* The last instruction before which a probe may stand: the terminator, or the call in tail position
 * that a probe behind it would turn into an ordinary call. */
LLVMValueRef wm_capture_block_end(const struct wm_capture *capture, LLVMBasicBlockRef block);

/* True for a block that only returns, and is jumped to right behind a call in tail position: a
 * probe in it would make that call an ordinary one. */
bool wm_capture_is_shared_return(const struct wm_capture *capture, LLVMBasicBlockRef block);

#endif
