#!/usr/bin/env python3
"""Line counts of real programs, optimised, against those of gcov and llvm-cov.

usage: lines.py --waymark=PATH [--at=late|early] [--flags=-O2] [--list] PROGRAM...

Each program is built three times and used alike: by `waymark cc` with the flags given; by clang for gcov,
and for llvm-cov, both without optimisation. A count that Waymark states as exact must be that of one of the
two (or of gcov's most frequent block of the line, where gcov adds up blocks that exclude each other); a bound
must not be above them. What is counted as executed is what gcov says was executed, except lines that are
no code to the other two, such as the name of a function on a line of its own.
"""
import argparse
import collections
import glob
import json
import os
import re
import sys
import tempfile

import known_differences
import programs
import harness
import oracle
import sources
from harness import Failure

CLANG = ("clang-19", "clang++-19")


def compiler(flags):
    return tuple("%s %s" % (name, flags) for name in CLANG)


def within(tree, path, start):
    """The path below the tree of a source that was named in some folder of it; None if there is none."""
    if os.path.isabs(path):
        found = os.path.realpath(path)
    else:
        while not os.path.exists(os.path.join(start, path)):
            if len(start) <= len(tree):
                return None
            start = os.path.dirname(start)
        found = os.path.realpath(os.path.join(start, path))
    return os.path.relpath(found, tree) if found.startswith(tree + os.sep) else None


def must(command, directory):
    status, out, err = harness.run(command, directory, timeout=1200)
    if status != 0:
        raise Failure("%s ended with %s: %s" % (" ".join(command[:4]), status, err.decode()[-500:]))
    return out, err


# What Waymark says: the least that a line was executed, whether that is all, and the most.
Line = collections.namedtuple("Line", "count exact max")


def waymark_counts(waymark, program, flags, at, directory):
    early = " --at=early" if at == "early" else ""
    command = tuple("%s %s%s %s" % (waymark, word, early, flags) for word in ("cc", "c++"))
    tree = programs.build_and_use(program, directory, command)
    counts = {}
    for profile in glob.glob(os.path.join(directory, "work", "*.wmk")):
        for file in json.loads(must([waymark, "annotate", "--json", "--file=" + profile], directory)[0])["files"]:
            name = within(tree, file["file"], tree)
            for line in file["lines"]:
                exact = not line.get("bound", False)
                most = line["count"] if exact else line.get("max", float("inf"))
                old = counts.get((name, line["line"]), Line(0, True, 0))
                counts[name, line["line"]] = Line(old.count + line["count"], old.exact and exact, old.max + most)
    return counts, tree


def gcov_counts(program, directory):
    """Counts, and those of the most frequent blocks."""
    tree = programs.build_and_use(program, directory, compiler("-O0 -g -w --coverage"))
    counts, largest = collections.Counter(), collections.Counter()
    seen = {}
    for data in glob.glob(os.path.join(tree, "**", "*.gcda"), recursive=True):
        folder = os.path.dirname(data)
        out, dump = must(["llvm-cov-19", "gcov", "--dump", "-t", os.path.basename(data)], folder)
        source = None
        for row in out.decode(errors="replace").splitlines():
            if row.count(":") < 2:
                continue
            count, line, text = row.split(":", 2)
            if text.startswith("Source:") and line.strip() == "0":
                source = within(tree, text[7:], folder)
            elif source and count.strip() not in ("-", ""):
                number = 0 if "#" in count or "=" in count else int(count.strip())
                counts[source, int(line)] += number
        for (path, line), count in oracle.largest_blocks(dump.decode(errors="replace")).items():
            largest[within(tree, path, folder), line] += count
    return counts, largest, tree


def llvm_cov_export(program, directory, options):
    """The source tree, and what `llvm-cov export` says of all runs together."""
    tree = programs.build_and_use(
        program, directory, compiler("-O0 -g -w -fprofile-instr-generate -fcoverage-mapping"),
        {"LLVM_PROFILE_FILE": "%p-%m.raw"})
    work = os.path.join(directory, "work")
    raw = glob.glob(os.path.join(work, "*.raw"))
    must(["llvm-profdata-19", "merge", "-o", "data"] + raw, work)
    objects = [os.path.join(tree, name) for name in program.binaries]
    others = [word for name in objects[1:] for word in ("-object", name)]
    export = ["llvm-cov-19", "export", "-instr-profile=data"] + options
    listing, _ = must(export + [objects[0]] + others, work)
    return tree, listing.decode(errors="replace")


def llvm_cov_counts(program, directory):
    tree, listing = llvm_cov_export(program, directory, ["-format=lcov"])
    counts = {}
    source = None
    for row in listing.splitlines():
        if row.startswith("SF:"):
            source = within(tree, row[3:], tree)
        found = re.match(r"DA:(\d+),(\d+)", row)
        if found and source:
            counts[source, int(found.group(1))] = int(found.group(2))
    return counts


def entry_below(region, key):
    """llvm-cov's count of the function whose name stands on a line that is no code: that of its first line."""
    name, number = key
    for line in range(number, number + MAX_HEADING):
        if (name, line) in region:
            return region[name, line]
    return None


# From a function's name to its first bracket.
MAX_HEADING = 20

# Nothing but brackets: each tool has its own opinion what runs there.
BRACKETS = re.compile(r"[\s{}();]*(else|do)?[\s{}();]*$")


def compare(mine, gcov, largest, region):
    """What is true of a line that was executed, or of which something is said."""
    possible = [count for count in (gcov, region, largest if gcov is not None else None) if count is not None]
    if mine is None:
        return "nothing"
    if not possible:
        return "alone"
    if not mine.exact:
        if not any(mine.count <= count <= mine.max for count in possible):
            return "WRONG BOUND"
        return "bound" if mine.count else "unknown"
    if mine.count in possible:
        return "exact"
    return "WRONG ZERO" if mine.count == 0 else "WRONG"


class Texts:
    """The lines of the sources of a tree."""

    def __init__(self, tree):
        self.tree, self.lines = tree, {}

    def of(self, key):
        name, number = key
        if name not in self.lines:
            self.lines[name] = open(os.path.join(self.tree, name), errors="replace").read().split("\n")
        return self.lines[name][number - 1] if number <= len(self.lines[name]) else ""


def check(waymark, name, options, directory):
    program = programs.PROGRAMS[name]
    mine, tree = waymark_counts(waymark, program, options.flags, options.at, os.path.join(directory, "waymark"))
    gcov, largest, _ = gcov_counts(program, os.path.join(directory, "by-gcov"))
    region = llvm_cov_counts(program, os.path.join(directory, "llvmcov"))
    kinds, rows, texts = collections.Counter(), [], Texts(tree)
    for key in sorted(key for key in set(mine) | set(gcov) if key[0]):
        text = texts.of(key)
        executed = gcov.get(key, 0) > 0 and (key in mine or key in region)
        entry = region[key] if key in region else entry_below(region, key)
        kind = compare(mine.get(key), gcov.get(key), largest.get(key), entry)
        if BRACKETS.match(text) or (not executed and not kind.startswith("WRONG")):
            continue
        if kind.startswith("WRONG"):
            kind = known_differences.reason(name, key) or kind
        kinds[kind] += 1
        kinds["executed"] += executed and kind not in known_differences.REASONS
        if kind.startswith("WRONG") or (options.list and kind != "exact"):
            got = mine.get(key)
            rows.append("%-11s %s:%d: waymark %s, gcov %s (%s), llvm-cov %s: %s" % (
                kind, key[0], key[1], got and "%s%d..%s" % ("" if got.exact else "~", got.count, got.max),
                gcov.get(key), largest.get(key), region.get(key), text.strip()))
    return kinds, rows


def summary(name, kinds):
    """Text, and the share of executed lines with an exact count, known differences left out."""
    executed = kinds["executed"]
    share = 100.0 * kinds["exact"] / max(1, executed)
    counts = ", ".join("%d %s" % (count, kind) for kind, count in kinds.most_common() if kind != "executed")
    return "%s: %d executed lines, %.1f%% exact; %s" % (name, executed, share, counts), share


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--waymark", required=True)
    parser.add_argument("--at", choices=("late", "early"), default="late")
    parser.add_argument("--flags", default="-O2 -g")
    parser.add_argument("--list", action="store_true", help="list all lines that are not exact")
    parser.add_argument("--min", type=float, default=0, help="the least share of lines that must be exact")
    parser.add_argument("--keep", help="build here, and leave what was built")
    parser.add_argument("program", nargs="+", choices=sorted(programs.PROGRAMS))
    options = parser.parse_args()
    failed = 0
    for name in options.program:
        with tempfile.TemporaryDirectory(prefix="waymark-") as directory:
            try:
                kinds, rows = check(os.path.abspath(options.waymark), name, options,
                                    os.path.join(options.keep or directory, name))
            except (Failure, sources.Unavailable) as failure:
                print("FAIL %s: %s" % (name, failure))
                failed += 1
                continue
        text, share = summary(name, kinds)
        failed += share < options.min or any(kind.startswith("WRONG") for kind in kinds)
        print("\n".join(rows + [text]), flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
