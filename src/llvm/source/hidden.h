/* What ran between two blocks of a text that were seen one after the other.
 *
 * Only blocks of which a probe was lost may run unseen. So what lies between is a path of the text
 * through such blocks; often there is only one. */
#ifndef WM_LLVM_SOURCE_HIDDEN_H
#define WM_LLVM_SOURCE_HIDDEN_H

#include <stdbool.h>
#include <stdint.h>

#include "format/description.h"
#include "llvm/source/texts.h"

/* A block that ran unseen, or may have. */
struct wm_hidden_block {
	uint32_t block;
	enum wm_witness_kind kind; /* RAN, MAY, REPEATED or AT_LEAST */
};

/* A decision that is known: from the block control went to the target. */
struct wm_hidden_decision {
	uint32_t block;
	uint32_t target;
};

struct wm_hidden {
	bool possible; /* false: no path leads from one to the other, so something is not as we
			  think */
	uint32_t block_count;
	const struct wm_hidden_block *blocks;
	uint32_t decision_count;
	const struct wm_hidden_decision *decisions; /* in the order in which they were made */
};

/* The state before the entry of the text; EXIT stands for its end. */
#define WM_HIDDEN_ENTRY UINT32_MAX

/* How far what was seen is trusted. Passes that copy a decision to thread a jump through it may
 * lose the copy at once, which nobody notices. */
enum wm_hidden_trust {
	WM_HIDDEN_DECIDED, /* the code made the decision at the start: if one step leads to the end,
			      and no loss was noticed, it was that step */
	WM_HIDDEN_PASSED,  /* passes may have led control around blocks, unnoticed */
	WM_HIDDEN_ANYTHING /* anything may have been */
};

/* Searches in one copy of a text. By block: `lost` tells whether it may run unseen; `passed`,
 * whether it may without a loss that was noticed. */
struct wm_hidden_search;
struct wm_hidden_search *wm_hidden_open(struct wm_arena *arena, const struct wm_text_graph *graph,
	const bool *lost, const bool *passed);

/* If nothing is possible with that much trust, less is given. The answer is valid until the next
 * question. */
struct wm_hidden wm_hidden_between(
	struct wm_hidden_search *search, uint32_t from, uint32_t to, enum wm_hidden_trust trust);

/* Whether control that went from the block, and was seen at `to` next, took that arm as far as
 * losses were noticed; if it cannot have come so, whether it may have taken it. */
bool wm_hidden_suggests(struct wm_hidden_search *search, uint32_t from, uint32_t arm, uint32_t to);

/* Whether control can come from the entry of the text to the vertex without being seen, as far as
 * losses were noticed. */
bool wm_hidden_may_come_to(struct wm_hidden_search *search, uint32_t to);

#endif
