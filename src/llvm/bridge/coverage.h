/* What clang's coverage mapping says about the text: pieces of it, each with a count as a sum of
 * clang's own counters, and its branches. Read before the optimiser comes; what clang planted to
 * count by itself is taken out afterwards. */
#ifndef WM_LLVM_BRIDGE_COVERAGE_H
#define WM_LLVM_BRIDGE_COVERAGE_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The mappings of one module. */
struct wm_coverage;

/* A sum of counters, less those of `minus`. A counter may stand there several times. */
struct wm_coverage_term {
	bool known; /* false: the sum would be too long */
	uint32_t plus_count;
	const uint32_t *plus;
	uint32_t minus_count;
	const uint32_t *minus;
};

enum wm_coverage_kind {
	WM_COVERAGE_CODE,
	WM_COVERAGE_GAP,
	WM_COVERAGE_SKIPPED,
	WM_COVERAGE_EXPANSION, /* of a macro, or an included file, into `expanded` */
	WM_COVERAGE_BRANCH     /* a condition; `term` holds yes, `no` no */
};

struct wm_coverage_region {
	enum wm_coverage_kind kind;
	uint32_t file;
	uint32_t expanded; /* file */
	bool is_also_code; /* an expansion of which a piece of code with the same ends tells all */
	uint32_t line, column, last_line, last_column;
	struct wm_coverage_term term;
	struct wm_coverage_term no;
};

/* The mapping of one function. A file stands there once for each macro that is expanded from it. */
struct wm_coverage_function {
	uint32_t file_count;
	const char *const *files; /* paths, as clang was given them or made absolute */
	uint32_t region_count;
	const struct wm_coverage_region *regions;
};

struct wm_coverage *wm_coverage_open(LLVMModuleRef module);

/* The mapping of the function to which clang's counters belong; NULL if there is none. Valid until
 * the coverage is closed. `name` is the name that the counters carry. */
const struct wm_coverage_function *wm_coverage_find(
	struct wm_coverage *coverage, LLVMValueRef name);

/* Whether the instruction adds 1 to one of clang's counters (false: or another amount, stored as
 * is_step); stores the counter, and the name of its function. */
bool wm_coverage_counter(
	LLVMValueRef instruction, LLVMValueRef *name, uint32_t *counter, bool *is_step);

/* Takes everything that clang planted for its own coverage out of the module. */
void wm_coverage_close(struct wm_coverage *coverage);

#ifdef __cplusplus
}
#endif

#endif
