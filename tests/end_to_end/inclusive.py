#!/usr/bin/env python3
"""What calls did in all (--inclusive), against sums that random programs keep of themselves in ordinary variables.

usage: inclusive.py --waymark=PATH [FIRST COUNT]

A program of C or C++ counts its own ticks and marks them for Waymark. Around each of its calls it notes the ticks before,
and behind the call what was gained. Its functions call each other in circles, through pointers and from the C library,
are left by longjmp or exceptions, run in threads, and one process forks. The program writes its sums by line; they must
be those of `waymark count --by=call`.
"""
import json
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import harness

FUNCTIONS = 6
BUILDS = ["-O0", "-O2", "-O2 --at=early", "-O1 -fPIC", "-O3", "-O2 --base=memory", "-O0 --at=early", "-O2 --placement=redundant",
          "-Os --events-fresh"]
HEAD = """#include <waymark.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __cplusplus
#define API extern "C" __attribute__((noinline))
#else
#define API __attribute__((noinline))
#endif
enum { SITES = %d };
struct sums { uint64_t made[SITES], back[SITES], sum[SITES]; };
static __thread struct sums own;
static __thread volatile uint64_t ticks;
static __thread volatile int fuel;
static __thread jmp_buf *top;
static struct sums all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define TICK(n) (ticks += (n), WAYMARK_EVENT("tick", n))
#define BEGIN(site) uint64_t before = (own.made[site]++, ticks)
#define END(site) (own.sum[site] += ticks - before, own.back[site]++)
#define CALL(site, call) do { BEGIN(site); call; END(site); } while (0)
#define TRY(site, call) do { BEGIN(site); try { call; END(site); } catch (int) { END(site); } } while (0)
static void hand_in(void)
{
	pthread_mutex_lock(&lock);
	for (int i = 0; i < SITES; i++)
		all.made[i] += own.made[i], all.back[i] += own.back[i], all.sum[i] += own.sum[i];
	pthread_mutex_unlock(&lock);
}
static void write_down(const char *name)
{
	FILE *out = fopen(name, "w");
	for (int i = 0; i < SITES; i++)
		fprintf(out, "%%d %%lu %%lu %%lu\\n", i, all.made[i], all.back[i], all.sum[i]);
	fclose(out);
}
"""
TAIL = """static void *run(void *argument)
{
	ticks = 0, fuel = 300;
	TICK(5);
	CALL(@, f0((int)(long)argument)); /* f0 */
	hand_in();
	return NULL;
}
API void divide(void)
{
	TICK(4);
	pid_t child = fork();
	if (child == 0) {
		for (int i = 0; i < SITES; i++)
			own.made[i] = own.back[i] = own.sum[i] = 0;
		TICK(100);
		fuel = 50;
		CALL(@, f1(7)); /* f1 */
		return;
	}
	waitpid(child, NULL, 0);
}
int main(void)
{
	pthread_t threads[3];
	pid_t self = getpid();
	fuel = 400;
	CALL(@, f0(9)); /* f0 */
	for (long i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, run, (void *)(i + 6));
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	CALL(@, divide()); /* divide */
	if (getpid() != self) {
		for (int i = 0; i < SITES; i++)
			all.made[i] = all.back[i] = all.sum[i] = 0;
		hand_in();
		write_down("child.txt");
		_exit(0);
	}
	hand_in();
	write_down("parent.txt");
	return 0;
}
"""


class Writer:
    """One program. Sites are numbered in the order of the text; `@` is the next number."""

    def __init__(self, seed, cxx):
        self.random, self.cxx = random.Random(seed), cxx

    def call(self):
        """A call as text, and the name of what is called; none where a pointer is."""
        draw = self.random
        if draw.random() < 0.25:
            return "table[(unsigned)(n * %d + i) %% %d](n - 1)" % (draw.randint(1, 9), FUNCTIONS), ""
        name = "f%d" % draw.randrange(FUNCTIONS)
        return "%s(n - %d)" % (name, draw.randint(1, 3)), name

    def statement(self):
        draw, shape = self.random, self.random.randrange(9)
        call, name = self.call()
        if shape == 0:
            return ["TICK(%d);" % draw.randint(1, 50)]
        if shape == 1:
            return ["for (i = 0; i < n %% %d; i++) {" % draw.randint(2, 4), "\tTICK(1);", "\tCALL(@, %s); /* %s */" % (call, name), "}"]
        if shape == 2:
            return ["if (n %% %d == 0)" % draw.randint(2, 3), "\tCALL(@, %s); /* %s */" % (call, name), "else", "\tTICK(2);"]
        if shape == 3:
            return ["CALL(@, qsort(numbers, 3, sizeof *numbers, compare)); /* qsort */"]
        if shape == 4 and self.cxx:
            return ["TRY(@, %s); /* %s */" % (call, name)]
        if shape == 5 and self.cxx:
            return ["if (n %% %d == 1 && fuel %% 3 == 0 && depth)" % draw.randint(3, 5), "\tthrow n;"]
        if shape == 4:
            return ["{", "\tjmp_buf place, *outer = top;", "\ttop = &place;", "\tif (!setjmp(place))",
                    "\t\tCALL(@, %s); /* %s */" % (call, name), "\telse", "\t\tTICK(3);", "\ttop = outer;", "}"]
        if shape == 5:
            return ["if (top && n %% %d == 1 && fuel %% 3 == 0)" % draw.randint(3, 5), "\tlongjmp(*top, 1);"]
        if shape == 6:
            return ["TICK(%d);" % draw.randint(1, 9), "CALL(@, %s); /* %s */" % (call, name), "CALL(@, %s); /* %s */" % (call, name)]
        return ["CALL(@, %s); /* %s */" % (call, name), "TICK(%d);" % draw.randint(1, 20)]

    def function(self, number):
        lines = ["API int f%d(int n)" % number, "{", "\tvolatile int i = 0;", "\tint numbers[] = {n, 2, 1};",
                 "\tTICK(%d);" % self.random.randint(1, 30), "\tif (n <= 0 || fuel-- <= 0)", "\t\treturn n;"]
        for _ in range(self.random.randint(3, 6)):
            lines += ["\t" + line for line in self.statement()]
        return lines + ["\t(void)numbers;", "\tTICK(%d);" % self.random.randint(1, 30), "\treturn n + i;", "}"]

    def write(self):
        body = ["API int f%d(int n);" % i for i in range(FUNCTIONS)]
        body += ["static int (*volatile table[])(int) = {%s};" % ", ".join("f%d" % i for i in range(FUNCTIONS))]
        body += ["static int compare(const void *left, const void *right)", "{", "\tTICK(2);", "\tif (fuel-- > 0)",
                 "\t\tCALL(@, f%d(2)); /* f%d */" % ((self.random.randrange(FUNCTIONS),) * 2), "\telse", "\t\tTICK(1);",
                 "\treturn *(const int *)left - *(const int *)right;", "}"]
        for i in range(FUNCTIONS):
            body += self.function(i)
        text = "\n".join(body) + "\n" + TAIL
        if self.cxx:  # nothing may leave a thread, or a comparison
            text = text.replace("&& depth", "&& may_throw").replace("CALL(@, f0", "TRY(@, f0").replace("CALL(@, f1(7", "TRY(@, f1(7")
            text = text.replace("\t\tCALL(@, f", "\t\tTRY(@, f", 1).replace("may_throw", "1")
        text = HEAD % text.count("(@") + text
        sites, lines = [], text.split("\n")
        for i, line in enumerate(lines):
            if "(@," in line and not line.startswith("#"):
                lines[i] = line.replace("@", str(len(sites)))
                sites.append((i + 1, line.rsplit("/* ")[1][:-3]))
        return "\n".join(lines), sites


class Failure(Exception):
    pass


def truth_of(directory, sites):
    """By site, from both processes: calls, those that came back, ticks."""
    found = [[0, 0, 0] for _ in sites]
    for name in ("parent.txt", "child.txt"):
        with open(os.path.join(directory, name)) as file:
            for line in file:
                site, *numbers = map(int, line.split())
                found[site] = [a + b for a, b in zip(found[site], numbers)]
    return found


def compare_once(waymark, directory, cxx, options, sites):
    for name in os.listdir(directory):
        if name.endswith((".wmk", ".txt")):
            os.remove(os.path.join(directory, name))
    source = "program.cpp" if cxx else "program.c"
    words = [waymark, "c++" if cxx else "cc", *options.split(), "-g", "-w", "--profile=events", "--events=mark:tick,calls",
             "--inclusive", source, "-o", "program", "-pthread"]
    for command in (words, ["./program"]):
        status, _, err = harness.run(command, directory, timeout=120)
        if status or err:
            raise Failure("%s: %d, %s" % (" ".join(command), status, err.decode()[-500:]))
    status, out, err = harness.run([waymark, "count", "--json", "program"], directory)
    if status:
        raise Failure(err.decode())
    mine = {}
    for call in json.loads(out)["inclusive"]:
        cell = mine.setdefault((call["line"], call["callee"]), [0, 0, 0])
        if call["came_back"] is None:
            continue
        for i, number in enumerate((call["calls"], call["came_back"], call["counts"][0])):
            cell[i] += number
    compared = 0
    for (line, callee), truth in zip(sites, truth_of(directory, sites)):
        if mine.get((line, callee), [0, 0, 0]) != truth:
            raise Failure("%s: line %d, call of %s: calls, returns and ticks are %s, said: %s" %
                          (options, line, callee or "a pointer", truth, mine.get((line, callee))))
        compared += truth[0] > 0
    return compared


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--waymark=")]
    waymark = os.path.abspath(next(word for word in sys.argv[1:] if word.startswith("--waymark="))[10:])
    first, count = (int(words[0]), int(words[1])) if words else (1, 5)
    compared = failed = 0
    for seed in range(first, first + count):
        cxx = seed % 2 == 0
        text, sites = Writer(seed, cxx).write()
        with tempfile.TemporaryDirectory(prefix="waymark-") as directory:
            with open(os.path.join(directory, "program.cpp" if cxx else "program.c"), "w") as out:
                out.write(text)
            try:
                for i in range(3):
                    compared += compare_once(waymark, directory, cxx, BUILDS[(seed + 3 * i) % len(BUILDS)], sites)
            except Failure as failure:
                print("%d: %s" % (seed, failure))
                failed += 1
    print("%d calls of %d programs are as the programs say" % (compared, count - failed))
    sys.exit(1 if failed or not compared else 0)


if __name__ == "__main__":
    main()
