/* Which branch an instruction of x86-64 is, from its bytes. Exits that Valgrind or a trace may show
 * but programs do not have are none: string instructions repeat by them, locked ones retry. */
#ifndef WM_HPP_AMD64_H
#define WM_HPP_AMD64_H

#include "hpp/branch.h"

enum { WM_BRANCH_NONE = WM_BRANCH_KINDS, WM_BRANCH_REPEAT, WM_CODE_KINDS };

/* An enum wm_branch_kind, or one of those above. */
uint8_t wm_classify(const uint8_t *code, uint32_t bytes);

/* Where a direct branch of these bytes goes if it is taken; `after` is the address behind it. */
uint64_t wm_direct_target(const uint8_t *code, uint32_t bytes, uint64_t after);

#endif
