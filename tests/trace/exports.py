#!/usr/bin/env python3
"""`waymark trace --export`: what viewers are told is what `--calls` shows, for whole threads and for windows."""
import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = """\
#include <setjmp.h>
static jmp_buf back;
static volatile int sum;
__attribute__((noinline)) static int fib(int n)
{
	if (n < 2)
		return 1;
	if (n == 3 && sum++ % 10 == 9)
		longjmp(back, 1);
	return fib(n - 1) + fib(n - 2);
}
__attribute__((noinline)) static void add(int n)
{
	if (n & 1)
		sum += n;
}
int main(void)
{
	volatile int rounds = 0;
	setjmp(back);
	add(rounds);
	if (rounds++ < 4)
		fib(9);
	return 0;
}
"""


def run(directory, *words, status=0):
    done = subprocess.run([str(word) for word in words], cwd=directory, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=120, text=True,
                          env=dict(os.environ, WAYMARK_CACHE="", LC_ALL="C"))
    if done.returncode != status:
        raise AssertionError("%s: exit %s: %s" % (words, done.returncode, done.stderr))
    return done.stdout if status == 0 else done.stderr


class Exports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="waymark-")
        with open(os.path.join(cls.folder, "calls.c"), "w") as file:
            file.write(PROGRAM)
        run(cls.folder, WAYMARK, "cc", "-O0", "-g", "--profile=trace", "-o", "calls", "calls.c")
        run(cls.folder, "./calls")
        cls.tree = cls.read_calls()
        cls.blocks = int(re.search(r": (\d+) blocks", run(cls.folder, WAYMARK, "trace", "--count", "calls")).group(1))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    @classmethod
    def read_calls(cls):
        """Each call with its depth and the blocks that it took, in the order in which calls ended."""
        ended = []
        for line in run(cls.folder, WAYMARK, "trace", "--calls", "calls").splitlines():
            found = re.match(r"( *)(\S+): (\d+) blocks", line)
            if found:
                ended.append((len(found.group(1)) // 2, found.group(2), int(found.group(3))))
        return ended

    def export(self, form, *options):
        return json.loads(run(self.folder, WAYMARK, "trace", "--export=" + form, *options, "calls"))

    def chrome_calls(self, document):
        stack, ended, last = [], [], 0
        for event in document["traceEvents"]:
            if event["ph"] == "M":
                continue
            self.assertGreaterEqual(event["ts"], last)
            last = event["ts"]
            if event["ph"] == "B":
                stack.append(event)
                continue
            begun = stack.pop()
            self.assertEqual((event["ph"], event["name"]), ("E", begun["name"]))
            ended.append((len(stack), begun["name"], event["ts"] - begun["ts"]))
        self.assertEqual(stack, [])
        return ended, last

    def test_chrome_has_the_tree_of_calls(self):
        ended, last = self.chrome_calls(self.export("chrome"))
        self.assertEqual(ended, self.tree)
        self.assertEqual(last, self.blocks)
        entered = next(event for event in self.export("chrome")["traceEvents"] if event["name"] == "add")
        self.assertEqual((entered["args"]["file"], entered["args"]["line"]), (self.folder + "/calls.c", 12))

    def test_a_window_starts_with_what_is_active(self):
        """From the second execution of line 7 on, 40 lines to each side."""
        document = self.export("chrome", "--around=calls.c:7#2", "--last=40")
        begun = [event for event in document["traceEvents"] if event["ph"] == "B"]
        start = begun[0]["ts"]
        self.assertEqual(begun[0]["name"], "main")
        active = [event["name"] for event in begun if event["ts"] == start]
        self.assertEqual(active, ["main"] + ["fib"] * (len(active) - 1))
        ended, last = self.chrome_calls(document)
        self.assertLess(last - start, 81)
        self.assertGreater(last - start, 30)

    def test_firefox_has_the_blocks_of_each_stack(self):
        document = self.export("firefox")
        shared, thread = document["shared"], document["threads"][0]
        samples, stacks = thread["samples"], shared["stackTable"]
        names = [shared["stringArray"][shared["funcTable"]["name"][func]] for func in shared["frameTable"]["func"]]
        def chain(stack):
            return () if stack is None else chain(stacks["prefix"][stack]) + (names[stacks["frame"][stack]],)
        weights = collections.Counter()
        for stack, weight in zip(samples["stack"], samples["weight"]):
            weights[chain(stack)] += weight
        self.assertEqual(sum(weights.values()), self.blocks)
        self.assertEqual([round(time * 1000) for time in samples["time"]],
                         sorted(round(time * 1000) for time in samples["time"]))
        for name in ("add", "fib", "main"):
            outermost = sum(weight for stack, weight in weights.items() if name in stack)
            total = 0
            for depth, called, blocks in self.tree:
                if called == name and depth <= 1:
                    total += blocks
            self.assertEqual(outermost, total, name)

    def test_wrong_usages_get_one_line(self):
        for words, said in ((["--export=xml"], "use chrome or firefox"), (["--export=chrome", "--lines"], "leave out"),
                            (["-o", "x.json"], "goes with --export")):
            err = run(self.folder, WAYMARK, "trace", *words, "calls", status=2)
            self.assertEqual(len(err.splitlines()), 1, err)
            self.assertIn(said, err)


parser = argparse.ArgumentParser()
parser.add_argument("--waymark", required=True)
arguments, rest = parser.parse_known_args()
WAYMARK = os.path.abspath(arguments.waymark)
unittest.main(argv=[sys.argv[0]] + rest)
