#!/usr/bin/env python3
"""Tables and charts of bench/hpp, from made-up programs whose means are known."""
import unittest
import xml.dom.minidom

import hpp_figures


def document(value):
    return {"overlaps": [{"table": "512x4:fold:lfu", "metric": metric, "complete": value, "dynamic": value + 1}
                         for metric in hpp_figures.METRICS],
            "policies": [{"policy": name, "entries": n, "complete": value} for name in ("lfu", "lru", "space-saving", "admit")
                         for n in (128, 256, 512, 1024, 2048)],
            "queue": [{"ipc": ipc, "of_model": False, "slots": slots, "overhead": 2.0} for ipc in (1, 1.5, 2, 3, 4)
                      for slots in (0, 1, 2, 4, 8, 16)],
            "hottest": [{"instructions": 1, "frequency": 2, "l2": 3, "mispredictions": 4}] * 6,
            "lengths": [{"instructions": 5}] * 7,
            **{key: value for key in ("extended_by_a_loop", "extended_by_a_call", "power", "l2_as_frequency",
                                      "mispredictions_as_frequency", "power_as_frequency")}}


class Figures(unittest.TestCase):
    figures = {"one": document(80.0), "two": document(90.0)}

    def test_means_stand_beside_the_thesis(self):
        lines = hpp_figures.tables(self.figures, {}).splitlines()
        row = next(line for line in lines if line.startswith("complete frequency"))
        self.assertEqual(row.split()[2:], ["80.0", "90.0", "85.0", "88"])
        row = next(line for line in lines if line.startswith("dynamic l2"))
        self.assertEqual(row.split()[2:], ["81.0", "91.0", "86.0", "98"])

    def test_charts_are_pictures(self):
        charts = hpp_figures.charts(self.figures)
        self.assertEqual(len(charts), 7)
        for picture in charts.values():
            self.assertEqual(xml.dom.minidom.parseString(picture).documentElement.tagName, "svg")
        bars = charts["overlap-complete"].count("<rect")
        self.assertEqual(bars, 3 * 3 + 3)


if __name__ == "__main__":
    unittest.main()
