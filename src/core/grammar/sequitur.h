/* Sequitur: the hierarchy of repetitions in a sequence, as a grammar that has this one sentence
 * (Nevill-Manning and Witten 1997; of whole program paths, Larus 1999). Linear in time.
 *
 * Two rules hold after each symbol: no two neighbours stand side by side in two places that do not
 * overlap, and each rule but the first is used at least twice.
 */
#ifndef WM_CORE_SEQUITUR_H
#define WM_CORE_SEQUITUR_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"

/* Terminals are numbers below this; rule r is this plus r. */
#define WM_GRAMMAR_RULE 0x80000000u

struct wm_grammar {
	uint32_t
		rule_count; /* rule 0 is the whole sequence; each other one is used by an earlier */
	uint64_t *first_symbol; /* by rule: into `symbols`; one entry more */
	uint32_t *symbols;
};

struct wm_sequitur;

struct wm_sequitur *wm_sequitur_start(void);
void wm_sequitur_add(struct wm_sequitur *sequitur, uint32_t terminal);

/* The grammar, in the arena; ends the sequence. Rules are in the order of their first use. */
void wm_sequitur_end(
	struct wm_sequitur *sequitur, struct wm_arena *arena, struct wm_grammar *grammar);

static inline bool wm_grammar_is_rule(uint32_t symbol)
{
	return symbol >= WM_GRAMMAR_RULE;
}

/* By rule: how often it occurs in the sequence; at most UINT64_MAX. */
uint64_t *wm_grammar_occurrences(struct wm_arena *arena, const struct wm_grammar *grammar);

/* Calls `take` with each terminal of the sequence, in order, until it returns false. */
void wm_grammar_expand(const struct wm_grammar *grammar,
	bool (*take)(void *context, uint32_t terminal), void *context);

#endif
