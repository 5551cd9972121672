#!/usr/bin/env python3
"""`waymark trace --step` with keys from a pipe: where they lead in a small program, by hand, and in a large
recursive one, by the list of all lines; and the file that makes a large trace open at once."""
import argparse
import os
import pty
import random
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

CALLS = """\
static volatile int sum;
__attribute__((noinline)) static void add(int n)
{
	if (n & 1)
		sum += n;
	else
		sum -= n;
}
int main(void)
{
	for (int i = 0; i < 3; i++)
		add(i);
	return 0;
}
"""

# The lines that run at -O0, and whether in add.
RUN = [(11, 0), *[step for i in range(3) for step in
                  ((11, 0), (12, 0), (4, 1), (7 if i % 2 == 0 else 5, 1), (8, 1), (11, 0))], (11, 0), (13, 0)]

# More than 2^20 blocks, at all depths up to 24, and frames that are left by a jump.
DEEP = """\
#include <setjmp.h>
static volatile int sum;
static jmp_buf back;
__attribute__((noinline)) static int fib(int n)
{
	if (n < 2)
		return 1;
	if (n == 7 && sum++ % 1000 == 999)
		longjmp(back, 1);
	int left = fib(n - 1);
	return left
		+ fib(n - 2);
}
int main(void)
{
	volatile int rounds = 0;
	setjmp(back);
	if (rounds++ < 16)
		fib(24);
	return 0;
}
"""
# Enough for the file beside the trace: 2^24 blocks.
LONG = "int main(void)\n{\n\tvolatile int sum = 0;\n\tfor (int i = 0; i < 9000000; i++)\n\t\tif (i % 3)\n\t\t\tsum++;\n" \
       "\treturn 0;\n}\n"


def run(directory, *words, keys=None, status=0):
    done = subprocess.run([str(word) for word in words], cwd=directory, stdout=subprocess.PIPE, input=keys,
                          stderr=subprocess.PIPE, timeout=120, text=True,
                          env=dict(os.environ, WAYMARK_CACHE="", LC_ALL="C"))
    if done.returncode != status:
        raise AssertionError("%s: exit %s: %s" % (words, done.returncode, done.stderr))
    return done.stdout


def places(output):
    """The number and the line of each place that was printed, and messages as they are."""
    def parse(line):
        words = line.split()
        return (int(words[0]), int(words[2].split(":")[1])) if words[0].isdigit() else line
    return [parse(line) for line in output.splitlines()]


class Stepping(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="waymark-")
        for name, text in (("calls", CALLS), ("deep", DEEP), ("long", LONG)):
            with open(os.path.join(cls.folder, name + ".c"), "w") as file:
                file.write(text)
            run(cls.folder, WAYMARK, "cc", "-O0", "-g", "--profile=trace", "-o", name, name + ".c")
            run(cls.folder, "./" + name)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def step(self, keys, *options, program="calls"):
        return places(run(self.folder, WAYMARK, "trace", "--step", *options, program, keys=keys))

    def lines_of(self, program):
        return [int(line.rsplit(":", 1)[1])
                for line in run(self.folder, WAYMARK, "trace", "--lines", program).splitlines()]

    def test_every_line_forwards_and_backwards(self):
        self.assertEqual(len(RUN), 21)
        forwards = [(number + 1, line) for number, (line, _) in enumerate(RUN)]
        self.assertEqual(self.step("g" + "s" * 20)[1:], forwards)
        self.assertEqual(self.step("b" * 20), forwards[::-1])

    def test_calls_are_passed_over(self):
        outside = [(number + 1, line) for number, (line, depth) in enumerate(RUN) if depth == 0]
        self.assertEqual(self.step("g" + "n" * (len(outside) - 1))[1:], outside)
        self.assertEqual(self.step("p" * (len(outside) - 1)), outside[::-1])

    def test_up_and_finish(self):
        self.assertEqual(self.step("u", "--around=calls.c:5"), [(11, 5), (9, 12)])
        self.assertEqual(self.step("f", "--around=calls.c:5"), [(11, 5), (13, 11)])
        self.assertEqual(self.step("u"), [(21, 13), "no line of the trace called this function", (21, 13)])
        self.assertEqual(self.step("s")[1], "its first function returned")

    def test_searches(self):
        self.assertEqual(self.step("g/5\n/\n"), [(21, 13), (1, 11), (11, 5), "it does not run from here on", (11, 5)])
        self.assertEqual(self.step("\\calls.c:7\n\\\n"), [(21, 13), (17, 7), (5, 7)])
        self.assertEqual(self.step("/five\n")[1], "search for LINE or FILE:LINE")

    def test_repeated_and_unknown_keys(self):
        self.assertEqual(self.step("3b 2b x q b"), [(21, 13), (18, 8), (16, 4), "? shows the keys", (16, 4)])

    def test_random_places_of_a_deep_recursion(self):
        lines = self.lines_of("deep")
        self.assertGreater(len(lines), 3 << 19)
        rng = random.Random(1)
        at, keys, want = len(lines) - 1, "", [(len(lines), lines[-1])]
        for _ in range(40):
            key, distance = rng.choice("sb"), rng.randrange(1, 40000)
            at = min(len(lines) - 1, at + distance) if key == "s" else max(0, at - distance)
            stuck = at == (len(lines) - 1 if key == "s" else 0)
            keys += "%d%s" % (distance, key)
            want += [(at + 1, lines[at])] if not stuck else [None, (at + 1, lines[at])]
        got = self.step(keys, program="deep")
        self.assertEqual([place if expected else None for place, expected in zip(got, want)], want)

    def test_the_caller_of_a_deep_recursion(self):
        """Each search for line 8 at n == 7, then up: to the line that made the call."""
        got = self.step("g/12\n/7\nuuuG\\10\nf", program="deep")
        ups = [line for _, line in got[4:7]]
        self.assertTrue(all(line in (10, 12) for line in ups), got)
        numbers = [number for number, _ in got[3:7]]
        self.assertEqual(numbers, sorted(numbers, reverse=True))

    def test_windows_are_those_of_all_lines(self):
        lines = self.lines_of("deep")
        last = [int(line.split()[0].split(":")[1]) for line in
                run(self.folder, WAYMARK, "trace", "--last=5000", "deep").splitlines() if "deep.c:" in line]
        self.assertEqual(last, lines[-5000:])
        nines = [number for number, line in enumerate(lines) if line == 9]
        self.assertEqual(self.step("", "--around=deep.c:9#4", program="deep"), [(nines[3] + 1, 9)])
        self.assertEqual(self.step("\\9\n", program="deep")[1], (nines[-1] + 1, 9))

    def test_a_file_makes_large_traces_open_at_once(self):
        want = run(self.folder, WAYMARK, "trace", "--last=50", "long")
        index = [name for name in os.listdir(self.folder) if name.endswith(".wmx")]
        self.assertEqual(len(index), 1)
        self.assertTrue(index[0].startswith("long-"))
        path = os.path.join(self.folder, index[0])
        made = os.stat(path).st_mtime_ns
        self.assertEqual(run(self.folder, WAYMARK, "trace", "--last=50", "long"), want)
        self.assertEqual(os.stat(path).st_mtime_ns, made)
        with open(path, "rb") as file:
            good = file.read()
        rng = random.Random(2)
        for _ in range(3):
            at = rng.randrange(len(good))
            with open(path, "wb") as file:
                file.write(good[:at] + bytes([good[at] ^ 1 << rng.randrange(8)]) + good[at + 1:])
            self.assertEqual(run(self.folder, WAYMARK, "trace", "--last=50", "long"), want)
            with open(path, "rb") as file:
                self.assertEqual(file.read(), good)

    def test_the_screen(self):
        """On a terminal: the source with the line marked; the terminal is as before at the end."""
        leader, follower = pty.openpty()
        process = subprocess.Popen([WAYMARK, "trace", "--step", "calls"], cwd=self.folder, stdin=follower,
                                   stdout=follower, stderr=subprocess.PIPE,
                                   env=dict(os.environ, WAYMARK_CACHE="", TERM="xterm", NO_COLOR="1"))
        os.close(follower)
        def see(text, seconds=60):
            seen, end = "", time.monotonic() + seconds
            while text not in seen and time.monotonic() < end:
                if select.select([leader], [], [], 0.2)[0]:
                    seen += os.read(leader, 65536).decode()
            self.assertIn(text, seen)
        see(">   13  ")
        os.write(leader, b"bbb")
        see(">    8  }")
        os.write(leader, b"\\5\n")
        see(">    5  ")
        os.write(leader, b"u")
        see("\r\nmain\r\n")
        os.write(leader, b"q")
        see("\033[?1049l")
        self.assertEqual(process.wait(60), 0)
        self.assertEqual(process.stderr.read(), b"")
        process.stderr.close()
        os.close(leader)


parser = argparse.ArgumentParser()
parser.add_argument("--waymark", required=True)
arguments, rest = parser.parse_known_args()
WAYMARK = os.path.abspath(arguments.waymark)
unittest.main(argv=[sys.argv[0]] + rest)
