/* Writers and readers of single sections, for the table in sections.c. A writer returns whether the
 * function has the section; a reader of bad input makes the decoder fail. */
#ifndef WM_FORMAT_SECTION_PARTS_H
#define WM_FORMAT_SECTION_PARTS_H

#include "format/sections.h"

void wm_section_put_head(struct wm_encoder *encoder, const struct wm_section *head);
struct wm_section wm_section_get_head(
	struct wm_decoder *decoder, const struct wm_function *function);
bool wm_section_put_counters(struct wm_encoder *encoder, const struct wm_function *function);
void wm_section_get_counters(struct wm_decoder *decoder, struct wm_function *function);
bool wm_section_put_paths(struct wm_encoder *encoder, const struct wm_function *function);
void wm_section_get_paths(struct wm_decoder *decoder, struct wm_function *function);
bool wm_section_put_sums(struct wm_encoder *encoder, const struct wm_function *function);
void wm_section_get_sums(struct wm_decoder *decoder, struct wm_function *function);
bool wm_section_put_oracle(struct wm_encoder *encoder, const struct wm_function *function);
void wm_section_get_oracle(struct wm_decoder *decoder, struct wm_function *function);
bool wm_section_put_sentinels(struct wm_encoder *encoder, const struct wm_function *function);
void wm_section_get_sentinels(struct wm_decoder *decoder, struct wm_function *function);
bool wm_section_put_contexts(struct wm_encoder *encoder, const struct wm_function *function);
void wm_section_get_contexts(struct wm_decoder *decoder, struct wm_function *function);
bool wm_section_put_code(struct wm_encoder *encoder, const struct wm_function *function);
void wm_section_get_code(struct wm_decoder *decoder, struct wm_function *function);
bool wm_section_put_source(struct wm_encoder *encoder, const struct wm_function *function);
void wm_section_get_source(struct wm_decoder *decoder, struct wm_function *function);
bool wm_section_put_events(struct wm_encoder *encoder, const struct wm_function *function);
void wm_section_get_events(struct wm_decoder *decoder, struct wm_function *function);
bool wm_section_put_trace(struct wm_encoder *encoder, const struct wm_function *function);
void wm_section_get_trace(struct wm_decoder *decoder, struct wm_function *function);
bool wm_section_put_meters(struct wm_encoder *encoder, const struct wm_function *function);
void wm_section_get_meters(struct wm_decoder *decoder, struct wm_function *function);
bool wm_section_put_inclusive(struct wm_encoder *encoder, const struct wm_function *function);
void wm_section_get_inclusive(struct wm_decoder *decoder, struct wm_function *function);
bool wm_section_put_all_work(struct wm_encoder *encoder, const struct wm_function *function);
void wm_section_get_all_work(struct wm_decoder *decoder, struct wm_function *function);
bool wm_section_put_marks(struct wm_encoder *encoder, const struct wm_function *function);
void wm_section_get_marks(struct wm_decoder *decoder, struct wm_function *function);
bool wm_section_put_mark_sums(struct wm_encoder *encoder, const struct wm_function *function);
void wm_section_get_mark_sums(struct wm_decoder *decoder, struct wm_function *function);

#endif
