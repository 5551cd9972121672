#!/usr/bin/env python3
"""Checks every program of tests/programs against counters everywhere.

usage: compare.py --waymark=PATH [--all] [--only=GLOB] [--level=-O2]... [--keep=DIR]

A program at a level is built plain, and, late or early: as redundant oracle, as optimal edge profile,
in one further variant, which rotates so that all placements and weightings meet all kinds of
programs, and for paths, cut in one of the two ways: by history, at their ends, and as oracle. All must behave
as plain does, and all counts must equal the oracle's. With --all every program is tried at every level,
late and early; without, at -O0, -O2 and one other level, late or early, such that any six neighbours in
the list, which is sorted by construct, meet every combination, and for paths at one of these three.
Programs that hostile/run.py tries at -O2, late, in all modes are not tried so once more; they meet -O0
and one other combination, such that any twelve neighbours meet all.

A program says what it needs in comment lines `// key: value` at its top:
  build:   shell command (several lines run in order) with $CC, $CXX, $SRC and $FLAGS; by default the
           one source file becomes ./program
  flags:   further compiler flags
  levels:  the levels at which it is meaningful (default: all)
  ats:     late, early or both (default: both)
  stdin:   text given to the program
  inexact: functions whose counts are not compared (they run in several threads or processes)
  chance:  functions of which paths beyond a loop's entry are left to chance (which thread takes what);
           classic ones, and what first turns of loops count then, are not compared
  calls:   name=count pairs: how often functions are entered, known from the program text, at -O0
  left_early: name=count pairs: how often a call in these functions does not come back (exit, longjmp,
           an exception) or comes back once more (fork: -1), known from the text, at -O0; in all other
           functions, and without this line at every level, no call is left early
  left_alone: functions that are not counted because of their asm goto, each with a warning
  left_alone_early: likewise, but only of --at=early (default: those of left_alone)
  debug:   no: compile without -g
  paths:   no: paths are not compared (their oracle would take minutes)
A directory with a main.c or main.cpp is one program too. A file NAME.build holds nothing but these
lines: one of the ways to compile and link the sources in the directory `linking`.
"""
import argparse
import collections
import concurrent.futures
import fnmatch
import glob
import os
import re
import sys
import tempfile

import harness
import sections
from harness import Failure, Outcome, Variant

LEVELS = ["-O0", "-O1", "-O2", "-O3", "-Os"]
SELDOM = ["-O1", "-O3", "-Os"]
ATS = ["late", "early"]
ROTATION = [("blocks", "optimal", None), ("blocks", "vertex", None),
            ("edges", "optimal", "heuristic"), ("edges", "optimal", "goldberg")]
PATHS = [("optimal", None, None), ("commit", None, None), ("optimal", None, "classic"),
         ("commit", None, "classic")]
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
        self.levels = self.keys.get("levels", " ".join(LEVELS)).split()
        self.ats = self.keys.get("ats", "late early").split()
        self.ignored = self.keys.get("inexact", "").split()
        self.chance = self.keys.get("chance", "").split()
        self.has_paths = self.keys.get("paths") != "no"
        self.calls = self.pairs("calls")
        self.left_early = self.pairs("left_early")
        self.left_alone = {"late": self.keys.get("left_alone", "").split()}
        self.left_alone["early"] = self.keys.get("left_alone_early", " ".join(self.left_alone["late"])).split()

    def incomparable(self, paths):
        """Functions whose paths differ from run to run; and what is counted in first turns of loops, which
        are code of their own with classic paths."""
        return self.ignored + (self.chance if paths == "classic" else [])

    def pairs(self, key):
        words = [pair.split("=") for pair in self.keys.get(key, "").split()]
        return {name: int(count) for name, count in words}


def expected_warnings(program, variant):
    """What the build must print: plain clang nothing, the wrapper one line for each function left alone."""
    names = program.left_alone[variant.at] if variant else []
    return sorted(harness.LEFT_ALONE % name for name in names)


def shell_words(words):
    return " ".join("'%s'" % word for word in words)


def build(waymark, program, level, variant, directory):
    flags = [level, *harness.QUIET, harness.LINKER] + ([] if program.keys.get("debug") == "no" else ["-g"])
    flags += program.keys.get("flags", "").split()
    environment = {"SRC": program.source, "FLAGS": " ".join(flags), "PLAIN": harness.CLANG,
                   "CC": shell_words(harness.compiler(waymark, variant, "cc")),
                   "CXX": shell_words(harness.compiler(waymark, variant, "c++"))}
    recipe = "\n".join(["set -e"] + program.recipe)
    for name in ("CC", "CXX"):
        recipe = re.sub(r"\$%s\b" % name, lambda _, n=name: environment[n], recipe)
    status, out, err = harness.run(["sh", "-c", recipe], directory, environment)
    if status != 0 or sorted(harness.complaints(err.decode())) != expected_warnings(program, variant):
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


def check_calls(program, outcome, left_alone):
    """Counts known from the text of the program: evidence independent of any oracle."""
    entered, left = collections.Counter(), collections.Counter()
    for function in outcome.functions:
        entered[function["name"]] += function["entry_count"]
        left[function["name"]] += sum(place["count"] for place in function["left_early"])
    for name, count in program.calls.items():
        if entered[name] != (0 if name in left_alone else count):
            raise Failure("%s was entered %d times, expected %d" % (name, entered[name], count))
    for name in left:
        if left[name] != program.left_early.get(name, 0) and name not in program.ignored:
            raise Failure("%s was left early %d times, expected %d" %
                          (name, left[name], program.left_early.get(name, 0)))


def check_level(waymark, program, level, ats, turn, with_paths, directory):
    """One program at one level; returns the number of profiles compared."""
    plain = execute(waymark, program, level, None, os.path.join(directory, "plain"))
    if plain.behaviour[0] is None:
        raise Failure("plain program did not end")
    compared = 0
    for at in ats:
        variants = [Variant(at, "edges", "optimal", None), Variant(at, *ROTATION[turn % 4])]
        turn += 1
        oracle_variant = harness.redundant(variants[0])
        oracle = execute(waymark, program, level, oracle_variant, os.path.join(directory, "oracle"))
        harness.same_behaviour(plain, oracle, harness.describe(oracle_variant))
        if level == "-O0":
            check_calls(program, oracle, program.left_alone[at])
        for variant in variants:
            outcome = execute(waymark, program, level, variant, os.path.join(directory, "measured"))
            harness.same_behaviour(plain, outcome, harness.describe(variant))
            harness.check_variant(outcome, oracle, variant, program.ignored,
                                  bool(program.left_early))
            compared += 1
        if with_paths:
            compared += check_paths(waymark, program, level, at, turn, plain, oracle, directory)
    return compared


def check_paths(waymark, program, level, at, turn, plain, oracle, directory):
    """Paths cut in one of the two ways, counted in both: all equal those that the runtime saw."""
    compared = 0
    cuts = PATHS[turn % 2 * 2][2]
    variants = [Variant(at, "paths", *way) for way in PATHS if way[2] == cuts]
    place = os.path.join(directory, "measured")
    if cuts:
        oracle = execute(waymark, program, level, harness.redundant(variants[0]), place)
    seen = execute(waymark, program, level, harness.redundant_paths(variants[0]), place)
    for variant in [harness.redundant_paths(variants[0])] + variants:
        outcome = seen if variant.placement == "redundant" else execute(
            waymark, program, level, variant, place)
        harness.same_behaviour(plain, outcome, harness.describe(variant))
        harness.check_variant(outcome, oracle, variant, program.incomparable(variant.paths),
                              bool(program.left_early))
        harness.check_paths(outcome, seen, variant, program.incomparable(variant.paths))
        compared += 1
    return compared


def check(waymark, task, keep):
    """One task of the pool: returns (number compared, failure text or None)."""
    program, level, ats, turn, with_paths = task
    with tempfile.TemporaryDirectory(prefix="waymark-") as temporary:
        directory = os.path.join(keep, program.name + level) if keep else temporary
        try:
            return check_level(waymark, program, level, ats, turn, with_paths, directory), None
        except Failure as failure:
            return 0, "FAIL %s %s: %s" % (program.name, level, failure)


def is_program(path):
    return os.path.isfile(path) or bool(glob.glob(os.path.join(path, "main.c*")))


def find_programs():
    """Sorted such that programs of one construct, and all ways to link, are neighbours."""
    paths = sorted(glob.glob(os.path.join(PROGRAMS, "*")),
                   key=lambda path: (path.endswith(".build"), path))
    return [Program(path) for path in paths if is_program(path)]


def choose(program, index):
    """The (level, ats) at which a program is tried unless all are wanted."""
    first, second = ATS[index % 2], ATS[(index + 1) % 2]
    wanted = [("-O0", first), ("-O2", second), (SELDOM[index // 2 % 3], first)]
    hostile = sections.is_hostile(program.name)
    if hostile:
        seldom = index % 4 and wanted[2][0] in program.levels
        wanted = [wanted[0], wanted[2] if seldom else ("-O2", "early")]
    possible = [(level, [at if at in program.ats else program.ats[0]])
                for level, at in wanted if level in program.levels]
    return possible or [(program.levels[0], program.ats[-1:] if hostile else program.ats)]


def list_tasks(programs, everything):
    tasks = []
    for index, program in enumerate(programs):
        combinations = choose(program, index)
        if everything:
            combinations = [(level, program.ats) for level in program.levels]
        tasks += [(program, level, ats, index // 2 + position,
                   program.has_paths and
                   (everything or position == index // 4 % len(combinations)))
                  for position, (level, ats) in enumerate(combinations)]
    return tasks


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--waymark", required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", default="*")
    parser.add_argument("--level", action="append")
    parser.add_argument("--keep")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    waymark = os.path.abspath(options.waymark)
    tasks = [task for task in list_tasks(find_programs(), options.all or options.level)
             if fnmatch.fnmatch(task[0].name, options.only)
             and (not options.level or task[1] in options.level)]
    if not tasks:
        sys.exit("no program matches %s" % options.only)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda task: check(waymark, task, options.keep), tasks))
    failures = [text for _, text in results if text]
    print("\n".join(failures))
    print("%d programs at a level, %d profiles equal to redundant, %d failures" %
          (len(tasks), sum(count for count, _ in results), len(failures)))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
