#!/usr/bin/env python3
"""Branches on the paths of real programs, optimised, against the branch counts of llvm-cov.

usage: branches.py --waymark=PATH [--at=late|early] [--flags=-O2] [--list] [--min=PERCENT] PROGRAM...|FILE...

Each program, or the one in each file, is built twice and used alike: by `waymark cc` with the flags given, and by clang for llvm-cov
without optimisation. The steps of all paths that have an outcome are added up by place and outcome. No sum
may be above llvm-cov's count; with --at=early it must be equal. A branch is named if some step of it has an
outcome. Where several conditions of a function stand at one place, because a macro has them, the one that is
written there itself counts. Where there is none, or a template has them, both sides are sums.
"""
import argparse
import collections
import glob
import json
import os
import re
import sys
import tempfile

import lines
import programs
import sources
from harness import Failure

# How often, by (file, line, column, outcome). The outcome of a label is "case", at the label's place; where no
# label fits it is "no case", at the switch, and without a column: clang and llvm-cov differ in what they point to.
Branches = collections.Counter


# Where llvm-cov is known to lose counts, and why.
LOST = {
    ("mawk", "files.c", "case"): "in the child of fork, which calls exec: clang's runtime writes its counts at exit only",
    ("lua", "src/ldo.c", "no"): "of a setjmp that returns again: llvm-cov takes what went yes from what came first",
}


class Mine:
    """What Waymark says."""

    def __init__(self):
        self.branches = Branches()
        self.unknown = Branches()  # by line: steps without an outcome
        self.ended = Branches()  # by place: in functions that a call has left


def waymark_branches(waymark, program, flags, at, directory):
    early = " --at=early" if at == "early" else ""
    command = tuple("%s %s%s %s" % (waymark, word, early, flags) for word in ("cc", "c++"))
    tree = programs.build_and_use(program, directory, command)
    mine = Mine()
    for profile in glob.glob(os.path.join(directory, "work", "*.wmk")):
        report = json.loads(lines.must([waymark, "report", "--json", profile], directory)[0])
        for function in report["functions"]:
            for path in function["paths"]:
                for step in path["steps"]:
                    add_step(tree, step, path["count"], bool(function["left_early"]), mine)
    return mine, tree


def add_step(tree, step, count, ended, mine):
    name = lines.within(tree, step["file"], tree)
    if step["outcome"] == "case" and "to_column" in step:
        label = lines.within(tree, step.get("to_file", step["file"]), tree)
        key = label, step["to_line"], step["to_column"], "case"
    elif step["outcome"] == "case":
        key = name, step["line"], 0, "no case"
    else:
        key = name, step["line"], step["column"], step["outcome"]
    if step["outcome"]:
        mine.branches[key] += count
        mine.ended[key] += ended
    else:
        mine.unknown[key[:2]] += count


def place_outside_macros(function, branch):
    """Where the branch stands in text that is no macro: (file number, line, column)."""
    place = branch[6], branch[0], branch[1]
    expansions = {region[6]: (region[5], region[0], region[1])
                  for region in function["regions"] if region[7] == 1}
    for _ in range(len(function["filenames"])):
        place = expansions.get(place[0], place)
    return place


def written_at(branches):
    """Of the branches at one place, those that are written there themselves: what is in macros of system headers has no
    length, and the shorter of two is the condition in front of a question mark."""
    written = [branch for branch in branches if branch[6] == 0 and branch[:2] != branch[2:4]]
    shortest = min((branch[2:4] for branch in written), default=None)
    return [branch for branch in written if branch[2:4] == shortest]


def without_shared(function):
    """Its branches, less those in macros and longer ones at the place of one that is written there."""
    by_place = collections.defaultdict(list)
    for branch in function["branches"]:
        by_place[place_outside_macros(function, branch)].append(branch)
    for branches in by_place.values():
        yield from written_at(branches) or branches


def word_at(tree, cache, name, line, column):
    """The text of the tree from that place on, and what stands before it on the line."""
    if name not in cache:
        cache[name] = open(os.path.join(tree, name), "rb").read().split(b"\n")
    text = cache[name][line - 1]
    return text[column - 1:], text[:column - 1]


def llvm_cov_branches(program, directory):
    """Counts, and the places of conditions that no macro has.

    Labels are branches that are true where they are gone to, and false where another label is."""
    tree, export = lines.llvm_cov_export(program, directory, ["-format=text"])
    branches, direct, cache = Branches(), set(), {}
    for function in json.loads(export)["data"][0]["functions"]:
        for branch in without_shared(function):
            own = lines.within(tree, function["filenames"][branch[6]], tree)
            file, line, column = place_outside_macros(function, branch)
            name = lines.within(tree, function["filenames"][file], tree)
            if not own or not name:
                continue
            text, before = word_at(tree, cache, own, branch[0], branch[1])
            if re.match(rb"(case|default)\b", text):
                branches[name, line, column, "case"] += branch[4]
            elif re.search(rb"\bswitch\s*\(\s*$", before):
                branches[name, line, 0, "no case"] += branch[4]
            else:
                branches[name, line, column, "yes"] += branch[4]
                branches[name, line, column, "no"] += branch[5]
                direct.update([(name, line, column)] if file == branch[6] else [])
    return branches, direct


def compare(program, mine, truth, direct, at):
    """Rows. llvm-cov takes a call that exits for one that comes back, so it may count more behind it; of the
    conditions that a macro has at one place, some may have no branch in the code that clang makes."""
    rows = []
    for key, count in sorted(mine.branches.items(), key=str):
        if count > truth[key] or (at == "early" and count < truth[key]):
            less = count < truth[key] and (mine.ended[key] or key[:3] not in direct)
            kind = "LESS " if less else "WRONG"
            if count > truth[key] and (program, key[0], key[3]) in LOST:
                kind = "MORE "
            rows.append("%s %s:%s:%s %s: waymark %d, llvm-cov %d" % (kind, *key, count, truth[key]))
    return rows


def find_labels_of_macros(mine, truth, direct):
    """Where the text of a label is the argument of a macro, only Waymark says that it is one."""
    for name, line, column, outcome in list(mine.branches):
        place = name, line, column
        if outcome == "case" and place in direct and place + ("yes",) in truth:
            truth[place + ("case",)] += truth.pop(place + ("yes",))
            truth.pop(place + ("no",), None)


def ways(place):
    return [place + (outcome,) for outcome in ("yes", "no", "case", "no case")]


def list_rest(mine, truth, places, named, tree):
    rows, cache = [], {}
    for place in sorted(places):
        text, before = word_at(tree, cache, place[0], place[1], 1)
        counts = ", ".join("%s %d of %d" % (key[3], mine.branches[key], truth[key])
                           for key in ways(place) if truth[key] or mine.branches[key])
        unknown = mine.unknown[place[:2]]
        rows.append("%s %s:%d:%d: %s%s: %s" % (
            "part   " if place in named else "unnamed", *place, counts,
            ", unknown on the line %d" % unknown if unknown else "", text.decode(errors="replace").strip()))
    return rows


def check(waymark, name, options, directory):
    program = programs.named(name)
    mine, tree = waymark_branches(
        waymark, program, options.flags, options.at, os.path.join(directory, "waymark"))
    truth, direct = llvm_cov_branches(program, os.path.join(directory, "llvmcov"))
    find_labels_of_macros(mine, truth, direct)
    rows = compare(name, mine, truth, direct, options.at)
    executed = {key[:3] for key, count in truth.items() if count > 0}
    named = {key[:3] for key in mine.branches} & executed
    whole = {place for place in named if all(mine.branches[key] == truth[key] for key in ways(place))}
    if options.list:
        rows += list_rest(mine, truth, executed - (whole if options.list == "all" else named), named, tree)
    share = 100.0 * len(named) / len(executed)
    summary = "%s: %d executed branches, %.2f%% named, %.2f%% with all their executions; %.2f%% of executions" % (
        name, len(executed), share, 100.0 * len(whole) / len(executed),
        100.0 * sum(mine.branches.values()) / sum(truth.values()))
    return rows, summary, share


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--waymark", required=True)
    parser.add_argument("--at", choices=("late", "early"), default="late")
    parser.add_argument("--flags", default="-O2 -g")
    parser.add_argument("--list", choices=("unnamed", "all"), help="list branches that are not named, or not all")
    parser.add_argument("--min", type=float, default=0, help="the least share of branches that must be named")
    parser.add_argument("--keep", help="build here, and leave what was built")
    parser.add_argument("program", nargs="+", help="one of %s, or a file" % ", ".join(sorted(programs.PROGRAMS)))
    options = parser.parse_args()
    failed = 0
    for name in options.program:
        with tempfile.TemporaryDirectory(prefix="waymark-") as directory:
            try:
                rows, summary, share = check(os.path.abspath(options.waymark), name, options,
                                             os.path.join(options.keep or directory, os.path.basename(name)))
            except (Failure, sources.Unavailable) as failure:
                print("FAIL %s: %s" % (name, failure))
                failed += 1
                continue
        wrong = sum(row.startswith("WRONG") for row in rows)
        failed += wrong > 0 or share < options.min
        print("\n".join(rows + ["%s; %d contradictions" % (summary, wrong)]), flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
