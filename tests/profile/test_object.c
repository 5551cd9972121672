/* Reading of objects: the records' counters are found by address, and damage is named, not trusted.
 */
#define _GNU_SOURCE /* memmem */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "profile/object.h"
#include "synthetic.h"

static int read_status(const char *path, struct wm_object *object, struct wm_error *error)
{
	static struct wm_arena arena;
	wm_arena_reset(&arena);
	return wm_object_read(&arena, path, object, error);
}

static void write_two_loops(const char *path)
{
	const struct wm_function functions[] = {synthetic_loop("first"), synthetic_loop("second")};
	synthetic_write_object(
		path, &(struct synthetic_object){
			      .functions = functions, .function_count = 2, .build_id = 0x12});
}

static void test_functions_find_their_counters(void **state)
{
	(void)state;
	struct wm_error error;
	struct wm_object object;
	write_two_loops("object");
	if (read_status("object", &object, &error) != 0)
		fail_msg("%s", error.text);
	assert_int_equal(object.function_count, 2);
	assert_int_equal(object.counter_count, 4);
	assert_string_equal(object.functions[0].function.name, "first");
	assert_int_equal(object.functions[0].first_counter, 0);
	assert_string_equal(object.functions[1].function.name, "second");
	assert_int_equal(object.functions[1].first_counter, 2);
	assert_string_equal(wm_build_id_text(&object.build_id).text,
		"1212121212121212121212121212121212121212");
}

static void assert_refused(const char *path, int code, const char *reason)
{
	struct wm_error error;
	struct wm_object object;
	assert_int_equal(read_status(path, &object, &error), code);
	if (!strstr(error.text, reason))
		fail_msg("'%s' does not say '%s'", error.text, reason);
	assert_null(strchr(error.text, '\n'));
}

static void test_other_files_are_refused(void **state)
{
	(void)state;
	const struct wm_function function = synthetic_loop("only");
	struct synthetic_object source = {.functions = &function, .function_count = 1};
	assert_refused("missing", WM_ERROR_SYSTEM, "cannot read 'missing'");
	assert_refused(".", WM_ERROR_INPUT, "not a regular file");
	synthetic_spill("text", (const uint8_t *)"int main;\n", 10);
	assert_refused("text", WM_ERROR_INPUT, "not an ELF file");
	synthetic_spill("empty", (const uint8_t *)"", 0);
	assert_refused("empty", WM_ERROR_INPUT, "not an ELF file");
	source.without_description = 1;
	synthetic_write_object("plain", &source);
	assert_refused("plain", WM_ERROR_INPUT, "was not built with waymark cc");
	source.without_description = 0;
	source.without_build_id = 1;
	synthetic_write_object("anonymous", &source);
	assert_refused("anonymous", WM_ERROR_INPUT, "has no build-id");
}

static uint8_t *find_head(uint8_t *contents, size_t bytes)
{
	uint32_t magic = WM_DESCRIPTION_MAGIC;
	return memmem(contents, bytes, &magic, sizeof magic);
}

/* Changes the head of the first record. */
static void forge(const char *path, size_t offset, int64_t add, size_t width)
{
	size_t bytes;
	write_two_loops(path);
	uint8_t *contents = synthetic_slurp(path, &bytes);
	uint8_t *field = find_head(contents, bytes) + offset;
	uint64_t value = 0;
	memcpy(&value, field, width);
	value += (uint64_t)add;
	memcpy(field, &value, width);
	synthetic_spill(path, contents, bytes);
	free(contents);
}

static void test_forged_heads_are_refused(void **state)
{
	(void)state;
	const size_t counters = offsetof(struct wm_description_head, counters);
	const size_t length = offsetof(struct wm_description_head, bytes);
	forge("forged", counters, 4, 8);
	assert_refused("forged", WM_ERROR_INPUT, "not aligned");
	forge("forged", counters, -8, 8);
	assert_refused("forged", WM_ERROR_INPUT, "outside their section");
	forge("forged", counters, 24, 8);
	assert_refused("forged", WM_ERROR_INPUT, "outside their section");
	forge("forged", counters, INT64_MIN, 8);
	assert_refused("forged", WM_ERROR_INPUT, "outside their section");
	forge("forged", length, 1 << 30, 4);
	assert_refused("forged", WM_ERROR_INPUT, "longer than its section");
	forge("forged", length, -1, 4);
	assert_refused("forged", WM_ERROR_INPUT, "hash does not match");
	forge("forged", offsetof(struct wm_description_head, magic) + 3, -1, 1);
	assert_refused("forged", WM_ERROR_INPUT, "built by an older waymark; build it again");
	forge("forged", offsetof(struct wm_description_head, magic), 1, 4);
	assert_refused("forged", WM_ERROR_INPUT, "magic number");
}

static void test_truncation_at_every_length(void **state)
{
	(void)state;
	size_t bytes;
	write_two_loops("object");
	free(synthetic_slurp("object", &bytes));
	while (bytes-- > 0) {
		struct wm_error error;
		struct wm_object object;
		synthetic_cut("object", bytes);
		if (read_status("object", &object, &error) == 0)
			fail_msg("the first %zu bytes are accepted", bytes);
	}
}

/* The reader may accept a flip that it has no means to see; it must survive all of them. */
static void test_bit_flips(void **state)
{
	(void)state;
	size_t bytes;
	write_two_loops("object");
	free(synthetic_slurp("object", &bytes));
	for (size_t bit = 0; bit < 8 * bytes; bit++) {
		struct wm_error error;
		struct wm_object object;
		synthetic_flip("object", bit / 8, (uint8_t)(1 << bit % 8));
		int status = read_status("object", &object, &error);
		assert_true(status == 0 || status == WM_ERROR_INPUT);
		synthetic_flip("object", bit / 8, (uint8_t)(1 << bit % 8));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_functions_find_their_counters),
		cmocka_unit_test(test_other_files_are_refused),
		cmocka_unit_test(test_forged_heads_are_refused),
		cmocka_unit_test(test_truncation_at_every_length),
		cmocka_unit_test(test_bit_flips),
	};
	return cmocka_run_group_tests(tests, synthetic_enter, synthetic_leave);
}
