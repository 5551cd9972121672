#!/usr/bin/env python3
"""Hostile programs, each in every profile mode: all counts equal those of counters everywhere.

usage: run.py --waymark=PATH [--section=NAME] [--only=GLOB] [--all] [--jobs=N] [--keep=DIR]
       run.py --table          writes the table of programs and modes into docs/exactness.md
       run.py --check-table    fails if that table is not the one that --table would write

The programs are those of tests/programs whose names fall into a section below; end_to_end/compare.py
says what their first lines mean. All are tried at -O2, counted late, every fifth at -O0 too. Two of
the modes for paths, and the two with the base in memory, take turns, program by program, but for those
written for paths, or with --all.
Three further keys are checked here, the first two of every directory in which a program ran:
  profiles:     how many .wmk files there are
  file_at_most: bytes that none of them exceeds
  paths:        name=count pairs: how many different classic paths of a function ran, known from the
                text, at -O0; without this line nothing is asked
"""
import argparse
import collections
import concurrent.futures
import copy
import fnmatch
import glob
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "end_to_end"))

import compare
import harness
import sections
from harness import Failure, Variant
from sections import SECTIONS

DOCUMENT = os.path.join(HERE, "..", "..", "docs", "exactness.md")
BEGIN, END = "<!-- table: begin -->\n", "<!-- table: end -->\n"

EDGES, BLOCKS = (Variant("late", profile, "optimal", None) for profile in ("edges", "blocks"))
PATHS = Variant("late", "paths", "optimal", None)
CLASSIC = PATHS._replace(paths="classic")
IN_MEMORY = "--base=memory"

# A column of the table: its title, what is compared with redundant placement, further options, and
# of which turns (see turn_of) it is; None: of all.
Mode = collections.namedtuple("Mode", "title variant options turn", defaults=["", None])
MODES = [Mode("edges", EDGES), Mode("blocks", BLOCKS),
         Mode("edges, base in memory", EDGES, IN_MEMORY, turn=1), Mode("paths", PATHS),
         Mode("paths, base in memory", PATHS, IN_MEMORY, turn=0),
         Mode("classic paths", CLASSIC, turn=0),
         Mode("classic paths, at their ends", CLASSIC._replace(placement="commit"), turn=1)]
TURNS = 2


def title_of(program):
    return os.path.splitext(program.name)[0].replace("_", " ")


def exception_of(program):
    """The functions of a program whose counts cannot be compared, for the table."""
    text = ", except in " + ", ".join(program.ignored) if program.ignored else ""
    if program.chance:
        text += "; classic paths of %s: left to chance, not compared" % ", ".join(program.chance)
    return text


def list_programs(section):
    """The programs of a section, by the words of their names."""
    return sorted((program for program in compare.find_programs()
                   if sections.holds(section, program.name)), key=title_of)


def turn_of(program):
    """Which of the modes that take turns a program meets; it stays when other programs come."""
    return sum(program.name.encode()) % TURNS


def modes_of(program, everything):
    everything = everything or program.name.startswith("paths_")
    return [mode for mode in MODES
            if everything or mode.turn is None or mode.turn == turn_of(program)]


def with_options(program, options):
    """The same program, compiled with further options of the wrapper."""
    changed = copy.copy(program)
    changed.keys = dict(program.keys, flags=program.keys.get("flags", "") + " " + options)
    return changed


def check_files(program, directory):
    sizes = [os.path.getsize(path) for path in glob.glob(os.path.join(directory, "*.wmk"))]
    expected = int(program.keys.get("profiles", len(sizes)))
    if len(sizes) != expected:
        raise Failure("%d profiles were written, expected %d" % (len(sizes), expected))
    limit = int(program.keys.get("file_at_most", max(sizes)))
    if max(sizes) > limit:
        raise Failure("a profile has %d bytes, more than %d" % (max(sizes), limit))


def check_path_numbers(program, functions):
    """Numbers of paths known from the text of the program."""
    ran = collections.Counter(key[0] for key in harness.path_counts(functions))
    for name, expected in program.pairs("paths").items():
        if ran[name] != expected:
            raise Failure("%d paths of %s ran, expected %d" % (ran[name], name, expected))


class Bench:
    """One program at one level: how it behaves plain, and the oracles, each made once."""

    def __init__(self, waymark, program, level, directory):
        self.waymark, self.program, self.level = waymark, program, level
        self.directory, self.oracles = directory, {}
        self.plain = compare.execute(waymark, program, level, None, self.place("plain"))
        if self.plain.behaviour[0] is None:
            raise Failure("plain program did not end")

    def place(self, name):
        return os.path.join(self.directory, name)

    def measure(self, variant, title, options, place):
        program = with_options(self.program, options)
        outcome = compare.execute(self.waymark, program, self.level, variant, place)
        harness.same_behaviour(self.plain, outcome, title)
        check_files(program, place)
        return outcome

    def oracle(self, variant):
        if variant not in self.oracles:
            place = self.place("redundant-%s-%s" % (variant.profile, variant.paths or "auto"))
            self.oracles[variant] = self.measure(variant, harness.describe(variant), "", place)
            if variant.profile == "paths":
                self.check_sums(self.oracles[variant], variant)
        return self.oracles[variant]

    def check_sums(self, outcome, variant):
        harness.check_variant(outcome, self.oracle(harness.redundant(variant)), variant,
                              self.program.incomparable(variant.paths), bool(self.program.left_early))

    def check_mode(self, mode):
        outcome = self.measure(mode.variant, mode.title, mode.options, self.place("measured"))
        self.check_sums(outcome, mode.variant)
        if mode.variant.profile == "paths":
            seen = self.oracle(harness.redundant_paths(mode.variant))
            harness.check_paths(outcome, seen, mode.variant,
                                self.program.incomparable(mode.variant.paths))
            if self.level == "-O0" and mode.variant.paths == "classic":
                check_path_numbers(self.program, outcome.functions)


def check_level(waymark, program, level, modes, directory):
    """One program in these modes; returns the number of profiles that were compared."""
    bench = Bench(waymark, program, level, directory)
    if level == "-O0":
        compare.check_calls(program, bench.oracle(harness.redundant(EDGES)))
    for mode in modes:
        try:
            bench.check_mode(mode)
        except Failure as failure:
            raise Failure("%s: %s" % (mode.title, failure))
    return len(modes)


def check(waymark, task, everything, keep):
    """One task of the pool: returns (number compared, failure text or None)."""
    program, level = task
    with tempfile.TemporaryDirectory(prefix="waymark-") as temporary:
        directory = os.path.join(keep, program.name + level) if keep else temporary
        try:
            return check_level(waymark, program, level, modes_of(program, everything),
                               directory), None
        except Failure as failure:
            return 0, "FAIL %s %s: %s" % (program.name, level, failure)


def list_tasks(sections, only):
    tasks = []
    for section in sections:
        for index, program in enumerate(list_programs(section)):
            wanted = ["-O2", "-O0"] if index % 5 == 0 or program.pairs("paths") else ["-O2"]
            levels = [level for level in wanted if level in program.levels] or program.levels[:1]
            if fnmatch.fnmatch(program.name, only):
                tasks += [(program, level) for level in levels]
    return tasks


def run_tasks(options, tasks):
    waymark = os.path.abspath(options.waymark)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda task: check(waymark, task, options.all, options.keep), tasks))
    failures = [text for _, text in results if text]
    print("\n".join(failures))
    print("%d programs at a level, %d profiles equal to redundant, %d failures" %
          (len(tasks), sum(count for count, _ in results), len(failures)))
    return 1 if failures else 0


def format_row(program):
    often = modes_of(program, False)
    cells = [" = |" if mode in often else " (=) |" for mode in MODES]
    return "| %s%s |%s" % (title_of(program), exception_of(program), "".join(cells))


def format_table():
    lines = []
    for section, (title, _) in SECTIONS.items():
        lines += ["| %s | %s |" % (title, " | ".join(mode.title for mode in MODES)),
                  "| --- |" + " :---: |" * len(MODES)]
        lines += [format_row(program) for program in list_programs(section)]
        lines.append("")
    return "\n".join(lines)


def split_document():
    """What stands before the table, the table, and what stands behind it."""
    with open(DOCUMENT) as file:
        before, rest = file.read().split(BEGIN)
    table, after = rest.split(END)
    return before + BEGIN, table, END + after


def write_table():
    before, _, after = split_document()
    with open(DOCUMENT, "w") as file:
        file.write(before + format_table() + after)


def check_table():
    if split_document()[1] != format_table():
        sys.exit("the table in docs/exactness.md is out of date: run tests/hostile/run.py --table")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--waymark")
    parser.add_argument("--section", choices=list(SECTIONS))
    parser.add_argument("--only", default="*")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--check-table", action="store_true")
    options = parser.parse_args()
    if options.table:
        return write_table()
    if options.check_table:
        return check_table()
    if not options.waymark:
        parser.error("--waymark=PATH is needed")
    tasks = list_tasks([options.section] if options.section else list(SECTIONS), options.only)
    if not tasks:
        sys.exit("no program matches %s" % options.only)
    return run_tasks(options, tasks)


if __name__ == "__main__":
    sys.exit(main())
