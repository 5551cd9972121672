/* Formats of other programs. Each has a file of its own and a row in the table.
 *
 * A writer writes to a stream that is complete or thrown away, so it does not look at errors of the
 * stream. */
#ifndef WM_EXPORT_FORMAT_H
#define WM_EXPORT_FORMAT_H

#include <stdio.h>

#include "export/coverage.h"
#include "export/data.h"

struct wm_export_request {
	const char *version;	    /* of waymark */
	enum wm_metric metric;	    /* of formats that have one */
	bool only[WM_METRIC_COUNT]; /* metrics of formats that have several; all are known */
};

struct wm_export_format {
	const char *name;
	const char *about;
	bool binary;	     /* not for terminals */
	bool needs_contexts; /* says nothing without them */
	bool needs_pseudo_probes;
	bool one_metric;  /* holds one at a time */
	bool no_metric;	  /* there is nothing to choose */
	bool by_function; /* what is known by function is enough for it */
	bool by_test;	  /* coverage: holds each profile by itself */
	/* One of these. */
	void (*write)(const struct wm_export_data *data, const struct wm_export_request *request,
		FILE *out);
	void (*write_coverage)(const struct wm_coverage *coverage, FILE *out);
	void (*write_residual)(const struct wm_residual *residual, const char *version, FILE *out);
};

extern const struct wm_export_format wm_export_formats[];
extern const size_t wm_export_format_count;

void wm_export_collapsed(
	const struct wm_export_data *data, const struct wm_export_request *request, FILE *out);
void wm_export_speedscope(
	const struct wm_export_data *data, const struct wm_export_request *request, FILE *out);
void wm_export_firefox(
	const struct wm_export_data *data, const struct wm_export_request *request, FILE *out);
void wm_export_pprof(
	const struct wm_export_data *data, const struct wm_export_request *request, FILE *out);
void wm_export_callgrind(
	const struct wm_export_data *data, const struct wm_export_request *request, FILE *out);
void wm_export_targets(
	const struct wm_export_data *data, const struct wm_export_request *request, FILE *out);

void wm_export_sample(
	const struct wm_export_data *data, const struct wm_export_request *request, FILE *out);

/* Whether some function has pseudo probes. */
bool wm_export_sample_is_possible(const struct wm_export_data *data);

#endif
