/* Keys of the brute-force oracle for paths: every sequence of blocks that ran has a key of its own
 * (of 64 well mixed bits), which the runtime computes step by step and the reader computes again.
 *
 * Counted are every prefix of a path when its last block is entered, and, under another key, its
 * end. A prefix that neither continued nor ended was left early. */
#ifndef WM_FORMAT_ORACLE_KEY_H
#define WM_FORMAT_ORACLE_KEY_H

#include <stdint.h>

#define WM_ORACLE_START 0u /* before the first block of a path */

static inline uint64_t wm_oracle_mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

/* The sequence with this block behind it. */
static inline uint64_t wm_oracle_key(uint64_t before, uint32_t block)
{
	return wm_oracle_mix(before + 0x9e3779b97f4a7c15u * ((uint64_t)block + 1));
}

/* The end of a path by a cut edge to this block, or to EXIT. */
static inline uint64_t wm_oracle_end_key(uint64_t path, uint32_t target)
{
	return wm_oracle_key(path ^ 0x5555555555555555u, target);
}

#endif
