#!/usr/bin/env python3
"""Simulated caches: misses along paths equal those of another simulator on the same addresses, and cachegrind's.

usage: sim.py --waymark=PATH [unittest arguments]
"""
import json
import os
import re
import shutil
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "end_to_end"))

import cases

# Which bytes are accessed follows from a generator, which the test has again; the program says where its memory is.
# Eight bytes anywhere may lie in two lines.
ACCESSES = """#include <stdio.h>
enum { BYTES = 1 << 18, ROUNDS = 20000 };
static char memory[BYTES + 64];
struct __attribute__((packed)) word { unsigned long word; };
__attribute__((noinline)) void step(void) { __asm__ volatile(""); }
__attribute__((noinline)) unsigned long walk(unsigned state)
{
	unsigned long sum = 0;
	for (int i = 0; i < ROUNDS; i++) {
		step(); /* so that the loop is no group: each path has its misses */
		state = state * 1103515245u + 12345u;
		char *at = memory + (state >> 10) % (i & 64 ? BYTES : 30000);
		if (state >> 30 & 1)
			sum += *(volatile unsigned char *)at;
		else
			((volatile struct word *)at)->word = sum;
	}
	return sum;
}
int main(void)
{
	unsigned long sum = walk(7);
	printf("%p\\n", (void *)memory);
	return sum == 1;
}
"""

KERNELS = """#include <stdlib.h>
#include <stdio.h>
enum { N = 128, LONG = 1 << 15 };
#define APART __attribute__((noinline))
_Alignas(4096) static double a[N][N], b[N][N], c[N][N];
_Alignas(4096) static int next[LONG];
static volatile double out;
APART void fill(double x) { for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) { a[i][j] = x + j; b[i][j] = x - i; } }
APART double rows(void) { double s = 0; for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) s += a[i][j]; return s; }
APART double columns(void) { double s = 0; for (int j = 0; j < N; j++) for (int i = 0; i < N; i++) s += a[i][j]; return s; }
APART void multiply(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			double s = 0;
			for (int k = 0; k < N; k++) s += a[i][k] * b[k][j];
			c[i][j] = s;
		}
}
APART void link_up(void) { for (int i = 0; i < LONG; i++) next[i] = (i + 12347) & (LONG - 1); }
APART int chase(int steps) { int at = 0; while (steps-- > 0) at = next[at]; return at; }
int main(int count, char **words)
{
	fill(count);
	out = rows();
	out = columns();
	multiply();
	link_up();
	out = chase(100000) + c[count][count];
	(void)words;
	puts("1");
	return 0;
}
"""

# What is on the heap and on the stack matters, too.
SCATTERED = """#include <stdio.h>
#include <stdlib.h>
struct node { struct node *next; long value[5]; };
__attribute__((noinline)) long sum(struct node *node) { long all = 0; for (; node; node = node->next) all += node->value[3]; return all; }
int main(void)
{
	struct node *first = 0;
	char stack[20000];
	for (int i = 0; i < 20000; i++) { stack[i] = (char)i; __asm__ volatile("" : : "r"(stack) : "memory"); }
	for (int i = 0; i < 3000; i++) {
		struct node *node = malloc(sizeof *node + 16 * (i % 7));
		node->next = first, node->value[3] = stack[i], first = node;
	}
	long all = 0;
	for (int i = 0; i < 10; i++) all += sum(first);
	printf("%ld\\n", all);
	return 0;
}
"""


class Cache:
    """Lists of lines, the last used at the end."""

    def __init__(self, size, ways, line):
        self.sets = [[] for _ in range(size // ways // line)]
        self.ways, self.line = ways, line

    def look_up(self, line):
        lines = self.sets[line % len(self.sets)]
        hit = line in lines
        if hit:
            lines.remove(line)
        elif len(lines) == self.ways:
            lines.pop(0)
        lines.append(line)
        return not hit

    def misses(self, address, size):
        """An access to two lines is at most one miss."""
        lines = range(address // self.line, (address + size - 1) // self.line + 1)
        return int(any([self.look_up(line) for line in lines]))


class Sim(cases.Case):
    def build(self, text, *words, metric="sim:l1d,sim:l2"):
        self.write("p.c", text)
        self.succeed("cc", "-g", "--profile=paths+metric:" + metric, "--file=p.wmk", *words, "p.c", "-o", "p")

    def profile(self, *command, notes=""):
        if os.path.exists(self.path("p.wmk")):
            os.remove(self.path("p.wmk"))
        status, out, err = self.execute(*(command or ("./p",)))
        self.assertEqual(status, 0)
        self.assertTrue(notes in err if notes else not err, err)
        functions = json.loads(self.succeed("report", "--json", "p.wmk"))["functions"]
        return out, {function["display_name"]: function for function in functions}

    def total(self, function, meter=0):
        return (sum(path["cost"][meter] for path in function["paths"] if "cost" in path) +
                sum(group["cost"][meter] for group in function["groups"]))

    def expect(self, base, shapes):
        """By what is done: how often, and misses of each level."""
        caches = [Cache(*shape) for shape in shapes]
        state, got = 7, {True: [0, 0, 0], False: [0, 0, 0]}
        for i in range(20000):
            state = (state * 1103515245 + 12345) & 0xffffffff
            at = base + (state >> 10) % (1 << 18 if i & 64 else 30000)
            reads = bool(state >> 30 & 1)
            got[reads][0] += 1
            for level, cache in enumerate(caches, 1):
                if not cache.misses(at, 1 if reads else 8):
                    break
                got[reads][level] += 1
        return got

    def test_another_simulator(self):
        for sim, shapes in (([], [(32768, 8, 64), (1 << 20, 16, 64)]), (["--sim=paper"], [(16384, 1, 32), (1 << 20, 1, 64)]),
                            (["--sim=l1d=4K/2/128,l2=64K/4/128"], [(4096, 2, 128), (65536, 4, 128)])):
            for level in ["-O1"], ["-O2", "-fPIC", "--base=memory"]:
                with self.subTest(sim=sim, level=level):
                    self.build(ACCESSES, *sim, *level)
                    out, functions = self.profile()
                    wanted, walk = self.expect(int(out, 16), shapes), functions["walk"]
                    self.assertEqual([self.total(walk, m) for m in (0, 1)],
                                     [wanted[True][m] + wanted[False][m] for m in (1, 2)])
                    # Each arm of the branch has a path; the last iteration has another one.
                    several = sorted([path["count"]] + path["cost"] for path in walk["paths"] if path["count"] > 5000)
                    self.assertEqual(len(several), 2)
                    self.assertLessEqual(sum(abs(x - y) for got, want in zip(several, sorted(wanted.values()))
                                             for x, y in zip(got, want)), 3)

    def test_cachegrind(self):
        if not shutil.which("valgrind"):
            self.skipTest("valgrind is not installed")
        self.build(KERNELS, "-O2")
        _, functions = self.profile()
        self.assertEqual(self.clang("-g", "-O2", "p.c", "-o", "plain")[0], 0)
        status, _, err = self.execute("valgrind", "--tool=cachegrind", "--cache-sim=yes", "--D1=32768,8,64", "--LL=1048576,16,64",
                                      "--cachegrind-out-file=out", "./plain")
        self.assertEqual(status, 0, err)
        columns = re.search(r"(?m)^events: (.*)$", self.read("out").decode()).group(1).split()
        said, current = {}, None
        for line in self.read("out").decode().splitlines():
            if line.startswith("fn="):
                current = line[3:]
            elif current and re.match(r"\d", line):
                numbers = dict(zip(columns, [int(word) for word in line.split()[1:]]))
                said[current] = said.get(current, 0) + numbers["D1mr"] + numbers["D1mw"]
        for name in "fill", "rows", "columns", "multiply", "link_up", "chase":
            ours = self.total(functions[name])
            self.assertLessEqual(abs(ours - said[name]), max(3, said[name] * 0.02), "%s: %d, %d" % (name, ours, said[name]))

    def test_transposed_loop_is_dense(self):
        self.build(KERNELS, "-O2")
        self.profile()
        got = json.loads(self.succeed("report", "--json", "--metric=sim:l1d", "--hot=0.01%", "p.wmk"))
        classes = {row["function"]: row["class"] for row in got["functions"]}
        self.assertEqual((classes["columns"], classes["rows"]), ("dense", "sparse"))
        self.assertIn(("columns", "dense"), [(row["function"], row["class"]) for row in got["paths"]])

    def test_fixed_addresses(self):
        """Ten runs, all of one number for each path."""
        self.build(SCATTERED, "-O2")
        seen = set()
        for _ in range(10):
            functions = self.profile(self.waymark, "run", "--store=runs.db", "--fixed-addresses", "--", "env",
                                     "WAYMARK_FILE=" + self.path("p.wmk"), "./p", notes="run: ")[1]
            seen.add(json.dumps([[path.get("cost") for path in functions[name]["paths"]] for name in ("main", "sum")]))
        self.assertEqual(len(seen), 1)

    def test_threads_have_their_own(self):
        text = "#include <pthread.h>\n" + KERNELS.replace(
            "int main(", "static void *thread(void *x) { out = rows(); return x; }\nint main(").replace(
            "\tmultiply();", "\tpthread_t t;\n\tfor (int i = 0; i < 5; i++) { pthread_create(&t, 0, thread, 0); "
            "pthread_join(t, 0); }")
        self.build(text, "-O2", "-pthread")
        _, functions = self.profile()
        self.assertEqual(self.total(functions["rows"]), 6 * 128 * 128 // 8)

    def refuse(self, *words):
        self.write("p.c", KERNELS)
        status, out, err = self.call("cc", *words, "-c", "p.c")
        self.assertEqual((status, out), (2, ""))
        self.assertRegex(err, r"\Awaymark: [^\n]+\n\Z")
        return err

    def test_bad_words(self):
        metric = "--profile=paths+metric:sim:l1d"
        self.assertIn("use sim:l1d or sim:l2", self.refuse("--profile=paths+metric:sim:l3"))
        self.assertIn("is unknown; use modern", self.refuse(metric, "--sim=old"))
        self.assertIn("power of two", self.refuse(metric, "--sim=l1d=32K/8/60"))
        self.assertIn("such as 32K/8/64", self.refuse(metric, "--sim=l2=32K/8/64/2"))
        self.assertIn("up to 1 GiB", self.refuse(metric, "--sim=l2=32000M/8/64"))
        self.assertIn("needs a metric", self.refuse("--profile=paths", "--sim=paper"))


if __name__ == "__main__":
    Sim.waymark = cases.take_waymark()
    unittest.main()
