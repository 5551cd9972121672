#!/usr/bin/env python3
"""Calls against those that callgrind sees, in the same process.

usage: calls.py --waymark=PATH [--all] [--keep=DIR] [NAME...]

The programs of tests/programs and the example `lisp` run under callgrind, which follows the machine's calls
and jumps and knows nothing of blocks or counters. Both tell of the same run, so nothing may differ:
  - each function calls each other function of the program by its name exactly as often as callgrind says;
    if it also calls by pointers, callgrind sees more calls, but not more than there are calls by pointers;
  - all calls of a function together are as many as callgrind sees enter functions of the program,
    or more, since pointers also lead to libraries;
  - where only bounds are known, callgrind's number lies between them.
Of a call between fork and the end of two processes no bounds may be told.
A name of which the program has several functions stands for all of them. Callgrind loses the thread of calls where the
stack is left or changed in ways that it does not follow, and what a child writes includes its parent's
calls; NOT_COMPARABLE lists such programs, with the reason.
By default a sixth of the programs run, chosen by their names; with --all, all.
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

import compare
import harness
import sections
from harness import Failure

LISP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "lisp")
NOT_COMPARABLE = {
    "full_link_time_optimization.build": "functions are inlined behind the plug-in",
    "thin_link_time_optimization.build": "functions are inlined behind the plug-in",
    "ifunc_resolver.c": "the function that runs has another name than the one that is called",
    "paths_in_tables_left_by_exec.c": "callgrind writes nothing of a process before its exec",
    "paths_in_tables_of_children.c": "children write their parent's calls again",
    "paths_with_fork_inside.c": "children write their parent's calls again",
    "plugin_in_two_namespaces": "callgrind does not see all copies of the plug-in",
    "stripped_at_link_time.build": "callgrind knows no names",
    "stripped_binary.build": "callgrind knows no names",
    "stripped_by_llvm.build": "callgrind knows no names",
    "threads_five_hundred_at_once.c": "callgrind cannot run five hundred threads",
    "threads_of_cxx_with_address_sanitizer.build": "the sanitizer does not run under callgrind",
    "loop_counter_exceeds_32_bits.c": "takes minutes under callgrind",
}
PARTS = 6


def callgrind_calls(directory):
    """(caller, callee) -> calls, of all processes whose output lies in the directory."""
    calls = collections.Counter()
    for path in glob.glob(os.path.join(directory, "callgrind.*")):
        names, caller, callee = {}, None, None
        with open(path) as file:
            for row in file:
                named = re.match(r"(c?fn)=(\(\d+\))(?: (.*))?$", row)
                if named:
                    kind, number, name = named.groups()
                    name = names.setdefault(number, re.sub(r"'\d+$", "", name or ""))
                    caller, callee = (name, callee) if kind == "fn" else (caller, name)
                elif row.startswith("calls="):
                    calls[caller, callee] += int(row[6:].split()[0])
    return calls


class Calls:
    """What the profile says of one caller: bounds by callee, and of calls by pointers."""

    def __init__(self):
        self.low, self.high = collections.Counter(), collections.Counter()
        self.known = True

    def add(self, call):
        if "count" not in call and "at_most" not in call:
            self.known = False
            return
        self.low[call["callee"]] += call.get("count", call.get("at_least"))
        self.high[call["callee"]] += call.get("count", call.get("at_most"))


def profile_calls(functions):
    """caller -> its calls; and the names of all functions."""
    callers = collections.defaultdict(Calls)
    for function in functions:
        for call in function["calls"]:
            callers[function["name"]].add(call)
    return callers, {function["name"] for function in functions}


def differences(callers, names, seen):
    """Lines that say what is not equal; and how many pairs were compared, how many of them exactly."""
    lines, pairs, exact = [], 0, 0
    for caller in sorted(names):
        calls = callers[caller]
        if not calls.known:
            continue
        by_pointer = 0
        for callee in sorted(names):
            low, high, found = calls.low[callee], calls.high[callee], seen[caller, callee]
            by_pointer += max(0, found - high)
            pairs += high > 0 or found > 0
            exact += low == high and high > 0
            if found < low or (found > high and not calls.high[""]):
                lines.append("%s calls %s %s to %s times, callgrind: %s" % (caller, callee, low, high, found))
        if by_pointer > calls.high[""]:
            lines.append("%s makes %s calls by pointers, callgrind: %s" %
                         (caller, calls.high[""], by_pointer))
    return lines, pairs, exact


def run_under_callgrind(directory, options, arguments, stdin, environment):
    for path in glob.glob(os.path.join(directory, "*")):
        with open(path, "rb") as file:
            if file.read(4) == b"\x7fELF":  # callgrind refuses some of clang's debug information
                harness.run(["strip", "--strip-debug", path], directory)
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=callgrind.%p",
               "--demangle=no", "--quiet"]
    return harness.run(command + options + ["./program"] + arguments, directory, environment, stdin=stdin, timeout=120)


def compare_run(waymark, directory, arguments=(), stdin=b"", environment=None):
    status, _, error = run_under_callgrind(directory, [], list(arguments), stdin, environment)
    if not glob.glob(os.path.join(directory, "callgrind.*")):
        raise Failure("callgrind ended with %s: %s" % (status, error.decode(errors="replace")[-500:]))
    callers, names = profile_calls(harness.read_profile(waymark, directory))
    lines, pairs, exact = differences(callers, names, callgrind_calls(directory))
    if lines:
        raise Failure("\n  ".join(lines))
    return pairs, exact


def check_lisp(waymark, variant, directory):
    harness.fresh(directory)
    command = harness.compiler(waymark, variant) + ["-O2", "-g", "-w", "-o", "program"]
    status, _, error = harness.run(command + sorted(glob.glob(os.path.join(LISP, "*.c"))), directory)
    if status:
        raise Failure("build ended with %s: %s" % (status, error.decode()))
    compared = compare_run(waymark, directory, [os.path.join(LISP, "program.lisp")])
    check_callers(waymark, directory, "make_pair")
    return compared


def check_callers(waymark, directory, callee):
    """The last line of --callers: the function is called by its name only, as often as callgrind sees it entered."""
    entered = sum(count for (_, name), count in callgrind_calls(directory).items() if name == callee)
    _, out, _ = harness.run([waymark, "report", "--callers=" + callee], directory)
    expected = "  entered {:,} times, always by name".format(entered)
    if out.decode().splitlines()[-1] != expected:
        raise Failure("not the last line: %s\n%s" % (expected, out.decode()))


def check_program(waymark, program, variant, directory):
    level = "-O2" if "-O2" in program.levels else program.levels[0]
    harness.fresh(directory)
    compare.build(waymark, program, level, variant, directory)
    return compare_run(waymark, directory, (), program.keys.get("stdin", "").encode(),
                       {"LD_LIBRARY_PATH": "."})


FORKING = """#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static __attribute__((noinline)) void split(int forks) { if (forks) fork(); }
static __attribute__((noinline)) void work(void) { usleep(1); }
static __attribute__((noinline)) void finish(int ends) { if (ends) { wait(0); _exit(0); } }
__attribute__((noinline)) void both(int forks) { split(forks); work(); finish(forks); usleep(1); }
int main(int argc, char **argv) { both(argc > 1); return argv == 0; }
"""


def check_fork(waymark, variant, directory):
    """A call that is made in two processes, both of which end behind it: the sums show neither."""
    harness.fresh(directory)
    with open(os.path.join(directory, "fork.c"), "w") as file:
        file.write(FORKING)
    harness.run(harness.compiler(waymark, variant) + ["-O1", "fork.c", "-o", "program"], directory)
    for arguments, status, expected in (([], [], 1), (["fork"], ["forked"], None)):
        environment = {"WAYMARK_FILE": "forks%d.wmk" % len(arguments)}
        harness.run(["./program"] + arguments, directory, environment)
        _, out, _ = harness.run([waymark, "report", "--json", environment["WAYMARK_FILE"]], directory)
        profile = json.loads(out)
        both = next(function for function in profile["functions"] if function["name"] == "both")
        work = next(call for call in both["calls"] if call["callee"] == "work")
        if profile["status"] != status or work.get("count", work.get("at_most")) != expected:
            raise Failure("%s with status %s: %s" % (arguments, profile["status"], work))
    return 1, 1


def is_comparable(program):
    return program.name not in NOT_COMPARABLE and not sections.holds("processes", program.name)


def tasks_of(waymark, arguments):
    """name -> how to check it, in one mode chosen by the name."""
    tasks = {}
    for program in compare.find_programs():
        number = zlib.crc32(program.name.encode())
        mode = ("edges", "paths", "blocks")[number // PARTS % 3]
        if program.name in arguments.names or not arguments.names and is_comparable(program) and (
                arguments.all or number % PARTS == 0):
            variant = harness.named("late", mode)
            tasks[program.name] = lambda at, p=program, v=variant: check_program(waymark, p, v, at)
    for name, check in (("lisp", check_lisp), ("fork", check_fork)):
        for mode in ("edges", "paths"):
            if not arguments.names or name + "-" + mode in arguments.names:
                variant = harness.named("late", mode)
                tasks[name + "-" + mode] = lambda at, c=check, v=variant: c(waymark, v, at)
    return tasks


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--waymark", required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--keep")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    if not shutil.which("valgrind"):
        sys.exit("valgrind is not installed")
    directory = arguments.keep or tempfile.mkdtemp()
    failed, sum_pairs, sum_exact = 0, 0, 0
    tasks = tasks_of(os.path.abspath(arguments.waymark), arguments)
    for name, check in sorted(tasks.items()):
        try:
            pairs, exact = check(os.path.join(directory, name))
            sum_pairs, sum_exact = sum_pairs + pairs, sum_exact + exact
        except Failure as failure:
            failed += 1
            print("%s: %s" % (name, failure))
    if not arguments.keep:
        shutil.rmtree(directory)
    print("%d programs, %d callers and callees, %d of them exact; %d failed" %
          (len(tasks), sum_pairs, sum_exact, failed))
    sys.exit(failed > 0 or sum_exact == 0)


if __name__ == "__main__":
    main()
