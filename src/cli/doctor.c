/* waymark doctor: a line for each thing that Waymark needs or can use, and what to do if it is not
 * there.
 *
 * `fail` is for what `waymark cc` cannot do without, `warn` for what limits it.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/event_sources.h"
#include "cli/fatal.h"
#include "cli/install.h"
#include "cli/find_profiles.h"
#include "cli/options.h"
#include "cli/process.h"
#include "cli/trial.h"
#include "profile/file.h"
#include "report/ending.h"
#include "report/paint.h"
#include "report/text.h"

enum verdict { VERDICT_OK, VERDICT_WARN, VERDICT_FAIL };

enum { NEEDED_CLANG = 19 };

struct doctor {
	bool colour;
	bool failed;
};

static void say(struct doctor *doctor, enum verdict verdict, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void say(struct doctor *doctor, enum verdict verdict, const char *format, ...)
{
	static const char *const word[] = {"ok", "warn", "fail"};
	static const enum wm_paint paint[] = {WM_PAINT_GOOD, WM_PAINT_WARM, WM_PAINT_MISSING};
	va_list arguments;
	printf("%s%-4s%s  ", wm_paint(doctor->colour, paint[verdict]), word[verdict],
		wm_paint(doctor->colour, WM_PAINT_PLAIN));
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
	if (verdict == VERDICT_FAIL)
		doctor->failed = true;
}

static void check_clang(struct doctor *doctor)
{
	char line[256];
	const char *named = getenv("WAYMARK_CLANG");
	const char *clang = named && *named ? named : "clang-19";
	if (!wm_process_first_line(clang, "--version", line, sizeof line)) {
		say(doctor, VERDICT_FAIL, "clang: cannot run %s; apt-get install clang-19%s", clang,
			named ? ", or correct WAYMARK_CLANG" : ", or set WAYMARK_CLANG");
		return;
	}
	const char *version = strstr(line, "version ");
	if (!version || atoi(version + strlen("version ")) != NEEDED_CLANG)
		say(doctor, VERDICT_FAIL,
			"clang: %s is '%s', but clang 19 is needed; apt-get install "
			"clang-19",
			clang, line);
	else
		say(doctor, VERDICT_OK, "clang: %s", line);
}

static void check_part(struct doctor *doctor, const char *what, const char *name)
{
	char *path = wm_install_path(name);
	if (access(path, R_OK) == 0)
		say(doctor, VERDICT_OK, "%s: %s", what, path);
	else
		say(doctor, VERDICT_FAIL,
			"%s: cannot read %s: %s; install Waymark again (make install)", what, path,
			strerror(errno));
	free(path);
}

static void check_lld(struct doctor *doctor)
{
	char line[256];
	if (wm_process_first_line("ld.lld-19", "--version", line, sizeof line) ||
		wm_process_first_line("ld.lld", "--version", line, sizeof line))
		say(doctor, VERDICT_OK, "lld: %s", line);
	else
		say(doctor, VERDICT_WARN,
			"lld: not found, so -flto does not work; apt-get install lld-19");
}

/* Counts need none of them. */
static void check_event_sources(struct doctor *doctor)
{
	struct wm_event_source sources[WM_EVENT_SOURCES];
	wm_event_sources_try(sources);
	for (size_t i = 0; i < WM_EVENT_SOURCES; i++)
		say(doctor, sources[i].works ? VERDICT_OK : VERDICT_WARN, "%s: %s", sources[i].name,
			sources[i].text);
}

static void check_folder(struct doctor *doctor)
{
	struct statvfs system;
	const char *trouble = wm_trial_write(".");
	if (trouble)
		say(doctor, VERDICT_WARN,
			"working directory: %s (%s), so programs run here may keep no profile; "
			"set WAYMARK_FILE to another place",
			trouble, strerror(errno));
	else if (statvfs(".", &system) != 0)
		say(doctor, VERDICT_OK,
			"working directory: programs can write their profiles here");
	else
		say(doctor, VERDICT_OK,
			"working directory: programs can write their profiles here; %s MiB free",
			wm_text_count((uint64_t)system.f_bavail * system.f_frsize >> 20).text);
}

static void check_limit(struct doctor *doctor)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
		say(doctor, VERDICT_OK, "file size: no limit");
	else
		say(doctor, VERDICT_WARN,
			"file size: limited to %s bytes; where a profile needs more, programs "
			"count in memory: ulimit -f unlimited",
			wm_text_count(limit.rlim_cur).text);
}

static void say_state(struct doctor *doctor, const char *path, const struct wm_file *file)
{
	uint32_t gone = 0, rest = file->status & ~(uint32_t)WM_STATUS_FORKED;
	for (uint32_t i = 0; i < file->owner_count; i++)
		gone += file->owners[i].gone;
	say(doctor, VERDICT_OK,
		"profile: %s: %s run%s; %u process%s counting now, %u ended whose counts the next "
		"run adds to the sum",
		path, wm_text_count(file->runs).text, file->runs == 1 ? "" : "s",
		file->owner_count - gone, file->owner_count - gone == 1 ? "" : "es", gone);
	if (file->cut_short > 0)
		say(doctor, VERDICT_WARN,
			"profile: %s thread%s cut short; waymark report says what that means",
			wm_text_count(file->cut_short).text,
			file->cut_short == 1 ? " was" : "s were");
	for (const char *name; (name = wm_ending_next_status(&rest));)
		say(doctor, VERDICT_WARN, "profile: status %s; waymark report explains it", name);
}

static void check_profile(struct doctor *doctor)
{
	struct wm_arena arena = {0};
	struct wm_error error;
	struct wm_file file;
	if (access(".", R_OK) != 0) {
		say(doctor, VERDICT_WARN, "profile: cannot read the working directory: %s",
			strerror(errno));
		return;
	}
	const char *path = wm_find_newest(&arena);
	if (!path)
		say(doctor, VERDICT_OK, "profile: no .wmk file here yet");
	else if (wm_file_read(&arena, path, &file, &error) < 0)
		say(doctor, VERDICT_WARN, "profile: %s", error.text);
	else
		say_state(doctor, path, &file);
	wm_arena_reset(&arena);
}

int wm_command_doctor(int argc, char **argv)
{
	if (wm_options_parse("doctor", argc, argv, NULL, 0) > 0)
		wm_fatal_usage("doctor: takes no argument, but got '%s'", argv[1]);
	struct doctor doctor = {.colour = wm_paint_wanted(stdout)};
	check_clang(&doctor);
	check_part(&doctor, "plug-in", "waymark-llvm.so");
	check_part(&doctor, "runtime", "libwaymark_rt.a");
	check_lld(&doctor);
	check_event_sources(&doctor);
	check_folder(&doctor);
	check_limit(&doctor);
	check_profile(&doctor);
	return doctor.failed ? 1 : 0;
}
