#!/usr/bin/env python3
"""`waymark plan` as users and programs see it: table, last line, JSON and DOT.

Usage: plan_command.py WAYMARK VECTOR-FOLDER
"""
import json
import re
import subprocess
import sys
import tempfile
import unittest

WAYMARK, VECTORS = sys.argv[1:3]
FIGURE_4 = VECTORS + "/bl94-fig4.dot"


def plan(*arguments):
    return subprocess.run([WAYMARK, "plan", *arguments], capture_output=True, text=True, timeout=60)


def graph_file(text):
    file = tempfile.NamedTemporaryFile("w", suffix=".dot")
    file.write(text)
    file.flush()
    return file


class Plan(unittest.TestCase):
    def succeed(self, *arguments):
        done = plan(*arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def last_line(self, *arguments):
        return self.succeed(*arguments).splitlines()[-1]

    def test_last_line_of_figure_4(self):
        for problem, line in (("edges", "cost 62, 6 counters on 13 edges"),
                              ("blocks", "cost 59, 5 counters on 13 edges"),
                              ("blocks-vertex", "cost 124, 5 counters on 13 edges"),
                              ("redundant", "cost 189, 8 counters on 13 edges")):
            self.assertEqual(self.last_line("--problem=" + problem, FIGURE_4), line)
        self.assertEqual(self.last_line(FIGURE_4), "cost 62, 6 counters on 13 edges")

    def test_paths_have_the_values_of_the_papers(self):
        """Each edge of the figures carries its published value as attribute bl."""
        for figure in "pp97-fig1.dot", "ppp07-fig3-4.dot":
            with open(VECTORS + "/" + figure) as file:
                expected = {(a, b): int(value) for a, b, value in
                            re.findall(r"(\w) -> (\w) \[bl=(\d+)\]", file.read())}
            found = json.loads(self.succeed("--problem=paths", "--json", VECTORS + "/" + figure))
            self.assertEqual({(e["from"], e["to"]): e["value"] for e in found["edges"]}, expected)
            self.assertEqual(found["paths"], 6)

    def test_one_path_by_number_and_by_name(self):
        figure = VECTORS + "/pp97-fig1.dot"
        for number, vertices in enumerate(["ACDF", "ACDEF", "ABCDF", "ABCDEF", "ABDF", "ABDEF"]):
            line = "%d: %s\n" % (number, " ".join(vertices))
            self.assertEqual(self.succeed("--problem=paths", "--path=%d" % number, figure), line)
            self.assertEqual(
                self.succeed("--problem=paths", "--path=" + ",".join(vertices), figure), line)

    def test_paths_that_are_not_there(self):
        for path, text in (("6", "6 paths"), ("A,D", "from A straight to D"), ("A,X", "no vertex X"),
                           ("C,D,F", "starts at C"), ("A,B", "ends at B"), ("", "6 paths"),
                           ("99999999999999999999999", "6 paths")):
            done = plan("--problem=paths", "--path=" + path, VECTORS + "/pp97-fig1.dot")
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertEqual(done.stderr.count("\n"), 1)
            self.assertIn(text, done.stderr)

    def test_table_has_a_row_per_counter(self):
        rows = self.succeed(FIGURE_4).splitlines()[1:-1]
        self.assertEqual([row.split()[0] for row in rows], list("012345"))
        self.assertIn("e -> f", rows[3])

    def test_json_holds_the_plan(self):
        for problem, cost, counters in (("edges", 62, 6), ("blocks-vertex", 124, 5)):
            found = json.loads(self.succeed("--json", "--problem", problem, FIGURE_4))
            self.assertEqual((found["problem"], found["cost"], found["counters"], found["edges"]),
                             (problem, cost, counters, 13))
            self.assertEqual(len(found["probes"]), counters)
            self.assertEqual(sum(probe["weight"] for probe in found["probes"]), cost)
            keys = {"from", "to"} if problem == "edges" else {"vertex"}
            for probe in found["probes"]:
                self.assertLessEqual(keys, set(probe))

    def test_json_keeps_fractions(self):
        found = json.loads(self.succeed("--json", VECTORS + "/ppp07-fig3-6.dot"))
        self.assertAlmostEqual(found["cost"], 5 / 3, places=9)

    def test_json_survives_strange_names(self):
        with graph_file('digraph { entry="a \\"b\\\\"; exit="x"; "a \\"b\\\\" -> x; '
                        '"a \\"b\\\\" -> x; }') as file:
            names = {probe["from"] for probe in json.loads(self.succeed("--json", file.name))["probes"]}
            self.assertEqual(len(names), 1)

    def test_dot_marks_the_probes_and_can_be_read_again(self):
        text = self.succeed("--dot", FIGURE_4)
        self.assertEqual(sorted(re.findall(r"\bcounter=(\d+)", text)), list("012345"))
        with graph_file(text) as file:
            self.assertEqual(self.last_line(file.name), "cost 62, 6 counters on 13 edges")

    def test_weights_default_to_the_heuristic_unless_all_are_given(self):
        partly = 'digraph { entry=a; exit=c; a -> b [weight=70]; b -> c; a -> c; }'
        with graph_file(partly) as file:
            self.assertEqual(self.last_line(file.name), self.last_line("--weights=heuristic", file.name))
            refused = plan("--weights=given", file.name)
            self.assertEqual((refused.returncode, refused.stdout), (1, ""))
            self.assertIn("b -> c", refused.stderr)

    def test_weights_can_be_chosen(self):
        # The tree has c->a (always) and one edge of the triangle. Given: 7, so 7 and 1 are counted. The
        # heuristic's weights are a half each. Goldberg's: c is left first, then b (2), then a (3).
        text = 'digraph { entry=a; exit=c; a -> b [weight=7]; b -> c [weight=7]; a -> c [weight=1]; }'
        with graph_file(text) as file:
            self.assertEqual(self.last_line(file.name), "cost 8, 2 counters on 3 edges")
            self.assertEqual(self.last_line("--weights=heuristic", file.name),
                             "cost 1, 2 counters on 3 edges")
            self.assertEqual(self.last_line("--weights=goldberg", file.name),
                             "cost 5, 2 counters on 3 edges")

    def test_full_disk_is_reported(self):
        for form in ([], ["--json"], ["--dot"]):
            with open("/dev/full", "w") as full:
                done = subprocess.run([WAYMARK, "plan", *form, FIGURE_4], stdout=full,
                                      stderr=subprocess.PIPE, text=True, timeout=60)
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (1, 1))

    def test_strict_graph_and_two_formats_are_refused(self):
        with graph_file("strict digraph { entry=a; exit=b; a -> b; }") as file:
            refused = plan(file.name)
            self.assertEqual((refused.returncode, refused.stdout), (1, ""))
            self.assertIn("strict", refused.stderr)
        self.assertEqual(plan("--json", "--dot", FIGURE_4).returncode, 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
