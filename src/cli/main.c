/* The command line: a table of commands. Each lives in a file of its own. */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/nearest.h"

struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary;
	const char *usage; /* what follows the name */
	const char *help;  /* the options, a line each */
};

static const struct command commands[] = {
	{"cc", wm_command_cc, "compile and link C as clang does, with counters",
		"[OPTION...] CLANG-ARGUMENT...",
		"  --profile=paths|edges|blocks\n"
		"                            what is counted exactly; paths include edges, edges\n"
		"                            blocks (paths)\n"
		"  --placement=optimal|commit|vertex|redundant\n"
		"                            where: fewest and coldest, at the ends of paths, in\n"
		"                            blocks only, everywhere (optimal)\n"
		"  --paths=auto|classic      paths end where a loop is entered and at each of its\n"
		"                            iterations, or, as in the literature, only at\n"
		"                            iterations (auto)\n"
		"  --use=FILE.wmk            a profile of an earlier build: count more cheaply\n"
		"  --binary=PATH             where the program of that build is now\n"
		"  --prefer=PATHS|FILE.wmk   only functions with one of these paths, or with a "
		"hot\n"
		"                            one of FILE.wmk\n"
		"  --prefer-by=hash|intervals\n"
		"                            how preferred paths are found where there are too\n"
		"                            many for a counter each; intervals is for comparison\n"
		"                            (hash)\n"
		"  --select=PATHS            only these paths, and all others together\n"
		"  --strict                  fail if a profile or path named here does not match\n"
		"  --weights=compiler|heuristic|goldberg\n"
		"                            which edges are expected to be cold (compiler)\n"
		"  --at=late|early           after the optimiser, or before it for counts that "
		"match\n"
		"                            the source text (late)\n"
		"  --base=register|memory    how probes reach their counters; memory for programs\n"
		"                            that use the gs register themselves (register)\n"
		"  --file=PATTERN            where the program writes its profile\n"
		"  --only=GLOB --skip=GLOB   functions to count, functions not to count; may be "
		"repeated\n"
		"  --clang=PATH              another clang 19; so does WAYMARK_CLANG\n"
		"PATHS are names from a report, hot:90%, function:GLOB, FILE:LINE&&FILE:LINE, in "
		"a\n"
		"list with commas. Everything else goes to clang.\n"},
	{"c++", wm_command_cxx, "the same for C++", "[OPTION...] CLANG-ARGUMENT...",
		"The options are those of `waymark cc`.\n"},
	{"report", wm_command_report,
		"show what a program did: hot paths, functions, blocks, edges, lines",
		"[OPTION...] [FILE.wmk...]",
		"  --paths --functions --blocks --edges --lines\n"
		"                            one table instead of the overview\n"
		"  --select=PATHS            only these paths: names, hot:90%, function:GLOB,\n"
		"                            FILE:LINE&&FILE:LINE\n"
		"  --top=N                   rows of each table (10)\n"
		"  --names=short|full        paths as FUNCTION#ID, or with the hash that holds "
		"across\n"
		"                            builds (short)\n"
		"  --json                    everything, for programs\n"
		"  --binary=PATH             where the program is now\n"
		"Without FILE.wmk: the newest in the working directory.\n"},
	{"paths", wm_command_paths, "list the paths of a function that ran",
		"[OPTION...] FUNCTION [FILE.wmk...]",
		"  --top=N                   how many (20)\n"
		"  --names=short|full        paths as FUNCTION#ID, or with the hash that holds "
		"across\n"
		"                            builds (short)\n"
		"  --json                    for programs\n"
		"  --binary=PATH             where the program is now\n"
		"FUNCTION is a name, the last part of a C++ name (GetNode), or a pattern "
		"('exec*').\n"
		"Without FILE.wmk: the newest in the working directory.\n"},
	{"path", wm_command_path, "show the source of one path, or its graph",
		"[OPTION...] NAME [FILE.wmk...]",
		"  --dot                     the function's graph with the path drawn in, for "
		"Graphviz\n"
		"  --names=short|full        paths as FUNCTION#ID, or with the hash that holds "
		"across\n"
		"                            builds (short)\n"
		"  --json                    for programs\n"
		"  --binary=PATH             where the program is now\n"
		"NAME is one that `waymark report` or `waymark paths` prints, FUNCTION#ID, or a\n"
		"function: its hottest path.\n"},
	{"diff", wm_command_diff, "show which paths appeared, vanished or moved from run to run",
		"[OPTION...] OLD.wmk NEW.wmk",
		"  --top=N                   rows of each table (20)\n"
		"  --names=short|full        paths as FUNCTION#ID, or with the hash that holds "
		"across\n"
		"                            builds (short)\n"
		"  --json                    everything, for programs\n"
		"  --old-binary=PATH --new-binary=PATH\n"
		"                            where the programs are now\n"
		"The profiles may be of different builds: functions of the same shape are "
		"compared\n"
		"path by path, others by their totals.\n"},
	{"annotate", wm_command_annotate, "show the source with a count beside each line",
		"[OPTION...] [SOURCE...]",
		"  --file=FILE.wmk           the profile (the newest in the working directory)\n"
		"  --binary=PATH             where the program is now\n"
		"  --json                    the counts without the text, for programs\n"
		"Without SOURCE: every source of the program that can be read.\n"},
	{"merge", wm_command_merge, "add profiles of one program up in one file",
		"-o OUT.wmk [OPTION...] FILE.wmk|DIRECTORY...",
		"  -o OUT.wmk                the sum; may be one of the files\n"
		"  --failure=any|all|warn    when to fail: if any file is of another build or "
		"cannot\n"
		"                            be read; or only if all are, with a warning for each\n"
		"                            (any)\n"
		"Of a directory: its .wmk files. Fails whole: then nothing is written.\n"},
	{"ctl", wm_command_ctl, "look at, copy or reset what a running process has counted",
		"PID status|dump|reset [-o FILE.wmk]",
		"  status                    the files it counts into, and how much it has "
		"counted\n"
		"  dump                      write what it has counted to a file of its own\n"
		"  reset                     start again from zero; no increment after that is "
		"lost\n"
		"  -o FILE.wmk               with dump: where to (NAME-PID.wmk beside NAME.wmk)\n"
		"The process runs on undisturbed.\n"},
	{"plan", wm_command_plan, "show where the counters go in any graph, given as DOT",
		"[OPTION...] GRAPH.dot | --compare [OPTION...] [FILE.wmk...]",
		"  --problem=edges|blocks|blocks-vertex|redundant|redundant-edges\n"
		"                            what the counters determine, or counters everywhere\n"
		"                            (edges)\n"
		"  --problem=paths|select|prefer\n"
		"                            numbers of all paths, or probes for some\n"
		"  --weights=heuristic|given|goldberg\n"
		"  --json | --dot            the plan for programs, or for Graphviz\n"
		"  --path=NUMBER|A,B,C       with paths, select and prefer: one path by its\n"
		"                            number, or its number\n"
		"  --interesting=PATH,...    with select and prefer: the paths that matter, by\n"
		"                            number or as A-B-C\n"
		"  --compare                 how many increments other placements would have "
		"taken\n"
		"                            on the runs of FILE.wmk (the newest here)\n"
		"  --binary=PATH             with --compare: where the program is now\n"},
	{"doctor", wm_command_doctor, "check that everything Waymark needs is there", "",
		"Prints a line for each check; exits with 1 if something needed is missing.\n"},
};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static void print_help(void)
{
	puts("Waymark: exactly what a program did, by the fewest and coldest counters.\n\n"
	     "Usage: waymark COMMAND [ARGUMENT...]\n");
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		printf("  %-10s %s\n", commands[i].name, commands[i].summary);
	puts("\nStart here:  waymark cc -O2 -g -o app app.c && ./app && waymark report\n"
	     "More:        waymark COMMAND --help, man waymark");
}

static void print_command_help(const struct command *command)
{
	printf("waymark %s: %s\n\nUsage: waymark %s %s\n\n%s", command->name, command->summary,
		command->name, command->usage, command->help);
}

static const struct command *find_command(const char *name)
{
	struct wm_nearest nearest = {.word = name};
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
		wm_nearest_offer(&nearest, commands[i].name);
	}
	if (nearest.best)
		wm_fatal_usage("unknown command '%s'; did you mean %s?", name, nearest.best);
	wm_fatal_usage("unknown command '%s'; `waymark --help` lists them", name);
}

/* Build systems and compilation databases want a compiler of one word: `waymark-cc` is `waymark
 * cc`, and `waymark-c++` is `waymark c++`. */
static const struct command *command_of_executable(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	if (strcmp(name, "waymark-cc") == 0)
		return find_command("cc");
	if (strcmp(name, "waymark-c++") == 0)
		return find_command("c++");
	return NULL;
}

static int run_command(const struct command *command, int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "--help") == 0) {
		print_command_help(command);
		return 0;
	}
	return command->run(argc, argv);
}

int main(int argc, char **argv)
{
	const struct command *compiler = argc > 0 ? command_of_executable(argv[0]) : NULL;
	if (compiler)
		return run_command(compiler, argc, argv);
	if (argc < 2)
		wm_fatal_usage("which command? `waymark --help` lists them");
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		print_help();
		return 0;
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts("waymark " WAYMARK_VERSION);
		return 0;
	}
	return run_command(find_command(argv[1]), argc - 1, argv + 1);
}
