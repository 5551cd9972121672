/* A thread's execution as a sequence of elements: calls, returns, and paths (Larus 1999). A path
 * ends at each call that is told, where its function is left, and before a block that it holds
 * already. */
#ifndef WM_TRACE_ELEMENTS_H
#define WM_TRACE_ELEMENTS_H

#include <stdio.h>

#include "core/grammar/grammar.h"
#include "trace/regenerate.h"

enum { WM_ELEMENT_CALL, WM_ELEMENT_RETURN, WM_ELEMENT_END, WM_ELEMENT_PATH };

struct wm_element {
	const char *name;  /* FUNCTION.NUMBER, or ( or ) or $ */
	uint64_t cost;	   /* in instructions */
	const char *lines; /* where it starts and ends; empty: not known */
};

/* What `waymark wpp` works on. */
struct wm_whole_path {
	uint32_t element_count; /* different ones; the first WM_ELEMENT_PATH are no paths */
	struct wm_element *elements;
	struct wm_grammar grammar; /* of these numbers */
	uint64_t length;	   /* of the sequence */
};

/* Walks to the end. */
void wm_whole_path_make(
	struct wm_arena *arena, struct wm_trace_walk *walk, struct wm_whole_path *whole);

/* As a file of text, and from one, which is untrusted. WM_ERROR_INPUT, with the line. */
void wm_whole_path_write(const struct wm_whole_path *whole, FILE *out);
int wm_whole_path_parse(struct wm_arena *arena, const char *path, const char *text, size_t bytes,
	struct wm_whole_path *whole, struct wm_error *error);

#endif
