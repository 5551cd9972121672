#!/usr/bin/env python3
"""Checks paths that cross calls: programs behave as plain clang's, and all counts equal those of the oracles.

Programs with threads are left out: their paths may differ from run to run.

usage: segments.py --waymark=PATH [--all] [--csmith=COUNT] [--only=GLOB]

The oracles count everywhere, and tell each block, in the same code: that with the callees in place of the
calls. A program is built at the level that a hash of its name picks; without --all, every fourth program is.
"""
import argparse
import fnmatch
import os
import sys
import tempfile
import zlib

import compare
import csmith
import harness
import modes
from modes import Try

NAMES = ["segments"]


def pick(program):
    levels = [level for level in program.levels if level != "-O0"] or program.levels
    return levels[zlib.crc32(program.name.encode()) % len(levels)]


def check(waymark, program):
    with tempfile.TemporaryDirectory(prefix="waymark-") as directory:
        return compare.check_try(waymark, program, Try(pick(program), "late", NAMES), directory)


def check_seed(waymark, seed):
    with tempfile.TemporaryDirectory(prefix="waymark-") as directory:
        csmith.check(waymark, seed, Try(modes.LEVELS[seed % len(modes.LEVELS)], "late", NAMES), directory)
    return 1


def tasks(arguments):
    for program in compare.find_programs():
        wanted = arguments.all or zlib.crc32(b"segments" + program.name.encode()) % 4 == 0
        if program.name.startswith("thread"):
            continue
        if program.has_paths and "late" in program.ats and fnmatch.fnmatch(program.name, arguments.only) \
                and (wanted or arguments.only != "*"):
            yield program.name, lambda program=program: check(arguments.waymark, program)
    for seed in range(1, arguments.csmith + 1):
        yield "csmith %d" % seed, lambda seed=seed: check_seed(arguments.waymark, seed)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--waymark", required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--csmith", type=int, default=10)
    parser.add_argument("--only", default="*")
    arguments = parser.parse_args()
    arguments.waymark = os.path.abspath(arguments.waymark)
    failures = compared = 0
    for name, task in tasks(arguments):
        try:
            compared += task()
        except harness.Failure as failure:
            failures += 1
            print("FAIL %s: %s" % (name, failure))
    print("%d profiles equal, %d failures" % (compared, failures))
    return 1 if failures or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
