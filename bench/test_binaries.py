#!/usr/bin/env python3
"""Checks that binaries kept in a folder are those that were built, each in its place."""
import os
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

sys.dont_write_bytecode = True

import binaries
import variants
from programs import Failure, load

HERE = os.path.dirname(os.path.abspath(__file__))
MEASURED = [variants.PLAIN, variants.AGAIN, variants.MODES[0]]


class Binaries(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.kept = os.path.join(self.folder, "kept")

    def write(self, name, text, mode=0o644):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def keep(self, script):
        """A session in which every variant of one program is this script, with its name in it."""
        program = load("sort")
        session = mock.Mock(options=types.SimpleNamespace(layouts=2), binaries={})
        session.distinct = [variants.PLAIN, variants.MODES[0]]
        session.pairs = lambda measured: [(program, variant) for variant in measured]
        session.in_layouts = lambda pairs: [pair + (layout,) for pair in pairs for layout in (0, 1)]
        for _, variant, layout in session.in_layouts(session.pairs(session.distinct)):
            name = "%s %d" % (variant.name, layout)
            session.binaries["sort", variant.name, layout] = self.write(name, script % name, 0o755)
        measured = {"date": "", "machine": "", "command": "", "skipped": [], "repetitions": 0,
                    "programs": ["sort"], "runtime_text": {},
                    "variants": [{"name": one.name, "over": one.over, "tool": one.tool,
                                  "kind": one.kind, "options": one.options} for one in MEASURED],
                    "measurements": {"sort": {one.name: {"text": 1} for one in MEASURED}}}
        binaries.keep(self.kept, session, measured)

    def test_each_is_found_again(self):
        self.keep("%s")
        kept = binaries.Kept(self.kept, variants.ALL)
        for variant, name in zip(MEASURED, ["plain", "plain", variants.MODES[0].name]):
            for layout in (0, 1):
                with open(kept.binary(load("sort"), variant, layout)) as file:
                    self.assertEqual(file.read(), "%s %d" % (name, layout))

    def test_they_are_timed_without_a_compiler(self):
        self.keep("#!/bin/sh\n: %s\necho sorted\n")
        done = subprocess.run([sys.executable, os.path.join(HERE, "run"), "--binaries=" + self.kept,
                               "--repetitions=2", "--json=" + os.path.join(self.folder, "json")],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env=dict(os.environ, WAYMARK_CLANG="no-such-compiler"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(variants.MODES[0].name + " ", done.stdout)

    def test_another_folder_is_refused(self):
        with self.assertRaisesRegex(Failure, "cannot read .*built.json"):
            binaries.Kept(self.folder, variants.ALL)


if __name__ == "__main__":
    unittest.main()
