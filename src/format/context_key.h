/* Keys of contexts: every chain of calls without loops (core/contexts/contexts.h) has a number of
 * 64 well mixed bits, which the runtime computes call by call and the reader computes again. The
 * calls of a function at a site of a chain are counted by key in the table of the function's
 * counter. */
#ifndef WM_FORMAT_CONTEXT_KEY_H
#define WM_FORMAT_CONTEXT_KEY_H

#include <stdint.h>

#include "format/oracle_key.h"

/* The chain of no calls: whatever calls from outside. Its sites are kinds of callers. */
#define WM_CONTEXT_START 0u
#define WM_CONTEXT_SITE_OUTSIDE 0u
#define WM_CONTEXT_SITE_SIGNAL 1u /* the kernel, for a signal */
#define WM_CONTEXT_SITE_FOLDED 2u /* somewhere: the limit of records was reached */

/* Of the calls at this site of the chain. */
static inline uint64_t wm_context_key(uint64_t chain, uint32_t site)
{
	return wm_oracle_mix(chain + 0x9e3779b97f4a7c15u * ((uint64_t)site + 1));
}

/* The chain with such a call behind it, of the function that has this counter: an index among those
 * of the object. */
static inline uint64_t wm_context_chain(uint64_t key, uint64_t counter)
{
	return wm_oracle_mix(key ^ (0xc2b2ae3d27d4eb4fu * (counter + 1)));
}

#endif
