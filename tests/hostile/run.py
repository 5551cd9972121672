#!/usr/bin/env python3
"""Hostile programs, each in every profile mode: all counts equal those of counters everywhere.

usage: run.py --waymark=PATH [--section=NAME] [--only=GLOB] [--all] [--jobs=N] [--keep=DIR]
       run.py --table          writes the table of programs and modes into docs/exactness.md
       run.py --check-table    fails if that table is not the one that --table would write

The programs are those of tests/programs whose names fall into a section below; end_to_end/compare.py
says what their first lines mean. All are tried at -O2, counted late, some at -O0 too. The table HOSTILE of
tests/modes.py says in which modes; programs written for paths, and all with --all, are tried in every mode.
Three further keys are checked here, the first two of every directory in which a program ran:
  profiles:     how many .wmk files there are
  file_at_most: bytes that none of them exceeds
  paths:        name=count pairs: how many different classic paths of a function ran, known from the
                text, at -O0; without this line nothing is asked
"""
import argparse
import collections
import concurrent.futures
import fnmatch
import glob
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "end_to_end"))

import compare
import harness
import modes
import sections
from harness import Failure
from modes import Try
from sections import HOSTILE

DOCUMENT = os.path.join(HERE, "..", "..", "docs", "exactness.md")
BEGIN, END = "<!-- table: begin -->\n", "<!-- table: end -->\n"

MODES = [mode.name for mode in modes.modes_of("hostile")]


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


def is_written_for_paths(program):
    return sections.holds("paths", program.name)


def tries_of(program, everything):
    """What is built of a program: all modes if everything is wanted, or if it is written for paths."""
    levels, everything = {}, everything or is_written_for_paths(program)
    row = modes.row_of(program.name, modes.HOSTILE)
    if program.pairs("paths"):
        row = row + [Try("-O0", "late", row[0].modes)]
    for wanted in row:
        if wanted.level in program.levels:
            levels.setdefault(wanted.level, MODES if everything else list(wanted.modes))
    levels = levels or {program.levels[0]: MODES if everything else list(row[0].modes)}
    return [Try(level, "late", names) for level, names in levels.items()]


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
    """One program at one level: how it behaves plain, and how it compares with its oracles."""

    def __init__(self, waymark, program, level, directory):
        self.waymark, self.program, self.level, self.directory = waymark, program, level, directory
        self.plain = compare.execute(waymark, program, level, None, self.place("plain"))
        if self.plain.behaviour[0] is None:
            raise Failure("plain program did not end")
        self.comparison = harness.Comparison(self.measure, program.incomparable,
                                             bool(program.left_early))

    def place(self, name):
        return os.path.join(self.directory, name)

    def measure(self, variant):
        place = self.place(variant.mode.name)
        outcome = compare.execute(self.waymark, self.program, self.level, variant, place)
        harness.same_behaviour(self.plain, outcome, harness.describe(variant))
        check_files(self.program, place)
        return outcome

    def check(self, variant):
        outcome = self.comparison.check(variant)
        if self.level == "-O0" and variant.mode.counts == "paths" and variant.mode.is_classic:
            check_path_numbers(self.program, outcome.functions)


def check_try(waymark, program, wanted, directory):
    """One program at one level; returns the number of modes that were compared."""
    level, at, names = wanted
    bench = Bench(waymark, program, level, directory)
    if level == "-O0":
        oracle = bench.comparison.oracle(harness.named(at, modes.EVERYWHERE))
        compare.check_calls(program, oracle, program.left_alone[at])
    for name in names:
        try:
            bench.check(harness.named(at, name))
        except Failure as failure:
            raise Failure("%s: %s" % (name, failure))
    return len(names)


def check(waymark, task, keep):
    """One task of the pool: returns (number compared, failure text or None)."""
    program, wanted = task
    with tempfile.TemporaryDirectory(prefix="waymark-") as temporary:
        directory = os.path.join(keep, program.name + wanted.level) if keep else temporary
        try:
            return check_try(waymark, program, wanted, directory), None
        except Failure as failure:
            return 0, "FAIL %s %s: %s" % (program.name, wanted.level, failure)


def list_tasks(names, only, everything):
    return [(program, wanted) for section in names for program in list_programs(section)
            if fnmatch.fnmatch(program.name, only) for wanted in tries_of(program, everything)]


def run_tasks(options, tasks):
    waymark = os.path.abspath(options.waymark)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda task: check(waymark, task, options.keep), tasks))
    failures = [text for _, text in results if text]
    print("\n".join(failures))
    print("%d programs at a level, %d profiles equal to redundant, %d failures" %
          (len(tasks), sum(count for count, _ in results), len(failures)))
    return 1 if failures else 0


def format_row(program):
    often = tries_of(program, False)[0].modes
    cells = [" = |" if mode in often else " (=) |" for mode in MODES]
    return "| %s%s |%s" % (title_of(program), exception_of(program), "".join(cells))


def format_modes():
    rows = ["| `%s` | `%s` |" % (mode.name, mode.options) for mode in modes.modes_of("hostile")]
    return ["| mode | options of `waymark cc` |", "| --- | --- |"] + rows + [""]


def format_table():
    lines = format_modes()
    for section, (title, _) in HOSTILE.items():
        lines += ["| %s | %s |" % (title, " | ".join(MODES)), "| --- |" + " :---: |" * len(MODES)]
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
    parser.add_argument("--section", choices=list(HOSTILE))
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
    tasks = list_tasks([options.section] if options.section else list(HOSTILE), options.only, options.all)
    if not tasks:
        sys.exit("no program matches %s" % options.only)
    return run_tasks(options, tasks)


if __name__ == "__main__":
    sys.exit(main())
