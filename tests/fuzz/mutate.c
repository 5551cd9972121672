/* Random numbers and mutation in place. */
#include "mutate.h"

#include <string.h>

unsigned wm_mutate_random(unsigned *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

void wm_mutate_in_place(uint8_t *data, size_t bytes, size_t start, size_t part)
{
	uint8_t copy[512];
	if (start >= bytes)
		return;
	if (part > bytes - start)
		part = bytes - start;
	if (part > sizeof copy)
		part = sizeof copy;
	memcpy(copy, data + start, part);
	size_t used = LLVMFuzzerMutate(copy, part, part);
	memcpy(data + start, copy, used);
	memset(data + start + used, 0, part - used);
}
