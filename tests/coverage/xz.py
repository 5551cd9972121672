#!/usr/bin/env python3
"""xz's own test programs, all in one answer, against gcov and lcov on the same tests.

usage: xz.py --waymark=PATH
"""
import glob
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("end_to_end", "real"):
    sys.path.insert(0, os.path.join(HERE, "..", folder))

import cases
import harness
import sources

CONFIGURE = ("--disable-shared --disable-nls --disable-threads --disable-doc --disable-scripts --disable-xzdec "
             "--disable-lzmadec --disable-lzmainfo --disable-lzma-links --disable-assembler")


class Xz(cases.Case):
    def shell(self, line, directory, **environment):
        status, out, err = harness.run(["sh", "-c", line], directory, environment, timeout=3600)
        self.assertEqual(status, 0, (line, out.decode()[-2000:], err.decode()[-2000:]))
        return out.decode()

    def build(self, name, compiler, flags):
        tree = sources.copy("xz-utils", self.path(name))
        self.shell("./configure -q CFLAGS='%s' %s" % (flags, CONFIGURE), tree, CC=compiler, EGREP="grep -E")
        self.shell("make -s -j2 -C src/liblzma", tree)
        programs = [os.path.basename(path)[:-2] for path in sorted(glob.glob(os.path.join(tree, "tests", "test_*.c")))]
        self.shell("make -s -C tests " + " ".join(programs), tree)
        return tree, programs

    def run_tests(self, tree, programs, **environment):
        for program in programs:
            subprocess.run(["./" + program], cwd=os.path.join(tree, "tests"), stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, timeout=600,
                           env=dict(os.environ, srcdir=os.path.join(tree, "tests"),
                                    **{key: value % program for key, value in environment.items()}))

    def test_one_answer(self):
        ours, programs = self.build("ours", self.waymark + " cc", "-O2 -g --at=early")
        self.assertGreaterEqual(len(programs), 10)
        os.mkdir(self.path("t"))
        self.run_tests(ours, programs, WAYMARK_FILE=self.path("t") + "/%s.wmk")
        self.assertEqual(len(os.listdir(self.path("t"))), len(programs))
        theirs, _ = self.build("theirs", "gcc", "-O0 --coverage")
        self.run_tests(theirs, programs)
        self.shell("lcov -q -c -d theirs -o all.info && lcov -q -o theirs.info -e all.info '*/liblzma/*'", self.directory)
        self.succeed("export", "--to=lcov", "-o", "whole.info", "t")
        self.shell("lcov -q -o ours.info -e whole.info '*/liblzma/*'", self.directory)
        rates = {}
        for side in ("ours", "theirs"):
            text = self.shell("lcov --summary %s.info" % side, self.directory)
            rates[side] = {kind: (float(percent), int(covered), int(of)) for kind, percent, covered, of in
                           re.findall(r"(lines|functions)\.*: ([\d.]+)% \((\d+) of (\d+)", text)}
        document = json.loads(self.succeed("cover", "--json", "t"))
        print(json.dumps({"lcov": rates, "all of ours": document["totals"]}, indent=1))
        for kind in ("lines", "functions"):
            self.assertLess(abs(rates["ours"][kind][0] - rates["theirs"][kind][0]), 1, (kind, rates))
        self.assertGreater(document["totals"]["outcomes"]["of"], document["totals"]["outcomes"]["covered"])
        self.assertGreater(document["totals"]["pairs"]["of"], document["totals"]["pairs"]["covered"])


if __name__ == "__main__":
    cases.main(__name__)
