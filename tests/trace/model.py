#!/usr/bin/env python3
"""`waymark trace --hpp | waymark hpp --read=-`: a traced run seen by the model of the hardware path profiler.
What the model sees is compared with what programs do by their text, and with counts of another build."""
import argparse
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "valgrind", "programs")


class Model(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="waymark-")
        self.addCleanup(shutil.rmtree, self.folder)

    def run_words(self, *words, **more):
        done = subprocess.run(words, cwd=self.folder, capture_output=True, timeout=120,
                              env=dict(os.environ, WAYMARK_CACHE="", LC_ALL="C"), **more)
        self.assertEqual(done.returncode, 0, (words, done.stderr))
        return done.stdout

    def built(self, name, *options, level="-O0"):
        self.run_words(WAYMARK, "cc", level, "-g", *options, "-o", name, os.path.join(PROGRAMS, name + ".c"))
        self.run_words("./" + name)

    def seen(self, name, level="-O0"):
        self.built(name, "--profile=trace", level=level)
        trace, = glob.glob(os.path.join(self.folder, "*.wmt"))
        text = self.run_words(WAYMARK, "trace", "--hpp", trace)
        told = self.run_words(WAYMARK, "hpp", "--read=-", "--json", "--top=1000000", "--stack=4096", input=text)
        return json.loads(told), trace

    def test_work_and_calls_are_those_of_a_build_that_counts(self):
        for level in ("-O0", "-O2"):
            with self.subTest(level):
                told, trace = self.seen("tours", level=level)
                os.remove(trace)
                self.built("tours", "--profile=edges", level=level)
                report = json.loads(self.run_words(WAYMARK, "report", "--json"))
                self.assertEqual(told["stack"]["underflows"], 0)
                self.assertEqual(told["stack"]["repairs"], 0)
                work = sum(each["instructions"] for each in report["functions"])
                entries = sum(each["entry_count"] for each in report["functions"])
                self.assertEqual(told["instructions"], work)
                self.assertEqual(told["kinds"]["calls"], entries)
                os.remove(glob.glob(os.path.join(self.folder, "*.wmk"))[0])

    def test_conditions_go_as_the_text_says(self):
        told, trace = self.seen("tours")
        lines = self.run_words(WAYMARK, "trace", "--branches", trace).decode().splitlines()
        two = [line for line in lines if line.endswith("/2")]
        self.assertGreater(len(two), 1000)
        self.assertEqual(told["kinds"]["conditionals"], len(two))
        self.assertEqual(sum(path["count"] for path in told["hot_paths"]), told["paths"])

    def test_frames_that_longjmp_leaves_are_gone(self):
        """Each of 20 jumps leaves `deep` up to 19 deep; then `depth` goes 3,001 deep and comes back."""
        told, _ = self.seen("jumps")
        self.assertEqual(told["stack"]["underflows"], 0)
        self.assertGreaterEqual(told["stack"]["repairs"], 20)
        self.assertEqual(told["stack"]["deepest"], 3003)  # what called main, main, and depth of 3000 to 0
        self.assertEqual(told["kinds"]["calls"], 1 + sum(range(1, 21)) + 3001)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--waymark", required=True)
    options, words = parser.parse_known_args()
    WAYMARK = os.path.abspath(options.waymark)
    unittest.main(argv=[sys.argv[0], *words])
