#!/usr/bin/env python3
"""waymark tree: its listings, from a program whose calls are reckoned by hand, and from one of much
recursion, whose tree is read from --json and listed again here.

usage: tree_command.py --waymark=PATH [unittest arguments]
"""
import collections
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "..", "end_to_end"), os.path.join(HERE, "..", "export")]

import cases
import harness
from run import PROGRAM

# Each function calls others, itself among them, as a generator of numbers has it.
RECURSIVE = """#include <stdio.h>
static unsigned state = 1, left = 4000;
static unsigned next(void) { state = state * 1103515245 + 12345; return state >> 16; }
#define DECLARE(name) __attribute__((noinline)) void name(int depth);
#define FUNCTION(name, x, y, z) void name(int depth) \\
{ \\
	if (!left || depth > 9) \\
		return; \\
	left--; \\
	if (next() % 3) \\
		x(depth + 1); \\
	if (next() % 2) \\
		y(depth + 1); \\
	if (next() % 4 == 0) \\
		z(depth + 1); \\
	state++; \\
}
DECLARE(a) DECLARE(b) DECLARE(c) DECLARE(d)
FUNCTION(a, b, c, a)
FUNCTION(b, c, d, a)
FUNCTION(c, d, d, b)
FUNCTION(d, a, c, b)
int main(void)
{
	for (int i = 0; i < 30; i++) {
		a(0);
		b(1);
	}
	printf("%u\\n", left);
	return 0;
}
"""
ROW = re.compile(r" +([\d.]+)% +([\d,]+)  ( *)(.*)\Z")
Row = collections.namedtuple("Row", "depth calls text share")


def number(text):
    return int(text.replace(",", ""))


class Tree(cases.Case):
    def build(self, text, mode="context"):
        self.write("program.c", text)
        self.succeed("cc", "-O1", "-g", "--profile=" + mode, "program.c", "-o", "program")
        harness.run([self.path("program")], self.directory, {"WAYMARK_FILE": "p.wmk"})

    def rows(self, *words):
        lines = self.succeed("tree", *words, "p.wmk").splitlines()
        found = []
        for line in lines[3:-1]:
            share, calls, indent, text = ROW.match(line).groups()
            found.append(Row(len(indent) // 2, number(calls), text, float(share)))
        self.last = lines[-1].strip()
        return found

    def texts(self, *words):
        return [(row.depth, row.calls, row.text) for row in self.rows(*words)]

    def test_inverted(self):
        self.build(PROGRAM)
        self.assertEqual(self.texts("--inverted", "--min=4%"), [
            (0, 89, "fib  (recursion: 88)"), (1, 89, "main  program.c:23"), (2, 89, "from outside"),
            (0, 77, "leaf"), (1, 60, "outer  program.c:13"),
            (2, 30, "main  program.c:26"), (3, 30, "from outside"),
            (2, 30, "main  program.c:28"), (3, 30, "from outside"),
            (1, 17, "+ 5 smaller"), (0, 8, "+ 3 smaller")])
        self.assertEqual(self.last, "14 contexts, 174 calls")
        # fib and leaf; outer, compare and main have less than 4%; nothing is shown below.
        self.assertEqual(self.texts("--inverted", "--depth=1", "--min=4%"), [
            (0, 89, "fib  (recursion: 88)"), (1, 89, "+ 1 smaller"), (0, 77, "leaf"), (1, 77, "+ 6 smaller"),
            (0, 8, "+ 3 smaller")])

    def test_focus(self):
        self.build(PROGRAM)
        self.assertEqual(self.texts("--focus=compare"), [
            (0, 1, "main  from outside"), (1, 1, "compare  program.c:29"),
            (2, 1, "leaf  program.c:19"), (2, 1, "leaf  program.c:19")])
        self.assertEqual(self.last, "3 contexts, 3 calls")
        self.assertEqual(self.texts("--inverted", "--focus=compare"), [
            (0, 1, "compare"), (1, 1, "main  program.c:29"), (2, 1, "from outside")])
        self.assertEqual([(row.text, row.share) for row in self.rows("--focus=outer", "--min=30%")], [
            ("main  from outside", 100), ("outer  program.c:26", 50), ("leaf  program.c:13", 38.5),
            ("+ 2 smaller", 7.7), ("outer  program.c:28", 50), ("leaf  program.c:13", 38.5),
            ("+ 2 smaller", 7.7)])
        # Both functions are in it, each context once.
        self.texts("--focus=[ol][ue]*")
        self.assertEqual(self.last, "11 contexts, 83 calls")

    def test_statistics(self):
        self.build(PROGRAM)
        lines = self.succeed("tree", "--statistics", "p.wmk").splitlines()[2:]
        # main calls fib, outer, qsort (which calls compare), printf, and outer or leaf from one place;
        # outer calls leaf from three places, compare from two, fib itself from one. outer has two
        # contexts, so leaf has one, six and two.
        self.assertEqual([line.split()[0] for line in lines],
                         ["14", "7", "5", "9", "3.2", "2.8", "3", str(5 + 2 * 3 + 2 + 1), "13"])
        self.assertTrue(lines[3].endswith(": leaf"), lines[3])
        self.assertEqual(self.json()["statistics"], {
            "contexts": 14, "contexts_by_function": 7, "functions": 5, "replication_max": 9,
            "out_degree": 13 / 4, "height_average": (2 + 2 + 8 * 3) / 10, "height_max": 3,
            "sites": 14, "sites_used": 13})

    def json(self):
        return json.loads(self.succeed("tree", "--json", "p.wmk"))

    def read_tree(self):
        """Of each context: its chain, from itself outwards, of (function, line of the call); its calls;
        those by recursion."""
        tree = self.json()
        by_id = {context["id"]: context for context in tree["contexts"]}
        calls, again = collections.Counter(), collections.Counter()

        def chain(number):
            context = by_id.get(number)
            return [] if context is None else [context, *chain(context["parent"])]
        for call in tree["calls"]:
            calls[call["target"]] += call["count"]
            if call["target"] in [context["id"] for context in chain(call["source"])]:
                again[call["target"]] += call["count"]
        return tree, {number: chain(number) for number in by_id}, calls, again

    def check_inverted(self, focus=None):
        _, chains, calls, again = self.read_tree()
        sums, recursion = collections.Counter(), collections.Counter()
        for number, chain in chains.items():
            if not calls[number] or focus and chain[0]["function"] != focus:
                continue
            words = [chain[0]["function"]]
            for callee, caller in zip(chain, chain[1:]):
                words.append((caller["function"], callee["call"], "program.c:%d" % callee["line"]))
            for end in range(1, len(words) + 1):
                sums[tuple(words[:end])] += calls[number]
            sums[(*words, "from outside")] += calls[number]
            recursion[words[0]] += again[number]
        # What is printed of a call is its line only: several calls of a line are told apart by their sums.
        expected = collections.Counter()
        for words, count in sums.items():
            shown = tuple(word if isinstance(word, str) else "%s  %s" % (word[0], word[2]) for word in words)
            note = "  (recursion: %s)" % format(recursion[words[0]], ",") if len(words) == 1 and recursion[words[0]] else ""
            expected[(shown[:-1] + (shown[-1] + note,), count)] += 1
        found, above = collections.Counter(), []
        for row in self.rows("--inverted", "--min=0%", *(["--focus=" + focus] if focus else [])):
            above[row.depth:] = [row.text.split("  (rec")[0]]
            found[(tuple(above[:-1]) + (row.text,), row.calls)] += 1
        self.assertEqual(found, expected)
        return found

    def test_inverted_under_recursion(self):
        self.build(RECURSIVE)
        self.assertGreater(len(self.check_inverted()), 50)
        self.check_inverted("c")

    def test_focus_under_recursion(self):
        self.build(RECURSIVE)
        _, chains, calls, _ = self.read_tree()
        inside = {number for number, chain in chains.items() if "c" in [each["function"] for each in chain]}
        rows = self.rows("--focus=c", "--min=0%")
        total = sum(calls[number] for number in inside)
        self.assertEqual(self.last, "%d contexts, %s calls" % (len(inside), format(total, ",")))
        shown = inside | {each["id"] for number in inside for each in chains[number]}
        self.assertEqual(collections.Counter((row.depth, row.calls, row.text.split("  ")[0]) for row in rows),
                         collections.Counter((len(chains[number]) - 1, calls[number], chains[number][0]["function"])
                                             for number in shown))

    def test_statistics_under_recursion(self):
        self.build(RECURSIVE)
        tree, chains, _, _ = self.read_tree()
        parents = collections.Counter(context["parent"] for context in tree["contexts"] if context["parent"])
        leaves = [number for number in chains if number not in parents]
        replication = collections.Counter(context["function"] for context in tree["contexts"])
        sites = {"main": 3, "a": 3, "b": 3, "c": 3, "d": 3}
        self.assertEqual(tree["statistics"], {
            "contexts": len(chains),
            "contexts_by_function": len({tuple(each["function"] for each in chain) for chain in chains.values()}),
            "functions": 5, "replication_max": max(replication.values()),
            "out_degree": tree["statistics"]["out_degree"],
            "height_average": tree["statistics"]["height_average"],
            "height_max": max(map(len, chains.values())),
            "sites": sum(sites[function] * count for function, count in replication.items()),
            "sites_used": len({(call["source"], call["call"]) for call in tree["calls"] if call["source"]})})
        self.assertAlmostEqual(tree["statistics"]["out_degree"], sum(parents.values()) / len(parents), 4)
        self.assertAlmostEqual(tree["statistics"]["height_average"],
                               sum(len(chains[leaf]) for leaf in leaves) / len(leaves), 4)

    def test_refusals(self):
        self.build(PROGRAM)
        self.assert_one_line_refusal(["tree", "--focus=otter", "p.wmk"], "'otter'", "outer")
        for words in (["--json", "--inverted"], ["--json", "--focus=leaf"], ["--statistics", "--inverted"],
                      ["--statistics", "--focus=leaf"]):
            self.assert_one_line_refusal(["tree", *words, "p.wmk"], "tree: " + words[0], words[1].split("=")[0])


if __name__ == "__main__":
    cases.main("__main__")
