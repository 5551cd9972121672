/* What the code of sentinels tells the runtime: which bytes are the sentinels of a function, and
 * its counters, whose addresses name the tables in which departures are counted. A record of this
 * section for each function that has some. */
#ifndef WM_FORMAT_SENTINEL_H
#define WM_FORMAT_SENTINEL_H

#include <stdint.h>

#define WM_SENTINEL_SECTION "waymark_sentinels"

struct wm_sentinel_record {
	int64_t sentinels; /* address of the first minus address of this record */
	int64_t counters;  /* likewise, of the first counter */
	uint64_t count;	   /* of both */
};

enum { WM_SENTINEL_WORDS = 3 };

#endif
