/* The command line: a table of commands. Each lives in a file of its own. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/general_options.h"
#include "cli/help.h"
#include "cli/nearest.h"

const struct wm_command wm_commands[] = {
	{"cc", wm_command_cc, "compile and link C as clang does, with counters",
		"[OPTION...] CLANG-ARGUMENT...",
		"  --profile=paths|edges|blocks|events|context|trace\n"
		"                            what is counted exactly; paths include edges, edges\n"
		"                            blocks (paths); with +context behind it, calls by\n"
		"                            their chain of callers, too; context: these alone;\n"
		"                            events are running sums; trace is the order of\n"
		"                            execution\n"
		"                            paths+metric:METRIC,... also reads up to four "
		"metrics\n"
		"                            where paths end: tsc, user:VARIABLE, perf:EVENT,\n"
		"                            sim:l1d, sim:l2\n"
		"  --context-limit=RECORDS   contexts that a thread tells apart; beyond them each\n"
		"                            function has one more (1048576)\n"
		"  --events=KIND,...         what to sum: instructions, blocks, branches, loads,\n"
		"                            stores, calls, steps, calls:GLOB, mark:NAME,\n"
		"                            region:NAME, weights:FILE (instructions)\n"
		"  --events-fresh            loops keep no sums in registers\n"
		"  --inclusive               each call sums what happened until it came back\n"
		"  --events-stop             sums can have limits, see waymark run\n"
		"  --trace=bits|every        a trace writes what cannot be told otherwise, or "
		"every\n"
		"                            branch (bits)\n"
		"  --trace-last=SIZE         a trace keeps the last SIZE of each thread, such as "
		"16M\n"
		"  --placement=optimal|commit|vertex|redundant\n"
		"                            where: fewest and coldest, at the ends of paths, in\n"
		"                            blocks only, everywhere (optimal)\n"
		"  --paths=auto|classic      paths end where a loop is entered and at each of its\n"
		"                            iterations, or, as in the literature, only at\n"
		"                            iterations (auto)\n"
		"  --use=FILE.wmk            a profile of an earlier build: count more cheaply\n"
		"  --optimize=FILE.wmk       count nothing; lay out the code for what ran then\n"
		"  --binary=PATH             where the program of that build is now\n"
		"  --prefer=PATHS|FILE.wmk   only functions with one of these paths, or with a "
		"hot\n"
		"                            one of FILE.wmk\n"
		"  --prefer-by=hash|intervals\n"
		"                            how preferred paths are found where there are too\n"
		"                            many for a counter each; intervals is for comparison\n"
		"                            (hash)\n"
		"  --select=PATHS            only these paths, and all others together\n"
		"  --residual=@TESTED.wmp    look for paths that tests did not take\n"
		"  --residual-by=history|intervals|select|sentinel\n"
		"                            count all paths; tested ones in arrays, others in a\n"
		"                            table; only what was not tested; or tell once where\n"
		"                            tested paths are left (history)\n"
		"  --segments=K[:SITES]      paths go on through calls, K deep: of functions\n"
		"                            (function:GLOB), at FILE:LINE, of FILE:LINE=FUNCTION\n"
		"                            through a pointer, in @FILE.wms, or all (all)\n"
		"  --segments-growth=PERCENT how much code may grow for that (50)\n"
		"  --strict                  fail if a profile or path named here does not match\n"
		"  --weights=compiler|heuristic|goldberg\n"
		"                            which edges are expected to be cold (compiler)\n"
		"  --at=late|early           after the optimiser, or before it for counts that "
		"match\n"
		"                            the source text (late)\n"
		"  --base=register|memory    how probes reach their counters; memory for programs\n"
		"                            that use the gs register themselves (register)\n"
		"  --file=PATTERN            where the program writes its profile\n"
		"  --sim=CACHE,...           of sim: l1d=BYTES/WAYS/LINE, l2=…, or modern or "
		"paper\n"
		"                            (modern)\n"
		"  --only=GLOB --skip=GLOB   functions to count, functions not to count; may be "
		"repeated\n"
		"  --clang=PATH              another clang 19; so does WAYMARK_CLANG\n"
		"PATHS are names from a report, hot:90%, function:GLOB, FILE:LINE&&FILE:LINE or\n"
		"@FILE.wmp, in a list with commas. Everything else goes to clang.\n"},
	{"c++", wm_command_cxx, "the same for C++", "[OPTION...] CLANG-ARGUMENT...",
		"The options are those of `waymark cc`.\n"},
	{"report", wm_command_report,
		"show what a program did: functions, hot paths, blocks, lines, calls, threads",
		"[OPTION...] [FILE.wmk|PROGRAM|DIRECTORY...]",
		"  --paths --functions --blocks --edges --lines --calls --threads\n"
		"                            one table instead of the overview\n"
		"  --correlated              branches that an earlier branch on the same path "
		"decides\n"
		"  --at-least=PERCENT        of --correlated: decided in so many cases (100)\n"
		"  --superblocks             beginnings of paths that are mostly run to their end\n"
		"  --completion=PERCENT      of --superblocks: in so many cases (70)\n"
		"  --metric=METRIC           what paths and functions cost by a metric of the "
		"build\n"
		"  --hot=PERCENT%            of --metric: paths and functions with that much of "
		"the\n"
		"                            whole cost are hot (1%)\n"
		"  --callers=FUNCTION        calls of this function only, and how else it was "
		"entered\n"
		"  --context=CONTEXT         only what ran in this context: main/parse/lex, or a\n"
		"                            function\n"
		"  --time=FILE               time beside work: samples of perf record, as perf "
		"script\n"
		"                            prints them\n"
		"  --select=PATHS            only these paths: names, hot:90%, function:GLOB,\n"
		"                            FILE:LINE&&FILE:LINE\n"
		"  --top=N                   rows of each table (10)\n"
		"  --names=short|full        paths as FUNCTION#ID, or with the hash that holds "
		"across\n"
		"                            builds (short)\n"
		"  --inlined                 also inlined code of libraries, line by line\n"
		"  --verbose                 also the build, and what the placement of counters "
		"saved\n"
		"  --json                    everything, for programs\n"
		"  --binary=PATH             where the program is now\n"
		"  --object=NAME             only this program or library of the run\n"
		"Without FILE.wmk: the newest in the working directory.\n"},
	{"paths", wm_command_paths, "list the paths of a function that ran, or that never did",
		"[OPTION...] FUNCTION [FILE.wmk|PROGRAM|DIRECTORY...]",
		"  --not-run                 those that never ran, each beside the nearest that "
		"did\n"
		"  --save=FILE.wmp           no FUNCTION: save all paths that ran as a set, for\n"
		"                            @FILE.wmp in PATHS\n"
		"  --top=N                   how many (20)\n"
		"  --names=short|full        paths as FUNCTION#ID, or with the hash that holds "
		"across\n"
		"                            builds (short)\n"
		"  --json                    for programs\n"
		"  --binary=PATH             where the program is now\n"
		"  --object=NAME             only this program or library of the run\n"
		"FUNCTION is a name, the last part of a C++ name (GetNode), or a pattern "
		"('exec*').\n"
		"Without FILE.wmk: the newest in the working directory.\n"},
	{"path", wm_command_path, "show the source of one path, or its graph",
		"[OPTION...] NAME [FILE.wmk|PROGRAM|DIRECTORY...]",
		"  --dot                     the function's graph with the path drawn in, for "
		"Graphviz\n"
		"  --names=short|full        paths as FUNCTION#ID, or with the hash that holds "
		"across\n"
		"                            builds (short)\n"
		"  --inlined                 also lines of library code that was inlined\n"
		"  --json                    for programs\n"
		"  --binary=PATH             where the program is now\n"
		"  --object=NAME             only this program or library of the run\n"
		"NAME is one that `waymark report` or `waymark paths` prints, FUNCTION#ID, or a\n"
		"function: its hottest path.\n"},
	{"trace", wm_command_trace, "show what a program did, in the order in which it did it",
		"[OPTION...] [FILE.wmt|PROGRAM|DIRECTORY]",
		"  --last=N                  the last N lines of each thread, as source text (20)\n"
		"  --around=FILE:LINE[#K]    the lines around the Kth execution of this line (1);\n"
		"                            --last=N says how many\n"
		"  --between=FILE:LINE,FILE:LINE\n"
		"                            the lines from the first to the second\n"
		"  --step                    walk through it line by line, forwards and "
		"backwards;\n"
		"                            ? shows the keys\n"
		"  --follow                  the last lines, and then what a running process adds\n"
		"  --lines                   FILE:LINE, one for each line that ran\n"
		"  --blocks                  FUNCTION BLOCK, one for each block that ran\n"
		"  --branches                FILE:LINE FUNCTION BLOCK TAKEN/SUCCESSORS, one for "
		"each\n"
		"                            branch\n"
		"  --hpp                     branches as waymark-hpp(1) reads them\n"
		"  --calls                   calls as an indented tree, with the blocks of each\n"
		"  --count                   how much each thread did, and how it ended\n"
		"  --export=chrome|firefox   what was active when, for Perfetto or Firefox "
		"Profiler;\n"
		"                            of --last, --around or --between, or all of it\n"
		"  -o FILE                   where an export goes (standard output)\n"
		"  --pack                    instead, compress the file, which stays readable\n"
		"  --thread=N                only this thread, by the number of the system\n"
		"  --binary=PATH             where the program is now\n"
		"Without FILE.wmt: the newest in the working directory.\n"},
	{"wpp", wm_command_wpp, "show what repeats in the whole path of a program",
		"[OPTION...] [FILE.wmt|FILE.wpp|PROGRAM|DIRECTORY]",
		"  --length=N                hot sub-paths of up to N elements (10)\n"
		"  --min=SHARE               that cost at least this share of all instructions "
		"(1%)\n"
		"  --segments=K              instead, what ran across up to K calls\n"
		"  --rules                   instead, the rules of the grammar\n"
		"  --expand                  instead, the whole sequence, an element a line\n"
		"  --top=N                   rows (10)\n"
		"  --output=FILE.wpp         write the grammar, too\n"
		"  --thread=N                of this thread, by the number of the system (the "
		"first)\n"
		"  --binary=PATH             where the program is now\n"
		"Without a file: the newest trace in the working directory.\n"},
	{"tree", wm_command_tree, "show in which contexts functions were called",
		"[OPTION...] [FILE.wmk...]",
		"  --min=SHARE               only subtrees with this share of all calls (1%)\n"
		"  --depth=N                 only so many calls deep\n"
		"  --metric=KIND             shares of instructions, blocks, branches, loads or "
		"stores\n"
		"  --focus=CONTEXT           only this one and those below it: main/parse/lex, or "
		"a\n"
		"                            function\n"
		"  --by=site|function        function: calls from several places of one are the "
		"same\n"
		"  --inverted                functions, and below each its callers\n"
		"  --list                    contexts by their names, those with most calls first\n"
		"  --functions               functions with all that they called\n"
		"  --gprof                   what gprof would say, and how wrong that is\n"
		"  --top=N                   rows of lists (20)\n"
		"  --statistics              the shape of the tree: how wide and how high it is\n"
		"  --json                    everything, for programs\n"
		"  --binary=PATH             where the program is now\n"
		"  --object=NAME             only this program or library of the run\n"
		"The program must have been built with edges+context (`waymark help cc`).\n"},
	{"flame", wm_command_flame, "draw who called whom: one SVG to zoom and search",
		"[OPTION...] [FILE.wmk|PROGRAM|DIRECTORY...]",
		"  -o FILE.svg               where to (PROGRAM.svg here; - is standard output)\n"
		"  --by=calls|instructions   what the width of a box shows (calls)\n"
		"  --min=SHARE               draw only stacks with this share of all (0.01%)\n"
		"  --binary=PATH             where the program is now\n"
		"  --object=NAME             only this program or library of the run\n"
		"The file needs no server and no network. The program must have been built with\n"
		"edges+context (`waymark help cc`).\n"},
	{"export", wm_command_export, "write contexts, costs and coverage for tools of others",
		"--to=FORMAT [OPTION...] [FILE.wmk|PROGRAM|DIRECTORY...]",
		"  --to=callgrind|collapsed|firefox|pprof|speedscope\n"
		"                            contexts and costs; callgrind, collapsed and pprof "
		"also\n"
		"                            hold profiles without contexts\n"
		"  --to=sample               for clang's -fprofile-sample-use\n"
		"  --to=targets              what calls through pointers called, for "
		"llvm-profdata\n"
		"  --to=cobertura|lcov|llvm-cov\n"
		"                            coverage, of all profiles named\n"
		"  --to=sarif                paths that ran in no test\n"
		"  --tested=TESTS            with sarif: what the tests ran, as for residual\n"
		"  -o FILE                   where to (standard output, -)\n"
		"  --by=calls|instructions   only this cost (all that are known; calls for "
		"collapsed)\n"
		"  --binary=PATH             where the program is now\n"
		"  --object=NAME             only this program or library of the run\n"
		"Contexts are counted by builds with edges+context (`waymark help cc`).\n"},
	{"segments", wm_command_segments,
		"list paths that cross calls: what ran of a callee with what of its caller",
		"[OPTION...] [FUNCTION] [FILE.wmk|PROGRAM|DIRECTORY]",
		"  --depth=K                 segments that cross K calls (1)\n"
		"  --top=N                   rows for each call (10)\n"
		"  --json                    all, for programs\n"
		"  -o FILE.wms               write a list of calls that a build is to cross\n"
		"  --sites=hot:P%|executed   with -o: which calls, by count (hot:90%)\n"
		"  --binary=PATH             where the program is now\n"
		"  --object=NAME             only this program or library of the run\n"
		"Paths cross calls that were inlined: by the optimiser, or because the program\n"
		"was built for that (`waymark help cc`).\n"},
	{"html", wm_command_html, "write a page to look at in a browser",
		"[OPTION...] [FILE.wmk|PROGRAM|DIRECTORY | OLD NEW]",
		"  -o FILE.html              where to (PROGRAM.html here; - is standard output)\n"
		"  --no-source               leave the text of the sources out\n"
		"  --no-graphs               draw no graphs of functions\n"
		"  --binary=PATH             where the program is now\n"
		"  --old-binary=PATH         of a comparison: where the program of OLD is now\n"
		"  --object=NAME             only this program or library of the run\n"
		"The page is one file that needs no server and no network. Of two profiles it\n"
		"also shows what changed from OLD to NEW.\n"},
	{"count", wm_command_count_events,
		"show what a run cost: instructions, branches, loads, stores, calls",
		"[OPTION...] [FILE.wmk|PROGRAM|DIRECTORY...|-- COMMAND...]",
		"  --events=KIND,...         instructions, blocks, branches, loads, stores, "
		"calls,\n"
		"                            calls:GLOB (all but the last)\n"
		"  --by=function|file|line|path|call|program\n"
		"                            what the table is of; calls, with all that was\n"
		"                            called in them, of builds that sum that; program\n"
		"                            prints totals only\n"
		"                            (function)\n"
		"  --top=N                   rows of the table (10)\n"
		"  --repeat=N                run the command N times and name the functions whose\n"
		"                            counts vary\n"
		"  --save=FILE.json          keep the counts, for programs that compare them\n"
		"  --program=NAME            of several programs that ran, this one\n"
		"  --json                    everything, for programs\n"
		"  --binary=PATH             where the program is now\n"
		"  --object=NAME             only this program or library of the run\n"
		"COMMAND runs with a profile of its own, and the exit status is that of COMMAND.\n"
		"Without COMMAND and FILE.wmk: the newest in the working directory.\n"},
	{"test", wm_command_test, "check that a run keeps its budgets, and say what moved",
		"[OPTION...] BUDGETS [FILE.wmk|PROGRAM...|-- COMMAND...]",
		"  --update                  write what was counted into broken budgets and bases\n"
		"  --base=FILE.json          what to compare with where no base is named\n"
		"  --junit=FILE.xml          also write the results as JUnit does\n"
		"  --github                  also print annotations of GitHub Actions\n"
		"  --top=N                   functions to name, and paths of each (3)\n"
		"  --program=NAME            of several programs that ran, this one\n"
		"  --binary=PATH             where the program is now\n"
		"  --object=NAME             only this program or library of the run\n"
		"Lines of BUDGETS: FILE:FUNCTION KIND <= N, KIND in FUNCTION <= N per call,\n"
		"program KIND within P% of BASE.json, base BASE.json. Exit status 1: one is\n"
		"broken.\n"},
	{"hpp", wm_command_hpp, "show the hot paths of any program, as hardware would find them",
		"[OPTION...] COMMAND [ARGUMENT...] | [OPTION...] --read=FILE",
		"  --read=FILE               branches as text (.branches), or a kept profile "
		"(.wmh)\n"
		"  -o FILE                   where the profile of COMMAND goes\n"
		"                            (hpp-NAME-PID.wmh)\n"
		"  --children=yes|no         whether those of COMMAND have profiles, too (no)\n"
		"  --model=thesis|modern     model caches, predictor, cycles and power of this "
		"machine\n"
		"  --power=icache:N,dcache:N,l2:N,memory:N\n"
		"                            what accesses cost (1, 1, 7 and 60)\n"
		"  --paths=ball-larus|whole|loops:N|calls:N\n"
		"                            where paths end; extended across N iterations or N\n"
		"                            nested calls (ball-larus)\n"
		"  --ppcr=0x...              the same by the profiler's control word\n"
		"  --event=NAME              what is counted along paths: frequency, "
		"instructions,\n"
		"                            branches, mispredictions, cycles, ... (frequency)\n"
		"  --table=thesis|best|ENTRIESxWAYS[:INDEX[:POLICY]]\n"
		"                            the hot path table (thesis: 512x4:fold:lfu)\n"
		"  --stack=N                 entries of the path stack (32)\n"
		"  --overflow=drop|spill     what happens to more frames (drop)\n"
		"  --length=N                branches after which a path is split (32)\n"
		"  --counter-bits=N          of the event counter; 0 for no limit (8)\n"
		"  --backward=taken|static   whether a branch that could go back ends a path only\n"
		"                            when it does (taken)\n"
		"  --limit=N                 distinct paths that are counted exactly (16M)\n"
		"  --top=N                   how many paths (10)\n"
		"  --path=K                  one path by its rank or name, with its instructions\n"
		"  --compare=FILE            are the hot paths of that run still hot?\n"
		"  --figures                 the thesis' evaluation: hot paths, overlaps, queue\n"
		"  --sweep=plackett-burman|factorial\n"
		"                            which parameters of the table matter; the best "
		"tables\n"
		"  --phases                  windows that run along the same paths\n"
		"  --window=N                instructions of a window (chosen by the run)\n"
		"  --superblocks             code that mostly runs from its head to its end\n"
		"  --completion=SHARE        how mostly (70%)\n"
		"  --export=bolt|simpoint|simpoint-blocks|branches|paths|callgrind|collapsed\n"
		"                            for programs of others\n"
		"  --to-file=FILE            where to (standard output, -)\n"
		"  --json                    for programs\n"
		"COMMAND is any x86-64 program; it runs under Valgrind, unchanged. Options stand "
		"before\n"
		"it and have their values behind =.\n"},
	{"diff", wm_command_diff, "show what changed from run to run, path by path",
		"[OPTION...] OLD NEW",
		"  --select=PATHS            compare only these paths\n"
		"  --contexts                compare who called whom, of builds that count "
		"contexts\n"
		"  --top=N                   how many functions (20)\n"
		"  --names=short|full        paths as FUNCTION#ID, or with the hash that holds "
		"across\n"
		"                            builds (short)\n"
		"  --json                    everything, for programs\n"
		"  --old-binary=PATH --new-binary=PATH\n"
		"                            where the programs are now\n"
		"  --object=NAME             only this program or library of the runs\n"
		"OLD and NEW are profiles, or programs that have run, also of different builds:\n"
		"functions of the same shape are compared path by path, others by their totals.\n"},
	{"cover", wm_command_cover,
		"show what runs covered: functions, lines, branches, pairs of these, paths",
		"[OPTION...] [FILE.wmk|PROGRAM|DIRECTORY...]",
		"  --by-test                 also what each profile covered by itself\n"
		"  --not-run                 the lines that never ran, as source\n"
		"  --diff=RANGE              only lines that git diff RANGE changes\n"
		"  --limit=KIND:PERCENT,...  exit with status 3 unless so much of functions, "
		"lines,\n"
		"                            outcomes, pairs or paths was covered\n"
		"  --top=N                   rows of each table (10)\n"
		"  --json                    everything, for programs\n"
		"  --binary=PATH             where the program is now\n"
		"Profiles of several programs that share sources give one answer. Where the "
		"optimiser\n"
		"left no code that would tell, count before it (`waymark help cc`).\n"},
	{"residual", wm_command_residual, "show the paths that ran in the field and in no test",
		"--tested=TESTS [OPTION...] [FILE.wmk|DIRECTORY...]",
		"  --tested=TESTS            what the tests ran: saved sets (FILE.wmp), profiles,\n"
		"                            folders of them, in a list with commas; or none\n"
		"  --kind=KIND,...           only these: function, changed, code, outcome, copy,\n"
		"                            combination, early, uncertain\n"
		"  --top=N                   rows of the table (20)\n"
		"  --fail-if=KIND,...        exit with status 3 if there are paths of these kinds\n"
		"  --accept=FILE.wmp         leave these paths out: somebody looked at them\n"
		"  --accept-all=FILE.wmp     write the untested and the accepted paths there\n"
		"  --across=shape            functions may have changed, but not their branches\n"
		"  --json                    everything, for programs\n"
		"  --binary=PATH             where the field's program is now\n"
		"FILE.wmk are profiles of the field; without one, the newest in the working\n"
		"directory. Kinds say what would have seen the path: `man waymark-residual`.\n"},
	{"annotate", wm_command_annotate, "show the source with a count beside each line",
		"[OPTION...] [SOURCE|FILE.wmk|PROGRAM...]",
		"  --file=FILE.wmk           the profile (the newest in the working directory)\n"
		"  --binary=PATH             where the program is now\n"
		"  --inlined                 also sources of libraries whose code was inlined\n"
		"  --context=CONTEXT         only what ran in this context: main/parse/lex, or a\n"
		"                            function\n"
		"  --object=NAME             only this program or library of the run\n"
		"  --json                    the counts without the text, for programs\n"
		"Without SOURCE: every source of the program that can be read: those below the "
		"folder\n"
		"that all its sources have in common, headers of the system left aside.\n"
		"A plain number is exact. A number behind ~ is the least that is certain: the\n"
		"optimiser left no code that would tell. ##### is a line that never ran, - one "
		"with\n"
		"nothing to execute, or of which nothing is known. Counted before the\n"
		"optimiser (`waymark help cc`), all are exact.\n"},
	{"merge", wm_command_merge, "add profiles of one program up in one file",
		"-o OUT.wmk [OPTION...] FILE.wmk|DIRECTORY...",
		"  -o OUT.wmk                the sum; may be one of the files\n"
		"  --failure=any|all|warn    when to fail: if any file is of another build or "
		"cannot\n"
		"                            be read; or only if all are, with a warning for each\n"
		"                            (any)\n"
		"Of a directory: its .wmk files. Fails whole: then nothing is written.\n"},
	{"run", wm_command_run, "run a test and keep what it did in a store of runs",
		"[OPTION...] -- COMMAND...",
		"  --store=DB                where to (WAYMARK_STORE, else waymark.db here or "
		"above)\n"
		"  --label=NAME              what the run is called (WAYMARK_LABEL, else "
		"COMMAND)\n"
		"  --kind=test|field         what it is a run of (test)\n"
		"  --stop-at=N[:KIND]        stop its programs at their N-th event (steps)\n"
		"  --fixed-addresses         the same addresses in each run\n"
		"  --limit=N[:KIND]          end them there, as a time-out that needs no clock\n"
		"Streams, signals and the exit status are those of COMMAND.\n"},
	{"tests", wm_command_tests, "show what each test covers, and which to run after a change",
		"[OPTION...]",
		"  --store=DB                the store of runs (WAYMARK_STORE, else waymark.db "
		"here or\n"
		"                            above)\n"
		"  --redundant               tests that can go: others take all their paths\n"
		"  --covers=FUNCTION|FILE:LINE\n"
		"                            tests that run it\n"
		"  --for=RANGE               tests to run after a change that git knows, such as\n"
		"                            HEAD~1, and why\n"
		"  --changed=FILE:LINES      the same for these lines, such as a.c:7,10-12\n"
		"  --ignore=GLOB,...         files whose changes matter to no test\n"
		"  --max-age=DAYS            also tests whose last run is older\n"
		"  --format=names|ctest|gtest\n"
		"                            a name per line, a pattern for ctest -R, or a filter\n"
		"                            of GoogleTest\n"
		"  --json                    for programs\n"},
	{"suspects", wm_command_suspects,
		"rank the paths that failing runs take and passing ones do not", "[OPTION...]",
		"  --store=DB                the store of runs (WAYMARK_STORE, else waymark.db "
		"here or\n"
		"                            above)\n"
		"  --fail=GLOB|outcome:GLOB  failing runs: by label or outcome (those that "
		"failed or\n"
		"                            were killed)\n"
		"  --top=N                   rows of the table (10)\n"
		"  --json                    for programs\n"},
	{"watch", wm_command_watch, "keep what programs in use do, and tell of new paths",
		"[OPTION...] DIRECTORY",
		"  --store=DB                the store of runs (WAYMARK_STORE, else waymark.db "
		"here or\n"
		"                            above)\n"
		"  --label=NAME              what the runs are called (name of the file)\n"
		"  --every=SECONDS           how often to look (60)\n"
		"  --once                    look once, and end\n"
		"Prints a line of JSON for each path that ran and that no test took.\n"},
	{"store", wm_command_store, "keep runs of many programs and machines in one place",
		"add|ls|rm|merge|export [OPTION...] [DB] [FILE...]",
		"  add DB FILE.wmk|DIRECTORY...\n"
		"                            add profiles, of those that grew the difference\n"
		"  ls [DB]                   list the runs by label\n"
		"  rm DB                     remove the runs that the options below ask for\n"
		"  merge -o ALL.db DB...     add the runs of other stores that are not there "
		"yet\n"
		"  export DB -o OUT.wmk      what the runs counted, as a profile that needs "
		"nothing\n"
		"                            else\n"
		"  -o FILE                   where to\n"
		"  --label=NAME              with add: what the runs are called (name of the "
		"file);\n"
		"                            else only runs with such a label, a pattern\n"
		"  --kind=test|field         with add: what they are runs of (test); else only "
		"those\n"
		"  --outcome=OUTCOME         with add: how they ended (unknown); else only "
		"those, a\n"
		"                            pattern of pass, fail:STATUS, signal:NUMBER\n"
		"  --before=DATE             only runs that started before, such as 2026-01-31\n"
		"  --object=NAME             with export: the program or library\n"
		"  --json                    with ls: for programs\n"
		"A program need not be there any more: the store holds what readers need of it.\n"},
	{"pack", wm_command_pack, "make a profile readable on other machines",
		"[OPTION...] [FILE.wmk|PROGRAM]",
		"  -o OUT.wmk                where to (FILE-packed.wmk beside FILE.wmk)\n"
		"  --sources                 pack the sources, too, if they are what was compiled\n"
		"  --binary=PATH             where the program is now\n"
		"What readers need of the program and of its libraries goes into the file.\n"},
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
		"  --problem=events          where a running sum of events is increased that is\n"
		"                            exact at anchors (attribute events=\"3 | 4\")\n"
		"  --problem=trace           which edges write a code, so that the order of\n"
		"                            execution can be told (attribute call)\n"
		"  --weights=heuristic|given|goldberg\n"
		"                            how often edges are taken to run: loops ten times "
		"and\n"
		"                            branches evenly; as the graph says; or by Goldberg's\n"
		"                            numbers, for comparison (given if every edge has a\n"
		"                            weight, otherwise heuristic)\n"
		"  --json | --dot            the plan for programs, or for Graphviz\n"
		"  --path=NUMBER|A,B,C       with paths, select and prefer: one path by its\n"
		"                            number, or its number\n"
		"  --interesting=PATH,...    with select and prefer: the paths that matter, by\n"
		"                            number or as A-B-C\n"
		"  --regenerate=CODE,...     with trace: the vertices of the execution that "
		"writes\n"
		"                            these codes\n"
		"  --compare                 how many increments other placements would have "
		"taken\n"
		"                            on the runs of FILE.wmk (the newest here)\n"
		"  --binary=PATH             with --compare: where the program is now\n"},
	{"doctor", wm_command_doctor, "check that everything Waymark needs is there", "",
		"Prints a line for each check; exits with 1 if something needed is missing.\n"},
	{"help", wm_command_help, "show this list, or how to use a command", "[COMMAND]", ""},
	{"completion", wm_command_completion,
		"print a script that lets a shell complete what is typed", "bash|zsh|fish",
		"`make install` puts the script where these shells look for it.\n"},
};

const size_t wm_command_count = sizeof wm_commands / sizeof *wm_commands;

const struct wm_command *wm_command_find(const char *name)
{
	struct wm_nearest nearest = {.word = name};
	for (size_t i = 0; i < wm_command_count; i++) {
		if (strcmp(wm_commands[i].name, name) == 0)
			return &wm_commands[i];
		wm_nearest_offer(&nearest, wm_commands[i].name);
	}
	const char *kind = name[0] == '-' ? "option" : "command";
	if (nearest.best)
		wm_fatal_usage("unknown %s '%s'; did you mean %s?", kind, name, nearest.best);
	wm_fatal_usage("unknown %s '%s'; `waymark help` lists them", kind, name);
}

static bool is_in(const char *word, const char *const *list)
{
	for (; *list; list++)
		if (strcmp(word, *list) == 0)
			return true;
	return false;
}

static const char *const words_for_help[] = {"--help", "-h", NULL};
static const char *const words_for_version[] = {"--version", "-V", "-v", NULL};
static const char *const compilers[] = {"cc", "c++", NULL};
static const char *const long_output[] = {
	"report", "paths", "path", "diff", "residual", "cover", "annotate", "plan", "help", NULL};

/* Build systems and compilation databases want a compiler of one word: `waymark-cc` is `waymark
 * cc`, and `waymark-c++` is `waymark c++`. */
static const char *compiler_of_executable(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	bool is_compiler = strncmp(name, "waymark-", 8) == 0 && is_in(name + 8, compilers);
	return is_compiler ? name + 8 : NULL;
}

static int show_help(const struct wm_command *command)
{
	wm_general_options_page();
	if (command)
		wm_help_print_command(command);
	else
		wm_help_print();
	return 0;
}

/* All words are clang's, except where the first is the only one. */
static int run_compiler(const char *name, int argc, char **argv)
{
	const struct wm_command *command = wm_command_find(name);
	if (argc == 2 && is_in(argv[1], words_for_help))
		return show_help(command);
	return command->run(argc, argv);
}

static bool asks_for_help(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (is_in(argv[i], words_for_help))
			return true;
	return false;
}

static int run_command(int argc, char **argv)
{
	const struct wm_command *command = wm_command_find(argv[0]);
	if (asks_for_help(argc, argv))
		return show_help(command);
	if (is_in(command->name, long_output))
		wm_general_options_page();
	return command->run(argc, argv);
}

/* Everything behind the first word without a dash is of the command that `waymark hpp` runs: `--`
 * is put before it. */
static char **mark_command(int *argc, char **argv)
{
	int at = 2;
	while (at < *argc && argv[at][0] == '-' && argv[at][1])
		at += 1 + (strcmp(argv[at], "-o") == 0);
	for (int i = 2; i < at && i < *argc; i++)
		if (strcmp(argv[i], "--") == 0)
			return argv;
	if (at >= *argc)
		return argv;
	char **words = calloc((size_t)*argc + 2, sizeof *words);
	if (!words)
		wm_fatal("not enough memory");
	memcpy(words, argv, (size_t)at * sizeof *words);
	words[at] = "--";
	memcpy(words + at + 1, argv + at, (size_t)(*argc - at) * sizeof *words);
	++*argc;
	return words;
}

int main(int argc, char **argv)
{
	const char *compiler = argc > 0 ? compiler_of_executable(argv[0]) : NULL;
	if (compiler)
		return run_compiler(compiler, argc, argv);
	if (argc > 1 && is_in(argv[1], compilers))
		return run_compiler(argv[1], argc - 1, argv + 1);
	if (argc > 2 && strcmp(argv[1], "hpp") == 0)
		argv = mark_command(&argc, argv);
	argc = wm_general_options_take(argc, argv);
	if (argc < 2 || is_in(argv[1], words_for_help))
		return show_help(NULL);
	if (is_in(argv[1], words_for_version)) {
		puts("waymark " WAYMARK_VERSION);
		return 0;
	}
	return run_command(argc - 1, argv + 1);
}
