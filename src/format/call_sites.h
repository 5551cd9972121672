/* The calls in a function's code, as its description lists them. */
#ifndef WM_FORMAT_CALL_SITES_H
#define WM_FORMAT_CALL_SITES_H

#include <stdbool.h>

#include "format/encoding.h"

struct wm_function;

enum wm_call_flag {
	WM_CALL_TAIL = 1,     /* may become a jump: the callee returns to the caller's caller */
	WM_CALL_BEHIND = 2,   /* control may end in its block before it */
	WM_CALL_IN_FRONT = 4, /* control may end in its block in this call or behind it */
	WM_CALL_FLAG_LIMIT = 8
};

struct wm_call_site {
	uint32_t block;
	uint32_t flags;	    /* enum wm_call_flag, or-ed */
	const char *callee; /* as the linker knows it; empty: called through a pointer */
	uint32_t scope;	    /* the source position, as of a block; line 0: unknown */
	uint32_t line;
};

/* The pair of functions of section WM_SECTION_CALLS. */
bool wm_call_sites_encode(struct wm_encoder *encoder, const struct wm_function *function);
void wm_call_sites_decode(struct wm_decoder *decoder, struct wm_function *function);

#endif
