#!/usr/bin/env python3
"""Sample profiles: what clang, which knows nothing of Waymark, makes of what `waymark export --to=sample` writes.

usage: sample.py --waymark=PATH [unittest arguments]

The truth about branches and entries is what clang takes from its own counters (-fprofile-instr-use) of the same run.
"""
import os
import re
import signal
import subprocess
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "end_to_end"))

import cases
import harness

OPT = os.environ.get("OPT", "opt-19")
PROFDATA = os.environ.get("LLVM_PROFDATA", "llvm-profdata-19")
COLLECT = ("--profile=edges", "-O2", "-g", "-fpseudo-probe-for-profiling", "--file=p.wmk")

# Each arm does something that no optimiser takes out or computes. `small` is inlined at three places.
PROGRAM = """#include <stdio.h>
#include <stdlib.h>
static volatile int done;
static unsigned state = 1;
static unsigned draw(void)
{
	state = state * 1103515245u + 12345u;
	return state >> 16;
}
static void small(int x)
{
	if (x % 5 == 0)
		done += x;
	else if (x & 1)
		done ^= x;
}
__attribute__((noinline)) static void choose(unsigned n)
{
	switch (n & 7) {
	case 0:
		small((int)n);
		break;
	case 1:
	case 2:
		done = 2;
		break;
	case 5:
		small((int)n + 1);
		break;
	default:
		if (n > 20000)
			done++;
	}
}
__attribute__((noinline)) static void deep(int n)
{
	if (n > 1) {
		deep(n - 1);
		done += n;
		deep(n - 2);
		done -= n;
	}
}
int main(int argc, char **argv)
{
	int limit = argc > 1 ? atoi(argv[1]) : 3000;
	for (int i = 0; i < limit; i++) {
		unsigned n = draw();
		choose(n);
		if (n % 11 == 3 && i > 100)
			small(i);
		while (n > 60000 && done != 77) {
			n -= 1000;
			done = (int)n;
		}
	}
	deep(12);
	puts("done");
	return 0;
}
"""
POINTERS = """static volatile int done;
__attribute__((noinline)) static void one(int x) { done += x; }
__attribute__((noinline)) static void two(int x) { done ^= x; }
void three(int x) { done -= x; }
static void (*volatile table[])(int) = {one, one, one, two, three, one, one, one, one, one};
static inline void call(int i) { table[i % 10](i); }
int main(void)
{
	for (int i = 0; i < 1000; i++)
		call(i);
	for (int i = 0; i < 50; i++)
		table[i % 10](1);
	return 0;
}
"""
FUNCTIONS = ["draw", "small", "choose", "deep", "main"]


def many(count, changed=()):
    """Functions that differ in how often each of their branches is taken."""
    text = "static volatile int done;\n"
    for i in range(count):
        extra = "\tif (x > 12)\n\t\tdone -= 3;\n" if i in changed else ""
        text += ("__attribute__((noinline)) void f%d(int x)\n{\n\tif (x < %d)\n\t\tdone += x;\n\telse\n\t\tdone ^= x;\n%s}\n"
                 % (i, i + 1, extra))
    calls = "".join("\t\tf%d(i);\n" % i for i in range(count))
    return text + "int main(void)\n{\n\tfor (int i = 0; i < %d; i++) {\n%s\t}\n\treturn 0;\n}\n" % (count + 1, calls)


class Annotated:
    """Branch weights by line and column, and entries by function, in LLVM's text."""

    def __init__(self, text):
        profs = dict(re.findall(r'^(!\d+) = !\{(!"(?:branch_weights|function_entry_count)".*)\}', text, re.M))
        places = {number: (int(line), int(column)) for number, line, column in
                  re.findall(r"^(!\d+) = !DILocation\(line: (\d+), column: (\d+)", text, re.M)}
        self.weights, self.entries, self.bodies = {}, {}, dict(re.findall(r"^define [^\n]*@(\w+)\((.*?)^\}", text, re.M | re.S))
        self.profs = {number: [int(x) for x in re.findall(r"i32 (\d+)", prof)] for number, prof in profs.items()}
        for place, rest in re.findall(r"^  (?:br i1 [^\n]*|\]), !dbg (!\d+)([^\n]*)", text, re.M):
            prof = re.search(r"!prof (!\d+)", rest)
            if prof:
                self.weights[places[place]] = [int(x) for x in re.findall(r"i32 (\d+)", profs[prof.group(1)])]
        for name, prof in re.findall(r"^define [^\n]*@([\w.$]+)\([^\n]* !prof (!\d+)", text, re.M):
            plain = re.sub(r"^_ZL\d+|\.__uniq.*", "", name)
            found = [own for own in FUNCTIONS if plain.startswith(own)]
            self.entries[found[0] if found else name] = int(profs[prof].split("i64 ")[1].split(",")[0])

    def weights_of(self, name):
        return [self.profs[prof] for prof in re.findall(r"br i1 .*!prof (!\d+)", self.bodies[name])]

    def shares(self):
        return {place: [weight / sum(weights) for weight in weights] for place, weights in self.weights.items()
                if sum(weights)}


class Sample(cases.Case):
    def collect(self, text, *words):
        self.write("program.c", text)
        for name in self.files():
            if name == "p.wmk":
                os.remove(self.path(name))
        self.succeed("cc", *COLLECT, *words, "program.c", "-o", "program")

    def export(self, *words):
        self.succeed("export", "--to=sample", "-o", "sample", *(words or ("p.wmk",)))
        return self.read("sample").decode()

    def must(self, *words, **keywords):
        done = subprocess.run(words, cwd=self.directory, capture_output=True, text=True, timeout=120, **keywords)
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return done.stdout

    def annotate(self, profile="sample"):
        """What clang's reader makes of the profile, before anything is inlined. By default clang 19 guesses which
        numbers of a function that changed are which."""
        self.must(harness.CLANG, "-O2", "-g", "-fpseudo-probe-for-profiling", "-fprofile-sample-use=" + profile,
                  "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", "program.c", "-o", "program.ll")
        return Annotated(self.must(OPT, "-passes=pseudo-probe,sample-profile", "-sample-profile-file=" + profile,
                                   "-disable-sample-loader-inlining", "-salvage-stale-profile=false", "-S", "program.ll", "-o", "-"))

    def truth(self):
        self.must(harness.CLANG, "-O0", "-g", "-fprofile-instr-generate", "program.c", "-o", "counted")
        self.must("./counted", env=dict(os.environ, LLVM_PROFILE_FILE="raw"))
        self.must(PROFDATA, "merge", "raw", "-o", "data")
        return Annotated(self.must(harness.CLANG, "-O2", "-g", "-fprofile-instr-use=data", "-Xclang",
                                   "-disable-llvm-passes", "-S", "-emit-llvm", "program.c", "-o", "-"))

    def test_branches_are_those_of_clangs_own_counters(self):
        self.collect(PROGRAM)
        self.must("./program")
        self.export()
        mine, truth = self.annotate(), self.truth()
        shares, right = mine.shares(), truth.shares()
        # Clang adds one to the count of each arm, and does not know which of && ran when both are short.
        compared = {place for place, weights in truth.weights.items() if sum(weights) > 100}
        self.assertGreaterEqual(len(compared), 10)
        for place in sorted(compared):
            self.assertIn(place, shares)
            for share, other in zip(shares[place], right[place]):
                self.assertAlmostEqual(share, other, delta=0.01, msg="%s: %s, %s" % (
                    place, mine.weights[place], truth.weights[place]))
        for name, count in truth.entries.items():
            self.assertLessEqual(abs(mine.entries[name] - count), 1, name)

    def test_clang_optimises_by_it_without_a_word_and_the_program_does_the_same(self):
        self.collect(PROGRAM)
        out = self.must("./program")
        self.export()
        self.must(harness.CLANG, "-O2", "-Wall", "-fpseudo-probe-for-profiling", "-fprofile-sample-use=sample",
                  "program.c", "-o", "fast")
        self.assertEqual(self.must("./fast"), out)

    def test_profdata_merges_it(self):
        self.collect(PROGRAM)
        self.must("./program")
        text = self.export()
        self.must(PROFDATA, "merge", "--sample", "--text", "sample", "sample", "-o", "twice")
        entry = re.search(r"^main:\d+:(\d+)$", self.read("twice").decode(), re.M)
        self.assertEqual(entry.group(1), "2")
        self.assertRegex(text, r"(?m)^main:\d+:1$")
        self.must(PROFDATA, "merge", "--sample", "--extbinary", "sample", "-o", "binary")
        shown = self.must(PROFDATA, "show", "--sample", "binary")
        self.assertEqual(shown.count("Function: "), len(re.findall(r"(?m)^\S", text)))

    def test_inlined_calls_are_below_their_callers(self):
        self.collect(PROGRAM)
        self.must("./program")
        text = self.export()
        inlined = re.findall(r"(?m)^ \d+: \S*small\S*:\d+$", text)
        self.assertEqual(len(inlined), 3, text)
        checksums = set(re.findall(r"small\S*:\d+\n(?:  \d+: \d+\n)+  !CFGChecksum: (\d+)", text))
        self.assertEqual(len(checksums), 1)

    def test_functions_that_did_not_change_keep_their_weights(self):
        changed = (3, 20, 41, 60, 99)
        self.collect(many(100))
        self.must("./program")
        self.export()
        before = self.annotate()
        for i in range(100):
            self.assertEqual(before.weights_of("f%d" % i), [[i + 1, 100 - i]])
        self.write("program.c", many(100, changed))
        after = self.annotate()
        said = subprocess.run([harness.CLANG, "-O2", "-fpseudo-probe-for-profiling", "-fprofile-sample-use=sample", "-mllvm",
                               "-report-profile-staleness", "-c", "program.c", "-o", "program.o"], cwd=self.directory,
                              capture_output=True, text=True).stderr
        self.assertRegex(said, r"^\(5/101\) of functions' profile are invalid")
        for i in range(100):
            self.assertEqual(after.weights_of("f%d" % i), [] if i in changed else [[i + 1, 100 - i]])

    def test_targets_of_calls_through_pointers(self):
        """As the program's table has them, in inlined code and elsewhere; clang then compares the pointer with each."""
        for mode in ("edges+context", "paths+context"):
            self.collect(POINTERS, "--profile=" + mode)
            self.must("./program")
            text = re.sub(r"\b_ZL\d([a-z]+)i\.__uniq\.\d+", r"\1", self.export())
            self.assertEqual(re.findall(r"(?m)^ +\d+: (\d+) (\S+:\d+.*)$", text),
                             [("50", "one:40 two:5 three:5"), ("1000", "one:800 two:100 three:100")], text)
        self.must(harness.CLANG, "-O2", "-fpseudo-probe-for-profiling", "-fprofile-sample-use=sample", "-S", "-emit-llvm",
                  "program.c", "-o", "program.ll")
        main = re.search(r"^define [^\n]*@main\(.*?^}", self.read("program.ll").decode(), re.M | re.S).group(0)
        for name in ("one", "two", "three"):
            self.assertRegex(main, r"icmp eq ptr %%\w+, @(_ZL\d)?%s" % name)
        self.collect(POINTERS)
        self.must("./program")
        self.assertNotRegex(self.export(), r"(?m)^ +\d+: \d+ \S")

    def test_recipe_of_the_readme(self):
        """Word by word."""
        text = open(os.path.join(HERE, "..", "..", "README.md")).read()
        recipe = re.search(r"<!-- recipe: sample -->\n```\n(.*?)```", text, re.S).group(1)
        self.write("app.c", PROGRAM)
        place = os.path.dirname(self.waymark) + os.pathsep + os.environ["PATH"]
        lines = recipe.splitlines()
        self.assertEqual(len(lines), 3)
        for line in lines:
            self.execute_line(line, dict(os.environ, PATH=place))
        self.assertEqual(self.must("./app"), "done\n")

    def execute_line(self, line, environment):
        done = subprocess.run(line, shell=True, cwd=self.directory, capture_output=True, text=True, env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_killed_run(self):
        text = PROGRAM.replace("deep(12);", "for (;;) deep(12);")
        self.collect(text)
        running = subprocess.Popen(["./program"], cwd=self.directory)
        time.sleep(0.5)
        running.send_signal(signal.SIGKILL)
        running.wait()
        self.export()
        found = self.annotate()
        self.assertLessEqual(abs(found.entries["choose"] - 3000), 1)

    def test_build_without_pseudo_probes(self):
        self.build_hello("--profile=edges", "--file=p.wmk")
        self.assert_one_line_refusal(["export", "--to=sample", "-o", "out", "p.wmk"], "p.wmk",
                                     "-g -fpseudo-probe-for-profiling")

    def test_chosen_cost(self):
        self.collect(PROGRAM)
        self.must("./program")
        self.assert_one_line_refusal(["export", "--to=sample", "--by=calls", "p.wmk"], "--by", "sample")


if __name__ == "__main__":
    cases.main(__name__)
