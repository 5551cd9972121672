#!/usr/bin/env python3
"""Running sums of events, against numbers worked out from the text: what is counted are accesses of volatile
variables, calls of functions that are not inlined, iterations and marks, which the optimiser leaves as they are.

usage: sums.py --waymark=PATH [unittest arguments]
"""
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "end_to_end"))

import cases
import harness

HEAD = """#include <waymark.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int sink;
__attribute__((noinline)) void load(int times)
{
	for (int i = 0; i < times; i++) {
		(void)sink;
		WAYMARK_EVENT("load", 1);
	}
}
#define SAY(expression) (printf("%ld\\n", (long)(expression)), fflush(stdout))
"""
DEEP = HEAD + """static jmp_buf back;
__attribute__((noinline)) int deep(int n)
{
	load(10);
	if (n == 0) {
		SAY(waymark_events(0));
		longjmp(back, 1);
	}
	int result = deep(n - 1);
	load(1000);
	return result + (int)waymark_events(0);
}
static int compare(const void *left, const void *right)
{
	static int once;
	load(1);
	if (!once++)
		SAY(waymark_events(0));
	return *(const int *)left - *(const int *)right;
}
int main(void)
{
	int numbers[] = {2, 1};
	uint64_t before;
	SAY(waymark_events(0));
	load(7);
	SAY(waymark_events(0));
	if (!setjmp(back))
		deep(4);
	SAY(waymark_events(0));
	qsort(numbers, 2, sizeof *numbers, compare);
	before = waymark_events(0);
	load(5), load(5);
	SAY(waymark_events(0) - before);
	return 0;
}
"""
THREADS = HEAD + """static void *run(void *argument)
{
	uint64_t first = waymark_events(0);
	load(100 * (int)(long)argument);
	return (void *)(long)(waymark_events(0) * 10 + first);
}
int main(void)
{
	for (int round = 0; round < 3; round++) {
		pthread_t threads[3];
		void *result;
		for (long i = 0; i < 3; i++)
			pthread_create(&threads[i], NULL, run, (void *)(i + 1));
		for (int i = 0; i < 3; i++) {
			pthread_join(threads[i], &result);
			SAY(result);
		}
	}
	load(4);
	SAY(waymark_events(0));
	SAY(waymark_events_all(0));
	return 0;
}
"""
STEERED = HEAD + """int main(void)
{
	load(3);
	waymark_pause();
	load(500);
	SAY(waymark_events(0));
	waymark_resume();
	load(3);
	SAY(waymark_events(0));
	waymark_reset();
	SAY(waymark_events(0));
	SAY(waymark_set_file("other.wmk"));
	SAY(waymark_events(0));
	load(4);
	if (fork() == 0) {
		SAY(waymark_events(0));
		load(10);
		SAY(waymark_events(0));
		_exit(0);
	}
	wait(NULL);
	SAY(waymark_events(0));
	SAY(waymark_events_all(0));
	return 0;
}
"""
KINDS = HEAD + """__attribute__((noinline)) void mark(int times)
{
	for (int i = 0; i < times; i++) {
		WAYMARK_EVENT("iteration", 2);
		WAYMARK_EVENT("variable", i);
		load(1);
	}
}
int main(void)
{
	uint64_t before[6];
	for (int k = 0; k < 6; k++)
		before[k] = waymark_events(k);
	mark(9);
	for (int k = 0; k < 6; k++)
		SAY(waymark_events(k) - before[k] - (k == 3));
	return 0;
}
"""
HANDLER = HEAD + """#include <sys/time.h>
static volatile int rounds, far;
static volatile uint64_t worst;
static void handle(int number)
{
	(void)number;
	uint64_t truth = 2 * (uint64_t)rounds, got = waymark_events(0);
	uint64_t off = got > truth ? got - truth : truth - got;
	if (off > worst)
		worst = off;
}
int main(void)
{
	struct itimerval often = {{0, 200}, {0, 200}};
	signal(SIGALRM, handle);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < 20000000; i++) {
		rounds++;
		if (i % 3)
			far++;
	}
	setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
	SAY(waymark_events_bound(0) < 1000);
	return 0;
}
"""
RECURSIVE = """#include <waymark.h>
__attribute__((noinline)) int f(int n)
{
	WAYMARK_EVENT("e", 7);
	int r = 0;
	if (n > 0)
		r = f(n - 1); /* s1 */
	WAYMARK_EVENT("e", 3);
	return r + 1;
}
int main(int argc, char **argv)
{
	(void)argv;
	return f(argc - 1) != argc; /* s0 */
}
"""
JUMPS = """#include <waymark.h>
__attribute__((noinline)) int g(int n)
{
	WAYMARK_EVENT("e", 5);
	__asm__ volatile("" : "+r"(n));
	return n;
}
__attribute__((noinline)) int f(int n)
{
	WAYMARK_EVENT("e", 7);
	return g(n + 1);
}
int main(int argc, char **argv)
{
	int sum = 0;
	(void)argv;
	for (int i = 0; i < argc; i++)
		sum += f(i);
	return sum < 0;
}
"""
PAUSED = HEAD + """__attribute__((noinline)) int start(void) { load(2); int r = waymark_resume(); load(3); return r; }
__attribute__((noinline)) int whole(void) { load(5); waymark_pause(); load(50); waymark_resume(); load(6); return 1; }
__attribute__((noinline)) int other(void) { load(7); int r = waymark_set_file("other.wmk"); load(8); return r; }
__attribute__((noinline)) int reset(void) { load(9); int r = waymark_reset(); load(10); return r; }
int main(void)
{
	waymark_pause();
	load(100);
	sink += start();
	sink += whole();
	sink += other();
	sink += reset();
	return 0;
}
"""
STATE = HEAD + """#include <stdint.h>
#include <string.h>
static uint32_t numbers[4096], *more, state = 1, *limits;
static uint64_t hash_of(const uint32_t *words, size_t count, uint64_t hash)
{
	for (size_t i = 0; i < count; i++)
		hash = (hash ^ words[i]) * 0x100000001b3u;
	return hash;
}
static void say(unsigned kind, uint64_t events)
{
	SAY(&kind), SAY(__builtin_return_address(0));
	SAY(hash_of(more, 4096, hash_of(numbers, 4096, state))), SAY(more), SAY(events - limits[0]);
	_exit(0);
}
int main(int argc, char **argv)
{
	uint32_t limit = (uint32_t)atoi(argv[argc - 1]);
	limits = &limit;
	more = calloc(4096, sizeof *more);
	waymark_after(0, limit, say);
	for (;;) {
		state = state * 1103515245u + 12345u;
		numbers[state >> 20] += state;
		if (state & 64)
			more[state >> 20] ^= numbers[state >> 21], load((int)(state >> 30));
		while (numbers[state >> 20] % 7 == 3)
			numbers[state >> 20]++;
	}
}
"""
BUILDS = [("-O0", "late", "", "optimal"), ("-O0", "early", "-fPIC", "redundant"), ("-O2", "late", "", "optimal"),
          ("-O2", "late", "--base=memory", "redundant"), ("-O2", "early", "", "optimal")]


class Sums(cases.Case):
    def numbers(self, text, events, builds=BUILDS, *more):
        """What the program prints, which is the same in all builds."""
        self.write("program.c", text)
        said = set()
        for level, at, option, placement in builds:
            for name in self.files():
                if name.endswith(".wmk"):
                    os.remove(self.path(name))
            self.succeed("cc", level, "--at=" + at, "--profile=events", "--events=" + events,
                         "--placement=" + placement, "program.c", "-o", "program", "-pthread", *option.split(), *more)
            status, out, err = self.execute("./program")
            self.assertEqual((status, err), (0, ""))
            said.add((out, level, at, option, placement) if said and out not in {s[0] for s in said} else (out,))
        self.assertEqual(len(said), 1, said)
        return [int(word) for word in said.pop()[0].split()]

    def test_depths_jumps_and_callbacks(self):
        self.assertEqual(self.numbers(DEEP, "mark:load"), [0, 7, 57, 57, 58, 10])
        self.assertEqual(self.numbers(DEEP, "calls:load"), [0, 1, 6, 6, 7, 2])

    def test_calls(self):
        """The call that asks is counted, too; a call is counted in its callee."""
        text = HEAD + """__attribute__((noinline)) void ask(void) { SAY(waymark_events(0)); }
int main(void) { ask(); load(1); ask(); load(1); load(1); ask(); return 0; }
"""
        self.assertEqual(self.numbers(text, "calls:load"), [0, 1, 3])
        self.assertEqual(self.numbers(text, "calls:ask"), [1, 2, 3])
        self.assertEqual(self.numbers(text, "calls:waymark_*"), [1, 2, 3])

    def test_threads(self):
        """Each starts at zero, also where it has the slot of a dead one; none is lost from the sum of all."""
        self.assertEqual(self.numbers(THREADS, "mark:load"),
                         [1000, 2000, 3000] * 3 + [4, 1804])

    def test_steering_and_fork(self):
        self.assertEqual(self.numbers(STEERED, "mark:load"), [3, 6, 6, 0, 6, 10, 20, 10, 10])

    def test_kinds(self):
        """Marks, calls and iterations are those of the text; blocks depend on the code."""
        self.write("w.txt", "default 0 # nothing else\ncall 3\n")
        marks, variable, calls, steps, weights, _ = self.numbers(
            KINDS, "mark:iteration,mark:variable,calls:load,steps,weights:w.txt,calls:mark",
            [build for build in BUILDS if build[:2] == ("-O2", "late")])
        self.assertEqual((marks, variable, calls), (18, sum(range(9)), 9))
        self.assertGreaterEqual(weights, 3 * 9)
        self.assertGreaterEqual(steps, 9 + 1)

    def test_handlers_are_within_the_bound(self):
        """What a handler sees is off by less than the bound says; the truth is in variables of the program."""
        self.write("program.c", HANDLER.replace("SAY(waymark_events_bound(0) < 1000)",
                                                "SAY(worst <= waymark_events_bound(0) + 2 && waymark_events_bound(0) < 1000)"))
        self.succeed("cc", "-O1", "--profile=events", "--events=mark:round", "--events-fresh", "program.c", "-o", "program")
        text = self.read("program.c").decode().replace("		rounds++;", "		rounds++;\n		WAYMARK_EVENT(\"round\", 2);")
        self.write("program.c", text)
        self.succeed("cc", "-O1", "--profile=events", "--events=mark:round", "--events-fresh", "program.c", "-o", "program")
        self.assertEqual(self.execute("./program"), (0, "1\n", ""))

    def test_bound_of_loops_in_registers(self):
        text = HEAD + """__attribute__((noinline)) unsigned mix(const unsigned *p, int times)
{
	unsigned sum = 1;
	for (int i = 0; i < times; i++)
		sum = p[i] * sum + 7;
	return sum;
}
int main(void)
{
	unsigned numbers[9] = {(unsigned)sink};
	mix(numbers, 9);
	SAY(waymark_events_bound(0) + 1 == 0);
	return 0;
}
"""
        self.write("program.c", text)
        for option, bounded in (("--events=loads", 1), ("--events-fresh", 0)):
            self.succeed("cc", "-O1", "--profile=events", option, "program.c", "-o", "program")
            self.assertEqual(self.execute("./program"), (0, "%d\n" % bounded, ""))

    def test_count(self):
        """The totals of all threads and runs; other tables are not known."""
        self.write("program.c", THREADS)
        self.succeed("cc", "-O2", "--profile=events", "--events=mark:load,calls:load", "program.c", "-o", "program", "-pthread")
        self.assertIn("\n  1,804  mark:load\n     10  calls:load\n", self.call("count", "--", "./program")[2])
        self.execute("./program"), self.execute("./program")
        self.assertIn("\n  3,608  mark:load\n", self.succeed("count", "--events=mark:load", "program"))
        self.write("budgets.txt", "program mark:load == 3_608\n")
        self.assertIn("1 budget kept", self.succeed("test", "budgets.txt", "program"))
        for words in (["count", "--by=line", "program"], ["report", "program"], ["diff", "program", "program"],
                      ["count", "--events=stores", "program"]):
            self.assert_one_line_refusal(words)

    def clean(self):
        for name in self.files():
            if name.endswith(".wmk"):
                os.remove(self.path(name))

    def inclusive(self, profile):
        """By line and callee: calls, how many came back, the first sum, and whether it is recursive."""
        calls = json.loads(self.succeed("count", "--json", profile))["inclusive"]
        return {(call["line"], call["callee"]): (call["calls"], call["came_back"], call["counts"][0], call["recursive"])
                for call in calls}

    def test_calls_in_all_under_recursion(self):
        """The true table from depth 0 to 3; sums for each procedure would count recursive calls twice."""
        self.write("program.c", RECURSIVE)
        lines = {name: number + 1 for number, line in enumerate(RECURSIVE.split("\n")) for name in ("s0", "s1") if name in line}
        for words in ("-O0", "-O2", "-O2 --at=early", "-O1 -fPIC", "-O1 --placement=redundant"):
            self.succeed("cc", *words.split(), "-g", "--profile=events", "--events=mark:e", "--inclusive", "program.c", "-o", "program")
            for depth, (outer, inner) in enumerate([(10, 0), (20, 10), (30, 30), (40, 60)]):
                self.clean()
                self.execute("./program", *["x"] * depth)
                found = self.inclusive("program")
                self.assertEqual(found[lines["s0"], "f"], (1, 1, outer, False))
                if depth:
                    self.assertEqual(found[lines["s1"], "f"], (depth, depth, inner, True))
        self.assertRegex(self.succeed("count", "program"), r"(?m)^ +150\.0%% +60 +3 +3 +f, recursive +program.c:%d in f$" % lines["s1"])

    def test_calls_in_all_while_steered(self):
        """A pause within a call is in its sum; another file and a reset lose nothing of it."""
        self.write("program.c", PAUSED)
        for option in ("-O1", "-O1 -fPIC"):
            self.clean()
            self.succeed("cc", *option.split(), "-g", "--profile=events", "--events=mark:load", "--inclusive", "--file=own.wmk",
                         "program.c", "-o", "program")
            self.execute("./program")
            found = {callee: rest[:3] for (_, callee), rest in self.inclusive("own.wmk").items()}
            self.assertEqual((found["start"], found["whole"], found["other"]), ((0, 1, 2 + 3), (1, 1, 5 + 50 + 6), (1, 0, 0)))
            found = {callee: rest[:3] for (_, callee), rest in self.inclusive("other.wmk").items()}
            self.assertEqual(found["reset"], (0, 1, 9 + 10))

    def test_tables_of_calls(self):
        """A call that may become a jump is known by its number alone; other builds and tables are refused."""
        self.write("program.c", JUMPS)
        self.succeed("cc", "-O2", "-g", "--profile=events", "--events=mark:e", "--inclusive", "program.c", "-o", "program")
        self.execute("./program", "1", "2")
        found = {callee: rest[:3] for (_, callee), rest in self.inclusive("program").items()}
        self.assertEqual(found["g"][:2], (3, None))
        self.assertEqual(found["f"], (3, 3, 3 * 12))
        self.assertIn("?: the call may become a jump", self.succeed("count", "--by=call", "program"))
        self.assertNotIn("By call", self.succeed("count", "--by=program", "program"))
        self.assert_one_line_refusal(["count", "--by=line", "program"])
        self.succeed("cc", "-O1", "-g", "--profile=edges", "program.c", "-o", "other")
        self.execute("./other")
        self.assert_one_line_refusal(["count", "--by=call", "other"], "--profile=events --inclusive")

    def test_marks_of_other_builds(self):
        """Marks with a constant number become no code; those with another one have a counter, also in libraries, beside
        contexts, and where the code of loops is copied."""
        self.write("program.c", KINDS)
        for words in (["--profile=edges"], [], ["-O0"], ["--at=early"], ["--at=early", "-O0"], ["--paths=classic"], ["-fPIC"],
                      ["--profile=blocks", "--base=memory"], ["--profile=paths+context"], ["--profile=edges+context"], ["--placement=redundant"],
                      ["--profile=edges", "--placement=redundant"]):
            self.succeed("cc", "-O2", "-g", *words, "program.c", "-o", "program", "-pthread")
            out = self.call("count", "--events=mark:iteration,mark:variable,mark:load", "--", "./program")[2]
            self.assertIn("\n  18  mark:iteration\n  36  mark:variable\n   9  mark:load\n", out, words)
        self.write("budgets.txt", "program.c:mark mark:variable == 36\n")
        self.assertIn("1 budget kept", self.call("test", "budgets.txt", "--", "./program")[2])
        self.assertEqual(harness.run([harness.CLANG, "-Werror", "-Wall", "-I", self.include(), "program.c", "-o", "plain"],
                                     self.directory)[0], 0)
        self.assertEqual(self.execute("./plain"), (0, "0\n0\n0\n-1\n0\n0\n", ""))

    def include(self):
        return os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "include")

    def test_sections_are_collected(self):
        """The linker drops functions, and a reader still knows the sums."""
        self.write("program.c", THREADS + "void unused(void) { load(1); }\n")
        self.succeed("cc", "-O2", "--profile=events", "--events=mark:load", "-ffunction-sections", "-Wl,--gc-sections",
                     "program.c", "-o", "program", "-pthread")
        self.assertIn("\n  1,804  mark:load\n", self.call("count", "--", "./program")[2])

    def test_regions(self):
        """What runs between the ends of a region, however it is left, in C and C++; nothing elsewhere."""
        text = HEAD + """__attribute__((noinline)) int leave(int n)
{
	waymark_region("leave") {
		load(3);
		if (n == 1)
			return 1;
		if (n == 2)
			break;
		load(10);
	}
	load(100);
	return 0;
}
int main(void)
{
	waymark_region("all") {
		leave(1), leave(2), leave(3);
		waymark_region("inner")
			load(2);
	}
	waymark_region("unsummed")
		load(5);
	SAY(waymark_events(0));
	SAY(waymark_events(1));
	SAY(waymark_events(2));
	SAY(waymark_events(3));
	return 0;
}
"""
        events = "mark:load,region:leave,region:all,region:inner"
        truth = [3 + 103 + 113 + 7, 3 + 3 + 13, 3 + 103 + 113 + 2, 2]
        self.assertEqual(self.numbers(text, events), truth)
        self.write("budgets.txt", "program region:leave <= %d\nprogram region:all == %d\n" % (truth[1], truth[2]))
        status, _, err = self.call("test", "budgets.txt", "--", "./program")
        self.assertIn("2 budgets kept", err)
        self.write("budgets.txt", "program region:leave <= %d\nprogram region:gone <= 1\n" % (truth[1] - 1))
        status, _, err = self.call("test", "budgets.txt", "--", "./program")
        self.assertEqual(status, 1)
        self.assertIn("FAILED budgets.txt:1: program region:leave <= 18: 19 region:leave, 5.56% more than is allowed\n", err)
        self.assertIn("FAILED budgets.txt:2: program region:gone <= 1: this build does not count region:gone\n", err)
        self.write("program.cpp", text.replace("load(3);", "load(3); if (n == 4) throw 1;").replace(
            "leave(3);", "leave(3); try { leave(4); } catch (int) { }"))
        self.succeed("c++", "-O2", "--profile=events", "--events=" + events, "program.cpp", "-o", "program")
        self.assertEqual(self.execute("./program")[1].split(), ["229", "22", "224", "2"])
        for compiler in (harness.CLANG, harness.CLANGXX):
            self.assertEqual(harness.run([compiler, "-x", "c++" if "+" in compiler else "c", "-Werror", "-Wall", "-I", self.include(),
                                          "program.c", "-o", "plain"], self.directory)[0], 0)
            self.assertEqual(self.execute("./plain")[1].split(), ["0"] * 4)
        self.succeed("cc", "-O2", "--profile=edges", "program.c", "-o", "program")
        self.assertEqual(self.execute("./program")[1].split(), ["0"] * 4)

    def test_stop(self):
        """The same place each time, at the event or as far behind it as the line says."""
        text = HEAD + """static void say(unsigned kind, uint64_t events) { SAY(kind), SAY(events), SAY(first); }
int main(void)
{
	load(5);
	SAY(waymark_after(0, 100, say));
	for (;;)
		load(7), first++;
}
""".replace("static volatile", "static volatile")
        self.write("program.c", text.replace("static volatile int sink;", "static volatile int sink, first;"))
        for level, at, placement in (("-O0", "late", "optimal"), ("-O2", "late", "optimal"),
                                     ("-O2", "early", "optimal"), ("-O1", "late", "redundant")):
            self.succeed("cc", level, "--at=" + at, "--placement=" + placement, "--profile=events", "--events-stop",
                         "--events=mark:load,steps", "program.c", "-o", "program")
            said = {self.execute("./program", environment={"WAYMARK_LIMIT": "9999"}) for _ in range(20)}
            self.assertEqual(len(said), 1)
            status, out, err = said.pop()
            self.assertEqual(status, 124)
            zero, kind, events, rounds = map(int, out.split())
            self.assertEqual((zero, kind), (0, 0))
            self.assertTrue(105 <= events <= 105 + 7, events)  # no loop runs without an increment
            self.assertTrue(7 * rounds <= events - 5 <= 7 * rounds + 7, (rounds, events))
            if placement == "redundant":
                self.assertEqual(events, 105)
            match = re.fullmatch(r"waymark: stopped at (\d+) steps, (\d+) behind 9999, in the program at 0x[0-9a-f]+\n", err)
            self.assertTrue(match, err)
            self.assertEqual(int(match[1]) - int(match[2]), 9999)
            self.assertLess(int(match[2]), 50)
            status, _, err = self.call("run", "--store=runs.db", "--limit=500:mark:load", "--", "./program")
            self.assertEqual(status, 124)
            self.assertRegex(err, r"waymark: stopped at 50\d mark:load, \d behind 500, ")

    def test_stop_leaves_the_same_state(self):
        """In 100 of 100 runs with fixed addresses: the stack, where the code is, and all that the program has computed."""
        self.write("program.c", STATE)
        self.succeed("cc", "-O2", "--profile=events", "--events-stop", "--events=steps", "program.c", "-o", "program")
        for limit in ("1000", "20011"):
            said = {self.execute("setarch", "-R", "./program", limit) for _ in range(50)}
            self.assertEqual(len(said), 1, said)
            status, out, err = said.pop()
            self.assertEqual((status, len(out.split()), err), (0, 5, ""))
            self.assertLess(int(out.split()[4]), 20)

    def test_stop_under_a_debugger(self):
        self.write("program.c", HEAD + "int main(void) { load(1000); puts(\"end\"); return 0; }\n")
        self.succeed("cc", "-O1", "--profile=events", "--events-stop", "--events=mark:load", "program.c", "-o", "program")
        self.write("tracer.c", """#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	int status, stops = 0;
	pid_t child = fork();
	if (child == 0) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		execl("./program", "program", (char *)0);
	}
	while (waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
		stops += WSTOPSIG(status) == 5;
		ptrace(PTRACE_CONT, child, 0, 0);
	}
	return printf("%d traps, status %d\\n", stops, WEXITSTATUS(status)) < 0;
}
""")
        self.assertEqual(self.clang("tracer.c", "-o", "tracer")[0], 0)
        status, out, err = self.execute("./tracer", environment={"WAYMARK_STOP_AT": "500"})
        self.assertEqual((status, sorted(out.split("\n"))), (0, ["", "2 traps, status 0", "end"]))  # one is exec's
        self.assertIn("stopped at 500 mark:load", err)

    def test_stops_that_cannot_be(self):
        self.write("program.c", HEAD + "int main(void) { load(10); SAY(1); return 0; }\n")
        self.succeed("cc", "-O1", "--profile=events", "--events-stop", "program.c", "-o", "program")
        for value, text in (("5:loads", "does not sum that kind of events"), ("x", "a number of events was expected"),
                            ("5x", "a number of events was expected")):
            status, out, err = self.execute("./program", environment={"WAYMARK_STOP_AT": value})
            self.assertEqual((status, out, len(err.splitlines())), (0, "1\n", 1))
            self.assertIn(text, err)
        self.succeed("cc", "-O1", "program.c", "-o", "program")
        self.assertIn("was not built with --events-stop", self.execute("./program", environment={"WAYMARK_LIMIT": "5"})[2])
        for value in ("x", "", "5:", "1234567890123456789"):
            self.assert_one_line_refusal(["run", "--limit=" + value, "--", "./program"], "is no number of events")

    def test_refusals(self):
        self.write("a.c", "int main(void) { return 0; }\n")
        self.write("w.txt", "load 1\nlaod 3\n")
        for words, text in ((["--profile=events", "--events=lods"], "did you mean loads?"),
                            (["--profile=events", "--events=loads,loads"], "'loads' twice"),
                            (["--profile=events", "--events=" + ",".join("calls:%d" % i for i in range(9))], "more than 8"),
                            (["--profile=events", "--events=weights:w.txt"], "w.txt:2: an opcode"),
                            (["--profile=events", "--events=weights:none"], "cannot read 'none'"),
                            (["--events=loads"], "needs --profile=events"),
                            (["--profile=edges", "--events-fresh"], "needs --profile=events"),
                            (["--profile=edges", "--events-stop"], "needs --profile=events"),
                            (["--inclusive"], "--inclusive needs --profile=events"),
                            (["--profile=events", "--inclusive", "--events-stop"], "make two builds"),
                            (["--profile=events+context"], "does not go with +context")):
            self.assert_one_line_refusal(["cc", *words, "a.c"], text)


if __name__ == "__main__":
    cases.main("__main__")
