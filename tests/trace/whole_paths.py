#!/usr/bin/env python3
"""`waymark wpp`: the sequence that the grammar means is the one of the calls that ran; hot sub-paths and segments are those
of the sequence itself, counted here again; a grammar's file means the same as the trace."""
import argparse
import collections
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = """
__attribute__((noinline)) static int leaf(int n)
{
	return n & 1 ? n + 1 : n - 1;
}
__attribute__((noinline)) static int middle(int n)
{
	int s = 0;
	for (int i = 0; i < n % 4; i++)
		s += leaf(i);
	return s + leaf(n);
}
int main(void)
{
	volatile int s = 0;
	for (int i = 0; i < 300; i++)
		s += i % 7 ? middle(i) : leaf(i);
	return 0;
}
"""


def run(directory, *words, status=0):
    done = subprocess.run([str(word) for word in words], cwd=directory, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=120, env=dict(os.environ, WAYMARK_CACHE="", LC_ALL="C"))
    if done.returncode != status:
        raise AssertionError("%s: exit %s: %s" % (words, done.returncode, done.stderr.decode()))
    return done.stdout.decode(), done.stderr.decode()


def segments(sequence, depth):
    """By the definition, from each place of the sequence."""
    def kind(at):
        following = sequence[at + 1]
        return "call" if following == "(" else "return" if following in (")", "$") else "cut"
    found = collections.Counter()
    for start, element in enumerate(sequence):
        if element in "()$" or kind(start) != "call":
            continue
        calls = opened = 0
        at = start
        while sequence[at] != "$":
            if sequence[at] == "(":
                if calls == depth:
                    break
                calls, opened = calls + 1, opened + 1
            elif sequence[at] == ")":
                if opened == 0:
                    break
                opened -= 1
            elif kind(at) == "cut":
                at += 1
                break
            at += 1
        found[" ".join(sequence[start:at])] += 1
    return found


class WholePaths(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="waymark-")
        with open(os.path.join(cls.folder, "program.c"), "w") as file:
            file.write(PROGRAM)
        run(cls.folder, WAYMARK, "cc", "-O1", "-g", "--profile=trace", "-o", "program", "program.c")
        run(cls.folder, "./program")
        cls.sequence = run(cls.folder, WAYMARK, "wpp", "--expand")[0].split()

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def rows(self, *options):
        """The table's strings, with how often they occur."""
        lines = run(self.folder, WAYMARK, "wpp", "--top=10000", *options)[0].splitlines()
        return {line.split(None, 2)[2].strip(): int(line.split()[1]) for line in lines
                if "%" in line.split(" ")[:9][-1] or line[7:8] == "%"}

    def test_the_sequence_is_that_of_the_calls(self):
        calls = run(self.folder, WAYMARK, "trace", "--calls")[0].splitlines()
        entered = [line.split()[0] for line in calls if "blocks" not in line]
        told = []
        for before, element in zip(self.sequence, self.sequence[1:]):
            if before == "(":
                told.append(element.split(".")[0])
        self.assertEqual(told, entered)
        self.assertEqual(self.sequence[-1], "$")
        self.assertEqual(self.sequence.count("("), self.sequence.count(")"))

    def test_segments_are_those_of_the_sequence(self):
        for depth in (1, 2, 3):
            self.assertEqual(self.rows("--segments=%d" % depth), dict(segments(self.sequence, depth)), depth)

    def test_hot_sub_paths_occur_as_often_as_told(self):
        rows = self.rows("--min=3%", "--length=6")
        self.assertGreater(len(rows), 2)
        for text, times in rows.items():
            words = text.split()
            there = sum(self.sequence[i:i + len(words)] == words for i in range(len(self.sequence)))
            self.assertEqual(times, there, text)
        for text in rows:  # minimal
            self.assertFalse([other for other in rows if other != text and " %s " % other in " %s " % text], text)

    def test_the_grammar_is_shorter_and_a_file_means_the_same(self):
        summary = run(self.folder, WAYMARK, "wpp", "--output=program.wpp")[0]
        self.assertLess(len(run(self.folder, WAYMARK, "wpp", "--rules")[0].split()), len(self.sequence) / 2)
        self.assertEqual(run(self.folder, WAYMARK, "wpp", "program.wpp")[0], summary)
        self.assertEqual(run(self.folder, WAYMARK, "wpp", "--expand", "program.wpp")[0].split(), self.sequence)

    def test_bad_input_gets_one_line(self):
        with open(os.path.join(self.folder, "bad.wpp"), "w") as file:
            file.write("WAYMARK-WPP 1\nr R1\n")
        for words, said, status in ((["bad.wpp"], "line 2", 1), (["missing.wpp"], "cannot read", 1),
                                    (["--min=x"], "is no share", 2), (["--segments=99"], "25 at most", 2),
                                    (["--rules", "--expand"], "give one of", 2)):
            out, err = run(self.folder, WAYMARK, "wpp", *words, status=status)
            self.assertEqual((out, len(err.splitlines())), ("", 1), err)
            self.assertIn(said, err)


parser = argparse.ArgumentParser()
parser.add_argument("--waymark", required=True)
arguments, rest = parser.parse_known_args()
WAYMARK = os.path.abspath(arguments.waymark)
unittest.main(argv=[sys.argv[0]] + rest)
