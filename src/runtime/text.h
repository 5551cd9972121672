/* Text, without the C library. */
#ifndef WM_RUNTIME_TEXT_H
#define WM_RUNTIME_TEXT_H

#include <stdint.h>

/* Writes the digits and returns their end; no zero byte. */
char *wm_text_decimal(char *to, uint32_t number);

#endif
