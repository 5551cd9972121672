/* `waymark cc` and `waymark c++`: clang with our plug-in and runtime on its command line.
 *
 * The user's arguments pass through untouched and in order. Ours stand between
 * --start-no-unused-arguments and --end-no-unused-arguments, so that clang never complains of them.
 * Those for the linker are added only where clang would link, because they count as inputs. The
 * options for the plug-in travel in the environment (format/plugin_options.h). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/event_sources.h"
#include "cli/fatal.h"
#include "cli/install.h"
#include "cli/known_paths.h"
#include "cli/link_run.h"
#include "cli/link_step.h"
#include "cli/linker.h"
#include "cli/nearest.h"
#include "cli/prior_file.h"
#include "cli/process.h"
#include "cli/selection_check.h"
#include "core/base/arena.h"
#include "format/plugin_options.h"
#include "profile/builds.h"

static const char default_clang[] = "clang-19";
enum { CLANG_VERSION = 19 };

static const char *const own_options[] = {"context-limit", "profile", "placement", "paths",
	"weights", "at", "base", "file", "only", "skip", "clang", "use", "binary", "prefer",
	"prefer-by", "select", "events", "residual", "residual-by", "segments", "segments-growth",
	"optimize", "trace", "sim", "trace-last"};
enum { OWN_OPTION_COUNT = sizeof own_options / sizeof *own_options };
static const char *const own_flags[] = {"strict", "events-fresh", "events-stop", "inclusive"};
enum { OWN_FLAG_COUNT = sizeof own_flags / sizeof *own_flags };

struct invocation {
	const char *clang;
	char *plugin_options; /* lines for WAYMARK_OPTIONS */
	char **arguments;     /* for clang, without the program's name; NULL-terminated */
	int argument_count;
	enum wm_link_step link;
	bool text;	/* source records are wanted */
	bool optimizes; /* and counts nothing */
	bool selects;	/* --only or --skip is given */
	bool at_link;	/* the linker compiles, and its code is counted */
};

/* The value of --NAME=VALUE, or NULL if the argument is something else. */
static const char *value_of(const char *argument, const char *name)
{
	size_t bytes = strlen(name);
	if (strncmp(argument, "--", 2) || strncmp(argument + 2, name, bytes) ||
		argument[2 + bytes] != '=')
		return NULL;
	return argument + 2 + bytes + 1;
}

/* Arguments and options are needed until the process ends. */
static struct wm_arena lasting;

static void *allocate(size_t count, size_t size)
{
	return wm_arena_alloc(&lasting, count, size);
}

static void add_plugin_option(struct invocation *invocation, const char *name, const char *value)
{
	const char *before = invocation->plugin_options ? invocation->plugin_options : "";
	size_t bytes = strlen(before) + strlen(name) + strlen(value) + 3;
	char *lines = allocate(bytes, 1);
	snprintf(lines, bytes, "%s%s=%s\n", before, name, value);
	invocation->plugin_options = lines;
}

/* What was probably meant, where a word is no kind of event. */
static void refuse_misspelt_kinds(const char *words)
{
	char *rest = wm_arena_copy_text(&lasting, words);
	for (const char *word; (word = strsep(&rest, ","));) {
		struct wm_nearest nearest = {.word = word};
		bool known = strchr(word, ':') != NULL;
		for (int i = 0; wm_summed_words[i]; i++) {
			known |= !strcmp(word, wm_summed_words[i]);
			wm_nearest_offer(&nearest, wm_summed_words[i]);
		}
		if (!known && nearest.best)
			wm_fatal_usage(
				"--events='%s' is unknown; did you mean %s?", word, nearest.best);
	}
}

static void refuse_misspelt_event(const char *name)
{
	struct wm_nearest nearest = {.word = name};
	struct wm_perf_event event;
	struct wm_error error;
	if (!wm_perf_event_parse(&lasting, name, &event, &error))
		return;
	for (uint32_t i = 0; wm_perf_event_name(i); i++)
		wm_nearest_offer(&nearest, wm_perf_event_name(i));
	if (nearest.best)
		wm_fatal_usage("event '%s' is unknown; did you mean %s?", name, nearest.best);
}

/* What was probably meant, where a word is no metric. */
static void refuse_misspelt_meters(const char *profile)
{
	const char *list = strstr(profile, "+metric:");
	char *rest = wm_arena_copy_text(&lasting, list ? list + strlen("+metric:") : "");
	for (const char *word; list && (word = strsep(&rest, ","));) {
		char *kind = wm_arena_copy_text(&lasting, word);
		struct wm_nearest nearest = {.word = kind};
		bool known = false;
		kind[strcspn(kind, ":")] = 0;
		for (int i = 0; wm_meter_words[i]; i++) {
			char *other = wm_arena_copy_text(&lasting, wm_meter_words[i]);
			other[strcspn(other, ":")] = 0;
			known |= !strcmp(kind, other);
			if (!known)
				wm_nearest_offer(&nearest, other);
		}
		if (!known && nearest.best)
			wm_fatal_usage(
				"metric '%s' is unknown; did you mean %s?", word, nearest.best);
		if (!strncmp(word, "perf:", strlen("perf:")))
			refuse_misspelt_event(word + strlen("perf:"));
	}
}

static bool take_own_option(struct invocation *invocation, const char *argument)
{
	for (size_t i = 0; i < OWN_OPTION_COUNT; i++) {
		const char *value = value_of(argument, own_options[i]);
		if (!value)
			continue;
		if (!strcmp(own_options[i], "events"))
			refuse_misspelt_kinds(value);
		if (!strcmp(own_options[i], "profile"))
			refuse_misspelt_meters(value);
		if (!strcmp(own_options[i], "clang"))
			invocation->clang = value;
		else
			add_plugin_option(invocation, own_options[i],
				wm_known_paths_value(&lasting, own_options[i], value));
		return true;
	}
	for (size_t i = 0; i < OWN_FLAG_COUNT; i++) {
		if (strncmp(argument, "--", 2) || strcmp(argument + 2, own_flags[i]))
			continue;
		add_plugin_option(invocation, own_flags[i], "yes");
		return true;
	}
	return false;
}

/* Whether the argument after this one belongs to another tool, whatever it looks like. */
static bool hands_on_the_next(const char *argument)
{
	return !strncmp(argument, "-X", 2) || !strcmp(argument, "-mllvm");
}

static void refuse_if_near(const char *argument, const char *word, const char *name)
{
	enum { LONG_NAME = 8 };
	if (wm_nearest_distance(word, name) <= (strlen(name) < LONG_NAME ? 1 : 2))
		wm_fatal_usage("unknown option '%s': did you mean --%s?", argument, name);
}

/* Clang would call a misspelt option of ours unknown, or worse, take it for one of its own. A word
 * is refused only if it is nearer to one of ours than to any of clang's. A word without a value is
 * compared with our flag. */
static void refuse_misspelt_option(const char *argument)
{
	enum { SHORTEST_WORD = 4 };
	char word[64];
	size_t length = strncmp(argument, "--", 2) ? 0 : strcspn(argument + 2, "=");
	if (length < SHORTEST_WORD || length >= sizeof(word))
		return;
	memcpy(word, argument + 2, length);
	word[length] = 0;
	for (size_t i = 0; i < OWN_FLAG_COUNT; i++)
		refuse_if_near(argument, word, own_flags[i]);
	for (size_t i = 0; i < OWN_OPTION_COUNT && argument[2 + length]; i++)
		refuse_if_near(argument, word, own_options[i]);
}

/* Other uses of clang's own coverage, and of what it says of code for profilers. */
static bool excludes_text(const char *argument)
{
	static const char *const prefixes[] = {"-fprofile-", "-fcoverage-", "--coverage",
		"-fcs-profile-", "-fdebug-info-for-profiling", "-fpseudo-probe-for-profiling",
		"-fsanitize-coverage"};
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (!strncmp(argument, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

/* Whether clang is to say what the text is that code was made from. It says so beside its debug
 * information only. */
static bool wants_text(const struct invocation *invocation)
{
	bool debug = false;
	for (int i = 0; i < invocation->argument_count; i++) {
		const char *argument = invocation->arguments[i];
		if (excludes_text(argument))
			return false;
		if (!strncmp(argument, "-g", 2))
			debug = strcmp(argument, "-g0") != 0;
	}
	return debug;
}

/* Whether the linker's optimiser sees the code of all files at once. */
static bool is_linked_as_one(const struct invocation *invocation)
{
	static const char *const names[] = {"-flto", "-flto=full", "-flto=auto"};
	bool as_one = false;
	for (int i = 0; i < invocation->argument_count; i++) {
		const char *argument = invocation->arguments[i];
		if (strncmp(argument, "-flto", 5) != 0 && strcmp(argument, "-fno-lto") != 0)
			continue;
		as_one = false;
		for (size_t k = 0; k < sizeof names / sizeof *names; k++)
			as_one |= strcmp(argument, names[k]) == 0;
	}
	return as_one;
}

/* Fails for the user where options contradict each other. What a profile tells is prepared only
 * where something is compiled. */
static void complete_plugin_options(struct invocation *invocation)
{
	struct wm_arena arena = {0};
	struct wm_plugin_options options;
	struct wm_error error;
	if (wm_plugin_options_parse(&arena, invocation->plugin_options, &options, &error))
		wm_fatal_usage("%s", error.text);
	wm_known_paths_check(&options);
	invocation->selects = options.patterns != NULL;
	invocation->optimizes = options.optimize != NULL;
	invocation->at_link = options.segments && is_linked_as_one(invocation);
	if (options.use &&
		wm_link_step_has_source(invocation->argument_count, invocation->arguments))
		add_plugin_option(invocation, "prior", wm_prior_file(&arena, &options));
	wm_arena_reset(&arena);
}

/* The linker would name symbols of the runtime, which users do not know. */
static void refuse_lack(const struct wm_link_lack *lack)
{
	if (lack->c)
		wm_fatal_usage(
			"'%s' leaves out the C library, which the counters' runtime needs: add "
			"-lc, or compile and link this without counters, by clang-%d",
			lack->c, CLANG_VERSION);
	if (lack->start)
		wm_fatal_usage(
			"'%s' leaves out what starts the static C library, which the counters' "
			"runtime needs: add crt1.o and crti.o, leave out '-static', or compile "
			"and link this without counters, by clang-%d",
			lack->start, CLANG_VERSION);
}

static void read_arguments(struct invocation *invocation, int argc, char **argv)
{
	const char *inherited = getenv("WAYMARK_OPTIONS");
	const char *clang = getenv("WAYMARK_CLANG");
	invocation->clang = clang && clang[0] ? clang : default_clang;
	invocation->plugin_options = inherited ? wm_arena_copy_text(&lasting, inherited) : NULL;
	invocation->arguments = allocate((size_t)argc + 1, sizeof(char *));
	for (int i = 1; i < argc; i++) {
		bool handed_on = hands_on_the_next(argv[i - 1]);
		if (!handed_on && take_own_option(invocation, argv[i]))
			continue;
		if (!handed_on)
			refuse_misspelt_option(argv[i]);
		invocation->arguments[invocation->argument_count++] = argv[i];
	}
	complete_plugin_options(invocation);
	if (invocation->at_link)
		add_plugin_option(invocation, "at-link", "yes");
	invocation->text = wants_text(invocation);
	if (invocation->text)
		add_plugin_option(invocation, "text", "yes");
	struct wm_link_lack lack;
	invocation->link =
		wm_link_step_find(invocation->argument_count, invocation->arguments, &lack);
	if (invocation->optimizes)
		invocation->link = WM_LINK_NOTHING;
	else
		refuse_lack(&lack);
	if (invocation->link == WM_LINK_PROGRAM &&
		wm_known_paths_is_whole_program(invocation->argument_count, invocation->arguments))
		add_plugin_option(invocation, "whole", "yes");
}

static _Noreturn void fail_without_clang(const char *clang, const char *reason)
{
	wm_fatal("'%s' %s: install clang %d (apt-get install clang-%d), or name one with "
		 "--clang=PATH or WAYMARK_CLANG",
		clang, reason, CLANG_VERSION, CLANG_VERSION);
}

/* A clang named by the user may be of any version; the default has its version in its name. */
static void check_version(const char *clang)
{
	char line[256], reason[320];
	if (!strcmp(clang, default_clang))
		return;
	if (!wm_process_first_line(clang, "-dumpversion", line, sizeof(line)))
		fail_without_clang(clang, "cannot be run");
	if (atoi(line) == CLANG_VERSION)
		return;
	snprintf(reason, sizeof(reason), "is of version %s", line);
	if (wm_process_first_line(clang, "--version", line, sizeof(line)) && !strstr(line, "clang"))
		fail_without_clang(clang, "is no clang");
	fail_without_clang(clang, reason);
}

static char *plugin_argument(const char *option)
{
	char *path = wm_install_path("waymark-llvm.so");
	size_t bytes = strlen(option) + strlen(path) + 1;
	char *argument = allocate(bytes, 1);
	snprintf(argument, bytes, "%s%s", option, path);
	free(path);
	return argument;
}

static int add_archive(char **result, int count, const char *name)
{
	result[count++] = "-Xlinker";
	result[count++] = wm_install_path(name);
	return count;
}

static bool has_argument(const struct invocation *invocation, const char *argument)
{
	for (int i = 0; i < invocation->argument_count; i++)
		if (!strcmp(invocation->arguments[i], argument))
			return true;
	return false;
}

static bool has_sanitizer(const struct invocation *invocation)
{
	for (int i = 0; i < invocation->argument_count; i++)
		if (!strncmp(invocation->arguments[i], "-fsanitize=", 11))
			return true;
	return false;
}

static bool is_static(const struct invocation *invocation)
{
	return has_argument(invocation, "-static") || has_argument(invocation, "--static") ||
	       has_argument(invocation, "-static-pie");
}

/* Whether the command says where the program starts. A linker script may also say so. */
static bool names_entry(const struct invocation *invocation)
{
	for (int i = 0; i < invocation->argument_count; i++) {
		const char *argument = invocation->arguments[i];
		if (!strncmp(argument, "-e", 2) || !strncmp(argument, "--entry", 7) ||
			!strncmp(argument, "-T", 2) || argument[0] == '@' ||
			(!strncmp(argument, "-Wl,", 4) &&
				(strstr(argument, ",-e") || strstr(argument, "-entry") ||
					strstr(argument, ",-T") || strstr(argument, "-script"))))
			return true;
	}
	return false;
}

/* A program's own _start may call main, or what it likes, without running constructors. */
static bool needs_entry(const struct invocation *invocation)
{
	return (has_argument(invocation, "-nostartfiles") ||
		       has_argument(invocation, "-nostdlib")) &&
	       !is_static(invocation) && !names_entry(invocation);
}

/* Where the C library is shared, our functions that make threads come before its own, also for
 * other libraries. A static C library cannot have a second definition: there the linker redirects
 * the calls. Weak references alone do not take either from its archive, nor does any reference
 * where a sanitizer has a definition. A program's own definition is left alone. */
static int add_thread_makers(const struct invocation *invocation, char **result, int count)
{
	if (is_static(invocation)) {
		result[count++] = "-Wl,--wrap=pthread_create,-u,__wrap_pthread_create";
		result[count++] = "-Wl,--wrap=thrd_create";
		return count;
	}
	result[count++] = has_sanitizer(invocation) ? "-Wl,-u,__waymark_thread_makers"
						    : "-Wl,-u,pthread_create";
	result[count++] = "-Wl,-u,thrd_create,--export-dynamic-symbol=thrd_create";
	result[count++] = "-Wl,--export-dynamic-symbol=pthread_create";
	/* Libraries that are loaded later read metrics by the program's word (runtime/meters). */
	result[count++] = "-Wl,--export-dynamic-symbol=__waymark_claimed";
	result[count++] = "-Wl,--export-dynamic-symbol=__waymark_sim";
	return add_archive(result, count, "libwaymark_threads.a");
}

/* A static library is searched once, for what came before it, and ours is the last. */
static int add_static_c(char **result, int count)
{
	result[count++] = "-Wl,--start-group";
	result[count++] = "-lgcc";
	result[count++] = "-lgcc_eh";
	result[count++] = "-lc";
	result[count++] = "-Wl,--end-group";
	return count;
}

static bool names_own_libraries(const struct invocation *invocation)
{
	return has_argument(invocation, "-nostdlib") ||
	       has_argument(invocation, "-nodefaultlibs") || has_argument(invocation, "-nolibc");
}

static char **clang_arguments(const struct invocation *invocation, bool cxx)
{
	char **result = allocate((size_t)invocation->argument_count + 34, sizeof(char *));
	int count = 0;
	result[count++] = (char *)invocation->clang;
	if (cxx)
		result[count++] = "--driver-mode=g++";
	result[count++] = "--start-no-unused-arguments";
	result[count++] = plugin_argument("-fpass-plugin=");
	if (!invocation->optimizes)
		result[count++] = "-D__WAYMARK__=1";
	if (invocation->text) {
		static char *const mapping[] = {
			"-Xclang", "-fprofile-instrument=clang", "-Xclang", "-fcoverage-mapping"};
		for (size_t i = 0; i < sizeof mapping / sizeof *mapping; i++)
			result[count++] = mapping[i];
	}
	result[count++] = "-idirafter";
	result[count++] = wm_install_path("../../include");
	if (invocation->link != WM_LINK_NOTHING) {
		result[count++] = "-Wl,--build-id=sha1";
		if (invocation->at_link)
			result[count++] = plugin_argument("-Wl,--load-pass-plugin=");
		if (!has_argument(invocation, "-fuse-ld=gold")) /* alone in not knowing it */
			result[count++] = "-Wl,-z,start-stop-gc";
	}
	if (invocation->link == WM_LINK_LIBRARY)
		result[count++] = "-fPIC"; /* sources among the inputs need it to count */
	result[count++] = "--end-no-unused-arguments";
	for (int i = 0; i < invocation->argument_count; i++)
		result[count++] = invocation->arguments[i];
	if (invocation->link == WM_LINK_PROGRAM) {
		count = add_thread_makers(invocation, result, count);
		if (needs_entry(invocation))
			result[count++] = "-Wl,-e,__waymark_entry";
		count = add_archive(result, count, "libwaymark_program.a");
	}
	if (invocation->link != WM_LINK_NOTHING)
		count = add_archive(result, count, "libwaymark_rt.a");
	if (invocation->link == WM_LINK_PROGRAM && is_static(invocation) &&
		names_own_libraries(invocation))
		count = add_static_c(result, count);
	if (invocation->link != WM_LINK_NOTHING &&
		wm_linker_takes_script(
			invocation->clang, invocation->argument_count, invocation->arguments)) {
		result[count++] = "-Wl,-T";
		count = add_archive(result, count, "counters.ld");
	}
	return result;
}

/* `clang -cc1` and `clang -cc1as`, one of clang's own steps, must come first and take no more. */
static bool is_single_step(int argc, char **argv)
{
	return argc > 1 && !strncmp(argv[1], "-cc1", 4);
}

/* LLVM asks for small pieces of memory and gives them back all the time. With longer lists of free
 * pieces the C library finds one faster; by default a list holds 7 of each size. What the user has
 * set is left as it is. */
static void keep_freed_memory_at_hand(void)
{
	setenv("GLIBC_TUNABLES", "glibc.malloc.tcache_count=2000", 0);
}

/* The program is built all the same: it may run elsewhere. */
static void warn_of_refused_events(const struct invocation *invocation)
{
	struct wm_arena arena = {0};
	struct wm_plugin_options options;
	struct wm_error error;
	char why[256];
	wm_plugin_options_parse(&arena, invocation->plugin_options, &options, &error);
	for (uint32_t i = 0; i < options.meters.count; i++) {
		const struct wm_meter *meter = &options.meters.meters[i];
		if (meter->kind == WM_METER_PERF &&
			wm_event_is_refused(&meter->event, why, sizeof why))
			wm_warn("metric %s cannot be counted here and will be 0: %s", meter->word,
				why);
	}
	wm_arena_reset(&arena);
}

static void follow_link(const struct invocation *invocation)
{
	struct wm_error error;
	const char *output = wm_link_step_output(invocation->argument_count, invocation->arguments);
	if (wm_link_step_is_trial(output))
		return;
	warn_of_refused_events(invocation);
	if (invocation->selects)
		wm_selection_check(invocation->plugin_options, output);
	if (wm_builds_keep(output, &error) < 0)
		wm_warn("what readers of profiles need of '%s' is not kept: %s", output,
			error.text);
}

/* Clang takes the place of this process, unless something is left to do after it. */
static int run_clang(const struct invocation *invocation, char **arguments)
{
	if (invocation->link == WM_LINK_NOTHING) {
		execvp(invocation->clang, arguments);
		return -1;
	}
	int status = wm_link_run(arguments);
	if (status == 0)
		follow_link(invocation);
	return status;
}

static int compile(int argc, char **argv, bool cxx)
{
	struct invocation invocation = {0};
	read_arguments(&invocation, argc, argv);
	check_version(invocation.clang);
	if (is_single_step(argc, argv)) {
		argv[0] = (char *)invocation.clang;
		execvp(invocation.clang, argv);
	}
	if (invocation.plugin_options)
		setenv("WAYMARK_OPTIONS", invocation.plugin_options, 1);
	keep_freed_memory_at_hand();
	int status = run_clang(&invocation, clang_arguments(&invocation, cxx));
	if (status >= 0)
		return status;
	fail_without_clang(invocation.clang, errno == ENOENT ? "is not there" : strerror(errno));
}

int wm_command_cc(int argc, char **argv)
{
	return compile(argc, argv, false);
}

int wm_command_cxx(int argc, char **argv)
{
	return compile(argc, argv, true);
}
