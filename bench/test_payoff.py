#!/usr/bin/env python3
"""Checks that bench/payoff links files in the orders it says, and times what another machine built.

usage: test_payoff.py WAYMARK
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True

import payoff_builds
import programs

HERE = os.path.dirname(os.path.abspath(__file__))
WAYMARK = os.path.abspath(sys.argv.pop(1))


class Orders(unittest.TestCase):
    def test_files_move_and_options_stay(self):
        with tempfile.TemporaryDirectory() as tree:
            for name in ("a.c", "b.c", "c.cc"):
                open(os.path.join(tree, name), "w").close()
            orders = [payoff_builds.in_order("-I. -DX='\"y z\"' ?.c c.cc -w", tree, layout) for layout in range(4)]
        self.assertEqual(orders[0], "-I. '-DX=\"y z\"' a.c b.c c.cc -w")
        self.assertEqual(orders[1], "-I. '-DX=\"y z\"' c.cc b.c a.c -w")
        self.assertEqual({" ".join(sorted(order.split())) for order in orders}, {" ".join(sorted(orders[0].split()))})


class Payoff(unittest.TestCase):
    def payoff(self, *words, **environment):
        done = subprocess.run([sys.executable, os.path.join(HERE, "payoff"), *words], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, env=dict(os.environ, WAYMARK_CACHE="", **environment))
        return done.returncode, done.stdout, done.stderr

    def test_binaries_are_timed_without_a_compiler(self):
        with tempfile.TemporaryDirectory() as folder:
            kept, results = os.path.join(folder, "kept"), os.path.join(folder, "json")
            built = self.payoff("--waymark=" + WAYMARK, "--variants=sample,edges", "--layouts=2", "--build-only=" + kept, "matrix")
            self.assertEqual(built[0], 0, built[2])
            self.assertEqual(sorted(os.listdir(os.path.join(kept, "matrix"))),
                             ["%s+%d" % (name, layout) for name in ("edges", "plain", "sample") for layout in range(2)])
            status, out, err = self.payoff("--binaries=" + kept, "--repetitions=2", "--scale=1", "--json=" + results,
                                           WAYMARK_CLANG="no-such-compiler")
            self.assertEqual(status, 0, err)
            self.assertEqual(out.count("over plain"), 3)
            with open(results) as file:
                seconds = json.load(file)["seconds"]["matrix"]
            self.assertEqual({name: len(list) for name, list in seconds.items()}, {"plain": 2, "sample": 2, "edges": 2})

    def test_wrong_words(self):
        for words, text in ((["--variants=none"], "there is no none; there are profile-generate"), (["--layouts=9"], "give 1 to 8"),
                            (["--binaries=/nonexistent"], "cannot read /nonexistent/payoff.json"), (["no-program"], "there is no program")):
            status, out, err = self.payoff(*words)
            self.assertNotEqual(status, 0)
            self.assertIn(text, err)


if __name__ == "__main__":
    unittest.main()
