#!/usr/bin/env python3
"""waymark.h: what each of its functions does to the counts, seen in the number of times that the
loop of steered.c turned. The expected numbers are written in the program."""
import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.join(HERE, "..", "..", "include")
# word -> {file: turns of the loop in `work`}; 4 threads each where it says in_threads
EXPECTED = {
    "reset": {"run.wmk": 4 * 10 + 5},
    "reset-in-handler": {"run.wmk": 5},
    "set-file": {"run.wmk": 400, "second.wmk": 40},
    "pause": {"run.wmk": 1000 + 9},
    "write": {"run.wmk": 400, "image.wmk": 400},
    "dump": {"run.wmk": 50},
}


def turns(waymark, profile, directory):
    """How often the loop body of `work` ran: its block that runs most."""
    text = subprocess.run([waymark, "report", "--json", profile], cwd=directory, check=True,
                          stdout=subprocess.PIPE).stdout
    work = [f for f in json.loads(text)["functions"] if f["name"] == "work"][0]
    return max(block["count"] for block in work["blocks"])


def build(waymark, directory, options):
    subprocess.run([waymark, "cc", "-O1", "-g", "-pthread", os.path.join(HERE, "steered.c"), "-o",
                    os.path.join(directory, "steered")] + options, check=True, env=dict(os.environ, WAYMARK_CACHE=""))


def check(waymark, word, options):
    with tempfile.TemporaryDirectory() as directory:
        build(waymark, directory, options)
        subprocess.run(["./steered", word], cwd=directory, stdout=subprocess.PIPE,
                       env=dict(os.environ, WAYMARK_FILE="run.wmk"))
        for name, expected in EXPECTED[word].items():
            measured = turns(waymark, name, directory)
            if measured != expected:
                print("FAIL %s %s: %s has %d turns, expected %d" %
                      (word, " ".join(options), name, measured, expected))
                return False
    return True


def check_uninstrumented():
    """Without Waymark the functions are gone: no call of them is left."""
    with tempfile.TemporaryDirectory() as directory:
        binary = os.path.join(directory, "steered")
        subprocess.run([os.environ.get("WAYMARK_CLANG", "clang-19"), "-O1", "-pthread", "-I", INCLUDE,
                        os.path.join(HERE, "steered.c"), "-o", binary], check=True)
        names = subprocess.run(["nm", binary], check=True, stdout=subprocess.PIPE).stdout
        if b"waymark_" in names:
            print("FAIL uninstrumented: names of waymark.h are left")
            return False
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--waymark", required=True)
    waymark = os.path.abspath(parser.parse_args().waymark)
    results = [check_uninstrumented()]
    for word in EXPECTED:
        for options in [], ["--base=memory"], ["--placement=redundant"]:
            results.append(check(waymark, word, options))
    print("%d passed, %d failed" % (results.count(True), results.count(False)))
    sys.exit(False in results)


main()
