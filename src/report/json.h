/* A writer of JSON: valid whatever the texts hold, on lines of bearable length. */
#ifndef WM_REPORT_JSON_H
#define WM_REPORT_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A zeroed struct with `out` set is ready for use. */
struct wm_json {
	FILE *out;
	unsigned depth;
	bool follows; /* something stands before in this object or array: a comma is due */
};

/* The version of what this waymark prints. It rises when a member goes, or means something else;
 * members may come at any time. docs/schemas has a file for each kind of document. */
enum { WM_JSON_VERSION = 1 };

/* Begins the outermost object, with the members `schema`, which is the kind of document, and
 * `version`; wm_json_end_object ends it. */
void wm_json_begin_document(struct wm_json *json, const char *kind);

/* Each takes the member's key, or NULL inside an array and for the outermost value. */
void wm_json_begin_object(struct wm_json *json, const char *key);
void wm_json_end_object(struct wm_json *json);
void wm_json_begin_array(struct wm_json *json, const char *key);
void wm_json_end_array(struct wm_json *json);
void wm_json_text(struct wm_json *json, const char *key, const char *text);
void wm_json_number(struct wm_json *json, const char *key, uint64_t number);
void wm_json_real(struct wm_json *json, const char *key, double number);
void wm_json_signed(struct wm_json *json, const char *key, int64_t number);
void wm_json_null(struct wm_json *json, const char *key);
void wm_json_flag(struct wm_json *json, const char *key, bool flag);

#endif
