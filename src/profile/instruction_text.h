/* The text of x86-64 instructions, by LLVM's disassembler, which is loaded when it is first asked
 * for: nothing else of the readers needs LLVM. */
#ifndef WM_PROFILE_INSTRUCTION_TEXT_H
#define WM_PROFILE_INSTRUCTION_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Stores the instruction's text. Returns its bytes; 0 if it is none, or LLVM is not there. */
size_t wm_instruction_text(
	const uint8_t *code, size_t bytes, uint64_t address, char *text, size_t text_bytes);

#endif
