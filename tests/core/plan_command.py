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


def read_vector(name):
    with open("%s/%s.dot" % (VECTORS, name)) as file:
        return file.read()


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
        for path, text in (("6", "6 paths"), ("A,D", "from A straight to D"), ("A,X", "no vertex 'X'"),
                           ("C,D,F", "starts at C"), ("A,B", "ends at B"), ("", "6 paths"),
                           ("99999999999999999999999", "6 paths")):
            done = plan("--problem=paths", "--path=" + path, VECTORS + "/pp97-fig1.dot")
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertEqual(done.stderr.count("\n"), 1)
            self.assertIn(text, done.stderr)

    def interesting(self, problem, paths, figure, *arguments):
        return json.loads(self.succeed("--problem=" + problem, "--interesting=" + paths, "--json",
                                       *arguments, VECTORS + "/" + figure))

    def test_selected_paths_of_figure_5(self):
        """The paper's sums, and by hand: 1 -> 2 is pushed to 2 -> 4, 4 -> 5 to 5 -> 7."""
        found = self.interesting("select", "1-2-4-5-7-8,1-4-5-7-8", "spp02-fig5.dot")
        self.assertEqual([path["sum"] for path in found["interesting"]], [5, 8])
        self.assertEqual({(e["from"], e["to"]): e["increment"] for e in found["edges"] if e["increment"]},
                         {("1", "4"): 6, ("2", "4"): 3, ("5", "7"): 2})
        self.assertEqual({(e["from"], e["to"]): e["value"] for e in found["edges"] if e["value"]},
                         {("1", "2"): 3, ("1", "4"): 6, ("4", "5"): 1, ("5", "7"): 1})
        self.assertEqual((found["paths"], found["probes"], found["probes_for_all"]), (9, 3, 4))

    def test_selected_sums_decode_and_others_do_not(self):
        for figure, chosen, count in (("spp02-fig5.dot", "1-2-4-5-7-8,1-4-5-7-8", 9),
                                      ("spp02-counterexample.dot", "0-1-3,0-3", 3)):
            numbers = {path["path"] for path in self.interesting("select", chosen, figure)["interesting"]}
            self.assertEqual(len(numbers), 2)
            for number in range(count):
                path = self.interesting("select", chosen, figure, "--path=%d" % number)
                self.assertEqual((path["path"], path["interesting"]), (number, number in numbers))
                self.assertEqual(path.get("decoded"), number if number in numbers else None)

    def test_preferred_paths_of_figure_3_4(self):
        found = self.interesting("prefer", "s-a-c-d-t,1,s-b-c-t", "ppp07-fig3-4.dot")
        self.assertEqual([(path["path"], path["sum"]) for path in found["interesting"]],
                         [(0, 0), (1, 1), (5, 2)])
        self.assertEqual({(e["from"], e["to"]): e["value"] for e in found["edges"] if e["value"]},
                         {("s", "b"): 2, ("b", "c"): -1, ("c", "t"): 1})
        self.assertEqual((found["delta"], found["delta_of_optimum"], found["optimum_found"]), (1, 1, True))
        for path in found["interesting"]:
            steps = list(zip(path["vertices"], path["vertices"][1:]))
            self.assertEqual(sum(e["increment"] for e in found["edges"] if (e["from"], e["to"]) in steps),
                             path["sum"])
        slots = [path["slot"] for path in found["interesting"]]
        self.assertEqual(len(set(slots)), 3)
        self.assertLess(max(slots), found["hash"]["slots"])

    def test_preferred_sums_may_be_shared(self):
        """The thesis: sabct has the sum of sacdt, and sbcdt that of sact."""
        for names, sum_, decoded in (("s,b,c,d,t", 1, 1), ("s,a,c,t", 1, 1), ("s,b,c,t", 2, 5)):
            path = self.interesting("prefer", "0,1,5", "ppp07-fig3-4.dot", "--path=" + names)
            self.assertEqual((path["sum"], path["decoded"]), (sum_, decoded))
            self.assertEqual(path["interesting"], path["path"] == decoded)

    def test_figure_3_6_has_no_perfect_sums(self):
        found = self.interesting("prefer", "s-a-d-f-t,s-a-d-g-t,s-b-d-e-t,s-b-d-g-t,s-c-d-e-t,s-c-d-f-t",
                                 "ppp07-fig3-6.dot")
        self.assertAlmostEqual(found["delta_of_optimum"], 7 / 6)
        self.assertGreaterEqual(found["delta_as_published"], found["delta"])

    def test_events_are_exact_on_a_run_counted_by_hand(self):
        """The run h b t h b e h EXIT, with the numbers that its graph states."""
        file = VECTORS + "/events-loop-with-call.dot"
        found = json.loads(self.succeed("--problem=events", "--json", file))
        self.assertEqual((found["cost"], found["cost_by_edges"], len(found["probes"])), (11, 11, 4))
        added = {probe.get("from", "entry") + "-" + probe["to"] if "to" in probe
                 else probe.get("vertex", "entry"): probe["increment"] for probe in found["probes"]}
        queries = {query["vertex"]: query for query in found["queries"]}

        def passed(edge, *vertices):
            """What the probes of an edge and of whole vertices without anchors add."""
            return added.get(edge, 0) + sum(added.get(vertex, 0) for vertex in vertices)

        events = passed("", "entry")
        seen = []
        for step, (vertex, edge, true) in enumerate((("h", "h-b", 2), ("b", "b-t", 9), ("t", "t-h", 14),
                                                     ("h", "h-b", 16), ("b", "b-e", 23), ("e", "e-h", 30),
                                                     ("h", "h-EXIT", 32))):
            events += passed("", vertex)
            seen.append(events + queries[vertex]["end"])
            self.assertEqual(seen[-1], true, step)
            events += passed(edge)
        self.assertEqual(events, 32)
        self.assertEqual((queries["b"]["start"], queries["b"]["end"]), (-3, 4))
        last = self.last_line("--problem=events", file)
        self.assertEqual(last, "cost 11, 4 increments on 6 edges; the plan for edges predicts 11")

    def test_events_that_cannot_be(self):
        text = 'digraph { entry=a; exit=x; a -> b [%s]; b -> x; a [events="%s"]; x [%s]; }'
        for edge, vertex, end, said in (("", "3 |x", "", "a has events"), ("", "-1", "", "a has events"),
                                        ("", "3 4", "", "a has events"), ("", "", "", "no vertex"),
                                        ('events="1 | 2"', "3", "", "an edge"),
                                        ("", "3", "events=2", "x is the exit")):
            with graph_file(text % (edge, vertex, end)) as file:
                done = plan("--problem=events", file.name)
                self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1), said)
                self.assertIn(said, done.stderr)

    def test_witnesses_are_those_of_the_figures(self):
        for name, expected in (("bl94-fig14-call", "P-A P-B B-A C-EXIT"), ("bl94-fig16", "A-B A-C B-D B-E"),
                               ("bl94-fig22", "A-Q B-Q C-R R-EXIT"), ("trace-order-matters", "p-b j-x j-y")):
            file = "%s/%s.dot" % (VECTORS, name)
            found = json.loads(self.succeed("--problem=trace", "--json", file))["witnesses"]
            self.assertEqual(["%(from)s-%(to)s" % witness for witness in found], expected.split(), name)
        self.assertEqual(self.last_line("--problem=trace", VECTORS + "/bl94-fig16.dot"),
                         "cost 6, 4 witnesses with 2 codes on 10 edges; every branch would cost 6")

    def test_executions_are_told_from_their_codes(self):
        """Figure 14, whose witnesses t, u and v stand in the file; and the run that its variant states."""
        alone = read_vector("bl94-fig14").replace("entry=P;", "entry=P; trace=alone;")
        for text, vertices, taken in (
                (alone, "P A C P B A C P B C EXIT", "P-A B-A B-C"),
                (read_vector("bl94-fig14-call"), "P A C P B C P B A C EXIT", "P-A P-B P-B B-A C-EXIT")):
            with graph_file(text) as file:
                found = json.loads(self.succeed("--problem=trace", "--json", file.name))["witnesses"]
                codes = {"%(from)s-%(to)s" % witness: witness["code"] for witness in found}
                sequence = ",".join(str(codes[edge]) for edge in taken.split())
                told = ["--problem=trace", "--regenerate=" + sequence, file.name]
                self.assertEqual(self.succeed(*told), vertices + "\n")
                self.assertEqual(json.loads(self.succeed("--json", *told))["vertices"], vertices.split())

    def test_traces_that_cannot_be(self):
        figure = read_vector("bl94-fig14")
        alone = figure.replace("entry=P;", "entry=P; trace=alone;")
        for text, options, said in (
                (figure, [], "between C and the call or end at EXIT"),
                (alone.replace("[witness=t]", ""), [], "on a loop through P"),
                (alone, ["--regenerate=9"], "cannot come next"), (alone, ["--regenerate=1,"], "list of codes"),
                (alone, ["--regenerate=0"], "list of codes"), (alone, ["--regenerate=256"], "list of codes"),
                (alone, ["--regenerate=x"], "list of codes"),
                (alone.replace("alone", "lone"), [], 'trace="lone"'),
                (alone.replace("C -> P", "EXIT -> P"), [], "leaves the exit")):
            with graph_file(text) as file:
                done = plan("--problem=trace", *options, file.name)
                self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1), said)
                self.assertIn(said, done.stderr)

    def test_last_lines_for_interesting_paths(self):
        self.assertEqual(self.last_line("--problem=select", "--interesting=1,7", VECTORS + "/spp02-fig5.dot"),
                         "3 probes for 2 of 9 paths; 4 for all of them")
        self.assertEqual(self.last_line("--problem=prefer", "--interesting=0,1,5",
                                        VECTORS + "/ppp07-fig3-4.dot"),
                         "delta 1 for 3 of 6 paths, sums 0 to 2; as published 1, optimum 1")

    def test_interesting_paths_that_cannot_be(self):
        for paths, text in (("6", "6 paths"), ("0,0", "path 0 is named twice"), ("", "names no path"),
                            ("1,s-a-c-t", "path 1 is named twice"), ("s-t", "from s straight to t"),
                            ("0,s-x", "no vertex 'x'"), (",", "names no path"), ("-", "6 paths")):
            for problem in "select", "prefer":
                done = plan("--problem=" + problem, "--interesting=" + paths,
                            VECTORS + "/ppp07-fig3-4.dot")
                self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1))
                self.assertIn(text, done.stderr)

    def test_options_that_do_not_go_together(self):
        for options, text in ((["--problem=select"], "needs --interesting"),
                              (["--problem=prefer"], "needs --interesting"),
                              (["--interesting=0"], "goes with"), (["--path=0"], "goes with"),
                              (["--problem=paths", "--interesting=0"], "goes with"),
                              (["--problem=events", "--path=0"], "goes with"),
                              (["--problem=events", "--dot"], "--problem=events"),
                              (["--problem=edges", "--regenerate=1"], "goes with"),
                              (["--compare", "--regenerate=1"], "--compare"),
                              (["--compare", "--interesting=0"], "--compare"),
                              (["--compare", "--path=0"], "--compare"),
                              (["--problem=select", "--interesting=0", "--dot"], "--problem=select")):
            done = plan(*options, VECTORS + "/ppp07-fig3-4.dot")
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1))
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
