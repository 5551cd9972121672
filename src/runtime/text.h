/* Text, without the C library. */
#ifndef WM_RUNTIME_TEXT_H
#define WM_RUNTIME_TEXT_H

#include <stdint.h>

/* Writes the digits and returns their end; no zero byte. */
char *wm_text_decimal(char *to, uint32_t number);
char *wm_text_hex(char *to, uint64_t number);

/* Likewise, of a text. */
char *wm_text_put(char *to, const char *text);

#endif
