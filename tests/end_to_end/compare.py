#!/usr/bin/env python3
"""Checks every program of tests/programs at every optimisation level, late and early.

usage: compare.py --waymark=PATH [--list=standard|early_exit] [--spare-abandoned] [--only=GLOB]
                  [--level=-O2]... [--keep=DIR]

For each (program, level) it builds plain, and for late and early each: the redundant oracle, the
optimal edge profile, and one further variant, which rotates so that all placements and weightings
meet all programs. All must behave as plain does, and all counts must equal the oracle's.

A program says what it needs in comment lines `// key: value` at its top:
  build:   shell command (several lines run in order) with $CC, $CXX, $SRC and $FLAGS; by default the
           one source file becomes ./program
  flags:   further compiler flags
  levels:  the levels at which it is meaningful (default: all)
  ats:     late, early or both (default: both)
  stdin:   text given to the program
  inexact: functions whose counts are not compared (they run in several threads or processes)
  calls:   name=count pairs: how often functions are entered, known from the program text, at -O0
  debug:   no: compile without -g
  list:    early_exit: frames are abandoned (default: standard)
  abandons: functions whose frames are; with --spare-abandoned they are not compared, all others are
A directory with a main.c or main.cpp is one program too. A file NAME.build holds nothing but these
lines: one of the ways to compile and link the sources in the directory `linking`.
"""
import argparse
import concurrent.futures
import fnmatch
import glob
import os
import re
import sys
import tempfile

import harness
from harness import Failure, Outcome, Variant

LEVELS = ["-O0", "-O1", "-O2", "-O3", "-Os"]
ROTATION = [("blocks", "optimal", None), ("blocks", "vertex", None),
            ("edges", "optimal", "heuristic"), ("edges", "optimal", "goldberg")]
PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs")


class Program:
    def __init__(self, path):
        self.name = os.path.basename(path)
        main = path
        if os.path.isdir(path):
            main = glob.glob(os.path.join(path, "main.c*"))[0]
        self.source = os.path.dirname(os.path.abspath(main))
        lines = re.findall(r"^// (\w+): (.*)$", open(main).read(), re.MULTILINE)
        self.keys = dict(lines)
        self.recipe = [value for key, value in lines if key == "build"]
        if not self.recipe:
            language = "$CXX" if main.endswith(".cpp") else "$CC"
            self.recipe = ["%s $FLAGS $SRC/%s -o program" % (language, os.path.basename(main))]
        self.list = self.keys.get("list", "standard")
        self.levels = self.keys.get("levels", " ".join(LEVELS)).split()
        self.ats = self.keys.get("ats", "late early").split()
        self.ignored = self.keys.get("inexact", "").split()
        self.abandons = self.keys.get("abandons", "").split()
        self.calls = dict(pair.split("=") for pair in self.keys.get("calls", "").split())


def shell_words(words):
    return " ".join("'%s'" % word for word in words)


def build(waymark, program, level, variant, directory):
    flags = [level, "-w"] + ([] if program.keys.get("debug") == "no" else ["-g"])
    flags += program.keys.get("flags", "").split()
    environment = {"SRC": program.source, "FLAGS": " ".join(flags), "PLAIN": harness.CLANG,
                   "CC": shell_words(harness.compiler(waymark, variant, "cc")),
                   "CXX": shell_words(harness.compiler(waymark, variant, "c++"))}
    recipe = "\n".join(["set -e"] + program.recipe)
    for name in ("CC", "CXX"):
        recipe = re.sub(r"\$%s\b" % name, lambda _, n=name: environment[n], recipe)
    status, out, err = harness.run(["sh", "-c", recipe], directory, environment)
    if status != 0 or err:
        raise Failure("%s: build ended with %s: %s" %
                      (harness.describe(variant), status, (out + err).decode(errors="replace")))


def execute(waymark, program, level, variant, directory):
    """Builds, runs and reads the profile, all in a directory of its own."""
    harness.fresh(directory)
    build(waymark, program, level, variant, directory)
    stdin = program.keys.get("stdin", "").encode()
    environment = {"LD_LIBRARY_PATH": "."}
    behaviour = harness.run(["./program"], directory, environment, stdin=stdin)
    if variant is None:
        return Outcome(behaviour, [])
    return Outcome(behaviour, harness.read_profile(waymark, directory))


def check_calls(program, outcome):
    """Entry counts known from the text of the program: evidence independent of any oracle."""
    counted = {}
    for function in outcome.functions:
        counted[function["name"]] = counted.get(function["name"], 0) + function["entry_count"]
    for name, count in program.calls.items():
        if counted.get(name) != int(count):
            raise Failure("%s was entered %s times, expected %s" % (name, counted.get(name), count))


def check_level(waymark, program, level, turn, directory):
    """All variants of one program at one level; returns the number of profiles compared."""
    abandoned = program.list == "early_exit"
    plain = execute(waymark, program, level, None, os.path.join(directory, "plain"))
    if plain.behaviour[0] is None:
        raise Failure("plain program did not end")
    compared = 0
    for at in program.ats:
        variants = [Variant(at, "edges", "optimal", None), Variant(at, *ROTATION[turn % 4])]
        turn += 1
        oracle_variant = harness.redundant(variants[0])
        oracle = execute(waymark, program, level, oracle_variant, os.path.join(directory, "oracle"))
        harness.same_behaviour(plain, oracle, harness.describe(oracle_variant))
        if level == "-O0":
            check_calls(program, oracle)
        for variant in variants:
            outcome = execute(waymark, program, level, variant, os.path.join(directory, "measured"))
            harness.same_behaviour(plain, outcome, harness.describe(variant))
            harness.check_variant(outcome, oracle, variant, program.ignored, abandoned)
            compared += 1
    return compared


def check(waymark, program, level, turn, keep):
    """One task of the pool: returns (number compared, failure text or None)."""
    with tempfile.TemporaryDirectory(prefix="waymark-") as temporary:
        directory = os.path.join(keep, program.name + level) if keep else temporary
        try:
            return check_level(waymark, program, level, turn, directory), None
        except Failure as failure:
            return 0, "FAIL %s %s: %s" % (program.name, level, failure)


def is_program(path):
    return os.path.isfile(path) or bool(glob.glob(os.path.join(path, "main.c*")))


def find_programs(wanted_list, pattern):
    paths = sorted(glob.glob(os.path.join(PROGRAMS, "*")))
    programs = [Program(path) for path in paths
                if is_program(path) and fnmatch.fnmatch(os.path.basename(path), pattern)]
    return [program for program in programs if program.list == wanted_list]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--waymark", required=True)
    parser.add_argument("--list", default="standard")
    parser.add_argument("--spare-abandoned", action="store_true")
    parser.add_argument("--only", default="*")
    parser.add_argument("--level", action="append")
    parser.add_argument("--keep")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    waymark = os.path.abspath(options.waymark)
    programs = find_programs(options.list, options.only)
    for program in programs if options.spare_abandoned else []:
        program.ignored += program.abandons
    tasks = [(program, level) for program in programs for level in program.levels
             if not options.level or level in options.level]
    if not tasks:
        sys.exit("no program matches %s" % options.only)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda t: check(waymark, t[1][0], t[1][1], t[0], options.keep),
                                enumerate(tasks)))
    failures = [text for _, text in results if text]
    print("\n".join(failures))
    print("%d programs at a level, %d profiles equal to redundant, %d failures" %
          (len(tasks), sum(count for count, _ in results), len(failures)))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
