/* The first byte announces a length; the others must be there. */
#include "report/utf8.h"

#include <stdbool.h>

/* Length of the UTF-8 sequence that this byte starts, or 0 if it starts none. */
static size_t announced_length(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc2 || first > 0xf4)
		return 0;
	return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

size_t wm_utf8_length(const char *from)
{
	const unsigned char *text = (const unsigned char *)from;
	size_t length = announced_length(text[0]);
	for (size_t i = 1; i < length; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	bool refused = (text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f) ||
		       (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f);
	return refused ? 0 : length;
}
