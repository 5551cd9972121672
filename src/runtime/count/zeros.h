/* Reads and clears counters several at a time. In any large program most are zero. */
#ifndef WM_RUNTIME_ZEROS_H
#define WM_RUNTIME_ZEROS_H

#include <stddef.h>
#include <stdint.h>

#define WM_ZEROS_AT_ONCE 8

/* Whether that many words from here on are zero. */
static inline int wm_zeros_at(const uint64_t *word)
{
	return !(word[0] | word[1] | word[2] | word[3] | word[4] | word[5] | word[6] | word[7]);
}

/* Where the next group of words starts, or the end. */
static inline size_t wm_zeros_next(size_t i, size_t count)
{
	return count - i < WM_ZEROS_AT_ONCE ? count : i + WM_ZEROS_AT_ONCE;
}

/* Writes only where it must: a page that is only read stays clean, and shared if it was. */
static inline void wm_zeros_make(uint64_t *word, size_t count)
{
	for (size_t i = 0, next; i < count; i = next) {
		next = wm_zeros_next(i, count);
		if (next == i + WM_ZEROS_AT_ONCE && wm_zeros_at(word + i))
			continue;
		for (size_t j = i; j < next; j++)
			word[j] = 0;
	}
}

#endif
