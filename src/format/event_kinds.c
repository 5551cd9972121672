/* Words of kinds of events, and files of weights. */
#include "format/event_kinds.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const char *const wm_summed_words[] = {[WM_SUMMED_INSTRUCTIONS] = "instructions",
	[WM_SUMMED_BLOCKS] = "blocks",
	[WM_SUMMED_BRANCHES] = "branches",
	[WM_SUMMED_LOADS] = "loads",
	[WM_SUMMED_STORES] = "stores",
	[WM_SUMMED_CALLS] = "calls",
	[WM_SUMMED_STEPS] = "steps",
	NULL};

const char *const wm_opcode_names[] = {"ret", "br", "switch", "indirectbr", "invoke", "resume",
	"unreachable", "cleanupret", "catchret", "catchswitch", "callbr", "fneg", "add", "fadd",
	"sub", "fsub", "mul", "fmul", "udiv", "sdiv", "fdiv", "urem", "srem", "frem", "shl", "lshr",
	"ashr", "and", "or", "xor", "alloca", "load", "store", "getelementptr", "fence", "cmpxchg",
	"atomicrmw", "trunc", "zext", "sext", "fptoui", "fptosi", "uitofp", "sitofp", "fptrunc",
	"fpext", "ptrtoint", "inttoptr", "bitcast", "addrspacecast", "cleanuppad", "catchpad",
	"icmp", "fcmp", "phi", "call", "select", "va_arg", "extractelement", "insertelement",
	"shufflevector", "extractvalue", "insertvalue", "landingpad", "freeze", NULL};
enum { OPCODES = sizeof wm_opcode_names / sizeof *wm_opcode_names - 1, LARGEST_WEIGHT = 1000000 };

/* One line, its comment cut off. False: it is none. */
static bool read_weight(char *line, uint32_t *by_opcode, bool *given)
{
	char name[32], rest;
	unsigned long weight;
	if (strspn(line, " \t\r\n") == strlen(line))
		return true;
	if (sscanf(line, "%31s %9lu %c", name, &weight, &rest) != 2 || strchr(line, '-') ||
		weight > LARGEST_WEIGHT)
		return false;
	for (int i = 0; i < OPCODES; i++) {
		bool is_it = strcmp(name, wm_opcode_names[i]) == 0;
		if (!is_it && (given[i] || strcmp(name, "default") != 0))
			continue;
		by_opcode[i] = (uint32_t)weight;
		given[i] |= is_it;
		if (is_it)
			return true;
	}
	return strcmp(name, "default") == 0;
}

int wm_opcode_weights_read(struct wm_arena *arena, const char *path,
	struct wm_opcode_weights *weights, struct wm_error *error)
{
	char line[256];
	bool given[OPCODES] = {false};
	FILE *file = fopen(path, "r");
	int number = 0, status = 0;
	if (!file)
		return wm_error_set(error, WM_ERROR_SYSTEM, "--events: cannot read '%s': %s", path,
			strerror(errno));
	weights->by_opcode = wm_arena_alloc(arena, OPCODES, sizeof *weights->by_opcode);
	while (!status && fgets(line, sizeof line, file)) {
		number++;
		line[strcspn(line, "#")] = '\0';
		if (!read_weight(line, weights->by_opcode, given))
			status = wm_error_set(error, WM_ERROR_INPUT,
				"%s:%d: an opcode of LLVM and a number up to %d were expected, "
				"such as 'load 4', or 'default 1'",
				path, number, LARGEST_WEIGHT);
	}
	fclose(file);
	weights->hash = 0xcbf29ce484222325u;
	for (int i = 0; i < OPCODES; i++)
		weights->hash = (weights->hash ^ weights->by_opcode[i]) * 0x100000001b3u;
	return status;
}

/* Those with something behind a colon. */
static const struct {
	const char *prefix;
	enum wm_summed summed;
} detailed[] = {{"calls:", WM_SUMMED_CALLS}, {"mark:", WM_SUMMED_MARK}, {"region:", WM_SUMMED_REGION},
	{"weights:", WM_SUMMED_WEIGHTS}};

static bool parse_kind(const char *word, struct wm_summed_kind *kind)
{
	for (int i = 0; wm_summed_words[i]; i++)
		if (strcmp(word, wm_summed_words[i]) == 0) {
			*kind = (struct wm_summed_kind){.word = word, .summed = (enum wm_summed)i};
			return true;
		}
	for (size_t i = 0; i < sizeof detailed / sizeof *detailed; i++) {
		size_t bytes = strlen(detailed[i].prefix);
		if (strncmp(word, detailed[i].prefix, bytes) == 0 && word[bytes]) {
			*kind = (struct wm_summed_kind){
				.word = word, .summed = detailed[i].summed, .detail = word + bytes};
			return true;
		}
	}
	return false;
}

static bool is_in(const struct wm_summed_kinds *kinds, const char *word)
{
	for (uint32_t k = 0; k < kinds->count; k++)
		if (strcmp(kinds->list[k].word, word) == 0)
			return true;
	return false;
}

int wm_summed_kinds_parse(struct wm_arena *arena, const char *words, struct wm_summed_kinds *kinds,
	struct wm_error *error)
{
	char *rest = wm_arena_copy_text(arena, words);
	*kinds = (struct wm_summed_kinds){0};
	while (rest) {
		char *word = rest, *comma = strchr(rest, ',');
		struct wm_summed_kind kind;
		rest = comma ? comma + 1 : NULL;
		if (comma)
			*comma = '\0';
		if (!parse_kind(word, &kind))
			return wm_error_set(error, WM_ERROR_INPUT,
				"'%s' is no kind of event: --events takes instructions, blocks, branches, "
				"loads, stores, calls, steps, calls:GLOB, mark:NAME, "
				"region:NAME or weights:FILE",
				word);
		if (is_in(kinds, word))
			return wm_error_set(
				error, WM_ERROR_INPUT, "--events names '%s' twice", word);
		if (kinds->count == WM_MAX_EVENT_KINDS)
			return wm_error_set(error, WM_ERROR_INPUT,
				"--events names more than %d kinds", WM_MAX_EVENT_KINDS);
		if (kind.summed == WM_SUMMED_WEIGHTS) {
			int status =
				wm_opcode_weights_read(arena, kind.detail, &kind.weights, error);
			if (status < 0)
				return status;
		}
		kinds->list[kinds->count++] = kind;
	}
	return 0;
}
