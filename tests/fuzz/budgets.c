/* A file of budgets: what was read makes sense, and a limit is where it is said to be. */
#include "cli/budget_file.h"

#include <string.h>

#include "fuzz.h"

static void require_sense(struct wm_arena *arena, const uint8_t *data, size_t bytes,
	const struct wm_budget *budget)
{
	WM_FUZZ_REQUIRE(budget->line > 0 && budget->kind.name);
	WM_FUZZ_REQUIRE(!budget->per_call || budget->function);
	WM_FUZZ_REQUIRE((budget->scope == WM_BUDGET_FUNCTION) <= (budget->function != NULL));
	WM_FUZZ_REQUIRE(budget->scope != WM_BUDGET_LINE || budget->file);
	if (budget->base)
		return;
	WM_FUZZ_REQUIRE(budget->number_at + budget->number_bytes <= bytes);
	const char *number = wm_budget_number(arena, budget->limit);
	size_t digits = 0, skipped = 0;
	for (size_t i = 0; i < budget->number_bytes; i++) {
		char c = (char)data[budget->number_at + i];
		skipped += c == '0' && digits == skipped;
		digits += c != '_';
	}
	WM_FUZZ_REQUIRE(digits > 0 && strlen(number) >= digits - skipped);
}

int wm_fuzz_try(const uint8_t *data, size_t bytes)
{
	struct wm_arena arena = {0};
	struct wm_budgets budgets;
	struct wm_error error;
	char *text = wm_arena_alloc(&arena, bytes + 1, 1);
	if (bytes)
		memcpy(text, data, bytes);
	int status = wm_budgets_read(&arena, "budgets.txt", text, bytes, &budgets, &error);
	wm_fuzz_require_text(status, error.text);
	for (size_t i = 0; status == 0 && i < budgets.count; i++)
		require_sense(&arena, data, bytes, &budgets.list[i]);
	wm_arena_reset(&arena);
	return status;
}
