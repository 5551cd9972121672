/* After R. Rivest, "The MD5 Message-Digest Algorithm", RFC 1321, sections 3.1 to 3.5: the message
 * is padded with a one bit, zeros and its length, and each 64 bytes of it are mixed into four words
 * by 64 operations. The words are little-endian, as this machine's are.
 */
#include "core/base/md5.h"

#include <string.h>

enum { BLOCK = 64, OPERATIONS = 64 };

/* The integer part of 4294967296 times abs(sin(i + 1)). */
static const uint32_t sines[OPERATIONS] = {0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee,
	0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1,
	0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340,
	0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6,
	0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
	0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60,
	0xbebfbc70, 0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5,
	0x1fa27cf8, 0xc4ac5665, 0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3,
	0x8f0ccc92, 0xffeff47d, 0x85845dd1, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1,
	0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};

/* By round and by number of the operation, modulo 4. */
static const unsigned shifts[4][4] = {
	{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

/* Which word of the block operation i of a round takes: a * i + b, modulo 16. */
static const unsigned picks[4][2] = {{1, 0}, {5, 1}, {3, 5}, {7, 0}};

static uint32_t mix_bits(unsigned round, uint32_t b, uint32_t c, uint32_t d)
{
	switch (round) {
	case 0:
		return (b & c) | (~b & d);
	case 1:
		return (b & d) | (c & ~d);
	case 2:
		return b ^ c ^ d;
	default:
		return c ^ (b | ~d);
	}
}

static void mix_block(uint32_t state[4], const uint8_t *block)
{
	uint32_t word[16], a = state[0], b = state[1], c = state[2], d = state[3];
	memcpy(word, block, sizeof word);
	for (unsigned i = 0; i < OPERATIONS; i++) {
		unsigned round = i / 16, shift = shifts[round][i % 4];
		uint32_t sum = a + mix_bits(round, b, c, d) + sines[i] +
			       word[(picks[round][0] * i + picks[round][1]) % 16];
		a = d;
		d = c;
		c = b;
		b += sum << shift | sum >> (32 - shift);
	}
	state[0] += a;
	state[1] += b;
	state[2] += c;
	state[3] += d;
}

struct wm_md5 wm_md5(const void *bytes, size_t count)
{
	uint32_t state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
	uint8_t last[2 * BLOCK] = {0};
	size_t rest = count % BLOCK;
	size_t padded = rest + 1 + sizeof(uint64_t) <= BLOCK ? BLOCK : 2 * BLOCK;
	uint64_t bits = (uint64_t)count * 8;
	struct wm_md5 result;
	for (size_t i = 0; i + BLOCK <= count; i += BLOCK)
		mix_block(state, (const uint8_t *)bytes + i);
	if (rest > 0)
		memcpy(last, (const uint8_t *)bytes + count - rest, rest);
	last[rest] = 0x80;
	memcpy(last + padded - sizeof bits, &bits, sizeof bits);
	for (size_t i = 0; i < padded; i += BLOCK)
		mix_block(state, last + i);
	memcpy(result.byte, state, sizeof result.byte);
	return result;
}

bool wm_md5_equal(const struct wm_md5 *left, const struct wm_md5 *right)
{
	return memcmp(left->byte, right->byte, sizeof left->byte) == 0;
}
