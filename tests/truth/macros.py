#!/usr/bin/env python3
"""Conditions that macros hold: what paths say of them, against what the program computes.

usage: macros.py --waymark=PATH [unittest arguments]

The steps of all paths are added up by line and outcome. Counted early, they are what the truth below says of
each line; counted behind the optimiser, no more than that. Where nothing tells which of several conditions was
meant, no step of the line has an outcome.
"""
import collections
import itertools
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "end_to_end"))

import cases

UNNAMED = object()

# Lines of the function, and which outcomes they have for a and b.
LINES = [
    ("if (MIN(a, b) == 3) hits++;", lambda a, b: [min(a, b) == 3]),
    ("if (a + b == 9 && MIN(a, b) == 3) hits++;", lambda a, b: [a + b == 9] + [min(a, b) == 3] * (a + b == 9)),
    ("if (MIN(a, b)) hits++;", UNNAMED),
    ("if (MIN(a, b) ? a > 4 : b > 4) hits++;", UNNAMED),
    ("if (a < b ? a > 4 : b > 4) hits++;", lambda a, b: [a < b]),
    ("if (IS_X(a)) hits++;", UNNAMED),
    ("if (IS_X(a) && b > 4) hits++;", lambda a, b: [b > 4] * (a in (3, 5))),
    ("if (IS_POSITIVE(a)) hits++;", lambda a, b: [a > 0]),
    ("if (IS_POSITIVE(a) && b > 4) hits++;", lambda a, b: [a > 0] + [b > 4] * (a > 0)),
    ("if (IS_ODD(b)) hits++;", lambda a, b: [b % 2 == 1]),
    ("TWO_IFS(a);", UNNAMED),
    ("ONE_IF(b);", lambda a, b: [b > 2]),
    ("#include \"two_ifs.h\"", UNNAMED),
    ("assert(a >= 0);", lambda a, b: [True]),
    ("assert(a >= 0 && b >= 0);", UNNAMED),
    ("SWITCH(a);", UNNAMED),
    ("CHOOSE(b) {", lambda a, b: ["case %d" % {4: 1, 6: 2}[b] if b in (4, 6) else "no case"]),
    ("case 4: hits += 2; break;", UNNAMED),
    ("case 6: hits += 5; break;", UNNAMED),
    ("}", UNNAMED),
    ("switch (b) {", lambda a, b: {7: ["case 2"], 5: ["case 3"], 1: [], 2: []}.get(b, ["no case"])),
    ("TWO_LABELS;", UNNAMED),
    ("LABEL(7): hits += 3; break;", UNNAMED),
    ("case 5: hits += 9; break;", UNNAMED),
    ("}", UNNAMED),
]

PROGRAM = """#include <assert.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define IS_X(c) ((c) == 3 || (c) == 5)
#define IS_POSITIVE(a) ((a) > 0)
#define IS_ODD(a) (((a) & 1) != 0)
#define ONE_IF(a) do { if ((a) > 2) hits++; } while (0)
#define TWO_IFS(a) do { if ((a) > 1) hits++; if ((a) > 2) hits++; } while (0)
#define SWITCH(a) switch (a) { case 5: hits++; break; case 6: hits += 2; break; }
#define CHOOSE(a) switch (a)
#define TWO_LABELS case 1: hits += 4; break; case 2: hits += 3; break
#define LABEL(n) case n
volatile int hits;
__attribute__((noinline)) static void choose(int a, int b)
{
%s
}
int main(void)
{
	for (int a = 0; a < 10; a++)
		for (int b = 0; b < 10; b++)
			choose(a, b);
	return 0;
}
"""
FIRST_LINE = PROGRAM[:PROGRAM.index("%s")].count("\n") + 1


def outcome_text(outcome, line):
    """A label is told by how many lines behind its switch it stands."""
    if isinstance(outcome, bool):
        return "yes" if outcome else "no"
    word, *distance = outcome.split()
    return "case at line %d" % (line + int(distance[0])) if word == "case" else outcome


def expected():
    counts = collections.Counter()
    for line, (_, outcomes) in enumerate(LINES, FIRST_LINE):
        for a, b in itertools.product(range(10), repeat=2):
            for outcome in [] if outcomes is UNNAMED else outcomes(a, b):
                counts[line, outcome_text(outcome, line)] += 1
    return counts


def step_text(step):
    if step["outcome"] != "case":
        return step["outcome"]
    return "case at line %d" % step["to_line"] if "to_column" in step else "no case"


class Macros(cases.Case):
    def outcomes(self, *options):
        self.write("two_ifs.h", "if (a > 6) hits++; if (b > 7) hits++;\n")
        self.write("program.c", PROGRAM % "\n".join(text for text, _ in LINES))
        self.succeed("cc", "-g", "-O2", *options, "program.c", "-o", "program")
        self.assertEqual(self.execute("./program"), (0, "", ""))
        counts = collections.Counter()
        for function in json.loads(self.succeed("report", "--json"))["functions"]:
            for path in function["paths"] if function["name"] == "choose" else []:
                for step in path["steps"]:
                    if step["outcome"]:
                        counts[step["line"], step_text(step)] += path["count"]
        return counts

    def test_counted_early(self):
        self.assertEqual(self.outcomes("--at=early"), expected())

    def test_counted_behind_the_optimiser(self):
        found = self.outcomes()
        self.assertTrue(found)
        self.assertEqual(found - expected(), collections.Counter())


if __name__ == "__main__":
    cases.main("__main__")
