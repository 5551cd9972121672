#!/usr/bin/env python3
"""Traces of the programs of tests/programs: the sequence of blocks that is told from a trace is the one that ran.

usage: sequences.py --waymark=PATH [--only=GLOB] [--section=NAME] [--all] [--at=late|early] [--level=-O2] [--keep=DIR]

The oracle is a build that calls a function at each block (--profile=paths --placement=redundant), which log_blocks.c
replaces by one that writes each block down. It shares with traces only which blocks there are. Both builds give
functions other numbers, so each thread's sequence is compared with functions numbered as they come.
"""
import argparse
import collections
import concurrent.futures
import fnmatch
import glob
import os
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, "..", "end_to_end"))

import compare
import harness
import sections
from harness import Failure

# What --blocks cannot tell of, or what differs from run to run; each with the reason.
LEFT_OUT = {
    "vfork_child_counts_and_exits.c": "a child of vfork writes in its parent's stream",
    "vfork_then_exec.c": "likewise",
    "paths_in_tables_left_by_exec.c": "likewise",
    "paths_in_tables_of_signal_handler.c": "a function that could be a handler makes no call in tail position",
    "sandbox_kills_who_calls_more.c": "the oracle makes system calls",
    "full_link_time_optimization.build": "the oracle's build moves a function that it takes to touch no memory",
    "thin_link_time_optimization.build": "likewise",
}
LIMITS = {  # docs/exactness.md tells of them
    "clone_on_its_own_stack.c": "the child writes into its parent's trace",
    "fork_without_handlers.c": "likewise",
    "constructors_and_destructors.c": "what runs before the runtime's constructor is not told",
    "thread_creation_wrapped_by_program.c": "threads made in another way write into their maker's trace",
    "thread_made_by_timer.c": "likewise",
    "context_never_resumed.c": "frames of several stacks are taken for those of one",
    "context_resumed_in_another_thread.c": "likewise",
    "context_set_again.c": "likewise",
    "context_switched_back_and_forth.c": "likewise",
    "signal_handler_jumps_out_of_a_division.c": "where in the code the handler started is not known",
    "signal_handler_jumps_out_of_a_division_behind_a_choice.c": "likewise",
    "signal_handler_jumps_out_of_a_division_in_a_loop.c": "likewise",
    "signal_handler_jumps_out_of_a_load.c": "likewise",
}


# Longer runs are left to other tests: reading a log takes microseconds a block.
MAX_BLOCKS = 400000


# One or two of each kind.
SOME = ["callbacks*", "calls_between*", "sections_garbage*", "computed_goto_two*", "computed_goto_self*", "exception_rethrown_and*", "exception_out_of*",
        "exception_through_c*", "fork_chain.c", "fork_parent*", "killed_in_nested*", "longjmp_several*",
        "longjmp_from_signal*", "longjmp_out_of_library*", "loop_irreducible*", "plugin", "recursion.c",
        "setjmp*", "shared_library_linked*", "signal_handler_nested*", "static_functions*",
        "switch_fall*", "tail_calls.c", "thread_throws*", "thread_exit_from*", "function_pointers*"]


class TooLong(Exception):
    """More blocks than MAX_BLOCKS."""


class Chance(Exception):
    """The order differs from run to run. The trace could be read to its end."""


def canonical(sequence):
    """Functions numbered in the order in which they come."""
    numbers = {}
    return tuple((numbers.setdefault(function, len(numbers)), block) for function, block in sequence)


def build(waymark, program, level, options, more, directory):
    flags = [level, *harness.QUIET, harness.LINKER, "-Wno-unused-command-line-argument", "-g"] + more
    flags += program.keys.get("flags", "").split()
    environment = {"SRC": program.source, "FLAGS": " ".join(flags), "PLAIN": harness.CLANG,
                   "CC": " ".join([waymark, "cc"] + options), "CXX": " ".join([waymark, "c++"] + options)}
    recipe = "\n".join(["set -e"] + program.recipe)
    status, out, err = harness.run(["sh", "-c", recipe], directory, environment)
    if status != 0:
        raise Failure("build ended with %s: %s" % (status, (out + err).decode(errors="replace")))


def run(program, directory, environment):
    return harness.run(["./program"], directory, dict(environment, LD_LIBRARY_PATH="."), timeout=120,
                       stdin=program.keys.get("stdin", "").encode())


def read_log(path):
    with open(path, "rb") as file:
        used = struct.unpack("<QQ", file.read(16))[0]
        if used > MAX_BLOCKS:
            raise TooLong
        entries = file.read(16 * used)
    threads = collections.defaultdict(list)
    for process, thread, block, function in struct.iter_unpack("<IIII", entries):
        threads[process, thread].append((function, block))
    return [canonical(sequence) for sequence in threads.values()]


def ran(waymark, program, level, at, directory):
    """The sequences of all threads, as the oracle has them."""
    harness.fresh(directory)
    log = os.path.join(directory, "log.o")
    subprocess.run([harness.CLANG, "-O1", "-fPIC", "-c", "-o", log, os.path.join(HERE, "log_blocks.c")],
                   check=True)
    options = ["--profile=paths", "--placement=redundant", "--at=" + at]
    build(waymark, program, level, options, ["-Wl," + log], directory)
    behaviour = run(program, directory, {"WAYMARK_TEST_LOG": directory})
    return behaviour, [s for path in glob.glob(directory + "/*.log") for s in read_log(path)]


def read_trace(waymark, path, directory):
    status, out, err = harness.run([waymark, "trace", "--blocks", path], directory)
    if status != 0 or err:
        raise Failure("waymark trace %s: exit %s: %s" % (os.path.basename(path), status, err.decode()))
    threads = collections.defaultdict(list)
    for line in out.decode().splitlines():
        *thread, rest = line.split("\t")
        threads[tuple(thread)].append(tuple(rest.rsplit(" ", 1)))
    return [canonical([(f, int(b)) for f, b in sequence]) for sequence in threads.values()]


def traced(waymark, program, level, at, encoding, directory):
    harness.fresh(directory)
    build(waymark, program, level, ["--profile=trace", "--trace=" + encoding, "--at=" + at], [], directory)
    behaviour = run(program, directory, {})
    return behaviour, [s for path in glob.glob(directory + "/**/*.wmt", recursive=True)
                       for s in read_trace(waymark, path, directory)]


def explain(expected, got):
    missing = list((collections.Counter(expected) - collections.Counter(got)).elements())
    more = list((collections.Counter(got) - collections.Counter(expected)).elements())
    if not missing or not more:
        return "%d sequences instead of %d" % (len(got), len(expected))
    def agreement(a, b):
        return next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    best = max(((agreement(a, b), a, b) for a in missing[:20] for b in more[:20]), key=lambda t: t[0])
    at, a, b = best
    return ("%d of %d sequences differ; one of %d blocks, told as %d, from block %d on: %s, not %s" %
            (len(missing), len(expected), len(a), len(b), at, b[at:at + 4], a[at:at + 4]))


def check_try(waymark, program, level, at, encodings, directory):
    plain, expected = ran(waymark, program, level, at, os.path.join(directory, "oracle"))
    blocks = sum(map(len, expected))
    for encoding in encodings:
        behaviour, got = traced(waymark, program, level, at, encoding, os.path.join(directory, encoding))
        if behaviour[:2] != plain[:2]:
            raise Failure("%s: the program behaves otherwise: exit %s, not %s; %s" %
                          (encoding, behaviour[0], plain[0], behaviour[2].decode(errors="replace")[:200]))
        if collections.Counter(expected) != collections.Counter(got):
            for i in range(2):
                _, again = ran(waymark, program, level, at, os.path.join(directory, "again"))
                if collections.Counter(expected) != collections.Counter(again):
                    raise Chance
            raise Failure("%s: %s" % (encoding, explain(expected, got)))
    return blocks


def check(arguments, program):
    with tempfile.TemporaryDirectory(prefix="waymark-") as temporary:
        directory = os.path.join(arguments.keep, program.name) if arguments.keep else temporary
        level = arguments.level if arguments.level in program.levels else program.levels[0]
        try:
            return check_try(arguments.waymark, program, level, arguments.at, ["bits", "every"],
                             directory), None
        except (TooLong, Chance):
            return 0, None
        except Failure as failure:
            return 0, "FAIL %s %s: %s" % (program.name, level, failure)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--waymark", required=True)
    parser.add_argument("--only", default="*")
    parser.add_argument("--section")
    parser.add_argument("--some", action="store_true", help="those that a test of a minute has time for")
    parser.add_argument("--at", default="late")
    parser.add_argument("--level", default="-O2")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    arguments.waymark = os.path.abspath(arguments.waymark)
    chosen = SOME if arguments.some else ["*"]
    programs = [program for program in compare.find_programs()
                if fnmatch.fnmatch(program.name, arguments.only) and
                any(fnmatch.fnmatch(program.name, pattern) for pattern in chosen) and program.name not in {**LEFT_OUT, **LIMITS} and
                arguments.section in (None, sections.of(program.name))]
    failures = blocks = tried = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for count, text in pool.map(lambda program: check(arguments, program), programs):
            blocks += count
            tried += count > 0
            failures += text is not None
            if text:
                print(text, flush=True)
    print("%d programs of %d, %d blocks in order, %d failures" % (tried, len(programs), blocks, failures))
    sys.exit(failures != 0)


main()
