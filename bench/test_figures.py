#!/usr/bin/env python3
"""Checks the benchmark's arithmetic on measurements made up so that the answers follow by hand."""
import math
import sys
import unittest

sys.dont_write_bytecode = True

import chart
import tables
from figures import AGAIN, Figures


def cell(times, **others):
    return dict({"user": [time - 0.25 for time in times], "system": [0.25] * len(times),
                 "memory": 1000, "profile": 2048, "text": 5000}, **others)


def results():
    """Two programs; mode costs 10% in one and 60% in the other, with one slow round."""
    variants = [("plain", None, "plain"), (AGAIN, "plain", "plain"), ("edges", "plain", "mode"),
                ("gcc-coverage", "gcc", "peer"), ("gcc", None, "plain")]
    steady = {"plain": cell([1.0, 2.0, 1.0, 1.0, 1.0], instructions=100),
              AGAIN: cell([1.0, 2.0, 1.0, 1.0, 1.0]),
              "edges": cell([1.1, 2.2, 1.1, 1.1, 1.1], instructions=120, text=7000),
              "gcc-coverage": cell([3.0] * 5, instructions=110),
              "gcc": cell([2.0] * 5, instructions=50)}
    noisy = {"plain": cell([1.0, 1.0, 1.0, 1.0, 1.0], instructions=100),
             AGAIN: cell([1.0, 1.2, 1.0, 0.8, 1.4]),
             "edges": cell([1.6, 1.6, 1.6, 1.6, 1.6], instructions=180, text=6000),
             "gcc-coverage": cell([1.1] * 5, instructions=100),
             "gcc": cell([1.0] * 5, instructions=100)}
    return {"date": "a day", "machine": "a machine", "command": "a command",
            "skipped": ["mode x: why"], "repetitions": 5, "programs": ["steady", "noisy"],
            "variants": [dict(zip(("name", "over", "kind"), variant)) for variant in variants],
            "runtime_text": {"edges": 1000}, "measurements": {"steady": steady, "noisy": noisy}}


class Arithmetic(unittest.TestCase):
    def setUp(self):
        self.figures = Figures(results())

    def test_a_slow_round_hits_both_and_cancels(self):
        self.assertAlmostEqual(self.figures.median("steady", "edges"), 1.1)
        self.assertAlmostEqual(self.figures.spread("steady", "edges"), 0.0)

    def test_minima_are_compared_with_minima(self):
        self.assertAlmostEqual(self.figures.fastest("noisy", AGAIN), 0.8)

    def test_noise_is_the_largest_deviation_of_plain_from_itself(self):
        self.assertAlmostEqual(self.figures.noise("steady"), 0.0)
        self.assertAlmostEqual(self.figures.noise("noisy"), 0.2)  # minima; quartiles give 0.1

    def test_noise_of_a_mean_is_what_programs_have_in_common_or_adds_in_squares(self):
        self.assertAlmostEqual(self.figures.mean_uncertainty("edges"), 1 - math.sqrt(0.8))
        self.figures.results["measurements"]["noisy"][AGAIN] = cell([1.0, 0.6, 1.0, 1.4, 1.4])
        self.figures.results["measurements"]["steady"][AGAIN] = cell([1.7, 3.4, 1.7, 1.7, 1.7])
        squares = math.sqrt(0.4 ** 2 + 0.7 ** 2) / 2
        self.assertAlmostEqual(self.figures.mean_uncertainty("edges"), squares)

    def test_gcc_is_compared_with_gcc(self):
        self.assertAlmostEqual(self.figures.median("steady", "gcc-coverage"), 1.5)
        self.assertAlmostEqual(self.figures.ratio("instructions", "steady", "gcc-coverage"), 2.2)

    def test_runtime_library_is_no_text_of_the_program(self):
        self.assertAlmostEqual(self.figures.ratio("text", "steady", "edges"), 1.2)
        self.assertAlmostEqual(self.figures.ratio("text", "noisy", "edges"), 1.0)

    def test_means_are_geometric(self):
        average, largest = self.figures.over_programs(self.figures.median, "edges")
        self.assertAlmostEqual(average, math.sqrt(1.1 * 1.6))
        self.assertAlmostEqual(largest, 1.6)


class Tables(unittest.TestCase):
    def setUp(self):
        self.figures = Figures(results())
        self.lines = tables.render(self.figures).split("\n")

    def rows(self, name):
        return [line.split()[1:] for line in self.lines if line.startswith(name + " ")]

    def test_a_difference_inside_the_noise_is_marked(self):
        self.assertIn(["1.500", "1.100~", "1.285"], self.rows("gcc-coverage"))
        self.assertIn(["1.100", "1.600", "1.327"], self.rows("edges"))

    def test_a_missed_budget_is_said(self):
        text = "\n".join(self.lines)
        self.assertIn("time 1.327, ABOVE 1.03; largest time 1.600, ABOVE 1.12", text)
        self.assertIn("skipped: mode x: why", text)

    def test_few_rounds_are_said(self):
        few = dict(results(), repetitions=4)
        self.assertIn("with fewer than 5 repetitions", tables.render(Figures(few)))
        self.assertNotIn("with fewer than", "\n".join(self.lines))

    def test_chart_has_a_row_per_variant_and_a_dot_per_program(self):
        svg = chart.draw(self.figures)
        self.assertEqual(svg.count("<circle"), 2 * 2 * 2)  # panels, variants, programs
        self.assertIn("edges, noisy: 1.600", svg)


if __name__ == "__main__":
    unittest.main()
