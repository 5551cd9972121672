/* Names and source text come from the program: each form escapes what has a meaning in it. */
#include "cli/budget_output.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "report/paint.h"
#include "report/text.h"

size_t wm_budget_broken(const struct wm_budget_result *result)
{
	size_t broken = 0;
	for (size_t i = 0; i < result->count; i++)
		broken += !result->verdicts[i].kept;
	return broken;
}

static const char *plural(size_t count)
{
	return count == 1 ? "" : "s";
}

/* What moved is often the same for several budgets: it is printed once. */
static const struct wm_budget_verdict *same_details(
	const struct wm_budget_result *result, const struct wm_budget_verdict *verdict)
{
	const struct wm_budget_verdict *other = result->verdicts;
	while (other < verdict && strcmp(other->details, verdict->details) != 0)
		other++;
	return verdict->details[0] && other < verdict ? other : NULL;
}

void wm_budget_print(const struct wm_budget_result *result, bool colour, FILE *out)
{
	struct wm_arena arena = {0};
	size_t broken = wm_budget_broken(result);
	for (size_t i = 0; i < result->count; i++) {
		const struct wm_budget_verdict *verdict = &result->verdicts[i];
		const struct wm_budget_verdict *same = same_details(result, verdict);
		fprintf(out, "%s%s%s %s:%zu: %s: %s\n",
			wm_paint(colour, verdict->kept ? WM_PAINT_GOOD : WM_PAINT_MISSING),
			verdict->kept ? "ok    " : "FAILED", wm_paint(colour, WM_PAINT_PLAIN),
			wm_text_clean(&arena, result->path), verdict->budget->line,
			wm_text_clean(&arena, verdict->budget->text),
			wm_text_clean(&arena, verdict->message));
		if (same)
			fprintf(out, "  what moved: as for line %zu\n", same->budget->line);
		else
			fputs(verdict->details, out);
	}
	if (result->note[0])
		fprintf(out, "%s\n", result->note);
	if (result->status)
		fprintf(out, "FAILED the command ended with status %d\n", result->status);
	if (broken)
		fprintf(out, "%zu of %zu budget%s broken\n", broken, result->count,
			plural(result->count));
	else
		fprintf(out, "%zu budget%s kept\n", result->count, plural(result->count));
	wm_arena_reset(&arena);
}

/* Characters that XML 1.0 cannot hold become question marks. */
static void put_xml(const char *text, FILE *out)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		const char *name = c == '<'    ? "&lt;"
				   : c == '>'  ? "&gt;"
				   : c == '&'  ? "&amp;"
				   : c == '"'  ? "&quot;"
				   : c == '\n' ? "&#10;"
					       : NULL;
		if (name)
			fputs(name, out);
		else
			fputc(c < ' ' && c != '\t' ? '?' : c, out);
	}
}

static void put_attribute(const char *name, const char *text, FILE *out)
{
	fprintf(out, " %s=\"", name);
	put_xml(text, out);
	fputc('"', out);
}

static void put_failure(const char *message, const char *details, FILE *out)
{
	fputs(">\n      <failure", out);
	put_attribute("message", message, out);
	fputc('>', out);
	put_xml(details, out);
	fputs("</failure>\n    </testcase>\n", out);
}

void wm_budget_write_junit(const struct wm_budget_result *result, FILE *out)
{
	bool ends_badly = result->status != 0;
	size_t failures = wm_budget_broken(result) + ends_badly;
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite", out);
	put_attribute("name", result->path, out);
	fprintf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"0\">\n", result->count + ends_badly,
		failures);
	for (size_t i = 0; i < result->count; i++) {
		const struct wm_budget_verdict *verdict = &result->verdicts[i];
		fputs("    <testcase", out);
		put_attribute("classname", result->path, out);
		put_attribute("name", verdict->budget->text, out);
		if (verdict->kept)
			fputs("/>\n", out);
		else
			put_failure(verdict->message, verdict->details, out);
	}
	if (ends_badly) {
		fputs("    <testcase", out);
		put_attribute("classname", result->path, out);
		put_attribute("name", "the command", out);
		put_failure("it did not end with status 0", "", out);
	}
	fputs("  </testsuite>\n</testsuites>\n", out);
}

/* Of a value of a property also what divides properties. */
static void put_command(const char *text, bool property, FILE *out)
{
	for (; *text; text++)
		if (strchr("%\r\n", *text) || (property && strchr(":,", *text)))
			fprintf(out, "%%%02X", (unsigned char)*text);
		else
			fputc(*text, out);
}

/* GitHub knows files by their names in the repository. */
static const char *below_here(const char *path)
{
	char here[PATH_MAX];
	if (!getcwd(here, sizeof here))
		return path;
	size_t bytes = strlen(here);
	return strncmp(path, here, bytes) == 0 && path[bytes] == '/' ? path + bytes + 1 : path;
}

void wm_budget_write_github(const struct wm_budget_result *result, FILE *out)
{
	for (size_t i = 0; i < result->count; i++) {
		const struct wm_budget_verdict *verdict = &result->verdicts[i];
		bool placed = verdict->place.file[0] && verdict->place.line;
		if (verdict->kept)
			continue;
		fputs("::error file=", out);
		put_command(below_here(placed ? verdict->place.file : result->path), true, out);
		fprintf(out, ",line=%zu,title=",
			placed ? (size_t)verdict->place.line : verdict->budget->line);
		put_command(verdict->budget->text, true, out);
		fputs("::", out);
		put_command(verdict->message, false, out);
		if (verdict->details[0])
			put_command("\n", false, out);
		put_command(verdict->details, false, out);
		fputc('\n', out);
	}
	if (result->status)
		fprintf(out, "::error title=waymark test::the command ended with status %d\n",
			result->status);
}
