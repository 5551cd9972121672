/* The few functions on memory and text that the runtime and its compiler need. They have the C
 * library's names but are hidden, because a program may have its own, and those may count. */
#include "runtime/text.h"

#include <string.h>

#include <stddef.h>

void *memset(void *to, int byte, size_t count)
{
	void *at = to;
	__asm__ volatile("rep stosb" : "+D"(at), "+c"(count) : "a"(byte) : "memory");
	return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t count)
{
	void *at = to;
	__asm__ volatile("rep movsb" : "+D"(at), "+S"(from), "+c"(count) : : "memory");
	return to;
}

int memcmp(const void *left, const void *right, size_t count)
{
	const unsigned char *a = left, *b = right;
	for (size_t i = 0; i < count; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

size_t strlen(const char *text)
{
	size_t length = 0;
	while (text[length])
		length++;
	return length;
}

int strcmp(const char *left, const char *right)
{
	while (*left && *left == *right)
		left++, right++;
	return (unsigned char)*left - (unsigned char)*right;
}

char *strchr(const char *text, int wanted)
{
	for (; *text != (char)wanted; text++)
		if (!*text)
			return NULL;
	return (char *)text;
}

char *strrchr(const char *text, int wanted)
{
	char *found = NULL;
	for (; *text; text++)
		if (*text == (char)wanted)
			found = (char *)text;
	return found;
}

char *strncpy(char *restrict to, const char *restrict from, size_t count)
{
	size_t i = 0;
	for (; i < count && from[i]; i++)
		to[i] = from[i];
	for (; i < count; i++)
		to[i] = 0;
	return to;
}

char *strcpy(char *restrict to, const char *restrict from)
{
	memcpy(to, from, strlen(from) + 1);
	return to;
}

char *wm_text_decimal(char *to, uint32_t number)
{
	if (number >= 10)
		to = wm_text_decimal(to, number / 10);
	*to++ = (char)('0' + number % 10);
	return to;
}

char *wm_text_hex(char *to, uint64_t number)
{
	int shift = 60;
	while (shift > 0 && !(number >> shift))
		shift -= 4;
	for (; shift >= 0; shift -= 4)
		*to++ = "0123456789abcdef"[number >> shift & 15];
	return to;
}

char *wm_text_put(char *to, const char *text)
{
	size_t length = strlen(text);
	memcpy(to, text, length);
	return to + length;
}
