/* A reader of JSON, for documents of ours that come back: untrusted text becomes a tree of values.
 * Whole numbers are kept as they are; others are read, and have no value. */
#ifndef WM_REPORT_JSON_READ_H
#define WM_REPORT_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/error.h"

enum wm_json_type {
	WM_JSON_NULL,
	WM_JSON_FALSE,
	WM_JSON_TRUE,
	WM_JSON_WHOLE, /* a number without fraction, 0 to 2^64 - 1 */
	WM_JSON_OTHER, /* any other number */
	WM_JSON_TEXT,
	WM_JSON_ARRAY,
	WM_JSON_OBJECT
};

struct wm_json_value {
	enum wm_json_type type;
	uint64_t number;
	const char *text;		   /* without zero bytes */
	const char *key;		   /* of a member of an object; or NULL */
	const struct wm_json_value *first; /* of an array or object */
	const struct wm_json_value *next;  /* behind this one in its array or object */
};

/* Reads one document. WM_ERROR_INPUT: the text says in which line it stops being JSON. */
int wm_json_read(struct wm_arena *arena, const char *text, size_t bytes,
	const struct wm_json_value **value, struct wm_error *error);

/* The object's member; NULL if it has none, or is no object. */
const struct wm_json_value *wm_json_member(const struct wm_json_value *object, const char *key);

/* What the member is, or what is given here if it is not there or of another type. */
const char *wm_json_member_text(
	const struct wm_json_value *object, const char *key, const char *otherwise);
uint64_t wm_json_member_number(
	const struct wm_json_value *object, const char *key, uint64_t otherwise);
bool wm_json_member_flag(const struct wm_json_value *object, const char *key);

/* The first element of a member that is an array; NULL if there is none. */
const struct wm_json_value *wm_json_member_items(
	const struct wm_json_value *object, const char *key);

#endif
