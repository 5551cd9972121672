/* Texts that may hold anything, as UTF-8. */
#ifndef WM_REPORT_UTF8_H
#define WM_REPORT_UTF8_H

#include <stddef.h>

/* Length of the sequence at the text, or 0 if it is not UTF-8 (cut short, overlong, a surrogate).
 */
size_t wm_utf8_length(const char *text);

#endif
