#!/usr/bin/env python3
"""A module goes in, its probes come out: one behaviour of the plug-in in each file *.ll here.

Comment lines at the top of a file are the test. The first one says what must be true. Then follow
    ; options: NAME=VALUE       a line of the plug-in's options; as many as are needed
    ; passes: waymark,waymark   other passes than the plug-in's alone
    ; show: variables           the plug-in's global variables belong to the answer
    ; why: TEXT                 why the answer is right; it is derived by hand, never copied
    ; expect FUNCTION: TEXT     the answer; `expect FUNCTION at PLACE: TEXT`, `expect stderr: TEXT`
probes.py says what the lines of an answer mean. Blocks and values of a case have names.

usage: run.py --waymark=PATH [--print] [NAME...]    --print shows the answers, and compares nothing
"""
import argparse
import concurrent.futures
import glob
import os
import re
import subprocess
import sys

import probes

HERE = os.path.dirname(os.path.abspath(__file__))
OPT = os.environ.get("OPT", "opt-19")
FIELD = re.compile(r"^; (options|passes|show|why): (.*)$")
EXPECT = re.compile(r"^; expect (.*?)(?: at (.*?))?: (.*)$")


class BadCase(Exception):
    pass


class Case:
    def __init__(self, path):
        self.path, self.name = path, os.path.basename(path)[:-len(".ll")]
        self.fields = {"options": [], "passes": [], "show": [], "why": []}
        self.expected = []  # (function, place or None, text)
        with open(path) as file:
            lines = file.read().splitlines()
        self.title = lines[0]
        for line in lines[1:]:
            field, expect = FIELD.match(line), EXPECT.match(line)
            if not line.startswith(";"):
                break
            if field:
                self.fields[field.group(1)].append(field.group(2))
            elif expect:
                self.expected.append(expect.groups())
            elif not line.startswith(";   "):
                raise BadCase("%s: '%s' is neither a field nor goes on with one" % (path, line))
        if not self.title.startswith("; ") or not self.fields["why"] or not self.expected:
            raise BadCase("%s: a case has a title, a reason and an answer" % path)

    def opt(self, plugin, passes):
        environment = dict(os.environ, WAYMARK_OPTIONS="\n".join(self.fields["options"]))
        done = subprocess.run(
            [OPT, "-load-pass-plugin=" + plugin, "-passes=" + passes, "-S", self.path, "-o", "-"],
            env=environment, capture_output=True, text=True, timeout=60)
        if done.returncode:
            first = "\n".join(done.stderr.splitlines()[:3])
            raise BadCase("%s: opt ends with %d\n%s" % (self.name, done.returncode, first))
        return done.stdout, done.stderr

    def answer(self, plugin):
        text, said = self.opt(plugin, ",".join(self.fields["passes"]) or "waymark")
        plain, _ = self.opt(plugin, "no-op-module")
        lines = [("stderr", None, line) for line in said.splitlines()]
        lines += probes.summarise(text, plain)
        if "variables" in self.fields["show"]:
            lines += [(name, None, what) for name, what in probes.describe_variables(text)]
        return lines


def shown(lines):
    return ["%s: %s" % (function + (" at " + place if place else ""), text)
            for function, place, text in lines]


def same(left, right):
    """Which of two probes at one place comes first does not matter."""
    return sorted(shown(left)) == sorted(shown(right))


def check(case, plugin):
    """What is wrong, or an empty text."""
    try:
        got = case.answer(plugin)
    except BadCase as bad:
        return str(bad)
    except (LookupError, ValueError, AttributeError) as bad:
        return "%s: probes.py cannot read what comes out: %r" % (case.name, bad)
    if same(got, case.expected):
        return ""
    wanted, found = shown(case.expected), shown(got)
    lines = ["%s: %s" % (case.name, case.title[2:])]
    lines += ["  expected, not there: " + line for line in wanted if line not in found]
    lines += ["  there, not expected: " + line for line in found if line not in wanted]
    lines += ["  all that is there:"] + ["    " + line for line in found]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--waymark", required=True)
    parser.add_argument("--print", action="store_true")
    parser.add_argument("names", nargs="*")
    words = parser.parse_args()
    plugin = os.path.join(os.path.dirname(os.path.abspath(words.waymark)),
                          "../lib/waymark/waymark-llvm.so")
    paths = [os.path.join(HERE, name.removesuffix(".ll") + ".ll") for name in words.names]
    cases = [Case(path) for path in paths or sorted(glob.glob(os.path.join(HERE, "*.ll")))]
    if words.print:
        for case in cases:
            print("\n".join([case.name] + ["; expect " + line
                                          for line in shown(case.answer(plugin))]))
        return
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = [text for text in pool.map(lambda case: check(case, plugin), cases) if text]
    print("\n".join(wrong + ["%d cases, %d wrong" % (len(cases), len(wrong))]))
    sys.exit(bool(wrong) or not cases)


if __name__ == "__main__":
    main()
