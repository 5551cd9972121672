"""What all end-to-end tests share: build a program in one way, run it, read its profile, compare.

The oracle is --placement=redundant, which counts every block and every edge and derives nothing. A
profile derived from fewer counters must equal it number by number. Flow conservation (what enters a
block leaves it) is checked on top: it needs no second build and catches an oracle that is wrong in
the same way as the profile.
"""
import collections
import copy
import glob
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import modes

EXIT = -1
CLANG = os.environ.get("WAYMARK_CLANG", "clang-19")
CLANGXX = CLANG.replace("clang", "clang++", 1) if "/" not in CLANG else CLANG + "++"

# Named, the linker need not be asked who it is, which takes the wrapper a sixth of a small build. That it
# asks is seen by all tests that leave this out.
LINKER = "-fuse-ld=bfd"

# What keeps clang from warning of the programs, and lets the plug-in.
QUIET = ["-Wno-everything", "-Wbackend-plugin"]

# The warning for a function that is left as it is because of its asm goto.
LEFT_ALONE = ("warning: waymark: function '%s' is not counted: with probes around its asm goto clang could "
              "compile it wrongly [-Wbackend-plugin]")

# A mode and where its counters are put in: late or early.
Variant = collections.namedtuple("Variant", "at mode")


class Failure(Exception):
    """A check that did not hold; its text is what the user of the test reads."""


def complaints(text):
    """The lines of warnings and errors, without clang's own line that counts them, and without that of calls
    that are not crossed lest code grows too much."""
    return [line for line in text.splitlines()
            if not re.fullmatch(r"\d+ (warning|error)s?( and \d+ errors?)? generated\.", line)
            and not re.match(r"warning: waymark: segments: \d+ of \d+ calls are not crossed, ", line)]


# Builds are not kept in the cache of whoever runs the tests.
NO_CACHE = {"WAYMARK_CACHE": ""}


def run(command, directory, environment=None, timeout=600, stdin=b"", shell=False):
    """Runs a command to its end; a timeout is reported as exit status None."""
    merged = dict(os.environ, LC_ALL="C", **NO_CACHE)
    for name in "WAYMARK_FILE", "COLUMNS":
        merged.pop(name, None)
    merged.update(environment or {})
    try:
        done = subprocess.run(command, cwd=directory, env=merged, input=stdin, shell=shell,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout)
    except subprocess.TimeoutExpired:
        return None, b"", b"timeout"
    return done.returncode, done.stdout, done.stderr


def fresh(directory):
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    return directory


def compiler(waymark, variant, language="cc"):
    """Command words of the compiler: plain clang if there is no variant."""
    if variant is None:
        return [CLANG if language == "cc" else CLANGXX]
    return [waymark, language, "--at=" + variant.at] + variant.mode.options.split()


def describe(variant):
    return "plain" if variant is None else "%s %s" % (variant.at, variant.mode.name)


def named(at, name):
    return Variant(at, modes.BY_NAME[name])


def oracle_of(variant):
    """Counts every block and every edge; one oracle serves all modes of the same code."""
    return named(variant.at, variant.mode.oracle)


def path_oracle_of(variant):
    """The runtime is told of every block."""
    return named(variant.at, variant.mode.path_oracle)


def read_profile(waymark, directory):
    """All functions of all .wmk files in a directory."""
    functions = []
    for path in sorted(glob.glob(os.path.join(directory, "*.wmk"))):
        status, out, err = run([waymark, "report", "--json", path], directory)
        if status != 0:
            raise Failure("waymark report --json %s: exit %s: %s" % (path, status, err.decode()))
        functions += json.loads(out)["functions"]
    if not functions:
        raise Failure("no profile was written in %s" % directory)
    return functions


def left_alone(text):
    """The functions of which the compiler warned that they are not counted."""
    before, after = LEFT_ALONE.split("%s")
    return [line[len(before):-len(after)] for line in text.splitlines()
            if line.startswith(before) and line.endswith(after)]


def by_identity(functions, ignored=()):
    """name and file -> functions; static functions of one header may occur several times.

    Counted early, an inline function of several units has a copy in each: inlined calls count in the
    unit's own copy, all others in the one that the linker chose. Which calls are inlined is up to the
    optimiser and not the same with other probes, so only the sum over copies is compared. Where units
    have different graphs of it (seen in lzip; why is not known), blocks cannot be added up: then only
    the sum of calls is compared, and the flow law in each copy.
    """
    table = collections.defaultdict(list)
    for function in functions:
        if function["name"] not in ignored:
            table[function["name"], function.get("file") or ""].append(function)
    for key, group in table.items():
        if group[0]["early"]:
            group = table[key] = merge_copies(group)
        group.sort(key=lambda f: (block_counts(f), edge_counts(f)))
    return table


def merge_copies(group):
    """One function for all that have the same graph, with the sums of their counts."""
    merged = {}
    for function in group:
        shape = (tuple(row[:-1] for row in block_counts(function)),
                 tuple(row[:-1] for row in edge_counts(function)), function["edges_known"])
        if shape in merged:
            add_counts(merged[shape], function)
        else:
            merged[shape] = copy.deepcopy(function)
    return list(merged.values())


def add_counts(total, function):
    """Adds the second function's counts to the first, whose graph is the same."""
    total["entry_count"] += function["entry_count"]
    for kind in ("blocks", "edges"):
        for row, other in zip(total[kind], function[kind]):
            row["count"] += other["count"]
    left = collections.Counter()
    for place in total["left_early"] + function["left_early"]:
        left[place["block"]] += place["count"]
    total["left_early"] = [{"block": block, "count": left[block]} for block in sorted(left)]


def block_counts(function):
    return sorted((block["id"], block["count"]) for block in function["blocks"])


def edge_counts(function):
    return sorted((e["from"], e["to"], e["count"]) for e in function["edges"])


def first_differences(kind, measured, expected):
    """Lines that name what differs between two sorted lists of (..., count)."""
    if [row[:-1] for row in measured] != [row[:-1] for row in expected]:
        return ["%ss differ in shape: %d measured, %d redundant" %
                (kind, len(measured), len(expected))]
    return ["%s %s: measured %d, redundant %d" % (kind, "->".join(map(str, m[:-1])), m[-1], e[-1])
            for m, e in zip(measured, expected) if m != e]


def compare_profiles(measured, expected, edges, ignored=()):
    """Differences between a profile and its oracle as lines of text; empty if equal."""
    mine, oracle = by_identity(measured, ignored), by_identity(expected, ignored)
    lines = ["function %s (%s): only in the %s profile" %
             (key + ("measured" if key in mine else "redundant",))
             for key in sorted(set(mine) ^ set(oracle))]
    if not any(count for f in expected for _, count in block_counts(f)):
        lines.append("the redundant profile is zero everywhere")
    for key in sorted(set(mine) & set(oracle)):
        if len(mine[key]) != len(oracle[key]):
            lines.append("function %s (%s): %d copies measured, %d redundant" %
                         (key + (len(mine[key]), len(oracle[key]))))
        if len(mine[key]) > 1 and mine[key][0]["early"] and is_inline(key[0]):
            lines += compare_entries(key[0], mine[key], oracle[key])
            continue
        for m, e in zip(mine[key], oracle[key]):
            lines += ["function %s: %s" % (key[0], text) for text in compare_function(m, e, edges)]
    return lines


def is_inline(name):
    """Of a C++ function with copies in several units: it is inline unless it belongs to one unit."""
    return name.startswith("_Z") and not name.startswith("_ZL") and "_GLOBAL__N_" not in name


def compare_entries(name, measured, expected):
    mine, oracle = (sum(f["entry_count"] for f in group) for group in (measured, expected))
    if mine == oracle:
        return []
    return ["function %s: all copies entered: measured %d, redundant %d" % (name, mine, oracle)]


def compare_function(measured, expected, edges):
    lines = first_differences("block", block_counts(measured), block_counts(expected))
    if measured["entry_count"] != expected["entry_count"]:
        lines.append("entered: measured %d, redundant %d" %
                     (measured["entry_count"], expected["entry_count"]))
    if not edges:
        return lines
    for name, function in (("measured", measured), ("redundant", expected)):
        if not function["edges_known"]:
            return lines + ["edges of the %s profile are not known" % name]
    lines += first_differences("edge", edge_counts(measured), edge_counts(expected))
    if measured["left_early"] != expected["left_early"]:
        lines.append("left early: measured %s, redundant %s" %
                     (measured["left_early"], expected["left_early"]))
    return lines


def flow_violations(functions, ignored=(), left_early=False):
    """Blocks where what enters differs from what leaves, along edges or (only if calls may be left
    early) inside a call."""
    lines = []
    for function in functions:
        if function["name"] in ignored or not function["edges_known"]:
            continue
        entering, leaving = collections.Counter(), collections.Counter()
        entering[0] = function["entry_count"]
        for edge in function["edges"]:
            entering[edge["to"]] += edge["count"]
            leaving[edge["from"]] += edge["count"]
        if function["left_early"] and not left_early:
            lines.append("function %s: no call should be left early, but %s" %
                         (function["name"], function["left_early"]))
        for left in function["left_early"]:
            leaving[left["block"]] += left["count"]
        for block, count in block_counts(function):
            if entering[block] != count:
                lines.append("function %s: block %d counted %d but entered %d times" %
                             (function["name"], block, count, entering[block]))
            if leaving[block] != count:
                lines.append("function %s: block %d counted %d but left %d times" %
                             (function["name"], block, count, leaving[block]))
    return lines


def path_counts(functions, ignored=()):
    """name, file, blocks of a path, block behind it, whether it was left early -> its count.

    Copies of a function in several units, and static functions of one name, are taken together.
    """
    counts = collections.Counter()
    for function in functions:
        if function["name"] in ignored:
            continue
        for path in function["paths"]:
            counts[function["name"], function.get("file") or "", function["cfg_hash"],
                   tuple(path["blocks"]), path["next"], path["partial"]] += path["count"]
    return {key: count for key, count in counts.items() if count}


def compare_paths(measured, expected, ignored=()):
    """Paths whose count differs, as lines of text."""
    mine, oracle = path_counts(measured, ignored), path_counts(expected, ignored)
    lines = []
    for key in sorted(set(mine) | set(oracle)):
        if mine.get(key, 0) != oracle.get(key, 0):
            lines.append("function %s: path %s to %d%s: measured %d, expected %d" % (
                key[0], "-".join(map(str, key[3])), key[4], ", left early" if key[5] else "",
                mine.get(key, 0), oracle.get(key, 0)))
    return lines


def path_sum_violations(functions, ignored=()):
    """Edges, blocks and entries whose count is not the sum over the paths that hold them; ids that
    do not tell paths apart."""
    lines = []
    for function in functions:
        if function["name"] in ignored or not function["paths_known"]:
            continue
        edges, blocks, left = collections.Counter(), collections.Counter(), collections.Counter()
        for path in function["paths"]:
            for block in path["blocks"]:
                blocks[block] += path["count"]
            steps = path["blocks"] + ([] if path["partial"] else [path["next"]])
            for step in zip(steps, steps[1:]):
                edges[step] += path["count"]
            if path["partial"]:
                left[path["blocks"][-1]] += path["count"]
        ids = [path["id"] for path in function["paths"]]
        if len(set(ids)) != len(ids) or any(i >= function["possible_paths"] for i in ids):
            lines.append("function %s: numbers of paths are not unique, or too large: %s" %
                         (function["name"], ids[:20]))
        for edge in function["edges"]:
            if edge["from"] != EXIT and edges[edge["from"], edge["to"]] != edge["count"]:
                lines.append("function %s: edge %d->%d counted %d, but its paths %d" % (
                    function["name"], edge["from"], edge["to"], edge["count"],
                    edges[edge["from"], edge["to"]]))
        for block, count in block_counts(function):
            if blocks[block] != count:
                lines.append("function %s: block %d counted %d, but its paths %d" %
                             (function["name"], block, count, blocks[block]))
        for place in function["left_early"]:
            if left[place["block"]] != place["count"]:
                lines.append("function %s: left early in block %d %d times, but its paths %d" %
                             (function["name"], place["block"], place["count"],
                              left[place["block"]]))
    return lines


class Outcome:
    """What a program built in one way did: its observable behaviour and its profile; and which functions the
    compiler said it left alone."""

    def __init__(self, behaviour, functions, left_alone=()):
        self.behaviour, self.functions, self.left_alone = behaviour, functions, set(left_alone)


def same_behaviour(plain, outcome, what):
    for name, a, b in zip(("exit status", "standard output", "standard error"),
                          plain.behaviour, outcome.behaviour):
        if a != b:
            raise Failure("%s: %s differs from plain clang: %r, expected %r" %
                          (what, name, b[-300:] if isinstance(b, bytes) else b,
                           a[-300:] if isinstance(a, bytes) else a))


def check_variant(outcome, oracle, variant, ignored=(), left_early=False):
    """The heart of all end-to-end tests: a profile against its oracle and the flow law."""
    lines = compare_profiles(outcome.functions, oracle.functions, variant.mode.counts != "blocks",
                             ignored)
    lines += flow_violations(outcome.functions, ignored, left_early)
    if variant.mode.counts == "paths":
        lines += path_sum_violations(outcome.functions, ignored)
    raise_if_any(lines, variant)


def check_paths(outcome, oracle, variant, ignored=()):
    """The paths of one variant against those of another: all ways to count them are exact."""
    if not any(function["paths"] for function in oracle.functions):
        raise Failure("%s: the oracle knows no path" % describe(variant))
    raise_if_any(compare_paths(outcome.functions, oracle.functions, ignored), variant)


class Comparison:
    """One program at one level: its profiles against those of their oracles, each of which is made once.

    measure:  builds and runs a variant, compares its behaviour with plain's and returns its Outcome
    left_out: mode -> functions that are not compared
    """

    def __init__(self, measure, left_out=lambda mode: (), left_early=False):
        self.measure, self.left_out, self.left_early = measure, left_out, left_early
        self.oracles, self.compared = {}, 0

    def oracle(self, variant):
        if variant not in self.oracles:
            self.oracles[variant] = self.measure(variant)
            if variant.mode.oracle:
                self.check_sums(self.oracles[variant], variant)
        return self.oracles[variant]

    def check_sums(self, outcome, variant):
        check_variant(outcome, self.oracle(oracle_of(variant)), variant, self.left_out(variant.mode),
                      self.left_early)
        self.compared += 1

    def check(self, variant):
        """Returns what was measured, once it is as the oracles say."""
        outcome = self.measure(variant)
        self.check_sums(outcome, variant)
        if variant.mode.path_oracle:
            check_paths(outcome, self.oracle(path_oracle_of(variant)), variant,
                        self.left_out(variant.mode))
        return outcome


def raise_if_any(lines, variant):
    if lines:
        more = "" if len(lines) <= 12 else "\n    ... and %d more" % (len(lines) - 12)
        raise Failure("%s:\n    %s%s" % (describe(variant), "\n    ".join(lines[:12]), more))
