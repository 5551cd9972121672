#!/usr/bin/env python3
"""Many kills, many runs at once, many threads: nothing is lost and nothing counted twice.

usage: stress.py --waymark=PATH kills COUNT [SEED]
       stress.py --waymark=PATH calls
       stress.py --waymark=PATH runs COUNT
       stress.py --waymark=PATH threads

kills:   clockwork.c is killed COUNT times at random moments, ten times in a row into one file. Each time
         the file reads, and each counter is at least what it was in a snapshot taken while the program
         ran, and at most what whole runs would have made it. Counters stand in every block and on every
         edge here, so that no count is derived. The same with counters only where needed, and for paths,
         which the runtime is told block by block, or which are derived: there a thread that was cut short
         makes the counts along one path of its frames uncertain by one, and the program stands still
         while the snapshot is taken, as counters that are read one after another would fit no moment.
calls:   brief.c is killed before and behind each of its system calls, when there is no file yet and when
         there is one. The file, if any, reads; what was counted before is in it; a later run adds to it.
runs:    COUNT processes with threads and children add to one file at the same time, twice: the result
         is that of one run times their number.
threads: tally.c has eight threads with 10^8 calls, each of them an increment at least; their number is
         known from its text.

The modes of each are in the table STRESS of tests/modes.py.
"""
import argparse
import collections
import glob
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "end_to_end"))

import harness
import modes
from harness import Failure

KILLS_INTO_ONE_FILE = 10
CLOCKWORK_THREADS = 5


def variants_of(check):
    return [harness.named("late", name) for name in modes.STRESS[check]]


def build(waymark, name, variant, directory):
    """Compiles a program of this directory, in a fresh directory."""
    harness.fresh(directory)
    words = harness.compiler(waymark, variant) + ["-O2", "-g", "-pthread"]
    status, _, err = harness.run(words + [os.path.join(HERE, name + ".c"), "-o", name], directory)
    if status != 0 or err:
        raise Failure("%s does not compile: %s" % (name, err.decode()))


def read_counts(waymark, directory):
    """All counts of the profile by (function, place), and its report; nothing if there is no file."""
    counts = collections.Counter()
    paths = glob.glob(os.path.join(directory, "*.wmk"))
    if not paths:
        return counts, None
    status, out, err = harness.run([waymark, "report", "--json"] + paths, directory)
    if status != 0:
        raise Failure("the profile does not read: %s" % err.decode())
    report = json.loads(out)
    for function in report["functions"]:
        name = function["name"]
        counts[name, "entry"] = function["entry_count"]
        for block in function["blocks"]:
            counts[name, block["id"]] = block["count"]
        for number, edge in enumerate(function["edges"]):
            counts[name, "%d: %d->%d" % (number, edge["from"], edge["to"])] = edge["count"]
        for path in function.get("paths", []):
            counts[name, "path %s %s" % (path["id"], path["blocks"])] += path["count"]
    return counts, report


def run_whole(waymark, name, directory):
    """The counts of one run from start to end, whose file is taken away again."""
    status, out, err = harness.run(["./" + name], directory)
    counts, report = read_counts(waymark, directory)
    if not counts:
        raise Failure("%s ended with %s and left no profile: %s" % (name, status, err.decode()))
    remove_profiles(directory)
    return counts, report, (status, out)


def remove_profiles(directory):
    for path in glob.glob(os.path.join(directory, "*.wmk")):
        os.remove(path)


def times(whole, count):
    return collections.Counter({place: count * n for place, n in whole.items()})


def check_bounds(counts, low, high, slack, what):
    for place in set(counts) | set(low):
        if not low[place] - slack <= counts[place] <= high[place] + slack:
            raise Failure("%s: %s counts %d, expected %d to %d" %
                          (what, place, counts[place], low[place], high[place]))


def stop(process):
    """Returns when the program stands still, or has ended."""
    os.kill(process.pid, signal.SIGSTOP)
    os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)


def kill_once(waymark, directory, moments, still):
    """Starts the program, takes a snapshot at one moment and kills at a later one."""
    process = subprocess.Popen(["./clockwork"], cwd=directory, stdout=subprocess.DEVNULL)
    try:
        time.sleep(moments[0])
        if still:
            stop(process)
        snapshot, _ = read_counts(waymark, directory)
        process.send_signal(signal.SIGCONT)
        time.sleep(moments[1])
    finally:
        process.kill()
        process.wait()
    return snapshot


def random_moments(chance, duration):
    """A third of all kills strike while the program is just beginning."""
    if chance.random() < 0.33:
        return 0, chance.uniform(0, 0.005)
    return chance.uniform(0, duration), chance.uniform(0, duration)


def kill_in_a_row(waymark, directory, whole, kills, slack, chance, duration):
    """Kills into one file; returns how many of them left more than was there before."""
    before, struck = collections.Counter(), 0
    for number in range(1, kills + 1):
        high = times(whole, number)
        uncertain = slack * number
        snapshot = kill_once(waymark, directory, random_moments(chance, duration), slack > 0)
        after, _ = read_counts(waymark, directory)
        check_bounds(snapshot, before, high, uncertain, "snapshot of run %d" % number)
        check_bounds(after, snapshot or before, high, uncertain, "run %d, killed" % number)
        struck += after != before
        before = after
    return struck


def measure_duration(directory):
    start = time.monotonic()
    harness.run(["./clockwork"], directory)
    return time.monotonic() - start


def kills(waymark, count, seed, directory):
    chance = random.Random(seed)
    print("%d kills, seed %d" % (count, seed))
    variants = variants_of("kills")
    for variant in variants:
        slack = 0 if variant.mode.name == modes.EVERYWHERE else CLOCKWORK_THREADS
        build(waymark, "clockwork", variant, directory)
        whole, report, _ = run_whole(waymark, "clockwork", directory)
        if report["cut_short"]:
            raise Failure("a whole run is reported as cut short")
        share = count // len(variants)
        duration, struck, left = measure_duration(directory), 0, share
        while left:
            remove_profiles(directory)
            struck += kill_in_a_row(waymark, directory, whole, min(left, KILLS_INTO_ONE_FILE), slack,
                                    chance, duration)
            left -= min(left, KILLS_INTO_ONE_FILE)
        if struck < share // 2:
            raise Failure("only %d of %d kills struck a counting program" % (struck, share))
        print("%s: %d kills struck a counting program" % (harness.describe(variant), struck))


def compile_plain(name, directory):
    words = [harness.CLANG, os.path.join(HERE, name + ".c"), "-o", name]
    status, _, err = harness.run(words, directory)
    if status != 0:
        raise Failure("%s does not compile: %s" % (name, err.decode()))


def kill_at_each_call(waymark, directory, whole, runs_before):
    """Returns how many system calls the program makes, each counted before and behind it."""
    number, status = 0, 0
    while status == 0:
        number += 1
        remove_profiles(directory)
        for _ in range(runs_before):
            harness.run(["./brief"], directory)
        status, _, _ = harness.run(["./kill_at_call", str(number), "./brief"], directory)
        killed, _ = read_counts(waymark, directory)
        what = "killed at stop %d after %d runs" % (number, runs_before)
        check_bounds(killed, times(whole, runs_before), times(whole, runs_before + 1), 0, what)
        harness.run(["./brief"], directory)
        later, _ = read_counts(waymark, directory)
        expected = killed + whole
        check_bounds(later, expected, expected, 0, what + " and run again")
    if status != 1:
        raise Failure("kill_at_call ended with %s" % status)
    return number


def calls(waymark, directory):
    for variant in variants_of("calls"):
        build(waymark, "brief", variant, directory)
        compile_plain("kill_at_call", directory)
        whole, _, _ = run_whole(waymark, "brief", directory)
        for runs_before in (0, 1):
            stops = kill_at_each_call(waymark, directory, whole, runs_before)
            print("%s: killed at %d stops after %d runs, nothing lost" %
                  (harness.describe(variant), stops, runs_before))


def runs(waymark, count, directory):
    for variant in variants_of("runs"):
        build(waymark, "guest", variant, directory)
        whole, _, behaviour = run_whole(waymark, "guest", directory)
        for wave in (1, 2):
            started = [subprocess.Popen(["./guest"], cwd=directory, stdout=subprocess.PIPE)
                       for _ in range(count)]
            for process in started:
                out = process.communicate()[0]
                if (process.returncode, out) != behaviour:
                    raise Failure("a run among many ended with %d: %r" % (process.returncode, out))
            expected = times(whole, wave * count)
            counts, report = read_counts(waymark, directory)
            check_bounds(counts, expected, expected, 0, "%d runs at once" % (wave * count))
            if report["runs"] != wave * count:
                raise Failure("%d runs are reported as %d" % (wave * count, report["runs"]))
        print("%s: %d runs, totals exact" % (harness.describe(variant), 2 * count))


def threads(waymark, directory):
    total = 100000000
    for variant in variants_of("threads"):
        build(waymark, "tally", variant, directory)
        _, report, behaviour = run_whole(waymark, "tally", directory)
        if behaviour[0] != 0:
            raise Failure("tally ended with %d" % behaviour[0])
        functions = {function["name"]: function for function in report["functions"]}
        entered, increments = (functions["tally"][key] for key in ("entry_count", "increments"))
        loop = max(block["count"] for block in functions["count"]["blocks"])
        if entered != total or loop != total or increments < total:
            raise Failure("%s: tally was entered %d times from a loop with %d iterations, by %d increments; "
                          "expected %d" % (harness.describe(variant), entered, loop, increments, total))
        print("%s: %d calls in eight threads, all counted" % (harness.describe(variant), total))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--waymark", required=True)
    parser.add_argument("check", choices=list(modes.STRESS))
    parser.add_argument("count", type=int, nargs="?", default=100)
    parser.add_argument("seed", type=int, nargs="?", default=int(time.time()))
    options = parser.parse_args()
    waymark = os.path.abspath(options.waymark)
    with tempfile.TemporaryDirectory(prefix="waymark-") as holder:
        directory = os.path.join(holder, "stress")
        try:
            if options.check == "kills":
                kills(waymark, options.count, options.seed, directory)
            elif options.check == "calls":
                calls(waymark, directory)
            elif options.check == "runs":
                runs(waymark, options.count, directory)
            else:
                threads(waymark, directory)
        except Failure as failure:
            sys.exit("FAIL %s" % failure)


if __name__ == "__main__":
    main()
