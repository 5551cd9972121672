#!/usr/bin/env python3
"""Bits where their memory goes on in another place, which is after 2^33 of them: none is lost."""
import argparse
import os
import re
import subprocess
import sys
import tempfile

CASES = 1000
BITS = 11  # of the loop's condition and of the switch
REGION = (16384 - 2) * 65536 * 8

# Codes that are not zero, each followed by a call whose return is told, in the first iterations, and around the place
# where the region ends; elsewhere nothing is written.
PROGRAM = """\
#include <unistd.h>
int main(void)
{
	for (long i = 0; i < %(end)dL; i++) {
		unsigned chosen = i < 100 || i >= %(begin)dL ? 1 + i %% %(cases)d : 0;
		switch (__builtin_expect(chosen, 0)) {
		case 0:
			break;
%(arms)s
		}
	}
	return 0;
}
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--waymark", required=True)
    arguments = parser.parse_args()
    begin, end = (REGION - 3 * 65536 * 8) // BITS, (REGION + 2 * 65536 * 8) // BITS
    arms = "\n".join('\t\tcase %d:\n\t\t\t__asm__ volatile("" ::"i"(%d));\n\t\t\tgetppid();\n\t\t\tbreak;' % (k, k)
                     for k in range(1, CASES + 1))
    with tempfile.TemporaryDirectory(prefix="waymark-") as folder:
        with open(os.path.join(folder, "long.c"), "w") as file:
            file.write(PROGRAM % {"begin": begin, "end": end, "cases": CASES, "arms": arms})
        waymark = os.path.abspath(arguments.waymark)

        def run(*words):
            return subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True,
                                  text=True, env=dict(os.environ, WAYMARK_CACHE=""), timeout=900)
        run(waymark, "cc", "-O1", "-g", "--profile=trace", "-o", "long", "long.c")
        run("./long")
        done = run(waymark, "trace", "--count", "long")
        print(done.stdout, done.stderr)
        bits = int(re.search(r"(\d+) bits", done.stdout).group(1))
        if bits < REGION or "its first function returned" not in done.stdout or done.stderr:
            sys.exit("regions: the trace is not what ran")


main()
