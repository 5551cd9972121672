/* What kind of branch an instruction is, from its bytes. Valgrind's own exits are not branches: string
 * instructions repeat by them, locked ones retry. */
#ifndef WM_VALGRIND_CLASSIFY_AMD64_H
#define WM_VALGRIND_CLASSIFY_AMD64_H

#include "format/hpp_file.h"

/* A kind of struct wm_hpp_block. */
uint8_t wm_classify(const uint8_t *code, uint32_t bytes);

#endif
