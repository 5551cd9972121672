#!/usr/bin/env python3
"""Checks the arithmetic of bench/growth on made-up measurements, and that it runs at small sizes.

usage: test_growth.py [WAYMARK]
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True

import growth_chart
import growth_figures

HERE = os.path.dirname(os.path.abspath(__file__))
WAYMARK = sys.argv.pop() if len(sys.argv) > 1 else None


def results():
    """Seconds that grow with the square, and bytes that grow linearly above a constant."""
    rows = [{"size": size, "values": {"time": size ** 2 * 1e-6, "memory": 1e5 + 100 * size}}
            for size in (10, 100, 10 ** 6, 10 ** 7, 10 ** 8)]
    return {"date": "a day", "machine": "a machine", "command": "a command", "sweeps": [
        {"name": "Sweep", "unit": "things", "rows": rows,
         "measures": {"time": {"name": "time", "unit": "seconds"},
                      "memory": {"name": "memory", "unit": "bytes"}}}]}


class Arithmetic(unittest.TestCase):
    def test_exponents_are_those_of_the_largest_sizes(self):
        sweep = results()["sweeps"][0]
        self.assertAlmostEqual(growth_figures.exponent(sweep, "time"), 2)
        self.assertAlmostEqual(growth_figures.exponent(sweep, "memory"), 1, places=2)

    def test_one_size_has_no_exponent(self):
        sweep = results()["sweeps"][0]
        sweep["rows"] = sweep["rows"][:1]
        self.assertIsNone(growth_figures.exponent(sweep, "time"))

    def test_table_has_value_and_share_of_each_size(self):
        text = growth_figures.render(results())
        self.assertIn("10 ms (100000 ns)", text)  # 100 things: 1e4 * 1e-6 s
        self.assertIn("110 kB (1100 B)", text)
        self.assertRegex(text, r"exponent +2\.00 +1\.00\n")

    def test_compilers_are_compared_with_plain_clang(self):
        sweep = {"name": "Compiling", "unit": "things", "rows": [
            {"size": 8, "values": {"clang": 2.0, "default": 3.0, "classic": 5.0}}],
            "measures": {key: {"name": key, "unit": "seconds"}
                         for key in ("clang", "default", "classic")}}
        text = growth_figures.render({**results(), "sweeps": [sweep]})
        self.assertRegex(text, r"over plain clang:\n +8  default 1\.50, classic 2\.50\n")

    def test_chart_has_a_dot_per_value(self):
        svg = growth_chart.draw(results(), growth_figures.exponent)
        self.assertEqual(svg.count("<circle"), 2 * 5)
        self.assertIn("time, grows by 2.00", svg)


@unittest.skipUnless(WAYMARK, "no waymark is named")
class Run(unittest.TestCase):
    def test_small_sizes_are_measured(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "growth.json")
            done = subprocess.run(
                [os.path.join(HERE, "growth"), WAYMARK, "--largest=1000", "--repetitions=1",
                 "--json=" + path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
            with open(path) as file:
                sweeps = json.load(file)["sweeps"]
        self.assertEqual(done.stdout.decode().count("exponent "), len(sweeps))
        for sweep in sweeps:
            self.assertEqual(sweep["rows"][-1]["size"], 1000)
            for row in sweep["rows"]:
                self.assertEqual(set(row["values"]), set(sweep["measures"]))
                self.assertTrue(all(value >= 0 for value in row["values"].values()))


if __name__ == "__main__":
    unittest.main()
