#!/usr/bin/env python3
"""`waymark report --correlated`: branches that an earlier branch on the same path decides; and `--superblocks`: beginnings
of paths that are mostly run to their end.

usage: correlated.py --waymark=PATH [unittest arguments]

The counts of the programs below are reckoned by hand. Without optimisation the branches of the code are those of the text.
"""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "end_to_end"))

import cases

# x from 0 to 999. Not even: not divisible by 4, 500 times; what is even goes both ways. Divisible by 5 (200)
# depends on neither. The flag repeats it: 200 and 800. Each of the four branches runs 1,000 times, the loop's 1,001.
PRICE = """static volatile int done;
__attribute__((noinline)) static void price(int x)
{
	int flag = 0;
	if (x % 2 == 0)
		done++;
	if (x % 4 == 0)
		done += 2;
	if (x % 5 == 0) {
		done += 3;
		flag = 1;
	}
	if (flag)
		done += 4;
}
int main(void)
{
	for (int i = 0; i < 1000; i++)
		price(i);
	return 0;
}
"""

# x from 0 to 99: above 10 are 89, of which 79 are above 20. Either outcome of the inner branch decides the last one,
# but so does the outer branch for all of them.
NESTED = """static volatile int done;
__attribute__((noinline)) static void nested(int x)
{
	if (x > 10) {
		done++;
		if (x > 20)
			done += 2;
	}
	if (x > 10)
		done += 3;
}
int main(void)
{
	for (int i = 0; i < 100; i++)
		nested(i);
	return 0;
}
"""

# x from 0 to 999. 100 are divisible by 10, and then the second is no; of the 900 others one is no, too. Then the
# opposite of that.
MOSTLY = """static volatile int done;
__attribute__((noinline)) static void mostly(int x)
{
	if (x % 10)
		done++;
	if ((x % 10 != 0) & (x != 1))
		done += 2;
}
__attribute__((noinline)) static void seldom(int x)
{
	if (x % 10)
		done++;
	if ((x % 10 == 0) | (x == 1))
		done += 2;
}
int main(void)
{
	for (int i = 0; i < 1000; i++) {
		mostly(i);
		seldom(i);
	}
	return 0;
}
"""

# All combinations of three independent bits.
INDEPENDENT = """static volatile int done;
__attribute__((noinline)) static void apart(int x)
{
	if (x & 1)
		done++;
	if (x & 2)
		done += 2;
	switch (x & 12) {
	case 0:
		done += 3;
		break;
	case 4:
		done += 4;
		break;
	default:
		done += 5;
	}
}
int main(void)
{
	for (int i = 0; i < 1024; i++)
		apart(i);
	return 0;
}
"""

# x from 0 to 999. Both conditions hold 750 times. In `together` at the same time, in `apart` only 500 times, so that
# edges say the same of both: between 500 and 750 executions run both arms. `around` runs neither arm 750 times, and the
# second one 125 times.
SIDES = """static volatile int done;
__attribute__((noinline)) static void together(int x)
{
	if (x % 4 != 0)
		done++;
	if (x % 4 != 0)
		done += 2;
}
__attribute__((noinline)) static void apart(int x)
{
	if (x % 4 != 0)
		done++;
	if (x % 4 != 1)
		done += 2;
}
__attribute__((noinline)) static void around(int x)
{
	if (x % 4 == 0)
		done++;
	if (x % 8 == 0)
		done += 2;
}
int main(void)
{
	for (int i = 0; i < 1000; i++) {
		together(i);
		apart(i);
		around(i);
	}
	return 0;
}
"""


def branch(side):
    """Line and outcome of the only condition."""
    outcome, = side["outcomes"]
    return outcome["line"], outcome["outcome"]


class Correlated(cases.Case):
    def collect(self, program, *words):
        self.write("program.c", program)
        self.succeed("cc", "-O0", "-g", "--file=p.wmk", *words, "program.c", "-o", "program")
        self.assertEqual(self.execute("./program"), (0, "", ""))

    def report(self, *words):
        return json.loads(self.succeed("report", "--correlated", "--json", *words, "p.wmk"))

    def pairs(self, document):
        return [(branch(pair["earlier"]), branch(pair["later"]), pair["decided"], pair["executions"], pair["agreed"],
                 pair["all_executions"], pair["all_agreed"]) for pair in document["pairs"]]

    def test_pairs(self):
        expected = [((9, "no"), (13, "no"), 800, 800, 800, 1000, 800), ((5, "no"), (7, "no"), 500, 500, 500, 1000, 750),
                    ((9, "yes"), (13, "yes"), 200, 200, 200, 1000, 200)]
        for words in ([], ["--paths=classic"], ["--at=early"]):
            with self.subTest(words=words):
                self.collect(PRICE, *words)
                document = self.report()
                self.assertEqual(self.pairs(document), expected)
                self.assertEqual((document["branches"], document["decided"]), (5001, 1500))
                self.assertEqual((document["functions"], document["functions_left_out"]), (2, 0))
                self.assertEqual(self.pairs(self.report("--top=1")), expected[:1])
                os.remove(self.path("p.wmk"))

    def test_listing(self):
        self.collect(PRICE)
        text = self.succeed("report", "--correlated", "--top=2", "p.wmk")
        lines = [" ".join(line.split()) for line in text.splitlines()]
        self.assertEqual(lines[0], "program: an earlier branch on the same path decides 1,500 of 5,001 executed branches "
                                   "(30.0%)")
        self.assertEqual(lines[4:8], [
            "16.0% 800 100.0% 80.0% price program.c:9 if (x % 5 == 0) → no", "program.c:13 if (flag) → no",
            "10.0% 500 100.0% 75.0% price program.c:5 if (x % 2 == 0) → no", "program.c:7 if (x % 4 == 0) → no"])
        self.assertIn("1 more", text)

    def test_smaller_pairs_say_nothing_new(self):
        self.collect(NESTED)
        document = self.report()
        self.assertEqual(self.pairs(document), [((4, "yes"), (9, "yes"), 89, 89, 89, 100, 89),
                                                ((4, "no"), (9, "no"), 11, 11, 11, 100, 11)])
        self.assertEqual((document["branches"], document["decided"]), (100 + 89 + 100 + 101, 100))

    def test_almost_always(self):
        self.collect(MOSTLY)
        always = [((4, "no"), (6, "no"), 100, 100, 100, 1000, 101), ((11, "no"), (13, "yes"), 100, 100, 100, 1000, 101)]
        mostly = [((4, "yes"), (6, "yes"), 900, 900, 899, 1000, 899), ((11, "yes"), (13, "no"), 900, 900, 899, 1000, 899)]
        self.assertEqual(self.pairs(self.report()), always)
        document = self.report("--at-least=99%")
        self.assertEqual(self.pairs(document), mostly + always)
        self.assertEqual((document["decided"], document["at_least"]), (2000, 99))
        self.assertEqual(self.pairs(self.report("--at-least=99.9")), always)
        self.assertEqual(self.pairs(self.report("--at-least=80")), [])  # they need no earlier branch

    def test_independent_branches(self):
        self.collect(INDEPENDENT)
        document = self.report()
        self.assertEqual((document["pairs"], document["decided"]), ([], 0))
        self.assertEqual(document["branches"], 3 * 1024 + 1025)
        self.assertEqual(self.succeed("report", "--correlated", "p.wmk"),
                         "program: an earlier branch on the same path decides 0 of 4,097 executed branches (0.0%)\n")

    def test_bad_input(self):
        self.collect(PRICE, "--profile=edges")
        self.assert_one_line_refusal(["report", "--correlated", "p.wmk"], "paths were not counted", "--profile=paths")
        for share in ("50", "101", "x", "", "nan"):
            self.assert_one_line_refusal(["report", "--correlated", "--at-least=" + share, "p.wmk"], "--at-least")
        self.assert_one_line_refusal(["report", "--correlated", "--lines", "p.wmk"], "--lines")
        self.assert_one_line_refusal(["report", "--at-least=90", "p.wmk"], "--at-least")

    def superblock(self, function, *words):
        """Blocks, executions, complete ones and their limits by edges, of the only candidate of the function."""
        document = json.loads(self.succeed("report", "--superblocks", "--json", *words, "p.wmk"))
        row, = [row for row in document["superblocks"] if row["function"] == function]
        return len(row["blocks"]), row["entered"], row["completed"], row["edges_least"], row["edges_most"]

    def test_superblocks(self):
        for words in ([], ["--paths=classic"]):
            with self.subTest(words=words):
                self.collect(SIDES, *words)
                # Two conditions, two arms and the end; or until the second condition.
                self.assertEqual(self.superblock("together"), (5, 1000, 750, 500, 750))
                self.assertEqual(self.superblock("apart"), (3, 1000, 750, 750, 750))
                self.assertEqual(self.superblock("apart", "--completion=50"), (5, 1000, 500, 500, 750))
                self.assertEqual(self.superblock("around"), (3, 1000, 750, 625, 750))
                os.remove(self.path("p.wmk"))

    def test_superblocks_of_loops(self):
        """The loop's condition holds 1,000 of 1,001 times; 1,000 of its paths end where they start."""
        self.collect(SIDES)
        document = json.loads(self.succeed("report", "--superblocks", "--json", "p.wmk"))
        self.assertEqual(sorted(row["function"] for row in document["superblocks"]),
                         ["apart", "around", "main", "together"])  # main begins and ends without a branch
        loop, = [row for row in document["superblocks"] if row["loop"]]
        self.assertEqual((loop["entered"], loop["completed"]), (1001, 1000))
        self.assertEqual((loop["edges_least"], loop["edges_most"]), (1000, 1000))
        done = [row["completed"] * row["instructions"] for row in document["superblocks"]]
        self.assertEqual(done, sorted(done, reverse=True))
        self.assertEqual(document["superblocks"][:1], json.loads(self.succeed(
            "report", "--superblocks", "--json", "--top=1", "p.wmk"))["superblocks"])
        text = self.succeed("report", "--superblocks", "p.wmk")
        self.assertRegex(text, r" 75\.0% +50\.0%-75\.0% +1,000 +together ")
        self.assertRegex(text, r" 99\.9% +99\.9%-99\.9% +1,001 +main ")

    def test_bad_input_of_superblocks(self):
        self.collect(PRICE, "--profile=edges")
        self.assert_one_line_refusal(["report", "--superblocks", "p.wmk"], "paths were not counted")
        for share in ("0", "100.1", "half"):
            self.assert_one_line_refusal(["report", "--superblocks", "--completion=" + share, "p.wmk"], "--completion")
        self.assert_one_line_refusal(["report", "--superblocks", "--correlated", "p.wmk"], "--superblocks")


if __name__ == "__main__":
    cases.main(__name__)
