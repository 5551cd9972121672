#!/usr/bin/env python3
"""`waymark plan --compare` as users and programs see it, on a program that ran.

Usage: compare_command.py WAYMARK
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

WAYMARK = os.path.abspath(sys.argv[1])
PROGRAM = """
#include <stdlib.h>
#include <stdio.h>
static unsigned steps(unsigned long n)
{
	unsigned count = 0;
	while (n != 1) {
		n = n % 2 ? 3 * n + 1 : n / 2;
		if (n % 1000 == 7)
			puts("seven");
		count++;
	}
	return count;
}
int main(int argc, char **argv)
{
	unsigned most = 0;
	for (int i = 1; i < 200 * argc; i++)
		if (steps(i) > most)
			most = steps(i);
	printf("%u\\n", most);
	return 0;
}
"""
EDGES = ("heuristic_max", "heuristic_min", "exact_max", "exact_min", "goldberg_max")
REDUCTIONS = EDGES + ("blocks", "blocks_vertex")


class Compare(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        with open(os.path.join(self.folder, "program.c"), "w") as out:
            out.write(PROGRAM)

    def call(self, *arguments):
        return subprocess.run([WAYMARK, *arguments], cwd=self.folder, capture_output=True, text=True,
                              timeout=60, env=dict(os.environ, WAYMARK_CACHE=""))

    def succeed(self, *arguments):
        done = self.call(*arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def profile(self, name, *options):
        """Builds and runs the program; returns the name of its profile."""
        self.succeed("cc", "-O0", *options, "-o", name, "program.c")
        subprocess.run([os.path.join(self.folder, name)], cwd=self.folder, check=True,
                       stdout=subprocess.DEVNULL,
                       env=dict(os.environ, WAYMARK_FILE=name + ".wmk"))
        return name + ".wmk"

    def refuse(self, status, words, *arguments):
        done = self.call("plan", *arguments)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (status, "", 1))
        for word in words:
            self.assertIn(word, done.stderr)

    def test_increments_are_those_of_the_profile(self):
        path = self.profile("program")
        functions = json.loads(self.succeed("report", "--json", path))["functions"]
        found = json.loads(self.succeed("plan", "--compare", "--json", path))["programs"]
        self.assertEqual(len(found), 1)
        self.assertEqual((found[0]["functions"], found[0]["left_out"]), (len(functions), 0))
        self.assertEqual(found[0]["redundant"],
                         sum(block["count"] for f in functions for block in f["blocks"]))
        costs = [found[0][name] for name in EDGES]
        self.assertEqual((min(costs), max(costs)), (found[0]["exact_max"], found[0]["exact_min"]))
        self.assertLess(found[0]["exact_max"], found[0]["exact_min"])
        # counters of blocks are some of those of edges (figure 11), and some of all blocks
        self.assertLessEqual(found[0]["blocks"], found[0]["heuristic_max"])
        self.assertLess(found[0]["blocks_vertex"], found[0]["redundant"])

    def test_table_has_a_row_per_program(self):
        paths = [self.profile("one"), self.profile("two", "-DTWO", "--at=early")]
        programs = json.loads(self.succeed("plan", "--compare", "--json", *paths))["programs"]
        rows = [line.split() for line in self.succeed("plan", "--compare", *paths).splitlines()[-2:]]
        self.assertEqual([row[0] for row in rows], ["one", "two"])
        for row, program in zip(rows, programs):
            self.assertEqual(row[2].replace(",", ""), str(program["redundant"]))
            self.assertEqual(row[3:], ["%.2f" % (program["redundant"] / program[name])
                                       for name in REDUCTIONS])

    def test_the_newest_profile_is_taken(self):
        path = self.profile("program")
        self.assertEqual(self.succeed("plan", "--compare"), self.succeed("plan", "--compare", path))

    def test_mistakes_are_refused(self):
        self.refuse(1, ["blocks.wmk", "--profile=edges"], "--compare",
                    self.profile("blocks", "--profile=blocks"))
        self.refuse(1, ["program.c"], "--compare", "program.c")
        self.refuse(2, ["--compare"], "--compare", "--dot", "blocks.wmk")
        self.refuse(2, ["--compare"], "--compare", "--problem=edges", "blocks.wmk")
        self.refuse(2, ["--binary", "--compare"], "--binary=blocks", "graph.dot")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
