#!/usr/bin/env python3
"""Each case of tests/hpp/cases: every state of the path stack and everything emitted is as expected.
The expected states were worked out with the text of the thesis at hand; docs/hpp.md says how it is
read where it is silent.

usage: cases.py HPP_TRACE [unittest arguments]
"""
import glob
import os
import subprocess
import sys
import unittest

CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cases")
TRACE = sys.argv.pop(1)


class Cases(unittest.TestCase):
    def test_cases(self):
        names = sorted(glob.glob(os.path.join(CASES, "*.branches")))
        self.assertGreaterEqual(len(names), 15)
        for name in names:
            with self.subTest(case=os.path.basename(name)):
                out = subprocess.run([TRACE, "--states", name], capture_output=True, text=True,
                                     check=True).stdout
                with open(name.replace(".branches", ".expected")) as file:
                    expected = file.read().splitlines()[1:]  # the first names the case
                got = [line.rstrip() for line in out.splitlines()]
                self.assertEqual(got[:-2], [line.rstrip() for line in expected[:-1]])
                self.assertEqual(got[-2], expected[-1].split(";")[0])


if __name__ == "__main__":
    unittest.main()
