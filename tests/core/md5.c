/* MD5: the vectors of RFC 1321, appendix A.5, and lengths around a block, whose sums coreutils'
 * md5sum gave. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "core/base/md5.h"

static void assert_sum(const void *bytes, size_t count, const char *expected)
{
	struct wm_md5 sum = wm_md5(bytes, count);
	char text[33];
	for (size_t i = 0; i < sizeof sum.byte; i++)
		snprintf(text + 2 * i, 3, "%02x", sum.byte[i]);
	assert_string_equal(text, expected);
}

static void test_vectors_of_the_rfc(void **state)
{
	static const char *const vectors[][2] = {{"", "d41d8cd98f00b204e9800998ecf8427e"},
		{"a", "0cc175b9c0f1b6a831c399e269772661"},
		{"abc", "900150983cd24fb0d6963f7d28e17f72"},
		{"message digest", "f96b697d7cb7938d525a2f31aaf161d0"},
		{"abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"},
		{"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
			"d174ab98d277d9f5a5611c2c9f419d9f"},
		{"1234567890123456789012345678901234567890123456789012345678901234567890123456789"
		 "0",
			"57edf4a22be3c955ac49da2e2107b67a"}};
	(void)state;
	for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
		assert_sum(vectors[i][0], strlen(vectors[i][0]), vectors[i][1]);
}

static void test_lengths_around_a_block(void **state)
{
	static const struct {
		size_t count;
		const char *sum;
	} lengths[] = {{55, "04364420e25c512fd958a70738aa8f72"},
		{56, "668a72d5ba17f08e62dabcafad6db14b"}, {63, "7dc2ca208106a2f703567bdff99d8981"},
		{64, "c1bb4f81d892b2d57947682aeb252456"}, {65, "1bc932052302d074bdec39795fe00cf6"},
		{119, "ab347a5f68c8a443cfcddc633f12c24f"},
		{120, "fb98667f98096de92620b64f46e1c5b5"},
		{100000, "d5816f35916d1d9482fb0f1ec201101d"}};
	static char letters[100000];
	(void)state;
	memset(letters, 'x', sizeof letters);
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
		assert_sum(letters, lengths[i].count, lengths[i].sum);
}

static void test_equality(void **state)
{
	struct wm_md5 one = wm_md5("one", 3), two = wm_md5("two", 3), again = wm_md5("one", 3);
	(void)state;
	assert_true(wm_md5_equal(&one, &again));
	assert_false(wm_md5_equal(&one, &two));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_vectors_of_the_rfc),
		cmocka_unit_test(test_lengths_around_a_block), cmocka_unit_test(test_equality)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
