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
# work calls twice, or fresh two times, which does; with two arguments, main calls twice.
BUILDS = """#define NOINLINE __attribute__((noinline))
volatile int sum;
NOINLINE void leaf(void) { sum++; }
NOINLINE void twice(void) { leaf(); sum++; leaf(); sum++; }
#ifdef FRESH
NOINLINE void fresh(int x) { if (x) leaf(); twice(); sum++; }
#define TWICE fresh(n); fresh(0)
#else
#define TWICE twice()
#endif
NOINLINE void work(int n)
{
	for (int i = 0; i < n; i++)
		leaf();
	TWICE;
	leaf();
	sum++;
}
int main(int argc, char **argv)
{
	(void)argv;
	work(argc);
	if (argc > 2)
		twice();
	return sum == 0;
}
"""
CHOICES = """#define NOINLINE __attribute__((noinline))
volatile int high, low;
NOINLINE void choose(int x)
{
	if (x >= 10)
		high = high * 3 + x;
	else
		low = low * 5 - x;
}
NOINLINE void lex(int x)
{
	for (int i = 0; i < x; i++)
		choose(i);
	low = low + 1;
}
NOINLINE void parse(void)
{
	lex(5);
	low = low + 1;
	lex(20);
	low = low + 1;
}
int main(void)
{
	parse();
	lex(3);
	return high == 12345;
}
"""
HIGH_LINE, LOW_LINE, CALL_LINE = 6, 8, 13
ROW = re.compile(r" ([ ≥]) *([\d.]+)% +([\d,]+)  ( *)(.*)\Z")
Row = collections.namedtuple("Row", "depth calls text share bound")
# leaf is called 9 times below heavy and once below light, each of which calls between once.
UNEVEN = """#define NOINLINE __attribute__((noinline))
volatile int sum;
NOINLINE void leaf(void) { sum++; }
NOINLINE void between(int times) { for (int i = 0; i < times; i++) leaf(); sum++; }
NOINLINE void heavy(void) { between(9); sum++; }
NOINLINE void light(void) { between(1); sum++; }
int main(void) { heavy(); light(); return sum == 0; }
"""


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
            bound, share, calls, indent, text = ROW.match(line).groups()
            found.append(Row(len(indent) // 2, number(calls), text, float(share), bound == "≥"))
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
        # main calls fib, outer, qsort (which calls compare), printf, and outer or leaf from one place;
        # outer calls leaf from three places, compare from two, fib itself from one. outer has two
        # contexts, so leaf has one, six and two. By functions: main, fib, outer, compare, and leaf
        # below main, outer and compare.
        rows = [line.split() for line in self.succeed("tree", "--statistics", "p.wmk").splitlines()[3:]]
        self.assertEqual([row[:2] for row in rows], [
            ["14", "7"], ["5", "5"], ["9", "3"], ["64.3%", "42.9%"], ["3.2", "2.0"], ["2.8", "2.5"], ["3", "3"],
            [str(5 + 2 * 3 + 2 + 1), "-"], ["13", "-"]])
        self.assertEqual(rows[3][2:], ["of", "all:", "leaf"])
        tree = self.json()
        self.assertEqual(tree["statistics"], {
            "contexts": 14, "contexts_by_function": 7, "functions": 5, "replication_max": 9,
            "out_degree": 13 / 4, "height_average": (2 + 2 + 8 * 3) / 10, "height_max": 3,
            "sites": 14, "sites_used": 13})
        self.assertEqual(tree["statistics_by_function"], {
            "contexts": 7, "functions": 5, "replication_max": 3, "out_degree": 6 / 3,
            "height_average": (2 + 3 + 3 + 2) / 4, "height_max": 3})

    def test_by_function(self):
        self.build(PROGRAM)
        self.assertEqual(self.texts("--by=function", "--min=0%"), [
            (0, 1, "main  from outside"), (1, 89, "fib  (recursion: 88)"), (1, 6, "outer"), (2, 72, "leaf"),
            (1, 1, "compare"), (2, 2, "leaf"), (1, 3, "leaf")])
        self.assertEqual(self.texts("--by=function", "--inverted", "--focus=leaf", "--depth=2", "--min=0%"), [
            (0, 77, "leaf"), (1, 72, "outer"), (2, 72, "+ 1 smaller"), (1, 3, "main"), (2, 3, "+ 1 smaller"),
            (1, 2, "compare"), (2, 2, "+ 1 smaller")])
        self.assertEqual(self.texts("--by=function", "--focus=main/leaf"),
                         [(0, 1, "main  from outside"), (1, 3, "leaf")])

    def test_lists(self):
        self.build(PROGRAM)
        rows = [line.split() for line in self.succeed("tree", "--list", "--top=3", "p.wmk").splitlines()[3:]]
        self.assertEqual(rows[:3], [["51.1%", "89", "89", "main/fib"], ["17.2%", "30", "30", "main/outer:2/leaf"],
                                    ["17.2%", "30", "30", "main:4/outer:2/leaf"]])
        self.assertEqual(rows[3][:2], ["11", "more;"])
        rows = [line.split() for line in self.succeed("tree", "--functions", "p.wmk").splitlines()[3:]]
        self.assertEqual(rows, [
            ["100.0%", "174", "1", "1", "0", "1", "main"], ["51.1%", "89", "89", "89", "88", "1", "fib"],
            ["44.8%", "78", "6", "6", "0", "2", "outer"], ["44.3%", "77", "77", "77", "0", "9", "leaf"],
            ["1.7%", "3", "1", "1", "0", "1", "compare"]])

    def test_gprof(self):
        self.build(UNEVEN)
        rows = [line.split() for line in self.succeed("tree", "--gprof", "p.wmk").splitlines()[3:]]
        # between and what it calls: 10 calls below heavy, 2 below light, so gprof says 6 of each.
        self.assertEqual([[row[0], row[1], row[2], *row[4:]] for row in rows[:4]], [
            ["10", "6", "-40%", "heavy", "between"], ["2", "6", "+200%", "light", "between"],
            ["11", "7", "-36%", "main", "heavy"], ["3", "7", "+133%", "main", "light"]])
        # The fifth pair, between and leaf, is exact.
        self.assertEqual(" ".join(rows[5]), "gprof is more than 10% wrong for 4 of 5 pairs")

    def test_names(self):
        self.build(PROGRAM)
        for context in self.json()["contexts"]:
            for name in (context["name"], context["short_name"], context["short_name"][:-3]):
                self.texts("--list", "--focus=" + name)
                self.texts("--inverted", "--focus=" + name)
                self.assertTrue(self.last.startswith("1 contexts, "), (name, self.last))
        self.texts("--inverted", "--focus=main/outer/leaf")
        self.assertEqual(self.last, "6 contexts, 72 calls")
        self.texts("--inverted", "--focus=outer:2/leaf")
        self.assertEqual(self.last, "2 contexts, 60 calls")
        self.texts("--inverted", "--focus=...er:2/leaf")
        self.assertEqual(self.last, "2 contexts, 60 calls")
        for wrong, nearest in (("main/lef", "leaf"), ("outer/compare", "main:2/compare"),
                               ("main:9/fib", "main/fib"), ("...zz/fib", "main/fib"), ("leaf@aaaa", "leaf")):
            with self.subTest(wrong=wrong):
                self.assert_one_line_refusal(["tree", "--focus=" + wrong, "p.wmk"], "did you mean", nearest)
        self.assert_one_line_refusal(["tree", "--focus=main//fib", "p.wmk"], "'main//fib' is no context")

    def test_lower_bounds(self):
        """A row has the mark if recursion leads from it or from below it to above it."""
        self.build(RECURSIVE)
        tree, chains, _, _ = self.read_tree()
        marked = set()
        for call in tree["calls"]:
            above = [each["id"] for each in chains.get(call["source"], [])]
            if call["target"] in above:
                marked.update(above[:above.index(call["target"])])
        self.assertTrue(marked)
        rows = self.rows("--min=0%")
        self.assertEqual(sum(row.bound for row in rows), len(marked))
        self.assertEqual({context["id"] for context in tree["contexts"] if context["lower_bound"]}, marked)

    def test_width(self):
        """Lines are no wider than the terminal; what is too deep has its depth in front."""
        deep = "".join("__attribute__((noinline)) int with_a_long_name_%d(int x) { return with_a_long_name_%d(x) + %d; }\n"
                       % (i, i - 1, i) for i in range(1, 40))
        self.build("__attribute__((noinline)) int with_a_long_name_0(int x) { return x; }\n" + deep +
                   "int main(int c, char **v) { (void)v; return with_a_long_name_39(c) == 0; }\n")
        for width in (60, 80, 120):
            text = self.succeed("tree", "--min=0%", "p.wmk", environment={"COLUMNS": str(width)})
            self.assertLessEqual(max(map(len, text.splitlines())), width)
            self.assertRegex(text, r" 39: \S*name_1\b")

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

    def lines(self, *words):
        document = json.loads(self.succeed("annotate", "--json", *words, "p.wmk"))
        return collections.Counter({line["line"]: line["count"] for file in document["files"]
                                    for line in file["lines"]})

    def instructions(self, *words):
        return sum(function["instructions"] for function in
                   json.loads(self.succeed("report", "--json", *words, "p.wmk"))["functions"])

    def test_lines_in_contexts(self):
        """parse calls lex with 5 and 20, main with 3; each calls choose once for each number below."""
        self.build(CHOICES, "edges+context")
        for name, low, high in (("main/parse:0/lex", 5, 0), ("main/parse:1/lex", 10, 10), ("main/lex", 3, 0),
                                ("main/parse", 15, 10), ("lex", 18, 10), ("main", 18, 10)):
            with self.subTest(name=name):
                lines = self.lines("--context=" + name)
                self.assertEqual((lines[HIGH_LINE], lines[LOW_LINE], lines[CALL_LINE]), (high, low, low + high))
        self.assertEqual(self.lines("--context=main/parse/lex/choose")[CALL_LINE], 0)
        self.assert_one_line_refusal(["annotate", "--context=main/lax", "p.wmk"], "did you mean lex?")
        self.assert_one_line_refusal(["report", "--context=parse/choose", "p.wmk"], "did you mean", "/choose")
        self.build_as("edges", CHOICES, "--profile=edges")
        self.assert_one_line_refusal(["annotate", "--context=lex", "edges0.wmk"],
                                     "contexts were not counted in edges0.wmk")
        self.assert_one_line_refusal(["report", "--context=lex", "--threads", "p.wmk"], "--threads", "--context")
        self.build_as("paths", CHOICES, "--profile=paths+context")
        self.assert_one_line_refusal(["report", "--context=lex", "paths0.wmk"], "no counts of code by context")

    def test_contexts_add_up(self):
        """What is below main, and main itself, is everything; the work of each is that of its row in the tree."""
        self.build(RECURSIVE, "edges+context")
        whole = self.lines()
        self.assertEqual(self.lines("--context=main"), whole)
        below = self.lines("--context=main/a") + self.lines("--context=main/b")
        functions = range(6, 22)
        self.assertEqual({line: below[line] for line in functions}, {line: whole[line] for line in functions})
        self.assertTrue(any(whole[line] for line in functions))
        rows = self.succeed("tree", "--metric=instructions", "--min=0%", "p.wmk").splitlines()[3:-1]
        chain, checked = [], 0
        for row in rows:
            indent, text = re.match(r".{2}.{6}(?: +[\d,]+){3}  ( *)(\S+)", row).groups()
            chain[len(indent) // 2:] = [text]
            if len(chain) <= 3 and len(set(chain)) == len(chain):
                checked += 1
                self.assertEqual(self.instructions("--context=" + "/".join(chain)), number(row[8:].split()[0]), row)
        self.assertGreater(checked, 6)

    def build_as(self, name, text, *words, arguments=((),)):
        """Runs are called NAME0.wmk, NAME1.wmk, …"""
        self.write("program.c", text)
        self.succeed("cc", "-O1", "-g", "--profile=context", *words, "program.c", "-o", name)
        for number, each in enumerate(arguments):
            harness.run([self.path(name), *each], self.directory, {"WAYMARK_FILE": "%s%d.wmk" % (name, number)})

    def changes(self, old, new):
        document = json.loads(self.succeed("diff", "--contexts", "--json", old, new))
        self.assertEqual(sum(change["new"] - change["old"] for change in document["changes"]),
                         document["new"]["total"] - document["old"]["total"])
        return document["same"], [(change["kind"], change["name"], change["contexts"], change["old"], change["new"])
                                  for change in document["changes"]]

    def test_diff(self):
        self.build_as("old", BUILDS, arguments=[(), ("a", "b")])
        self.build_as("new", BUILDS, "-DFRESH")
        self.assertEqual(self.changes("old0.wmk", "old0.wmk"), (7, []))
        self.assertEqual(self.changes("old0.wmk", "old1.wmk"), (6, [
            ("appeared", "main/twice", 3, 0, 3), ("moved", "main/work:2/leaf", 1, 1, 3)]))
        # The calls of leaf in work are the same two in both builds.
        self.assertEqual(self.changes("old1.wmk", "new0.wmk"), (3, [
            ("appeared", "main/work:0/fresh", 5, 0, 5), ("appeared", "main/work:1/fresh", 4, 0, 4),
            ("vanished", "main/twice", 3, 3, 0), ("vanished", "main/work/twice", 3, 3, 0),
            ("moved", "main/work:3/leaf", 1, 3, 1)]))
        rows = [line.split() for line in self.succeed("diff", "--contexts", "old0.wmk", "old1.wmk").splitlines()[3:]]
        self.assertEqual(rows[:2], [["0", "3", "+3", "appeared", "3", "main/twice"],
                                    ["1", "3", "+2", "moved", "1", "main/work:2/leaf"]])
        self.assertEqual(" ".join(rows[2]), "7 calls before, 12 now; 6 contexts are the same in both")

    def test_diff_of_many(self):
        """Against the names of both trees; what is below a change of the same kind is part of it."""
        self.build_as("seeded", RECURSIVE.replace("int main(void)\n{", "int main(int c, char **v)\n{\n\t(void)v;\n\tstate = (unsigned)c;")
                      .replace("left = 4000", "left = 60"), arguments=[(), ("a", "b")])
        own = []
        for name in ("seeded0.wmk", "seeded1.wmk"):
            tree = json.loads(self.succeed("tree", "--json", name))
            calls = collections.Counter()
            for call in tree["calls"]:
                calls[call["target"]] += call["count"]
            own.append({context["name"]: calls[context["id"]] for context in tree["contexts"]})
        expected, tops = collections.Counter(), {}
        for name in sorted(own[0].keys() | own[1].keys(), key=lambda name: name.count("/")):
            kind = "appeared" if name not in own[0] else "vanished" if name not in own[1] else "moved"
            if kind == "moved" and own[0][name] == own[1][name]:
                continue
            above = re.sub(r"(:\d+)?/[^/]*$", "", name)
            top = tops.get((kind, above), name) if kind != "moved" else name
            tops[kind, name] = top
            expected[kind, top] += own[1].get(name, 0) - own[0].get(name, 0)
        _, changes = self.changes("seeded0.wmk", "seeded1.wmk")
        self.assertEqual({(kind, name): new - old for kind, name, _, old, new in changes}, dict(expected))
        self.assertGreater(len({kind for kind, *_ in changes}), 2)

    def test_refusals(self):
        self.build_as("plain", BUILDS, "--profile=edges")
        self.assert_one_line_refusal(["diff", "--contexts", "plain0.wmk", "plain0.wmk"],
                                     "contexts were not counted in plain0.wmk")
        self.assert_one_line_refusal(["diff", "--contexts", "--names=full", "plain0.wmk", "plain0.wmk"], "--names")
        self.build(PROGRAM)
        self.assert_one_line_refusal(["tree", "--focus=otter", "p.wmk"], "'otter'", "outer")
        self.assert_one_line_refusal(["tree", "--by=call", "p.wmk"], "--by='call'", "site or function")
        self.assert_one_line_refusal(["tree", "--gprof", "--by=function", "p.wmk"], "--gprof", "--by")
        for words in (["--json", "--inverted"], ["--json", "--focus=leaf"], ["--statistics", "--inverted"],
                      ["--statistics", "--focus=leaf"]):
            self.assert_one_line_refusal(["tree", *words, "p.wmk"], "tree: " + words[0], words[1].split("=")[0])


if __name__ == "__main__":
    cases.main("__main__")
