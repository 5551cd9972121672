/* The table of formats. */
#include "export/format.h"

const struct wm_export_format wm_export_formats[] = {
	{.name = "callgrind",
		.about = "KCachegrind, callgrind_annotate",
		.by_function = true,
		.write = wm_export_callgrind},
	{.name = "collapsed",
		.about = "a line per stack, for flamegraph.pl and inferno",
		.one_metric = true,
		.write = wm_export_collapsed},
	{.name = "pprof",
		.about = "pprof, Pyroscope, Parca",
		.binary = true,
		.write = wm_export_pprof},
	{.name = "speedscope",
		.about = "speedscope.app",
		.needs_contexts = true,
		.write = wm_export_speedscope},
};

const size_t wm_export_format_count = sizeof wm_export_formats / sizeof *wm_export_formats;
