/* Bounds of one text's blocks, tightened by the flow law. */
#ifndef WM_PROFILE_SOURCE_FLOW_H
#define WM_PROFILE_SOURCE_FLOW_H

#include "profile/source_counts.h"

/* What enters a block leaves it, along an edge or inside a call. Sets `entries`, and tightens the
 * rest; if no counts fit the bounds, nothing is bounded any longer, and `known` is false. */
void wm_source_flow_tighten(const struct wm_source *record, struct wm_source_count *count);

#endif
