/* What counting costs in and around loops: known of a subject before anything is planned. */
#ifndef WM_LLVM_SUBJECT_LOOP_COSTS_H
#define WM_LLVM_SUBJECT_LOOP_COSTS_H

#include "llvm/subject/subject.h"

/* The loop whose only back edge this is, or NULL. */
wm_loop_ref wm_loop_of_back_edge(const struct wm_subject *subject, uint32_t edge);

/* The same if its trip count is known at its entry, and the one edge by which control comes to it
 * can hold code; then stores that edge. */
wm_loop_ref wm_loop_counted(const struct wm_subject *subject, uint32_t back_edge, uint32_t *entry);

/* True if the trip count of a loop gives this edge's count outside of the loop; then stores what
 * computing and adding it costs per call of the function. */
bool wm_loop_cost_outside(const struct wm_subject *subject, uint32_t edge, double *cost);

/* True of loops that have neither a loop nor a call in them. */
bool wm_loop_is_tight(const struct wm_subject *subject, wm_loop_ref loop);

/* Whether a count that runs `weight` times belongs in a register of the loop around it, which may
 * be NULL. */
bool wm_loop_keeps_in_register(const struct wm_subject *subject, wm_loop_ref loop, double weight);

/* What counting `weight` times costs in a loop, or, if it is NULL, in none. */
double wm_loop_cost_inside(const struct wm_subject *subject, wm_loop_ref loop, double weight);

#endif
