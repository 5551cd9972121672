"""Figures of the studies that bench/residual repeats on paths that programs really ran: what builds for
the field cost, and how compact the numbers of measured paths are.

Costs are instructions under callgrind and bytes of code, relative to a build without counters. Beside
each table stand the averages that the studies give for their own programs, in time.
"""
import json
import math
import os
import re
import subprocess

import measure
import workloads
from programs import Failure

CLASSIC = "--paths=classic"
COMMIT = CLASSIC + " --placement=commit"
INTERVALS = COMMIT + " --residual=@%s --residual-by=intervals"
# Each build: its name, its options, and the set of paths that it knows.
BUILDS = [("ball-larus", COMMIT, None), ("ppp", INTERVALS, "ran"), ("rpp", INTERVALS, "tested"),
          ("select", CLASSIC + " --residual=@%s --residual-by=select", "tested"), ("classic", CLASSIC, None),
          ("history", "--residual=@%s", "tested-auto"), ("sentinel", "--residual=@%s --residual-by=sentinel", "tested-auto"),
          ("seg-bl", "--segments=1 " + COMMIT, None), ("seg-ppp", "--segments=1 " + INTERVALS, "ran-segments")]
FIELD = workloads.text(120000, 9)
DELTAS = ("ball_larus", "published", "ordered", "packed", "slots")


def instructions(where, binary, words):
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", binary, *words], cwd=where,
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          env=dict(os.environ, WAYMARK_FILE="cost.wmk"))
    found = re.search(rb"Collected : (\d+)", done.stderr)
    if not found:
        raise Failure("callgrind failed on %s:\n%s" % (binary, done.stderr.decode()[-1000:]))
    return int(found.group(1))


def save_sets(bench, program, tests):
    """The sets that builds know: of tests, and of the run that is measured; and a profile of that run by
    paths, and by paths across calls."""
    profiles = {}
    for suffix, options in (("", CLASSIC), ("-auto", "--paths=auto"), ("-segments", "--segments=1 " + CLASSIC)):
        binary = bench.build(program, "known" + suffix, options)
        for kind, inputs in (("tested", tests), ("ran", {"field": FIELD})):
            folder = bench.run(program, binary, inputs, kind + suffix)
            bench.waymark_says("paths", "--save=%s.wmp" % (kind + suffix), folder)
        profiles[suffix] = (os.path.join("ran" + suffix, "field.wmk"), binary)
    return profiles


def costs(bench, program):
    """By build: instructions and bytes of code, relative to plain."""
    plain = bench.build(program, "plain")
    with open(os.path.join(bench.where, "text"), "wb") as out:
        out.write(FIELD)
    base = instructions(bench.where, plain, program.command(1)), measure.text_bytes(plain)
    row = {}
    for name, options, known in BUILDS:
        file = os.path.join(bench.where, "%s.wmp" % known)
        binary = bench.build(program, "cost-" + name, options % file if known else options)
        row[name] = (instructions(bench.where, binary, program.command(1)) / base[0], measure.text_bytes(binary) / base[1])
    return row


def numbers(bench, profile, binary):
    """What the numberings make of the paths of the profile: a dictionary for each function."""
    study = os.path.join(os.path.dirname(bench.waymark), "..", "bench", "measured_paths")
    if not os.path.exists(study):
        raise Failure("%s is not there; name the waymark of a build tree with tests" % study)
    done = subprocess.run([study, profile, binary], cwd=bench.where, stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


def figures(bench, program, tests):
    profiles = save_sets(bench, program, tests)
    return {"costs": costs(bench, program), "paths": numbers(bench, *profiles[""]),
            "segments": numbers(bench, *profiles["-segments"])}


def mean(values):
    return sum(values) / len(values)


def print_costs(results):
    names = [name for name, _, _ in BUILDS]
    for index, title in enumerate(("Figures 3.16, 3.19 and 3.21: instructions relative to a build without counters",
                                   "Tables 3.4 and 3.5: size of the code of the same builds, the runtime included")):
        print("\n" + title)
        print("%-12s" % "" + "".join("%11s" % name for name in names))
        rows = [(program, [row["costs"][name][index] for name in names]) for program, row in results]
        for program, row in rows + [("average", [mean(column) for column in zip(*(row for _, row in rows))])]:
            print("%-12s" % program + "".join("%11.3f" % cell for cell in row))
    print("  ppp knows the paths of this very run, rpp those of tests, as in the thesis; seg-: paths across one call")
    print("  the thesis, in time: ball-larus 1.50, ppp 1.15, rpp 1.13; across one call 2.25 and 1.26")


def quantile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def print_deltas(title, functions):
    """Functions by how many of their paths ran."""
    print("\n" + title)
    print("%-14s%10s" % ("paths that ran", "functions") + "".join("%22s" % name for name in DELTAS))
    for low, high in ((1, 2), (3, 10), (11, 30), (31, 100), (101, 300), (301, math.inf)):
        rows = [row for row in functions if low <= row["ran"] <= high]
        if rows:
            print("%-14s%10d" % ("%d and more" % low if high == math.inf else "%d to %d" % (low, high), len(rows)) + "".join(
                "%22s" % ("%.3g (%.3g)" % (math.exp(mean([math.log(row[name]) for row in rows])),
                                           quantile([row[name] for row in rows], 0.9))) for name in DELTAS))


def print_few(functions):
    functions = sorted((row for row in functions if "few" in row), key=lambda row: row["possible"] / 2.0 ** row["probes"])
    print("\nFigures 6 and 7 of selective path profiling: probes for 1 to 5 paths, relative to those for all;\n"
          "functions from tree to chain, by paths / 2^probes, in sixths")
    print("%-14s%10s" % ("sixth", "functions") + "".join("%11s" % ("%d path%s" % (k, "s" * (k > 1))) for k in range(1, 6)))
    for sixth in range(6):
        rows = functions[len(functions) * sixth // 6:len(functions) * (sixth + 1) // 6]
        cells = [[row["few"][k] / row["probes"] for row in rows if len(row["few"]) > k] for k in range(5)]
        print("%-14d%10d" % (sixth + 1, len(rows)) + "".join("%11.2f" % mean(cell) if cell else "%11s" % "-" for cell in cells))
    alone = [row["few"][0] / row["probes"] for row in functions]
    if alone:
        print("  one path needs less than 60%% of the probes in %.0f%% of the functions; the paper: in about half"
              % (100 * mean([ratio < 0.6 for ratio in alone])))


def print_all(results):
    functions = [row for _, result in results for row in result["paths"]]
    print_costs(results)
    print_deltas("Figures 3.17 and 3.18: delta, table entries for each path that ran (geometric mean; nine tenths have less)",
                 functions)
    print("  the thesis: published close to 1 for a vast majority, more for 100 to 300 paths, over 10 for very few")
    print_deltas("Figure 3.20: the same for paths across one call", [row for _, result in results for row in result["segments"]])
    print_few(functions)
