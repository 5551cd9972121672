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
        self.assertIn("up to 4", self.refuse("paths+metric:tsc,user:a,user:b,user:c,user:d"))
        self.assertIn("twice", self.refuse("paths+metric:tsc,tsc"))
        self.assertIn("no name of a variable", self.refuse("paths+metric:user:3"))
        self.assertIn("where paths end", self.refuse("edges+metric:tsc"))
        for option in "--paths=classic", "--at=early", "--placement=redundant":
            self.assertIn(option[2:], self.refuse("paths+metric:tsc", option))


if __name__ == "__main__":
    Metrics.waymark = cases.take_waymark()
    cases.unittest.main()
