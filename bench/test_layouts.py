#!/usr/bin/env python3
"""Checks that layouts move code as they say, and that rounds take turns with them."""
import os
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

sys.dont_write_bytecode = True

import builds
import measure
import variants
from programs import CLANG, Program
from session import Session


def program():
    made = Program(package=None, sources="matrix.c", command=lambda scale: [])
    made.name = "matrix"
    return made


def address_of_main(binary):
    symbols = subprocess.run(["nm", binary], stdout=subprocess.PIPE, check=True).stdout.decode()
    return next(int(line.split()[0], 16) for line in symbols.split("\n") if line.endswith(" main"))


class Layouts(unittest.TestCase):
    def test_code_lies_sixteen_bytes_further_in_each(self):
        with tempfile.TemporaryDirectory() as where:
            addresses = []
            for layout in range(builds.MAX_LAYOUTS):
                binary = os.path.join(where, "matrix")
                program().compile(CLANG, binary, builds.shift(layout, where))
                addresses.append(address_of_main(binary))
        self.assertEqual([address - addresses[0] for address in addresses], [0, 16, 32, 48])

    def test_each_round_times_one_layout_of_all_variants(self):
        options = types.SimpleNamespace(jobs=1, layouts=2, repetitions=3, scale=1, compile=0,
                                        instructions=False)
        measured = [variants.PLAIN, variants.AGAIN]
        session = Session(options, mock.Mock(), [program()], measured)
        for variant in measured:
            for layout in range(2):
                session.binaries["matrix", variant.name, layout] = "%s %d" % (variant.name, layout)
        session.progress = mock.Mock()
        ran = []

        def run_once(place, binary, launch, core):
            ran.append(binary)
            return {"user": 1.0, "system": 0.0, "memory": 1, "profile": 0}

        with mock.patch.object(measure, "run_once", run_once), \
                mock.patch.object(measure.Place, "output", lambda place: ""):
            session.time_runs()
        self.assertEqual(ran, ["plain 0", "plain again 0", "plain again 1", "plain 1",
                               "plain 0", "plain again 0"])


if __name__ == "__main__":
    unittest.main()
