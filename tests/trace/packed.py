#!/usr/bin/env python3
"""Packed traces tell what they told before; a trace that cannot be packed stays as it was; and a packed trace that
is damaged is told up to there."""
import argparse
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = """\
#include <pthread.h>
#include <stdlib.h>
static volatile unsigned sums[2];
__attribute__((noinline)) static int compare(const void *left, const void *right)
{
	int a = *(const int *)left, b = *(const int *)right;
	sums[0] += 2;
	if (a < b) {
		sums[1]++;
		return -1;
	}
	return a > b;
}
static void *work(void *number)
{
	static __thread int values[3000];
	unsigned state = (unsigned)(long)number + 1;
	for (int round = 0; round < 4; round++) {
		for (int i = 0; i < 3000; i++)
			values[i] = (int)((state = state * 1103515245 + 12345) >> 16);
		qsort(values, 3000, sizeof *values, compare);
		sums[(long)number] += (unsigned)values[round];
	}
	return 0;
}
int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, work, (void *)1);
	work((void *)0);
	pthread_join(thread, 0);
	return 0;
}
"""
WAITING = "#include <unistd.h>\nint main(void)\n{\n\tpause();\n\treturn 0;\n}\n"
VIEWS = ("--lines", "--calls", "--branches", "--last=300")


def run(directory, *words, status=0, **options):
    done = subprocess.run([str(word) for word in words], cwd=directory, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=120, text=True,
                          env=dict(os.environ, WAYMARK_CACHE="", LC_ALL="C"), **options)
    if done.returncode != status:
        raise AssertionError("%s: exit %s: %s" % (words, done.returncode, done.stderr))
    return done.stdout, done.stderr


class Packed(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="waymark-")
        self.addCleanup(shutil.rmtree, self.folder)

    def build(self, name, text):
        with open(os.path.join(self.folder, name + ".c"), "w") as file:
            file.write(text)
        run(self.folder, WAYMARK, "cc", "-O1", "-g", "--profile=trace", "-pthread", "-o", name, name + ".c")

    def trace_of(self, name):
        trace, = [found for found in os.listdir(self.folder) if found.startswith(name + "-") and
                  found.endswith(".wmt")]
        return trace

    def content(self, name):
        with open(os.path.join(self.folder, name), "rb") as file:
            return file.read()

    def make(self, program=PROGRAM):
        self.build("sort", program)
        run(self.folder, "./sort")
        return self.trace_of("sort")

    def shown(self, trace):
        return [run(self.folder, WAYMARK, "trace", view, trace) for view in VIEWS]

    def refused(self, *words, **options):
        out, err = run(self.folder, WAYMARK, "trace", *words, status=1, **options)
        self.assertEqual(out, "")
        self.assertEqual(len(err.splitlines()), 1, err)
        return err

    def test_all_views_are_as_before(self):
        trace = self.make()
        before, bytes_before = self.shown(trace), len(self.content(trace))
        time_before = os.stat(os.path.join(self.folder, trace)).st_mtime_ns
        out, _ = run(self.folder, WAYMARK, "trace", "--pack", trace)
        packed = self.content(trace)
        self.assertEqual(out, "%s: %d bytes, %d before\n" % (trace, len(packed), bytes_before))
        self.assertLess(len(packed), bytes_before / 3)
        self.assertEqual(os.stat(os.path.join(self.folder, trace)).st_mtime_ns, time_before)
        self.assertEqual(self.shown(trace), before)
        self.assertIn("packed already", self.refused("--pack", trace))
        self.assertEqual(self.content(trace), packed)
        self.assertEqual([name for name in os.listdir(self.folder) if ".wmt." in name], [])

    def test_nothing_is_lost_without_room(self):
        trace = self.make()
        before = self.content(trace)
        limit = 40000  # less than the packed trace
        err = self.refused("--pack", trace, preexec_fn=lambda: (
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))))
        self.assertIn("is as it was", err)
        self.assertEqual(self.content(trace), before)
        self.assertEqual([name for name in os.listdir(self.folder) if ".wmt." in name], [])

    def test_a_trace_that_is_written_is_refused(self):
        self.build("waiting", WAITING)
        process = subprocess.Popen(["./waiting"], cwd=self.folder)
        end = time.monotonic() + 60
        while not any(name.endswith(".wmt") for name in os.listdir(self.folder)) and time.monotonic() < end:
            time.sleep(0.05)
        time.sleep(0.2)
        trace = self.trace_of("waiting")
        self.assertIn("its process still runs", self.refused("--pack", trace))
        process.kill()
        process.wait()
        run(self.folder, WAYMARK, "trace", "--pack", trace)
        self.assertIn("it ended inside a call", run(self.folder, WAYMARK, "trace", "--count", trace)[0])

    def test_damage_is_told(self):
        """What comes before it is told as before, for each thread."""
        trace = self.make()
        whole, _ = run(self.folder, WAYMARK, "trace", "--lines", trace)
        run(self.folder, WAYMARK, "trace", "--pack", trace)
        good = self.content(trace)
        for name, data in (("cut", good[:-1000]), ("half", good[:len(good) // 2]),
                           ("flipped", good[:-3000] + bytes([good[-3000] ^ 8]) + good[-2999:])):
            with open(os.path.join(self.folder, name + ".wmt"), "wb") as file:
                file.write(data)
            out, err = run(self.folder, WAYMARK, "trace", "--lines", name + ".wmt")
            self.assertIn("what is shown ends there", err)
            self.assertIn("lost", err)
            for thread in {line.split("\t")[0] for line in whole.splitlines()}:
                told = [line for line in out.splitlines() if line.startswith(thread + "\t")]
                all_of_it = [line for line in whole.splitlines() if line.startswith(thread + "\t")]
                self.assertEqual(told, all_of_it[:len(told)], name)
        out, err = run(self.folder, WAYMARK, "trace", "--count", "half.wmt")
        self.assertIn("the trace is damaged", out)

    def test_a_cut_trace_is_told_up_to_there(self):
        """Bits that are not there are not taken for zeros, unless the trace is whole."""
        one_thread = "\n".join(line for line in PROGRAM.splitlines() if "thread" not in line or "__thread" in line)
        trace = self.make(one_thread)
        whole = run(self.folder, WAYMARK, "trace", "--lines", trace)[0].splitlines()
        with open(os.path.join(self.folder, "cut.wmt"), "wb") as file:
            file.write(self.content(trace)[:len(self.content(trace)) // 2])
        out, err = run(self.folder, WAYMARK, "trace", "--lines", "cut.wmt")
        self.assertIn("are lost; what is shown ends there", err)
        told = out.splitlines()
        self.assertGreater(len(told), 100)
        self.assertEqual(told, whole[:len(told)])


parser = argparse.ArgumentParser()
parser.add_argument("--waymark", required=True)
arguments, rest = parser.parse_known_args()
WAYMARK = os.path.abspath(arguments.waymark)
unittest.main(argv=[sys.argv[0]] + rest)
