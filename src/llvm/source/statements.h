/* Witnesses and outcomes while they are gathered. */
#ifndef WM_LLVM_SOURCE_STATEMENTS_H
#define WM_LLVM_SOURCE_STATEMENTS_H

#include "llvm/source/copies.h"

struct wm_statement {
	struct wm_witness witness;
	uint32_t copy; /* of whose text it is; WM_NONE: of a text of which no copy is seen */
	uint32_t order;
};

struct wm_stated_outcome {
	struct wm_stated_decision outcome;
	uint32_t position; /* in a block: that of the sight behind it */
	uint32_t depth;	   /* of the copy */
	uint32_t order;
};

struct wm_statements {
	struct wm_arena *arena;
	const struct wm_copies *copies;
	size_t count, capacity;
	struct wm_statement *statements;
	size_t outcome_count, outcome_capacity;
	struct wm_stated_outcome *outcomes;
	size_t key_count, key_capacity;
	uint64_t *keys;
};

void wm_statements_open(
	struct wm_arena *arena, const struct wm_copies *copies, struct wm_statements *statements);

/* At the place, a block of the copy's text ran, or was left. */
void wm_statements_add(struct wm_statements *statements, uint32_t place, uint32_t copy,
	enum wm_witness_kind kind, uint32_t block);

/* At the place, anything may have happened in the text. */
void wm_statements_open_text(
	struct wm_statements *statements, uint32_t place, const struct wm_text_graph *graph);

/* At the place, a decision of the copy's text was made; in a block before the sight at the
 * position.
 */
void wm_statements_add_outcome(struct wm_statements *statements, uint32_t place, uint32_t position,
	uint32_t copy, const struct wm_hidden_decision *decision);

/* All of it in order, each statement about whole texts once. */
const struct wm_source_section *wm_statements_close(struct wm_statements *statements);

#endif
