#!/usr/bin/env python3
"""The `if` lines of mawk: a path must go where the outcome that it shows leads.

usage: if_lines.py --waymark=PATH [--at=late|early] [--list]

Of each `if (...)` with one condition and its body on the next line, some paths with each outcome are looked at:
with yes the path must run the body, with no it must not. That is told by the lines of the code that it runs,
which are not what outcomes are found by. The optimiser moves code between lines, so with --at=late a few may
differ, but the line that is said to follow must fit always.
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

PATHS_OF_EACH = 3
FEW = 0.05  # of what is looked at


def plain_ifs(tree):
    """(file, line) -> line of the body."""
    found = {}
    for path in glob.glob(os.path.join(tree, "*.c")):
        text = open(path, errors="replace").read().split("\n")
        if any(line.startswith("#line") for line in text):
            continue
        for number, (line, below) in enumerate(zip(text, text[1:]), 1):
            match = re.match(r"\s*(?:\} else )?if \((.*)\)(?: \{)?$", line)
            if match and not re.search(r"&&|\|\||\?|[A-Z]{3,}\(", match.group(1)) and \
                    re.match(r"\s+[a-z(*].*;\s*$", below) and not re.match(r"\s*(if|for|while|do)\b", below):
                found[os.path.basename(path), number] = number + 1
    return found


def steps_on(function, ifs):
    """Of each path: the steps on such lines that it takes once."""
    for path in function["paths"]:
        steps = [(os.path.basename(step["file"]), step["line"]) for step in path["steps"]]
        for key, step in list(zip(steps, path["steps"]))[:-1]:
            if key in ifs and steps.count(key) == 1 and step["outcome"] and path["count"] > 0:
                yield path, key, step


def lines_of(waymark, profile, function, path, cache):
    name = "%s:%s:%d" % (function["name"], function["cfg_hash"], path["id"])
    if name not in cache:
        shown = json.loads(lines.must([waymark, "path", "--json", name, profile], ".")[0])["paths"][0]
        cache[name] = {(os.path.basename(line["file"]), line["line"]) for line in shown["lines"]}
    return cache[name]


def check(waymark, at, directory):
    command = tuple("%s %s%s -O2 -g" % (waymark, word, " --at=early" if at == "early" else "") for word in ("cc", "c++"))
    tree = programs.build_and_use(programs.PROGRAMS["mawk"], directory, command)
    ifs, cache = plain_ifs(tree), {}
    looked, wrong, elsewhere = collections.Counter(), [], []
    for profile in glob.glob(os.path.join(directory, "work", "*.wmk")):
        report = json.loads(lines.must([waymark, "report", "--json", profile], directory)[0])
        for function in report["functions"]:
            for path, key, step in steps_on(function, ifs):
                if looked[key, step["outcome"]] >= PATHS_OF_EACH:
                    continue
                looked[key, step["outcome"]] += 1
                body, yes = ifs[key], step["outcome"] == "yes"
                row = "%s:%d %s" % (key[0], key[1], step["outcome"])
                if (step["to_line"] == body) != yes:
                    wrong.append("%s: said to lead to line %s, and the body is line %d" % (row, step["to_line"], body))
                if ((key[0], body) in lines_of(waymark, profile, function, path, cache)) != yes:
                    elsewhere.append("%s: path %d of %s" % (row, path["id"], function["name"]))
    return looked, wrong, elsewhere


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--waymark", required=True)
    parser.add_argument("--at", choices=("late", "early"), default="late")
    parser.add_argument("--list", action="store_true", help="list paths that do not run what they should")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="waymark-") as directory:
        try:
            looked, wrong, elsewhere = check(os.path.abspath(options.waymark), options.at, os.path.join(directory, "mawk"))
        except (Failure, sources.Unavailable) as failure:
            sys.exit("FAIL: %s" % failure)
    total, places = sum(looked.values()), {key for key, _ in looked}
    print("\n".join(wrong + (elsewhere if options.list else [])))
    print("mawk: %d if lines, %d outcomes on paths; %d lead to another line than they should, %d run other lines" % (
        len(places), total, len(wrong), len(elsewhere)))
    sys.exit(1 if wrong or len(places) < 80 or len(elsewhere) > (0 if options.at == "early" else FEW * total) else 0)


if __name__ == "__main__":
    main()
