#!/usr/bin/env python3
"""Contexts against two witnesses that know nothing of them.

usage: contexts.py --waymark=PATH [--all] [--at=late|early] [--keep=DIR] [NAME...]

The programs of tests/programs are built with counters of edges, or of paths, and contexts. Each must behave as it
does without counters.
  - A function was entered in all its contexts together as often as the counters of edges say.
  - Counters of edges are equal to those of the redundant placement, as in all modes.
  - What all contexts of a function spent is what its blocks spent.
  - A call by name entered its callee in all contexts together not more often than the counts of blocks say.
The programs of CONTEXTS also run under callgrind in each mode of contexts. It gives whole chains of callers
(--separate-callers). Each
chain, without its loops, must be in the tree, with the same number of calls, and no others.
"""
import argparse
import collections
import glob
import json
import os
import re
import shutil
import sys
import tempfile
import zlib

import calls
import compare
import harness
import modes
from harness import Failure

MODES = modes.modes_of("contexts")
WITH_COUNTS = [mode for mode in MODES if mode.counts != "calls"]
NOT_COMPARABLE = {"sandbox_kills_who_calls_more.c": "finding a context takes system calls",
                  "sections_garbage_collected": "counters of functions that the linker drops stay, and are zero"}
CONTEXTS = ["recursion.c", "function_pointers.c", "exit_from_qsort_callback.c", "longjmp_over_frames.c",
            "tail_calls.c", "varargs.c", "exception_rethrown_through_frames.cpp", "virtual_calls_and_containers.cpp",
            "callbacks_that_call.c", "tail_calls_of_what_is_not_counted.cpp"]
TOO_DEEP = ["tail_calls_through_pointers_deep.c", "musttail_deep.c"]  # for callgrind's chains
PARTS = 8
CALLERS = 100
ENTRY = ".waymark"  # of a second entry of a function


def read_trees(waymark, directory):
    """The trees of all objects of all profiles: [(profile of report --json, tree of tree --json)]."""
    trees = []
    def read(*command):
        status, out, error = harness.run([waymark, *command], directory)
        if status != 0:
            raise Failure("waymark %s: exit %s: %s" % (" ".join(command), status, error.decode()))
        return json.loads(out)

    for path in sorted(glob.glob(os.path.join(directory, "*.wmk"))):
        for part in read("report", "--json", path)["objects"]:
            chosen = "--object=" + part["path"]
            trees.append([read("report", "--json", chosen, path), read("tree", "--json", chosen, path)])
    return trees


def entries_by_function(tree):
    function = {context["id"]: context["function"] for context in tree["contexts"]}
    entries = collections.Counter()
    for call in tree["calls"]:
        entries[function[call["target"]]] += call["count"]
    return entries


def check_entries(profile, tree, ignored):
    expected = collections.Counter()
    for function in profile["functions"]:
        expected[function["name"]] += function["entry_count"]
    found = entries_by_function(tree)
    lines = ["%s was entered %d times, in all contexts %d times" % (name, expected[name], found[name])
             for name in sorted(set(expected) | set(found))
             if expected[name] != found[name] and name not in ignored]
    if lines:
        raise Failure("\n  ".join(lines))
    return len(found)


def check_calls(profile, tree):
    """By caller and number of the call: a function may have copies of one name, whose calls add up."""
    function = {context["id"]: context["function"] for context in tree["contexts"]}
    made, known, bound = collections.Counter(), set(), collections.Counter()
    for call in tree["calls"]:
        if call["source"]:
            made[function[call["source"]], call["call"], function[call["target"]]] += call["count"]
    for caller in profile["functions"]:
        for number, call in enumerate(caller["calls"]):
            if call["callee"] and ("count" in call or "at_most" in call):
                known.add((caller["name"], number))
                bound[caller["name"], number] += call.get("count", call.get("at_most"))
    copies = collections.Counter(caller["name"] for caller in profile["functions"])
    callees = {function["name"] for function in profile["functions"]}
    for caller in profile["functions"]:
        for number, call in enumerate(caller["calls"]):
            key = caller["name"], number
            found = made[(*key, call["callee"])]
            if key in known and copies[caller["name"]] == 1 and call["callee"] in callees and found > bound[key]:
                raise Failure("%s made call %d %d times, in all contexts %d times" % (*key, bound[key], found))


def check_costs(profile, tree):
    """By name and block: contexts of one function must be told from those of others of its name by nothing."""
    spent, expected = collections.Counter(), collections.Counter()
    for context in tree["contexts"]:
        for kind, count in context.get("own", {}).items():
            spent[context["function"], kind] += count
    for function in profile["functions"]:
        expected[function["name"], "blocks"] += sum(block["count"] for block in function["blocks"])
        expected[function["name"], "instructions"] += sum(
            block["count"] * block["instructions"] for block in function["blocks"])
    lines = ["%s in %s: in all contexts %d, in all blocks %d" % (*key[::-1], spent[key], count)
             for key, count in sorted(expected.items()) if spent[key] != count]
    if lines:
        raise Failure("\n  ".join(lines[:10]))


def without_loops(chain):
    kept = []
    for name in chain:
        if name in kept:
            del kept[kept.index(name) + 1:]
        else:
            kept.append(name)
    return tuple(kept)


def chains_of_tree(tree):
    """Names of a chain, outermost first -> calls of its last function."""
    chains = {0: ()}
    for context in tree["contexts"]:
        chains[context["id"]] = chains[context["parent"]] + (context["function"],)
    counts = collections.Counter()
    for call in tree["calls"]:
        if call.get("from") != "for a signal":  # callgrind sees no call there
            counts[chains[call["target"]]] += call["count"]
    return +counts


def chains_of_callgrind(directory, names):
    """The same; functions that are not counted are not in chains."""
    counts = collections.Counter()
    for path in glob.glob(os.path.join(directory, "callgrind.*")):
        known, callee = {}, None
        with open(path) as file:
            for row in file:
                named = re.match(r"(c?fn)=(\(\d+\))(?: (.*))?$", row)
                if named:
                    kind, number, name = named.groups()
                    callee = known.setdefault(number, name)
                elif row.startswith("calls="):
                    frames = callee.split("'")
                    if len(frames) > CALLERS:
                        raise Failure("callgrind has lost the outermost callers")
                    chain = [name for name in map(without_entry, reversed(frames)) if name in names]
                    if without_entry(frames[0]) in names and not goes_on(frames):
                        counts[without_loops(chain)] += int(row[6:].split()[0])
    return counts


def without_entry(name):
    return name[:-len(ENTRY)] if name.endswith(ENTRY) else name


def goes_on(frames):
    """Whether the innermost call is from one entry of a function to its other."""
    return len(frames) > 1 and frames[0] != frames[1] and without_entry(frames[0]) == without_entry(frames[1])


def check_chains(waymark, program, mode, directory):
    """In the same process."""
    harness.fresh(directory)
    compare.build(waymark, program, "-O1", harness.Variant("late", mode), directory)
    calls.run_under_callgrind(directory, ["--separate-callers=%d" % CALLERS, "--separate-recs=1"], [],
                              program.keys.get("stdin", "").encode(), {"LD_LIBRARY_PATH": "."})
    (profile, tree), = read_trees(waymark, directory)
    names = {function["name"] for function in profile["functions"]}
    expected, found = chains_of_callgrind(directory, names), chains_of_tree(tree)
    lines = ["%s: callgrind %d, tree %d" % ("/".join(chain), expected[chain], found[chain])
             for chain in sorted(set(expected) | set(found)) if expected[chain] != found[chain]]
    if lines:
        raise Failure("\n  ".join(lines[:10]))
    return len(found)


def check_program(waymark, program, at, directory):
    level = "-O2" if "-O2" in program.levels else program.levels[0]
    mode = modes.row_of(program.name + at, WITH_COUNTS)
    variant = harness.Variant(at, mode)
    plain, outcome, oracle = (compare.execute(waymark, program, level, built, os.path.join(directory, name))
                              for name, built in (("plain", None), ("measured", variant),
                                                  ("redundant", harness.oracle_of(variant))))
    harness.same_behaviour(plain, outcome, mode.name)
    harness.check_variant(outcome, oracle, variant, program.incomparable(mode), bool(program.left_early))
    compared = 0
    for profile, tree in read_trees(waymark, os.path.join(directory, "measured")):
        compared += check_entries(profile, tree, program.ignored)
        if mode.name == "edges+context":
            check_costs(profile, tree)
        if not program.ignored:
            check_calls(profile, tree)
    return compared


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--waymark", required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--at", default="late")
    parser.add_argument("--keep")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    waymark = os.path.abspath(arguments.waymark)
    directory = arguments.keep or tempfile.mkdtemp()
    failed, tried, compared = 0, 0, 0
    for program in compare.find_programs():
        chosen = program.name not in NOT_COMPARABLE and (
            arguments.all or program.name in CONTEXTS + TOO_DEEP or zlib.crc32(program.name.encode()) % PARTS == 0)
        if program.name not in arguments.names and (arguments.names or not chosen) or arguments.at not in program.ats:
            continue
        tried += 1
        try:
            if program.name in CONTEXTS:
                for mode in MODES:
                    compared += check_chains(waymark, program, mode, os.path.join(directory, "chains"))
            compared += check_program(waymark, program, arguments.at, os.path.join(directory, program.name))
        except Failure as failure:
            failed += 1
            print("%s: %s" % (program.name, failure), flush=True)
    if not arguments.keep:
        shutil.rmtree(directory)
    print("%d programs, %d functions; %d failed" % (tried, compared, failed))
    sys.exit(failed > 0 or compared == 0)


if __name__ == "__main__":
    main()
