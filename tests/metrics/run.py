#!/usr/bin/env python3
"""Metrics: what is read where paths end belongs to the path, and to no other, however functions are left.

usage: run.py --waymark=PATH [unittest arguments]

The programs add known amounts to a variable, which is the metric; so every cost below is reckoned by hand, and all costs
together are what the program prints at its end.
"""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "end_to_end"))

import cases
import harness

START = """#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
#define APART __attribute__((noinline))
"""

COST = "volatile unsigned long cost;\n"

CALLS = START + COST + """
APART void leaf(int i) { if (i % 3) cost += 5; else cost += 7; }
APART void caller(int i) { cost += 11; leaf(i); cost += 13; }
APART void loop(int n) { cost += 1000; for (int i = 0; i < n; i++) cost += 3; cost += 100; }
int main(void)
{
	for (int i = 0; i < 99; i++) { cost += 1; caller(i); }
	loop(50);
	printf("%lu\\n", cost);
}
"""

JUMPS = START + COST + """
static jmp_buf back;
APART void jumper(int i) { cost += 17; if (i & 1) longjmp(back, 1); cost += 19; }
APART void between(int i) { cost += 2; jumper(i); cost += 3; }
APART void catcher(int i) { if (!setjmp(back)) { cost += 23; between(i); cost += 29; } else cost += 31; }
int main(void)
{
	for (int i = 0; i < 10; i++)
		catcher(i);
	printf("%lu\\n", cost);
}
"""

EXCEPTIONS = START + COST + """
APART void thrower(int i) { cost += 17; if (i % 4 == 0) throw i; cost += 19; }
struct cleaner { APART ~cleaner() { cost += 41; } };
APART void between(int i) { cleaner c; cost += 2; thrower(i); cost += 3; }
APART void catcher(int i) { try { cost += 23; between(i); cost += 29; } catch (int) { cost += 31; } }
int main()
{
	for (int i = 0; i < 100; i++)
		catcher(i);
	printf("%lu\\n", cost);
}
"""

THREADS = START + """_Thread_local volatile unsigned long cost;
APART void work(long n) { for (long i = 0; i < n; i++) { cost += 5; if (i % 7 == 0) cost += n; } }
APART void *thread(void *n) { cost += 3; work((long)n); cost += 4; return (void *)cost; }
int main(void)
{
	pthread_t all[8];
	unsigned long sum = 0;
	void *one;
	for (long round = 0; round < 3; round++) {
		for (long i = 0; i < 8; i++) pthread_create(&all[i], 0, thread, (void *)(100 * i + round));
		for (long i = 0; i < 8; i++) { pthread_join(all[i], &one); sum += (unsigned long)one; }
	}
	work(10);
	printf("%lu\\n", sum + cost);
}
"""

SIGNALS = START + COST + """
static volatile int done;
APART void from_handler(void) { cost += 1000000; }
void handler(int number) { from_handler(); cost += 77; done += number == SIGALRM; }
APART void work(int i) { if (i & 1) cost += 5; else cost += 7; }
int main(void)
{
	signal(SIGUSR1, handler);
	signal(SIGALRM, handler);
	ualarm(700, 700);
	for (int i = 0; done < 40; i++) { work(i); if (i % 100000 == 0) raise(SIGUSR1); }
	ualarm(0, 0);
	signal(SIGALRM, SIG_IGN);
	printf("%lu\\n", cost);
}
"""

# The child adds 1,600 that the parent does not, and prints both sums: its paths and the parent's are one profile.
FORKS = START + COST + """
APART void work(int i) { if (i & 1) cost += 5; else cost += 7; }
APART int split(void) { cost += 100; int child = fork(); cost += 1000; return child; }
int main(void)
{
	for (int i = 0; i < 10; i++) work(i);
	unsigned long before = cost;
	if (split()) { wait(0); printf("%lu\\n", cost + 1600); return 0; }
	for (int i = 0; i < 100; i++) work(i);
	if (cost != before + 1100 + 600) abort();
	_exit(0);
}
"""

LEAVES = START + COST + """
APART void last(int code) { cost += 9; exit(code); }
APART void work(int i) { if (i & 1) cost += 5; else cost += 7; }
int main(void)
{
	for (int i = 0; i < 10; i++) work(i);
	cost += 50;
	printf("%lu\\n", cost + 9);
	last(0);
}
"""


# Writes of `watched`: 2 or 3 in each call of leaf, two in caller; 1,000 in the loop. Half of the calls of jumper do not
# come back: the catcher's write before the jump goes to its next path. The child calls caller ten times more.
WRITES = START + """volatile int watched;
volatile int beside;
static jmp_buf back;
APART void leaf(int i) { if (i % 3) { watched = 1; watched = 2; } else { watched = 3; watched = 4; watched = 5; } beside = i; }
APART void caller(int i) { watched = 1; leaf(i); watched = 13; }
APART void jumper(int i) { watched = 17; if (i & 1) longjmp(back, 1); watched = 19; }
APART void catcher(int i) { if (!setjmp(back)) { watched = 23; jumper(i); watched = 29; } else watched = 31; }
APART void loop(int n) { for (int i = 0; i < n; i++) watched = i; }
APART void *thread(void *all) { for (int i = 0; i < 100; i++) leaf(i); return all; }
int main(void)
{
	pthread_t threads[4];
	for (int i = 0; i < 99; i++) caller(i);
	for (int i = 0; i < 10; i++) catcher(i);
	for (int i = 0; i < 4; i++) pthread_create(&threads[i], 0, thread, 0);
	for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
	loop(1000);
	if (!fork()) { for (int i = 0; i < 10; i++) caller(i); _exit(0); }
	wait(0);
	for (int i = 3; i < 20; i++) close(i); /* low numbers are the program's own */
	printf("%d\\n", dup(1));
}
"""

# After a first page, which the counters' own faults come with, 777 pages.
PAGES = START + """#include <sys/mman.h>
APART void touch(volatile char *pages, int n) { for (int i = 0; i < n; i++) pages[4096l * i] = 1; }
int main(void)
{
	char *pages = mmap(0, 4096 * 1000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(pages, 4096 * 1000, MADV_NOHUGEPAGE);
	touch(pages, 1);
	for (int i = 0; i < 7; i++) touch(pages + 4096 * (1 + 111 * i), 111);
	puts("1");
}
"""

# What some sandboxes refuse.
EVENTS_WORK = START + """#include <linux/perf_event.h>
#include <linux/hw_breakpoint.h>
#include <string.h>
#include <sys/syscall.h>
static volatile long watched;
int main(void)
{
	struct perf_event_attr a;
	memset(&a, 0, sizeof a);
	a.type = PERF_TYPE_BREAKPOINT; a.size = sizeof a; a.exclude_kernel = a.exclude_hv = 1;
	a.bp_type = HW_BREAKPOINT_W; a.bp_addr = (long)&watched; a.bp_len = 8;
	return syscall(SYS_perf_event_open, &a, 0, -1, -1, 0) < 0;
}
"""


def total(functions):
    paths = [path["cost"][0] for function in functions for path in function["paths"] if "cost" in path]
    groups = [group["cost"][0] for function in functions for group in function.get("groups", [])]
    return sum(paths) + sum(groups)


class Metrics(cases.Case):
    def build(self, text, *words, language="cc", metric="user:cost,tsc", name="p", profile=None):
        source = name + (".c" if language == "cc" else ".cc")
        self.write(source, text)
        self.succeed(language, "--profile=" + (profile or "paths+metric:" + metric), "--file=p.wmk", "-g", "-pthread", *words,
                     source, "-o", name)

    def profile(self):
        """What the program printed, and its functions by name."""
        if os.path.exists(self.path("p.wmk")):
            os.remove(self.path("p.wmk"))
        status, out, err = self.execute("./p")
        self.assertEqual((status, err), (0, ""))
        functions = json.loads(self.succeed("report", "--json", "p.wmk"))["functions"]
        return int(out), {function["display_name"]: function for function in functions}

    def costs(self, function):
        """By count: what the paths cost."""
        return sorted((path["count"], path["cost"][0]) for path in function["paths"] if "cost" in path)

    def test_calls_and_loops(self):
        for level in "-O0", "-O2":
            self.build(CALLS, level)
            printed, functions = self.profile()
            self.assertEqual(printed, 99 * 25 + 66 * 5 + 33 * 7 + 1000 + 150 + 100)
            self.assertEqual(total(functions.values()), printed)
            self.assertEqual(sum(cost for _, cost in self.costs(functions["leaf"])), 66 * 5 + 33 * 7)
            self.assertEqual(self.costs(functions["caller"]), [(99, 99 * 24)])
            self.assertEqual(total([functions["loop"]]), 1250)
            if level == "-O0":
                self.assertEqual(self.costs(functions["leaf"]), [(33, 33 * 7), (66, 66 * 5)])
                self.assertEqual([group["cost"][0] for group in functions["loop"]["groups"]], [150])
                self.assertEqual(self.costs(functions["loop"]), [(1, 100), (1, 1000)])

    def test_jumps_out_of_frames(self):
        """What the frames between had not claimed, 2 each, and what the catcher had, goes to the path that goes on."""
        for level in "-O0", "-O2":
            self.build(JUMPS, level)
            printed, functions = self.profile()
            self.assertEqual(printed, 10 * (23 + 2 + 17) + 5 * (19 + 3 + 29) + 5 * 31)
            self.assertEqual(total(functions.values()), printed)
            self.assertEqual(self.costs(functions["jumper"]), [(5, 5 * 17), (5, 5 * 36)])
            self.assertEqual(self.costs(functions["between"]), [(5, 5 * 5)])
            self.assertIn((5, 5 * 52), self.costs(functions["catcher"]))
            self.assertIn((5, 5 * (23 + 2 + 31)), self.costs(functions["catcher"]))

    def test_exceptions(self):
        for level in "-O0", "-O2":
            self.build(EXCEPTIONS, level, language="c++")
            printed, functions = self.profile()
            self.assertEqual(printed, 100 * (23 + 2 + 17 + 41) + 75 * (19 + 3 + 29) + 25 * 31)
            self.assertEqual(total(functions.values()), printed)

    def test_threads(self):
        for level in "-O0", "-O2":
            self.build(THREADS, level)
            printed, functions = self.profile()
            self.assertEqual(total(functions.values()), printed)

    def test_signals_between_readings(self):
        for level in "-O0", "-O2":
            self.build(SIGNALS, level)
            printed, functions = self.profile()
            self.assertEqual(total(functions.values()), printed)

    def test_forks(self):
        for level in "-O0", "-O2":
            self.build(FORKS, level)
            printed, functions = self.profile()
            self.assertEqual(total([functions["work"]]), 60 + 600)
            self.assertEqual(total([functions["split"]]), 1100 + 1100)

    def test_left_by_exit(self):
        """What passed before the call of exit was claimed; main never ended its path."""
        self.build(LEAVES, "-O0")
        printed, functions = self.profile()
        self.assertEqual(total([functions["work"]]), 60)
        self.assertEqual(total([functions["last"]]) + total([functions["main"]]) + 60 + 50 + 9, printed)

    def test_libraries_claim_once(self):
        """Both have the word of the thread, linked or loaded later."""
        library = "extern volatile unsigned long cost;\n__attribute__((noinline)) void inner(void) { cost += 8; }\n" \
                  "void work(int i) { inner(); if (i & 1) cost += 5; else cost += 7; }\n"
        program = START + COST + "#include <dlfcn.h>\nint main(void)\n{\n" \
                                 "\tvoid *handle = dlopen(\"./lib.so\", RTLD_NOW);\n" \
                                 "\tif (!handle) { puts(dlerror()); return 1; }\n" \
                                 "\tvoid (*work)(int) = (void (*)(int))dlsym(handle, \"work\");\n" \
                                 "\tfor (int i = 0; i < 10; i++) { cost += 100; work(i); }\n" \
                                 "\tprintf(\"%lu\\n\", cost);\n}\n"
        self.write("lib.c", library)
        self.succeed("cc", "--profile=paths+metric:user:cost,tsc", "-O2", "-g", "-fPIC", "-shared", "lib.c", "-o", "lib.so")
        self.build(program, "-O2", "-rdynamic")
        printed, functions = self.profile()
        self.assertEqual(printed, 10 * 114)
        self.assertEqual(total(functions.values()), printed)
        self.assertEqual(total([functions["work"]]), 60)

    def test_clock(self):
        """All paths take no longer than the process, and nearly as long as main."""
        self.build(CALLS.replace("i < 99", "i < 3000000"), "-O0", metric="tsc")
        _, functions = self.profile()
        clock = {name: total([function]) for name, function in functions.items()}
        self.assertGreater(clock["caller"], 0)
        self.assertGreater(clock["leaf"], 0)
        self.assertGreater(clock["main"], 0)

    def test_variable_that_nobody_has(self):
        self.build(CALLS, "-O2", metric="user:nobodys")
        _, functions = self.profile()
        self.assertEqual(total(functions.values()), 0)

    def need_events(self):
        self.write("events.c", EVENTS_WORK)
        self.assertEqual(self.clang("events.c", "-o", "events")[0], 0)
        if self.execute("./events")[0] != 0:
            self.skipTest("the kernel permits no breakpoints as events here")

    def test_writes_of_a_variable(self):
        self.need_events()
        for level in ["-O0"], ["-O2"], ["-O2", "-static"], ["-O2", "--base=memory"]:
            with self.subTest(level=level):
                self.build(WRITES, *level, metric="perf:breakpoint:watched,perf:page-faults")
                printed, functions = self.profile()
                self.assertEqual(printed, 3)
                self.assertEqual(self.costs(functions["leaf"]), [(173, 173 * 3), (336, 336 * 2)])
                self.assertEqual(self.costs(functions["caller"]), [(109, 109 * 2)])
                self.assertEqual(self.costs(functions["jumper"]), [(5, 5), (5, 10)])
                self.assertEqual(self.costs(functions["catcher"])[:2], [(5, 10), (5, 10)])
                self.assertEqual(total([functions["loop"]]), 1000)
                self.assertEqual(total(functions.values()), 173 * 3 + 336 * 2 + 109 * 2 + 15 + 20 + 1000)

    def test_page_faults(self):
        self.need_events()
        for level in "-O0", "-O2":
            self.build(PAGES, level, metric="perf:page-faults")
            _, functions = self.profile()
            faults = total([functions["touch"]])
            # Pages of counters, at most those of both sides of the first call.
            self.assertGreaterEqual(faults, 778)
            self.assertLessEqual(faults, 780)

    def test_time_of_the_task(self):
        """Waiting takes none."""
        self.need_events()
        self.build(START + "int main(void) { usleep(200000); puts(\"1\"); }", "-O0", metric="perf:task-clock")
        _, functions = self.profile()
        self.assertLess(total(functions.values()), 100000000)

    def test_variable_that_no_breakpoint_can_watch(self):
        self.build(WRITES, "-O2", metric="perf:breakpoint:nobody")
        _, functions = self.profile()
        self.assertEqual(total(functions.values()), 0)

    def test_event_that_is_not_here(self):
        """The program is built, runs, and has its paths; the metric is 0."""
        self.write("p.c", CALLS)
        status, _, err = self.call("cc", "--profile=paths+metric:perf:rffff", "--file=p.wmk", "p.c", "-o", "p")
        self.assertEqual(status, 0)
        if not err:
            self.skipTest("this machine counts everything")
        self.assertRegex(err, r"\Awaymark: [^\n]*perf:rffff cannot be counted here [^\n]*\n\Z")
        _, functions = self.profile()
        self.assertEqual(total(functions.values()), 0)
        self.assertEqual(sum(path["count"] for path in functions["leaf"]["paths"]), 99)

    def refuse(self, profile, *words):
        self.write("p.c", CALLS)
        status, out, err = self.call("cc", "--profile=" + profile, *words, "-c", "p.c")
        self.assertEqual((status, out), (2, ""))
        self.assertRegex(err, r"\Awaymark: [^\n]+\n\Z")
        self.assertFalse(os.path.exists(self.path("p.o")))
        return err

    def test_bad_words(self):
        self.assertIn("did you mean tsc?", self.refuse("paths+metric:tcs"))
        self.assertIn("did you mean user?", self.refuse("paths+metric:usr:cost"))
        self.assertIn("did you mean cycles?", self.refuse("paths+metric:perf:cycels"))
        self.assertIn("is unknown: use page-faults", self.refuse("paths+metric:perf:nothing-at-all"))
        self.assertIn("names no variable", self.refuse("paths+metric:perf:breakpoint:"))
        self.assertIn("up to 4", self.refuse("paths+metric:tsc,user:a,user:b,user:c,user:d"))
        self.assertIn("twice", self.refuse("paths+metric:tsc,tsc"))
        self.assertIn("no name of a variable", self.refuse("paths+metric:user:3"))
        self.assertIn("where paths end", self.refuse("edges+metric:tsc"))
        for option in "--paths=classic", "--at=early", "--placement=redundant":
            self.assertIn(option[2:], self.refuse("paths+metric:tsc", option))


if __name__ == "__main__":
    Metrics.waymark = cases.take_waymark()
    cases.unittest.main()
