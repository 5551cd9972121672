/* LLVM's own marks of the code, pseudo probes, as a description lists them: section
 * WM_SECTION_PSEUDO_PROBES.
 *
 * With -fpseudo-probe-for-profiling clang gives each block and call of a function a number before
 * it optimises, and a checksum to the function's graph. Another build has the same numbers wherever
 * the checksum is the same, so counts by number tell clang how often its blocks run. */
#ifndef WM_FORMAT_PSEUDO_PROBES_H
#define WM_FORMAT_PSEUDO_PROBES_H

#include <stdbool.h>

#include "format/encoding.h"

struct wm_function;

struct wm_pseudo_function {
	const char *name;
	uint64_t checksum; /* of its graph */
};

/* A function whose code is here: the described one, or one that was inlined. */
struct wm_pseudo_frame {
	uint32_t function; /* into functions */
	uint32_t parent;   /* the frame with the call, one before this one */
	uint32_t call;	   /* number of the call in it; 0: the function is not inlined */
};

enum wm_pseudo_kind {
	WM_PSEUDO_BLOCK,
	WM_PSEUDO_POINTER_CALL, /* through a pointer */
	WM_PSEUDO_CALL,
	WM_PSEUDO_KIND_LIMIT
};

struct wm_pseudo_probe {
	uint32_t block;	 /* of the code, in which it stands */
	uint32_t frame;	 /* into frames */
	uint32_t number; /* in the frame's function, from 1 */
	enum wm_pseudo_kind kind;
	uint32_t factor;  /* its executions for each of the block; at least 1 */
	bool may_be_lost; /* it may also run where it is not seen */
	uint32_t call;	  /* of a call through a pointer: which of the function's calls it is, or
			     WM_NONE */
};

struct wm_pseudo_section {
	uint32_t function_count;
	struct wm_pseudo_function *functions;
	uint32_t frame_count;
	struct wm_pseudo_frame *frames;
	uint32_t probe_count;
	struct wm_pseudo_probe *probes; /* in the order of blocks */
};

/* The pair of section WM_SECTION_POINTER_CALLS, which has the calls of the probes. */
bool wm_pointer_calls_encode(struct wm_encoder *encoder, const struct wm_function *function);
void wm_pointer_calls_decode(struct wm_decoder *decoder, struct wm_function *function);

bool wm_pseudo_probes_encode(struct wm_encoder *encoder, const struct wm_function *function);
void wm_pseudo_probes_decode(struct wm_decoder *decoder, struct wm_function *function);

#endif
