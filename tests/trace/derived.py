#!/usr/bin/env python3
"""Counts derived from a trace equal those of counters in another build of the same program: blocks, edges, calls,
instructions and lines, for programs of tests/programs that print the same each time."""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(HERE, "..", "programs")

# Recursion, computed jumps, longjmp over frames and from a callback, setjmp in a loop, exceptions caught, rethrown
# and passing through frames, exit inside calls, threads, handlers of signals, tail calls.
SOME = ("if_else.c", "computed_goto_two_dispatchers.c", "exception_rethrown_and_nested.cpp",
        "exception_through_frames_without_cleanup.cpp", "exit_from_nested_call.c", "exit_from_qsort_callback.c",
        "function_pointers.c", "longjmp_from_direct_callee.c", "longjmp_out_of_library_callback.c")


def plain(fact):
    """Whether a call is in tail position depends on what is counted behind it."""
    return [{key: value for key, value in row.items() if key != "tail"} for row in fact] \
        if isinstance(fact, list) else fact


class Programs:
    def __init__(self, waymark, level):
        self.waymark, self.level = waymark, level

    def run(self, folder, *words, check=True):
        return subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=check, text=True,
                              timeout=120, errors="replace", env=dict(os.environ, WAYMARK_CACHE="", LC_ALL="C"))

    def counts(self, folder, source, mode):
        compiler = "c++" if source.endswith(".cpp") else "cc"
        flags = ["-pthread", "-lm", "-ldl"]
        built = self.run(folder, self.waymark, compiler, self.level, "-g", "--profile=" + mode, "-o", "program", source,
                         *flags, check=False)
        if built.returncode != 0:
            return None  # it needs other sources or options
        self.run(folder, "./program", check=False)
        kind = ".wmt" if mode == "trace" else ".wmk"
        found = sorted(name for name in os.listdir(folder) if name.endswith(kind) and name.startswith("program-"))
        if len(found) != 1:
            return None
        return json.loads(self.run(folder, self.waymark, "report", "--json", found[0]).stdout)

    def differences(self, source):
        """None if the program is not one that can be compared."""
        got = {}
        with tempfile.TemporaryDirectory(prefix="waymark-") as base:
            folder = os.path.join(base, "same")  # reports name it
            for mode in ("edges", "trace"):
                os.mkdir(folder)
                shutil.copy(os.path.join(PROGRAMS, source), folder)
                got[mode] = self.counts(folder, source, mode)
                shutil.rmtree(folder)
        if None in got.values():
            return None
        def by_name(report):
            return {(function["name"], function["cfg_hash"]): function for function in report["functions"]}
        edges, traced = by_name(got["edges"]), by_name(got["trace"])
        different = ["functions"] if edges.keys() != traced.keys() else []
        for key in edges.keys() & traced.keys():
            for fact in ("entry_count", "instructions", "blocks", "edges", "left_early", "calls"):
                if plain(edges[key][fact]) != plain(traced[key][fact]):
                    different.append("%s of %s: %s counted, %s traced" % (
                        fact, key[0], edges[key][fact], traced[key][fact]))
        return different


class Derived(unittest.TestCase):
    def test_counts_are_those_of_counters(self):
        programs = Programs(WAYMARK, LEVEL)
        compared = 0
        for source in NAMES:
            with self.subTest(source):
                different = programs.differences(source)
                compared += different is not None
                self.assertIn(different, ([], None))
        self.assertGreater(compared, 0)

    def test_parts_of_a_run_are_refused(self):
        with tempfile.TemporaryDirectory(prefix="waymark-") as folder:
            with open(os.path.join(folder, "short.c"), "w") as file:
                file.write("int main(int count, char **words)\n{\n\treturn count > 1;\n}\n")
            programs = Programs(WAYMARK, LEVEL)
            programs.run(folder, WAYMARK, "cc", "--profile=trace", "--trace-last=1M", "-o", "short", "short.c")
            programs.run(folder, "./short")
            trace, = [name for name in os.listdir(folder) if name.endswith(".wmt")]
            done = programs.run(folder, WAYMARK, "report", trace, check=False)
            self.assertEqual((done.returncode, done.stdout, len(done.stderr.splitlines())), (1, "", 1))
            self.assertIn("flight recorder", done.stderr)


parser = argparse.ArgumentParser()
parser.add_argument("--waymark", required=True)
parser.add_argument("--level", default="-O2")
parser.add_argument("--all", action="store_true")
parser.add_argument("--programs", type=lambda text: tuple(text.split(",")), default=SOME)
arguments, rest = parser.parse_known_args()
WAYMARK, LEVEL = os.path.abspath(arguments.waymark), arguments.level
NAMES = [name for name in sorted(os.listdir(PROGRAMS)) if name.endswith((".c", ".cpp"))] if arguments.all else \
    arguments.programs
unittest.main(argv=[sys.argv[0]] + rest)
