#include "hpp/amd64.h"

#include <string.h>

static bool is_prefix(uint8_t byte)
{
	switch (byte) {
	case 0x26: /* segments */
	case 0x2e:
	case 0x36:
	case 0x3e:
	case 0x64:
	case 0x65:
	case 0x66: /* sizes */
	case 0x67:
	case 0xf0: /* lock */
	case 0xf2: /* repeat, bnd */
	case 0xf3:
		return true;
	default:
		return (byte & 0xf0) == 0x40; /* REX */
	}
}

static uint8_t indirect(unsigned group)
{
	if (group == 2 || group == 3)
		return WM_BRANCH_CALL_INDIRECT;
	return group == 4 || group == 5 ? WM_BRANCH_JUMP_INDIRECT : WM_BRANCH_NONE;
}

static bool is_string(uint8_t opcode)
{
	return (opcode >= 0xa4 && opcode <= 0xa7) || (opcode >= 0xaa && opcode <= 0xaf) ||
	       (opcode >= 0x6c && opcode <= 0x6f);
}

uint8_t wm_classify(const uint8_t *code, uint32_t bytes)
{
	bool repeats = false;
	uint32_t i = 0;
	for (; i < bytes && is_prefix(code[i]); i++)
		repeats |= code[i] == 0xf2 || code[i] == 0xf3;
	if (i == bytes)
		return WM_BRANCH_NONE;
	uint8_t opcode = code[i], next = i + 1 < bytes ? code[i + 1] : 0;
	if (opcode == 0xe8)
		return WM_BRANCH_CALL;
	if (opcode == 0xc2 || opcode == 0xc3 || opcode == 0xca || opcode == 0xcb || opcode == 0xcf)
		return WM_BRANCH_RETURN;
	if (opcode == 0xe9 || opcode == 0xeb)
		return WM_BRANCH_JUMP;
	if ((opcode & 0xf0) == 0x70 || (opcode >= 0xe0 && opcode <= 0xe3))
		return WM_BRANCH_CONDITIONAL;
	if (opcode == 0x0f && (next & 0xf0) == 0x80)
		return WM_BRANCH_CONDITIONAL;
	if (opcode == 0xff)
		return indirect(next >> 3 & 7);
	return repeats && is_string(opcode) ? WM_BRANCH_REPEAT : WM_BRANCH_NONE;
}

/* Branches of one byte's distance are the short ones: 70 to 7f, e0 to e3, eb, behind prefixes. */
uint64_t wm_direct_target(const uint8_t *code, uint32_t bytes, uint64_t after)
{
	int32_t distance;
	uint32_t i = 0;
	while (i < bytes && is_prefix(code[i]))
		i++;
	if (bytes < i + 5) /* an opcode and four bytes */
		return bytes ? after + (uint64_t)(int64_t)(int8_t)code[bytes - 1] : after;
	memcpy(&distance, code + bytes - sizeof distance, sizeof distance);
	return after + (uint64_t)(int64_t)distance;
}
