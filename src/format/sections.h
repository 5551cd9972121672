/* The sections of a description behind its graph: one pair of functions for each, and a table of
 * them. */
#ifndef WM_FORMAT_SECTIONS_H
#define WM_FORMAT_SECTIONS_H

#include "format/description.h"
#include "format/encoding.h"

struct wm_section_codec {
	enum wm_section_tag tag;
	/* False if the function has no such section. */
	bool (*encode)(struct wm_encoder *encoder, const struct wm_function *function);
	/* Adds it to the function; what stands before the sections, and the graph, are known. */
	void (*decode)(struct wm_decoder *decoder, struct wm_function *function);
	size_t member; /* of modes: offset of the pointer to it in struct wm_function; or 0 */
};

extern const struct wm_section_codec wm_section_codecs[];
extern const size_t wm_section_codec_count;

#endif
