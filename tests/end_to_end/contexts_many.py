#!/usr/bin/env python3
"""Many records of contexts: what they take in the file, and what reading them takes.

usage: contexts_many.py --waymark=PATH [--levels=N] [--seconds=S] [unittest arguments]

A function of level k calls that of level k + 1 at SITES places, once each; the last calls a leaf. So there are
SITES^k contexts of level k, each entered once, and a leaf below each of the last. A leaf has no record.
Six levels are 1,111,112 records. --seconds is what a reader may take then, of processor time. The bar is 2; the
default allows for busy machines.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import unittest

parser = argparse.ArgumentParser()
parser.add_argument("--waymark", required=True)
parser.add_argument("--levels", type=int, default=5)
parser.add_argument("--seconds", type=float, default=20)
options, rest = parser.parse_known_args()
waymark = os.path.abspath(options.waymark)

SITES, LEVELS = 10, options.levels
OF_LEVEL = [SITES**level for level in range(LEVELS + 1)]
RECORDS = 1 + sum(OF_LEVEL)
CONTEXTS = RECORDS + OF_LEVEL[-1]
BYTES, KIB = 250, 1 << 20


def program():
    text = ["volatile unsigned long sum;", "__attribute__((noinline)) void leaf(void) { sum++; }"]
    calls = "leaf();"
    for level in reversed(range(LEVELS + 1)):
        text.append("__attribute__((noinline)) void f%d(void) { %s sum++; }" % (level, calls))
        calls = " ".join(["f%d();" % level] * SITES)
    return "\n".join([*text, "int main(void) { f0(); return 0; }\n"])


class Many(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory(prefix="contexts-many")
        cls.build("p", "--context-limit=%d" % (2 * RECORDS))
        cls.build("few", "--context-limit=1000")

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    @classmethod
    def build(cls, name, *words):
        with open(os.path.join(cls.directory.name, "p.c"), "w") as file:
            file.write(program())
        for command in ([waymark, "cc", "-O1", "-g", "--profile=context", *words, "p.c", "-o", name], ["./" + name]):
            subprocess.run(command, cwd=cls.directory.name, check=True,
                           env=dict(os.environ, WAYMARK_FILE=name + ".wmk"))

    def read(self, *words):
        """The output, and what it took: seconds of processor time, and KiB of memory at most."""
        command = subprocess.Popen([waymark, *words], cwd=self.directory.name, stdout=subprocess.PIPE, text=True)
        out = command.stdout.read()
        _, status, usage = os.wait4(command.pid, 0)
        command.returncode = os.waitstatus_to_exitcode(status)
        command.stdout.close()
        self.assertEqual(command.returncode, 0)
        return out, usage.ru_utime + usage.ru_stime, usage.ru_maxrss

    def test_records_are_small(self):
        size = os.stat(os.path.join(self.directory.name, "p.wmk")).st_blocks * 512
        print("%.1f bytes a record" % (size / RECORDS), file=sys.stderr)
        self.assertLessEqual(size, BYTES * RECORDS)

    def test_all_are_read(self):
        out, time, memory = self.read("tree", "--functions", "p.wmk")
        print("%.2f s, %d MiB" % (time, memory >> 10), file=sys.stderr)
        self.assertLess(time, options.seconds)
        self.assertLess(memory, KIB)
        rows = {row[-1]: row for row in map(str.split, out.splitlines()[3:])}
        below = 2 * OF_LEVEL[-1]
        for level in reversed(range(LEVELS + 1)):
            number = format(OF_LEVEL[level], ",")
            self.assertEqual(rows["f%d" % level][1:], [format(below, ","), number, number, "0", number, "f%d" % level])
            below += OF_LEVEL[level - 1]
        self.assertEqual(rows["main"][1], format(CONTEXTS, ","))

    def test_views_of_all(self):
        out, _, memory = self.read("tree", "--statistics", "p.wmk")
        self.assertLess(memory, KIB)
        self.assertEqual(out.splitlines()[3].split(), [format(CONTEXTS, ","), str(LEVELS + 3), "contexts"])
        name = "main/" + "/".join("f%d:%d" % (level, SITES - 1 - level) for level in range(LEVELS)) + "/f%d" % LEVELS
        out, _, memory = self.read("tree", "--focus=" + name, "--min=0%", "p.wmk")
        self.assertLess(memory, KIB)
        self.assertEqual(out.splitlines()[-1].split(), ["2", "contexts,", "2", "calls"])
        self.assertEqual(len(out.splitlines()), 3 + LEVELS + 3 + 1)

    def test_beyond_the_limit(self):
        """Each function is entered as often; what is below it is exact, or has the mark."""
        document = json.loads(self.read("tree", "--json", "few.wmk")[0])
        entered, function = {}, {each["id"]: each["function"] for each in document["contexts"]}
        for call in document["calls"]:
            name = function[call["target"]]
            entered[name] = entered.get(name, 0) + call["count"]
        self.assertEqual(entered, {"main": 1, "leaf": OF_LEVEL[-1], **{"f%d" % k: n for k, n in enumerate(OF_LEVEL)}})
        self.assertGreater(document["beyond_limit"], CONTEXTS - 5000)
        truth, below = {"leaf": OF_LEVEL[-1], "main": CONTEXTS}, OF_LEVEL[-1]
        for level in reversed(range(LEVELS + 1)):
            below += OF_LEVEL[level]
            truth["f%d" % level] = below
        for each in document["functions"]:
            with self.subTest(function=each["function"]):
                self.assertLessEqual(each["subtree"], truth[each["function"]])
                self.assertTrue(each["lower_bound"] or each["subtree"] == truth[each["function"]])
        shown = self.read("tree", "few.wmk")[0].splitlines()[-1]
        self.assertRegex(shown, r"^  %s of all calls are beyond the limit" % format(document["beyond_limit"], ","))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *rest])
