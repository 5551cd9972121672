#!/usr/bin/env python3
"""Two builds agree on a function's code hash exactly if they hold the same code of it.

Each mutation changes one token of one function and keeps its control flow: the hash of that function
must change, and those of the others must stay. Each neutral edit changes the text and no code: all
hashes must stay.

usage: code_hash.py --waymark=PATH
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

PROGRAM = r'''
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int one(int), other(int);
int volatile sink;
static const char *const words[] = {"red", "green", "blue"};
static int table[4] = {1, 2, 3, 4};
int cell, second;
__attribute__((noinline)) int arithmetic(int a, int b, unsigned c, long d)
{
	int sum = a + b * 3 - 7;
	if (a < b)
		sum ^= 12;
	if (c > 5u)
		sum += (int)(c >> 2);
	return sum + (int)(d / 9);
}
__attribute__((noinline)) double real(double x, float y)
{
	double left = x * 1.5 + y;
	if (left < 2.5)
		left -= 0.25;
	return left / 3;
}
__attribute__((noinline)) int memory(int *p, char *q, int n)
{
	for (int i = 0; i < n; i++)
		p[i + 1] += q[i];
	sink = cell;
	return table[n & 3] + words[n % 3][0];
}
__attribute__((noinline)) int calls(int n)
{
	int found = n > 4 ? one(n) : one(n + 1);
	puts("calls");
	return found + abs(n);
}
__attribute__((noinline)) int choose(int n)
{
	switch (n) {
	case 1: return one(10);
	case 2: return other(20);
	case 9: return one(30) + other(2);
	default: return other(40);
	}
}
__attribute__((noinline)) int quiet(int n)
{
	for (int i = 0; i < n; i++)
		sink += i;
	return n;
}
int one(int n) { return sink + n; }
int other(int n) { return sink - n; }
int main(int argc, char **argv)
{
	int p[9] = {0};
	char q[9] = {0};
	(void)argv;
	return (arithmetic(argc, 2, 3, 4) + (int)real(1, 2) + memory(p, q, argc) + calls(argc) +
		choose(argc) + quiet(argc)) == 0;
}
'''

MUTATIONS = {
    "arithmetic": [
        ("a + b * 3", "a - b * 3"), ("b * 3", "b * 5"), ("b * 3", "a * 3"), ("- 7", "- 8"),
        ("a < b", "a > b"), ("a < b", "a <= b"), ("a < b", "a < 4"), ("sum ^= 12", "sum |= 12"),
        ("sum ^= 12", "sum ^= 13"), ("c > 5u", "c > 6u"), ("c > 5u", "(int)c > 5"),
        ("c >> 2", "c >> 3"), ("(int)(c >> 2)", "((int)c >> 2)"), ("d / 9", "d % 9"),
        ("d / 9", "d / 10"), ("(int)(d / 9)", "(short)(d / 9)"), ("return sum", "return -sum"),
    ],
    "real": [
        ("x * 1.5", "x * 2.5"), ("x * 1.5", "x / 1.5"), ("+ y", "- y"), ("float y", "double y"),
        ("left < 2.5", "left > 2.5"), ("left < 2.5", "left <= 2.5"), ("left < 2.5", "x < 2.5"),
        ("-= 0.25", "+= 0.25"), ("-= 0.25", "-= 0.125"), ("left / 3", "left / 5"),
        ("double left", "float left"),
    ],
    "memory": [
        ("p[i + 1]", "p[i + 2]"), ("p[i + 1] +=", "p[i + 1] -="), ("+= q[i]", "+= p[i]"),
        ("char *q", "signed char *q /**/"), ("char *q", "unsigned char *q"), ("char *q", "short *q"),
        ("sink = cell", "sink = second"), ("sink = cell", "cell = sink"), ("n & 3", "n & 1"),
        ("n % 3", "n % 2"), ("[0];", "[1];"), ("int *p", "long *p"), ("i < n", "i < n + 1"),
        ("int i = 0", "int i = 1"),
    ],
    "calls": [
        ("one(n)", "other(n)"), ("one(n + 1)", "one(n + 2)"), ("one(n + 1)", "other(n + 1)"),
        ("n > 4", "n > 5"), ("n > 4", "n < 4"), ('"calls"', '"Calls"'), ("puts(", "perror("),
        ("abs(n)", "abs(found)"), ("found + abs", "found - abs"),
    ],
    "choose": [
        ("case 2", "case 3"), ("one(10)", "one(11)"), ("one(10)", "other(10)"),
        ("other(20)", "one(20)"), ("case 9", "case 8"), ("one(30) +", "one(30) -"),
        ("other(2)", "other(3)"), ("other(40)", "other(41)"),
    ],
    "quiet": [("sink += i", "sink -= i"), ("sink += i", "sink += n"), ("sink += i", "cell += i"),
              ("return n", "return ~n"), ("i < n", "i < n - 1")],
}
# signed char is char here: the same code from another text.
SAME_CODE = {("memory", "char *q", "signed char *q /**/")}

NEUTRAL = [
    ("comments", "int volatile sink;", "/* what is\n\n   counted */\nint volatile sink; // here"),
    ("a local variable's name", "left", "result"),
    ("a string before all others", "int volatile sink;",
     "int volatile sink; void hello(void) { puts(\"hello\"); }"),
    ("a function in front", "int volatile sink;",
     "int volatile sink; int first(int n) { return sink * n; }"),
    ("another order", "extern int one(int), other(int);", "extern int other(int), one(int);"),
]


class Builder:
    def __init__(self, waymark, folder):
        self.waymark, self.folder = waymark, folder

    def hashes(self, text, *flags):
        source, program = os.path.join(self.folder, "t.c"), os.path.join(self.folder, "t")
        profile = os.path.join(self.folder, "t.wmk")
        with open(source, "w") as file:
            file.write(text)
        subprocess.run([self.waymark, "cc", *flags, "-g", "-w", source, "-o", program], check=True)
        if os.path.exists(profile):
            os.remove(profile)
        subprocess.run([program], env=dict(os.environ, WAYMARK_FILE=profile), check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        report = json.loads(subprocess.run([self.waymark, "report", "--json", profile], check=True,
                                           capture_output=True, text=True).stdout)
        return {f["name"]: f["code_hash"] for f in report["functions"]}


def mutate(function, old, new):
    start = PROGRAM.index(" " + function + "(")
    end = PROGRAM.index("\n}\n", start)
    body = PROGRAM[start:end]
    assert body.count(old) >= 1, (function, old)
    return PROGRAM[:start] + body.replace(old, new, 1) + PROGRAM[end:]


def try_mutations(builder, flags):
    base = builder.hashes(PROGRAM, *flags)
    wrong = []
    for function, changes in MUTATIONS.items():
        for old, new in changes:
            now = builder.hashes(mutate(function, old, new), *flags)
            same = now[function] == base[function]
            if same != ((function, old, new) in SAME_CODE):
                wrong.append("%s %s: '%s' for '%s' has %s hash" % (
                    " ".join(flags), function, new, old, "the same" if same else "another"))
            wrong += ["%s: '%s' in %s changed the hash of %s" % (" ".join(flags), new, function, f)
                      for f in base if f not in (function, "main") and now[f] != base[f]]
    return wrong


def try_neutral(builder, flags):
    base = builder.hashes(PROGRAM, *flags)
    wrong = []
    for what, old, new in NEUTRAL:
        assert old in PROGRAM
        now = builder.hashes(PROGRAM.replace(old, new), *flags)
        wrong += ["%s: %s changed the hash of %s" % (" ".join(flags), what, f)
                  for f in base if now[f] != base[f]]
    return wrong


def try_levels(builder):
    """Before the optimiser, the level makes no difference."""
    base = builder.hashes(PROGRAM, "-O1", "--at=early")
    return ["-%s --at=early: another hash of %s" % (level, f) for level in ("O2", "O3")
            for f, code in builder.hashes(PROGRAM, "-" + level, "--at=early").items()
            if code != base[f]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--waymark", required=True)
    waymark = os.path.abspath(parser.parse_args().waymark)
    with tempfile.TemporaryDirectory() as folder:
        builder = Builder(waymark, folder)
        wrong = try_mutations(builder, ["-O2"]) + try_neutral(builder, ["-O2"])
        wrong += try_neutral(builder, ["-O2", "--at=early"]) + try_levels(builder)
    for line in wrong:
        print(line)
    tried = sum(map(len, MUTATIONS.values()))
    print("%d mutations, %d neutral edits, %d wrong" % (tried, len(NEUTRAL), len(wrong)))
    return 1 if wrong else 0


sys.exit(main())
