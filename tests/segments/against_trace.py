#!/usr/bin/env python3
"""Checks paths that cross calls, and segments, against what each thread did in a build without Waymark.

usage: against_trace.py --waymark=PATH --dump=PATH [--csmith=COUNT] [--seed=N] [--only=GLOB] [--some] [--keep=DIR]

The oracle shares nothing with Waymark. A program becomes optimised intermediate form; each of its instructions gets a
line of its own (LLVM's debugify). One build counts paths across calls. In another, a call that records where control is
stands in each block and behind each call. From the record the paths of the first build are put together: instruction by
instruction, into the callee at calls that were crossed, with another path at the edges that cut.
"""
import argparse
import collections
import concurrent.futures
import fnmatch
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, "..", "end_to_end"))

import compare
import csmith
import harness
from harness import Failure

import expected
import ir

OPT = os.environ.get("OPT", "opt-19")
MAX_ENTRIES = 1 << 22
LEFT_OUT = {
    "signal": "a handler's calls are not those of the code it interrupts",
    "sandbox": "likewise",
    "fork": "the child writes into the record of its parent",
    "children": "likewise",
    "vfork": "likewise",
    "clone": "likewise",
    "spawn": "likewise",
    "exec": "likewise",
    "context": "the record knows one stack a thread",
    "coroutine": "likewise",
    "asm": "code in assembler has labels of its own",
    "naked": "likewise",
    "ifunc": "runs before the record is there",
    "deep": "fills the stack, at another depth",
}
SOME = ["recursion.c", "callbacks*", "longjmp_several*", "longjmp_out_of_lib*", "exception_rethrown_and*",
        "exception_out_of*", "function_pointers.c", "inlined_across*", "thread_throws*", "exit_from_qsort*",
        "tail_recursion*", "virtual*"]


class Left(Exception):
    """Nothing to compare: the reason."""


def run(words, directory, **more):
    status, out, err = harness.run([str(word) for word in words], directory, **more)
    if status != 0:
        raise Failure("%s ended with %s: %s" % (words[0], status, (out + err).decode(errors="replace")[:300]))
    return out.decode()


def compile_source(source, level, flags, directory):
    """The program as intermediate form, a line for each instruction."""
    compiler = harness.CLANGXX if source.endswith(".cpp") else harness.CLANG
    run([compiler, level, "-emit-llvm", "-S", *harness.QUIET, *flags, source, "-o", "plain.ll"], directory)
    # Functions that another file may define as well would get no lines.
    path = os.path.join(directory, "plain.ll")
    with open(path) as file:
        text = re.sub(r"^(define) (?:linkonce_odr|weak_odr)(?: hidden)?( .*?)(?: comdat(?:\([^)]*\))?)?( .*\{)$", r"\1 internal\2\3",
                      file.read(), flags=re.MULTILINE)
    with open(path, "w") as file:
        file.write(text)
    run([OPT, "-passes=debugify", "-S", "plain.ll", "-o", "program.ll"], directory)
    with open(os.path.join(directory, "program.ll")) as file:
        return ir.Module(file.read())


def record(module, link, flags, directory, stdin):
    """How the program behaved, and what each thread did."""
    with open(os.path.join(directory, "recorded.ll"), "w") as file:
        file.write(module.with_records())
    run([harness.CLANG, "-O1", "-c", os.path.join(HERE, "record.c"), "-o", "record.o"], directory)
    run([link, "-O0", *harness.QUIET, *flags, "recorded.ll", "record.o", "-o", "recorded"], directory)
    behaviour = harness.run(["./recorded"], directory, {"WAYMARK_TEST_RECORD": "record"}, timeout=60, stdin=stdin)
    path = os.path.join(directory, "record")
    if behaviour[0] is None or not os.path.exists(path):
        raise Left("too long")
    threads = ir.read_record(path, MAX_ENTRIES)
    if threads is None:
        raise Left("too long")
    return behaviour, threads


def guards(module, threads):
    """The two targets that each call through a pointer called most, as sites."""
    walk = expected.Walk(module, {})
    walk.paths(threads)
    by_line = collections.defaultdict(list)
    for (line, target), _ in walk.targets.most_common():
        by_line[line].append(target)
    return "".join(",plain.ll:%d=%s" % (line, target) for line, targets in by_line.items() for target in targets[:2]
                   if line and not set(target) & set(",=:"))


def measure(waymark, dump, module, sites, depth, language, flags, directory, stdin):
    """How the program behaved, the functions with their paths, and the segments that are shown."""
    words = [waymark, language, "-O0", *harness.QUIET, *flags, "--segments=%d:function:*%s" % (depth, sites), "--segments-growth=1000"]
    run([*words, "program.ll", "-o", "program"], directory)
    name = "depth-%d.wmk" % depth
    behaviour = harness.run(["./program"], directory, {"WAYMARK_FILE": name}, timeout=60, stdin=stdin)
    functions = expected.read_dump(run([dump, name], directory), module.variables, module.pads)
    shown = {at: json.loads(run([waymark, "segments", "--json", "--depth=%d" % at, name], directory))["segments"]
             for at in range(1, depth + 1)}
    return behaviour, functions, shown


def compare_counts(what, wanted, got):
    if wanted != got:
        different = [(key, wanted.get(key), got.get(key)) for key in sorted(set(wanted) | set(got), key=str)
                     if wanted.get(key) != got.get(key)]
        raise Failure("%s: %d of %d differ: %s: %s by the record, not %s" %
                      (what, len(different), len(wanted), *different[0]))


def check(waymark, dump, source, level, flags, directory, stdin=b"", depths=(1, 2), inexact=()):
    link, language = (harness.CLANGXX, "c++") if source.endswith(".cpp") else (harness.CLANG, "cc")
    module = compile_source(source, level, flags, directory)
    links = [flag for flag in flags if flag.startswith(("-l", "-pthread", "-W"))]
    plain, threads = record(module, link, links, directory, stdin)
    sites, figures = guards(module, threads), collections.Counter(guards=0)
    for depth in depths:
        behaviour, functions, shown = measure(waymark, dump, module, sites, depth, language, links, directory, stdin)
        if behaviour[:2] != plain[:2]:
            raise Failure("depth %d: the program behaves otherwise: exit %s, not %s" %
                          (depth, behaviour[0], plain[0]))
        if any(len(calls) > depth for function in functions.values() for calls in function.calls):
            raise Failure("depth %d: paths go on through more calls" % depth)
        figures["guards"] += len({calls for function in functions.values() for calls in function.crossed
                                  if module.is_through_pointer(calls[-1][0])})
        paths = expected.Walk(module, functions).paths(threads)
        for function in functions.values():
            if function.name in inexact or not any(function.places):
                continue
            compare_counts("depth %d, paths of %s" % (depth, function.name), paths[function.name], function.paths)
            figures["paths"] += len(function.paths)
            figures["crossed"] += len(function.scopes) - 1
        for at in range(1, depth + 1):
            wanted = expected.segments(functions, paths, at)
            compare_counts("depth %d, segments of depth %d" % (depth, at), wanted, expected.shown(shown[at]))
            figures["segments"] += sum(map(len, wanted.values()))
    return figures


def check_program(arguments, program, directory):
    source = os.path.join(program.source, program.name)
    level = [level for level in ("-O2", "-O1", "-Os", "-O0") if level in program.levels][0]
    flags = program.keys.get("flags", "").split() + ["-fno-inline"]
    return check(arguments.waymark, arguments.dump, source, level, flags, directory,
                 program.keys.get("stdin", "").encode(), inexact=program.ignored + program.chance)


def check_seed(arguments, seed, directory):
    source = csmith.generate(seed, directory)
    level = ["-O1", "-O2", "-O3", "-Os"][seed % 4]
    flags = ["-I", csmith.INCLUDE] + (["-fno-inline"] if zlib.crc32(b"%d" % seed) % 2 else [])
    program = csmith.RandomProgram(arguments.waymark, source, level, flags)
    if not program.is_defined():
        raise Left("not defined")
    return check(arguments.waymark, arguments.dump, source, level, flags, directory)


def tasks(arguments):
    for path in sorted(glob.glob(os.path.join(HERE, "programs", "*"))):
        program = compare.Program(path)
        if fnmatch.fnmatch(program.name, arguments.only):
            yield program.name, lambda directory, program=program: check_program(arguments, program, directory)
    for program in compare.find_programs():
        if not program.name.endswith((".c", ".cpp")) or "build" in program.keys or \
                any(program.name.startswith(word) or "_" + word in program.name for word in LEFT_OUT) or \
                not fnmatch.fnmatch(program.name, arguments.only) or \
                arguments.some and not any(fnmatch.fnmatch(program.name, pattern) for pattern in SOME):
            continue
        yield program.name, lambda directory, program=program: check_program(arguments, program, directory)
    for seed in range(arguments.seed, arguments.seed + arguments.csmith):
        yield "csmith %d" % seed, lambda directory, seed=seed: check_seed(arguments, seed, directory)


def attempt(arguments, name, task):
    with tempfile.TemporaryDirectory(prefix="waymark-") as temporary:
        directory = harness.fresh(os.path.join(arguments.keep or temporary, name.replace(" ", "-")))
        try:
            return name, task(directory), None
        except (Left, expected.Passed) as reason:
            return name, None, str(reason)
        except (Failure, ir.Strange, subprocess.CalledProcessError) as failure:
            return name, None, "FAIL %s: %s" % (name, failure)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--waymark", required=True)
    parser.add_argument("--dump", required=True)
    parser.add_argument("--csmith", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="*")
    parser.add_argument("--some", action="store_true", help="those that a short test has time for")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    arguments.waymark, arguments.dump = map(os.path.abspath, (arguments.waymark, arguments.dump))
    figures, compared, left, failures = collections.Counter(), 0, 0, 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for name, found, text in pool.map(lambda each: attempt(arguments, *each), tasks(arguments)):
            if found is None and text.startswith("FAIL"):
                failures += 1
                print(text, flush=True)
            elif found is None:
                left += 1
            else:
                compared += 1
                figures += found
    print("%d programs equal, %d calls crossed, %d through pointers, %d paths, %d segments; %d left out, %d failures" %
          (compared, figures["crossed"], figures["guards"], figures["paths"], figures["segments"], left, failures))
    return 1 if failures or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
