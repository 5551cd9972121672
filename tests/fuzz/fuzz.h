/* What every fuzz target offers and uses.
 *
 * A target is one reader and what follows it. It returns the reader's status and aborts when a
 * property fails that no input may break; replay.c and libfuzzer.c drive it.
 */
#ifndef WM_FUZZ_FUZZ_H
#define WM_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/graph/cfg.h"

/* Like assert, whatever NDEBUG says. */
#define WM_FUZZ_REQUIRE(condition)                                                                 \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__,           \
				#condition);                                                       \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

/* Each target defines this: 0 if the reader took the input, negative if it refused it. */
int wm_fuzz_try(const uint8_t *data, size_t bytes);

/* The path of a file in memory that holds the data; the next call overwrites it. */
const char *wm_fuzz_file(const uint8_t *data, size_t bytes);

/* A library that refuses must say why. */
void wm_fuzz_require_text(int status, const char *text);

/* Plans every problem on the graph and solves it; graphs that are too large for it are left out. */
void wm_fuzz_plan(const struct wm_cfg *cfg, const double *weight);

/* The values that counters get: any will do, as long as they are all bits and differ. */
uint64_t wm_fuzz_counter(uint64_t index);

#endif
