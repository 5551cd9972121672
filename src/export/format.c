/* The table of formats. */
#include "export/format.h"

const struct wm_export_format wm_export_formats[] = {
	{.name = "callgrind",
		.about = "KCachegrind, callgrind_annotate",
		.by_function = true,
		.write = wm_export_callgrind},
	{.name = "cobertura",
		.about = "coverage, for GitLab, Jenkins, Azure, Codecov",
		.write_coverage = wm_export_cobertura},
	{.name = "collapsed",
		.about = "a line per stack, for flamegraph.pl and inferno",
		.one_metric = true,
		.write = wm_export_collapsed},
	{.name = "lcov",
		.about = "coverage, for genhtml, Codecov, editors",
		.by_test = true,
		.write_coverage = wm_export_lcov},
	{.name = "llvm-cov",
		.about = "coverage, as llvm-cov export writes it",
		.write_coverage = wm_export_llvm_cov},
	{.name = "pprof",
		.about = "pprof, Pyroscope, Parca",
		.binary = true,
		.write = wm_export_pprof},
	{.name = "sarif",
		.about = "untested paths, for GitHub code scanning, editors",
		.write_residual = wm_export_sarif},
	{.name = "speedscope",
		.about = "speedscope.app",
		.needs_contexts = true,
		.write = wm_export_speedscope},
};

const size_t wm_export_format_count = sizeof wm_export_formats / sizeof *wm_export_formats;
