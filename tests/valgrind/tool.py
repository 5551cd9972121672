"""Runs of `waymark hpp` and of Valgrind's own tools in one environment, so that they see the same
program: the dynamic linker's work depends on the environment."""
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "end_to_end"))

import cases

PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs")
# Debian's /usr/bin/valgrind is a script that changes the environment.
VALGRIND = next((path for path in ("/usr/bin/valgrind.bin", shutil.which("valgrind")) if path and os.path.exists(path)), None)
# One basic block is one translation, so that nothing is counted that did not run.
EXACT = ["--vex-guest-chase=no", "--vex-iropt-unroll-thresh=0"]


class Case(cases.Case):
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": "/nonexistent"}

    def setUp(self):
        super().setUp()
        tool = os.path.join(os.path.dirname(self.waymark), "..", "lib", "waymark",
                            "waymark-hpp-amd64-linux")
        if not os.path.exists(tool):
            self.skipTest("Waymark was built without Valgrind")

    def build(self, name, *words, source=None):
        """A program of PROGRAMS, by gcc; its path."""
        source = os.path.join(PROGRAMS, source or name + ".c")
        compiler = "g++" if source.endswith(".cpp") else "gcc"
        subprocess.run([compiler, "-g", *words, source, "-o", self.path(name)], check=True)
        return self.path(name)

    def run_words(self, words, **keywords):
        return subprocess.run(words, cwd=self.directory, env=self.environment, capture_output=True,
                              stdin=subprocess.DEVNULL, **keywords)

    def profile(self, *words, options=()):
        """Status and output of the command under the profiler, and what it says as JSON."""
        file = self.path("run.wmh")
        if os.path.exists(file):
            os.remove(file)
        ran = self.run_words([self.waymark, "hpp", "-o", file, *options, *words])
        self.assertTrue(os.path.exists(file), ran.stderr.decode())
        self.assertFalse(os.path.exists(file + ".part"))
        told = self.run_words([self.waymark, "hpp", "--json", "--top=10000000", "--read=" + file])
        self.assertEqual(told.returncode, 0, told.stderr)
        return ran, json.loads(told.stdout)

    def valgrind(self, tool, *words):
        """What a tool of Valgrind's says."""
        ran = self.run_words([VALGRIND, "--tool=" + tool, *EXACT, *words])
        return ran.stderr.decode() + ran.stdout.decode()

    def number(self, pattern, text):
        found = re.search(pattern, text)
        self.assertTrue(found, text[-2000:])
        return int(found[1].replace(",", ""))

    def assert_sums(self, document):
        """What is lost nowhere: each execution of a path, each instruction along it."""
        paths = document["hot_paths"]
        self.assertEqual(len(paths), document["distinct_paths"])
        self.assertEqual(sum(path["count"] for path in paths), document["paths"])
        if document["stack"]["dropped"] == 0:
            self.assertEqual(sum(path["instructions"] for path in paths), document["instructions"])
        self.assertEqual(sum(document["kinds"].values()), document["branches"])
        self.assertTrue(document["complete"])
        for path in paths:
            self.assertEqual(sum(path["endings"].values()), path["count"])


__all__ = ["Case", "cases", "unittest"]
