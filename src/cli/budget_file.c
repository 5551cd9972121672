/* A line is words; those in double quotes may hold blanks. What a line is about (its subject) ends
 * where a relation begins. */
#include "cli/budget_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/event_words.h"

enum { MAX_WORDS = 16, MAX_LINE = 4096 };

struct word {
	const char *text;
	size_t at; /* in the file */
	size_t bytes;
	bool quoted;
};

struct reader {
	struct wm_arena *arena;
	const char *path;
	struct wm_error *error;
	size_t line;
	size_t count; /* words of the line */
	struct word words[MAX_WORDS];
	size_t next; /* the first word that was not read */
};

static int refuse(struct reader *reader, const char *problem, const char *word)
{
	return wm_error_set(reader->error, WM_ERROR_INPUT, "%s:%zu: %s%s%s%s", reader->path,
		reader->line, problem, word ? ", not '" : "", word ? word : "", word ? "'" : "");
}

static const char *peek(const struct reader *reader)
{
	return reader->next < reader->count ? reader->words[reader->next].text : "";
}

static bool takes(struct reader *reader, const char *word)
{
	bool is_it = reader->next < reader->count && !reader->words[reader->next].quoted &&
		     strcmp(peek(reader), word) == 0;
	reader->next += is_it;
	return is_it;
}

static int expect(struct reader *reader, const char *what)
{
	const char *word = peek(reader);
	char problem[160];
	snprintf(problem, sizeof problem, "%s was expected", what);
	return refuse(reader, problem, word[0] ? word : "the end of the line");
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static char *copy(struct reader *reader, const char *text, size_t bytes)
{
	char *word = wm_arena_alloc(reader->arena, bytes + 1, 1);
	memcpy(word, text, bytes);
	return word;
}

/* Divides a line without its comment; false if a quotation does not end or words are too many. */
static int divide(struct reader *reader, const char *file, size_t at, size_t end)
{
	reader->count = reader->next = 0;
	while (at < end) {
		bool quoted = file[at] == '"';
		size_t from = at + quoted;
		if (is_blank(file[at]) && ++at)
			continue;
		for (at = from; at < end && (quoted ? file[at] != '"' : !is_blank(file[at]));)
			at++;
		if (quoted && at == end)
			return refuse(reader, "a name has no closing '\"'", NULL);
		if (reader->count == MAX_WORDS)
			return refuse(reader, "a budget has fewer words than this line", NULL);
		reader->words[reader->count++] = (struct word){
			copy(reader, file + from, at - from), from, at - from, quoted};
		at += quoted;
	}
	return 0;
}

/* Digits, with single `_` between them. */
static int read_number(struct reader *reader, struct wm_budget *budget)
{
	const char *text = peek(reader);
	uint64_t number = 0;
	for (size_t i = 0; text[i]; i++) {
		bool joins = text[i] == '_' && i > 0 && text[i - 1] != '_' && text[i + 1];
		if (joins)
			continue;
		if (text[i] < '0' || text[i] > '9')
			return expect(reader, "a number such as 1_204_331");
		if (__builtin_mul_overflow(number, 10, &number) ||
			__builtin_add_overflow(number, (uint64_t)(text[i] - '0'), &number) ||
			number > INT64_MAX)
			return refuse(reader, "a number below 2^63 was expected", text);
	}
	budget->limit = number;
	budget->number_at = reader->words[reader->next].at;
	budget->number_bytes = reader->words[reader->next].bytes;
	reader->next++;
	return 0;
}

/* P% with at most four digits behind the point. */
static int read_share(struct reader *reader, struct wm_budget *budget)
{
	static const char what[] = "a share such as 1% or 0.5%";
	enum { LARGEST = 100000 };
	const char *text = peek(reader);
	uint64_t whole = 0, part = 0, unit = WM_BUDGET_WHOLE / 100;
	size_t digits = strspn(text, "0123456789"), more = 0;
	for (size_t i = 0; i < digits && whole <= LARGEST; i++)
		whole = 10 * whole + (uint64_t)(text[i] - '0');
	bool has_point = text[digits] == '.';
	const char *rest = text + digits + has_point;
	if (has_point)
		more = strspn(rest, "0123456789");
	for (size_t i = 0; i < more && unit > 1; i++)
		part += (unit /= 10) * (uint64_t)(rest[i] - '0');
	if (digits == 0 || whole > LARGEST || (has_point && (more == 0 || more > 4)) ||
		strcmp(rest + more, "%") != 0)
		return expect(reader, what);
	budget->share = whole * (WM_BUDGET_WHOLE / 100) + part;
	reader->next++;
	return 0;
}

static int read_base(struct reader *reader, struct wm_budget *budget)
{
	if (!peek(reader)[0])
		return expect(reader, "a file that waymark count --save made");
	budget->base = peek(reader);
	reader->next++;
	return 0;
}

static int read_within(struct reader *reader, struct wm_budget *budget)
{
	budget->relation = WM_BUDGET_WITHIN;
	if (read_share(reader, budget) < 0)
		return WM_ERROR_INPUT;
	if (!takes(reader, "of"))
		return expect(reader, "'of'");
	return read_base(reader, budget);
}

/* A number, or a base and what may come on top. */
static int read_limit(struct reader *reader, struct wm_budget *budget)
{
	const char *text = peek(reader);
	if (budget->relation != WM_BUDGET_AT_MOST || !text[0] || (text[0] >= '0' && text[0] <= '9'))
		return text[0] ? read_number(reader, budget)
			       : expect(reader, "a number such as 1_204_331");
	if (read_base(reader, budget) < 0)
		return WM_ERROR_INPUT;
	return takes(reader, "+") ? read_share(reader, budget) : 0;
}

static int read_relation(struct reader *reader, struct wm_budget *budget)
{
	static const struct {
		const char *word;
		enum wm_budget_relation relation;
	} words[] = {
		{"<=", WM_BUDGET_AT_MOST}, {">=", WM_BUDGET_AT_LEAST}, {"==", WM_BUDGET_EXACTLY}};
	if (takes(reader, "within"))
		return read_within(reader, budget);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (takes(reader, words[i].word)) {
			budget->relation = words[i].relation;
			return read_limit(reader, budget);
		}
	return expect(reader, "'<=', '>=', '==' or 'within'");
}

static int read_end(struct reader *reader, struct wm_budget *budget)
{
	if (takes(reader, "per")) {
		if (!takes(reader, "call"))
			return expect(reader, "'call'");
		budget->per_call = true;
	}
	if (reader->next < reader->count)
		return expect(reader, "the end of the line");
	if (budget->per_call && budget->scope != WM_BUDGET_FUNCTION)
		return refuse(reader, "'per call' is for functions", NULL);
	if (budget->per_call && budget->base)
		return refuse(reader, "'per call' is for numbers", NULL);
	if (budget->base && (budget->scope == WM_BUDGET_FILE || budget->scope == WM_BUDGET_LINE))
		return refuse(
			reader, "a base knows functions and the program, no files and lines", NULL);
	return 0;
}

/* FILE:FUNCTION, FILE:LINE or FUNCTION; two colons are C++'s. */
static void read_place(struct reader *reader, struct wm_budget *budget)
{
	const char *text = peek(reader), *colon = text;
	budget->scope = WM_BUDGET_FUNCTION;
	reader->next++;
	for (; (colon = strchr(colon, ':')) && colon[1] == ':'; colon += 2)
		;
	if (!colon || colon == text || !colon[1]) {
		budget->function = text;
		return;
	}
	budget->file = copy(reader, text, (size_t)(colon - text));
	budget->function = colon + 1;
	size_t digits = strspn(colon + 1, "0123456789");
	if (colon[1 + digits] || digits > 9)
		return;
	budget->scope = WM_BUDGET_LINE;
	for (const char *digit = colon + 1; *digit; digit++)
		budget->source_line = 10 * budget->source_line + (uint32_t)(*digit - '0');
}

static int read_scope(struct reader *reader, struct wm_budget *budget)
{
	if (takes(reader, "program")) {
		budget->scope = WM_BUDGET_PROGRAM;
		return 0;
	}
	if (!peek(reader)[0])
		return expect(reader, "'program', 'file FILE', [FILE:]FUNCTION or FILE:LINE");
	if (!takes(reader, "file")) {
		read_place(reader, budget);
		return 0;
	}
	if (!peek(reader)[0])
		return expect(reader, "the name of a file");
	budget->scope = WM_BUDGET_FILE;
	budget->file = peek(reader);
	reader->next++;
	return 0;
}

static int read_kind(struct reader *reader, struct wm_budget *budget)
{
	struct wm_error reason;
	if (!peek(reader)[0])
		return expect(reader, "a kind of event, such as instructions");
	if (wm_event_word_parse(reader->arena, peek(reader), &budget->kind, &reason) < 0)
		return refuse(reader, reason.text, NULL);
	reader->next++;
	return 0;
}

/* KIND in SCOPE, or SCOPE KIND. */
static int read_subject(struct reader *reader, struct wm_budget *budget)
{
	bool kind_first = reader->count > 1 && !reader->words[1].quoted &&
			  strcmp(reader->words[1].text, "in") == 0;
	if (!kind_first)
		return read_scope(reader, budget) < 0 ? WM_ERROR_INPUT : read_kind(reader, budget);
	if (read_kind(reader, budget) < 0)
		return WM_ERROR_INPUT;
	reader->next++;
	return read_scope(reader, budget);
}

static int read_default_base(struct reader *reader, struct wm_budgets *budgets)
{
	struct wm_budget named = {.base = NULL};
	if (budgets->base)
		return refuse(reader, "there is a base already", NULL);
	if (read_base(reader, &named) < 0)
		return WM_ERROR_INPUT;
	budgets->base = named.base;
	return reader->next < reader->count ? expect(reader, "the end of the line") : 0;
}

static int read_line(struct reader *reader, struct wm_budgets *budgets, struct wm_budget *budget)
{
	if (reader->count == 2 && takes(reader, "base"))
		return read_default_base(reader, budgets);
	if (read_subject(reader, budget) < 0 || read_relation(reader, budget) < 0 ||
		read_end(reader, budget) < 0)
		return WM_ERROR_INPUT;
	budgets->list[budgets->count++] = *budget;
	return 0;
}

/* Where the comment of a line begins, or its end; `#` in a name is none. */
static size_t end_of_words(const char *text, size_t at, size_t end)
{
	bool quoted = false;
	for (size_t i = at; i < end; i++) {
		quoted ^= text[i] == '"';
		if (!quoted && text[i] == '#' && (i == at || is_blank(text[i - 1])))
			return i;
	}
	return end;
}

static size_t count_lines(const char *text, size_t bytes)
{
	size_t count = 1;
	for (size_t i = 0; i < bytes; i++)
		count += text[i] == '\n';
	return count;
}

int wm_budgets_read(struct wm_arena *arena, const char *path, const char *text, size_t bytes,
	struct wm_budgets *budgets, struct wm_error *error)
{
	struct reader reader = {.arena = arena, .path = path, .error = error};
	*budgets = (struct wm_budgets){
		.list = wm_arena_alloc(arena, count_lines(text, bytes), sizeof *budgets->list)};
	if (memchr(text, '\0', bytes))
		return wm_error_set(error, WM_ERROR_INPUT, "'%s' is no text", path);
	for (size_t at = 0, end; at < bytes; at = end + 1) {
		const char *feed = memchr(text + at, '\n', bytes - at);
		end = feed ? (size_t)(feed - text) : bytes;
		size_t words_end = end_of_words(text, at, end);
		reader.line++;
		if (words_end - at > MAX_LINE)
			return refuse(&reader, "the line is too long", NULL);
		if (divide(&reader, text, at, words_end) < 0)
			return WM_ERROR_INPUT;
		while (at < words_end && is_blank(text[at]))
			at++;
		while (words_end > at && is_blank(text[words_end - 1]))
			words_end--;
		struct wm_budget budget = {
			.line = reader.line, .text = copy(&reader, text + at, words_end - at)};
		if (reader.count > 0 && read_line(&reader, budgets, &budget) < 0)
			return WM_ERROR_INPUT;
	}
	if (budgets->count == 0)
		return wm_error_set(error, WM_ERROR_INPUT,
			"'%s' holds no budget; one is: program instructions <= 1_204_331", path);
	return 0;
}

char *wm_budget_number(struct wm_arena *arena, uint64_t number)
{
	char digits[24];
	int count = snprintf(digits, sizeof digits, "%" PRIu64, number);
	char *text = wm_arena_alloc(arena, 32, 1), *to = text;
	for (int i = 0; i < count; i++) {
		if (i > 0 && (count - i) % 3 == 0)
			*to++ = '_';
		*to++ = digits[i];
	}
	return text;
}
