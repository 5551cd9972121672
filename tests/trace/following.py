#!/usr/bin/env python3
"""`waymark trace --follow`: what a process does after each input is shown before the next input; and in the end
all that ran was shown, as `--lines` has it."""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest

SERVER = """\
#include <unistd.h>
static volatile unsigned sum;
__attribute__((noinline)) static void work(char order)
{
	if (order == 'a')
		sum++;
	else
		sum += 2;
	for (int i = 0; i < 3; i++)
		sum *= 3;
}
int main(void)
{
	char order;
	while (read(0, &order, 1) == 1)
		work(order);
	return 0;
}
"""
BUSY = """\
#include <signal.h>
#include <unistd.h>
static volatile unsigned sum;
int main(void)
{
	alarm(1);
	for (unsigned i = 0;; i++) {
		if (i % 3 == 0)
			sum++;
		if (i % 2000 == 0)
			usleep(20000);
	}
}
"""


class Following(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="waymark-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.environment = dict(os.environ, WAYMARK_CACHE="", LC_ALL="C")

    def build(self, text):
        with open(os.path.join(self.folder, "app.c"), "w") as file:
            file.write(text)
        subprocess.run([WAYMARK, "cc", "-O0", "-g", "--profile=trace", "-o", "app", "app.c"], cwd=self.folder,
                       check=True, env=self.environment)

    def start(self):
        process = subprocess.Popen(["./app"], cwd=self.folder, stdin=subprocess.PIPE, bufsize=0)
        end = time.monotonic() + 60
        while not any(name.endswith(".wmt") for name in os.listdir(self.folder)) and time.monotonic() < end:
            time.sleep(0.02)
        time.sleep(0.3)
        return process

    def follow(self, *options):
        follower = subprocess.Popen([WAYMARK, "trace", "--follow", *options, "app"], cwd=self.folder,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.environment)
        lines = []
        def read():
            for line in follower.stdout:
                lines.append(line)
        reader = threading.Thread(target=read)
        reader.start()
        return follower, lines, reader

    def numbers(self, lines):
        return [int(found.group(1)) for found in (re.match(r" *app\.c:(\d+) ", line) for line in lines) if found]

    def wait_for(self, lines, number, times=1):
        end = time.monotonic() + 60
        while self.numbers(list(lines)).count(number) < times and time.monotonic() < end:
            time.sleep(0.05)
        self.assertGreaterEqual(self.numbers(list(lines)).count(number), times, lines)

    def test_each_input_is_answered(self):
        self.build(SERVER)
        process = self.start()
        follower, lines, reader = self.follow()
        self.wait_for(lines, 15)
        process.stdin.write(b"a")
        self.wait_for(lines, 6)
        self.assertNotIn(8, self.numbers(lines))
        process.stdin.write(b"b")
        self.wait_for(lines, 8)
        process.stdin.write(b"aa")
        self.wait_for(lines, 6, 3)
        process.stdin.close()
        process.wait()
        follower.wait(60)
        reader.join()
        self.assertEqual((follower.returncode, follower.stderr.read()), (0, ""))
        follower.stdout.close()
        follower.stderr.close()
        self.assertEqual(lines[-1], "its first function returned\n")
        self.compare(lines)

    def compare(self, lines):
        whole = subprocess.run([WAYMARK, "trace", "--lines", "app"], cwd=self.folder, stdout=subprocess.PIPE, check=True,
                               text=True, env=self.environment).stdout.splitlines()
        self.assertEqual(self.numbers(lines), [int(line.rsplit(":", 1)[1]) for line in whole][-len(self.numbers(lines)):])
        return len(whole)

    def test_a_busy_process(self):
        """Nothing is shown that did not run, and nothing is left out, though it computes all the time."""
        self.build(BUSY)
        process = self.start()
        follower, lines, reader = self.follow("--last=1000000")
        process.stdin.close()
        process.wait()
        follower.wait(100)
        reader.join()
        self.assertEqual((follower.returncode, follower.stderr.read()), (0, ""))
        follower.stdout.close()
        follower.stderr.close()
        self.assertEqual(self.compare(lines), len(self.numbers(lines)))


parser = argparse.ArgumentParser()
parser.add_argument("--waymark", required=True)
arguments, rest = parser.parse_known_args()
WAYMARK = os.path.abspath(arguments.waymark)
unittest.main(argv=[sys.argv[0]] + rest)
