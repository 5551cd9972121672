/* What the paths of this thread have claimed of each meter. Program and libraries have one word, so
 * that a library's part is not claimed again by the program that calls it: the name is visible, and
 * the program is linked so that libraries find its own. */
#include <stdint.h>

#include "format/meters_limit.h"

__attribute__((weak, visibility("default"))) __thread uint64_t __waymark_claimed[WM_MAX_METERS];
