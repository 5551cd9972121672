/* The text that `perf script` prints of samples: where each was taken, how much it stands for.
 *
 * Read are perf's default fields, and all choices of fields with at least ip, sym and dso
 * (`-F ip,sym,dso,event,period`). Of a call chain the innermost frame counts.
 */
#ifndef WM_PROFILE_PERF_SCRIPT_H
#define WM_PROFILE_PERF_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/error.h"

/* A part of the text. */
struct wm_perf_word {
	const char *text;
	size_t length;
};

struct wm_perf_sample {
	struct wm_perf_word command; /* empty: not told */
	struct wm_perf_word event;   /* empty: not told */
	uint64_t period;	     /* what it stands for; 0: not told */
	uint64_t address;	     /* as perf prints it: in memory, or in the file */
	struct wm_perf_word symbol;  /* empty: perf knows none */
	bool has_offset;
	uint64_t offset;	    /* in the symbol */
	struct wm_perf_word object; /* file of the code, or [kernel.kallsyms]; empty: not known */
	bool has_object_offset;
	uint64_t object_offset; /* in that file (`-F +dsoff`) */
};

struct wm_perf_samples {
	size_t count;
	size_t capacity;
	struct wm_perf_sample *list; /* in the order of the text, into which they point */
};

/* Reads the text, which is untrusted and must outlive the samples. WM_ERROR_INPUT names the file
 * and says what is wrong: perf's binary file, no text of perf script, or no sample in it. */
int wm_perf_script_read(struct wm_arena *arena, const char *name, const char *text, size_t bytes,
	struct wm_perf_samples *samples, struct wm_error *error);

bool wm_perf_word_equal(struct wm_perf_word left, struct wm_perf_word right);

#endif
