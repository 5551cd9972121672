#!/usr/bin/env python3
"""Checks every program of tests/programs against counters everywhere.

usage: compare.py --waymark=PATH [--section=NAME] [--all] [--only=GLOB] [--level=-O2]... [--keep=DIR]

A program is built plain, in several modes at several levels, late or early, and in the modes of their
oracles. All must behave as plain does, and all counts must equal the oracle's. The tables PROGRAMS and
HOSTILE_PROGRAMS of tests/modes.py say which modes each program meets at which level. Programs that
hostile/run.py tries are not tried at -O2, late, once more. With --all, or at levels given with --level,
every program is tried in every mode, late and early.

The sections are those of sections.py.

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
lines: one of the ways to compile and link the sources in the directory `linking`. What several programs
repeat may stand in a header.
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
import modes
import sections
from harness import Failure, Outcome
from modes import ATS, LEVELS, Try

PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs")


class Program:
    def __init__(self, path):
        self.name = os.path.basename(path)
        main = path
        if os.path.isdir(path):
            main = glob.glob(os.path.join(path, "main.c*"))[0]
        self.source = os.path.dirname(os.path.abspath(main))
        with open(main) as file:
            lines = re.findall(r"^// (\w+): (.*)$", file.read(), re.MULTILINE)
        self.keys = dict(lines)
        self.recipe = [value for key, value in lines if key == "build"]
        if not self.recipe:
            language = "$CXX" if main.endswith(".cpp") else "$CC"
            self.recipe = ["%s $FLAGS $SRC/%s -o program" % (language, os.path.basename(main))]
        self.levels = self.keys.get("levels", " ".join(LEVELS)).split()
        self.ats = self.keys.get("ats", " ".join(ATS)).split()
        self.ignored = self.keys.get("inexact", "").split()
        self.chance = self.keys.get("chance", "").split()
        self.has_paths = self.keys.get("paths") != "no"
        self.calls = self.pairs("calls")
        self.left_early = self.pairs("left_early")
        self.left_alone = {"late": self.keys.get("left_alone", "").split()}
        self.left_alone["early"] = self.keys.get("left_alone_early", " ".join(self.left_alone["late"])).split()

    def incomparable(self, mode):
        """Functions whose paths differ from run to run. What is counted in first iterations of loops, which
        are code of their own with classic paths, differs with them."""
        return self.ignored + (self.chance if mode.is_classic else [])

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


def check_try(waymark, program, task, directory):
    """One program at one level and place; returns the number of profiles compared."""
    level, at, names = task
    plain = execute(waymark, program, level, None, os.path.join(directory, "plain"))
    if plain.behaviour[0] is None:
        raise Failure("plain program did not end")

    def measure(variant):
        outcome = execute(waymark, program, level, variant, os.path.join(directory, "measured"))
        harness.same_behaviour(plain, outcome, harness.describe(variant))
        return outcome

    comparison = harness.Comparison(measure, program.incomparable, bool(program.left_early))
    if level == "-O0":
        oracle = comparison.oracle(harness.named(at, modes.EVERYWHERE))
        check_calls(program, oracle, program.left_alone[at])
    for name in names:
        comparison.check(harness.named(at, name))
    return comparison.compared


def check(waymark, task, keep):
    """One task of the pool: returns (number compared, failure text or None)."""
    program, wanted = task
    with tempfile.TemporaryDirectory(prefix="waymark-") as temporary:
        directory = temporary
        if keep:
            directory = os.path.join(keep, "%s%s-%s" % (program.name, wanted.level, wanted.at))
        try:
            return check_try(waymark, program, wanted, directory), None
        except Failure as failure:
            return 0, "FAIL %s %s: %s" % (program.name, wanted.level, failure)


def is_program(path):
    """Not headers, which several programs share, nor the sources of NAME.build."""
    return path.endswith((".c", ".cpp", ".build")) or bool(glob.glob(os.path.join(path, "main.c*")))


def find_programs():
    """Sorted such that programs of one construct, and all ways to link, are neighbours."""
    paths = sorted(glob.glob(os.path.join(PROGRAMS, "*")),
                   key=lambda path: (path.endswith(".build"), path))
    return [Program(path) for path in paths if is_program(path)]


def fit(program, wanted):
    """The level and place nearest to those of a row at which a program is meaningful."""
    level = wanted.level if wanted.level in program.levels else program.levels[-1]
    at = wanted.at if wanted.at in program.ats else program.ats[0]
    if sections.is_hostile(program.name) and (level, at) == ("-O2", "late"):
        at = program.ats[-1]
    return level, at


def tries_of(program):
    """What is built of a program by default. Where a level is not meaningful, two tries may become one."""
    table = modes.HOSTILE_PROGRAMS if sections.is_hostile(program.name) else modes.PROGRAMS
    chosen = {}
    for wanted in modes.row_of(program.name, table):
        chosen.setdefault(fit(program, wanted), []).extend(wanted.modes)
    return [Try(level, at, of_program(program, names)) for (level, at), names in chosen.items()]


def all_tries_of(program):
    names = of_program(program, [mode.name for mode in modes.modes_of("programs")])
    return [Try(level, at, names) for level in program.levels for at in program.ats]


def of_program(program, names):
    """Each of the modes once, without paths where they are not compared."""
    return [name for name in dict.fromkeys(names)
            if program.has_paths or modes.BY_NAME[name].counts != "paths"]


def list_tasks(programs, everything):
    return [(program, wanted) for program in programs
            for wanted in (all_tries_of(program) if everything else tries_of(program))]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--waymark", required=True)
    parser.add_argument("--section", choices=sections.names())
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", default="*")
    parser.add_argument("--level", action="append")
    parser.add_argument("--keep")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    waymark = os.path.abspath(options.waymark)
    tasks = [task for task in list_tasks(find_programs(), options.all or options.level)
             if fnmatch.fnmatch(task[0].name, options.only)
             and options.section in (None, sections.of(task[0].name))
             and (not options.level or task[1].level in options.level)]
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
