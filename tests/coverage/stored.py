#!/usr/bin/env python3
"""A store of runs says the same of tests and field as the runs' profiles do.

usage: stored.py --waymark=PATH [unittest arguments]
"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "end_to_end"))

import cases

PROGRAM = """#include <stdlib.h>
volatile int sum;
__attribute__((noinline)) void look(int bits)
{
	if (bits & 1)
		sum++;
	if (bits & 2)
		sum += 2;
	if (bits & 4)
		sum += 3;
}
int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		look(atoi(argv[i]));
	return 0;
}
"""
TESTS = (("none", [0]), ("two", [3, 1]), ("two", [3]), ("all", [7]))
FIELD = [6, 0, 3, 4]


class Stored(cases.Case):
    def setUp(self):
        super().setUp()
        self.write("program.c", PROGRAM)
        self.succeed("cc", "-O2", "-g", "--at=early", "program.c", "-o", "program")
        os.mkdir(self.path("t"))
        for number, (label, words) in enumerate(TESTS):
            self.execute("./program", *map(str, words), environment={"WAYMARK_FILE": "t/%d-%s.wmk" % (number, label)})
            self.succeed("run", "--store=all.db", "--label=" + label, "--", "./program", *map(str, words))
        self.execute("./program", *map(str, FIELD), environment={"WAYMARK_FILE": "field.wmk"})
        self.succeed("run", "--store=all.db", "--label=customer", "--kind=field", "--", "./program", *map(str, FIELD))

    def json(self, *words):
        return json.loads(self.succeed(*words))

    def test_cover(self):
        stored, filed = self.json("cover", "--json", "--by-test", "all.db"), self.json("cover", "--json", "t")
        for key in ("runs", "samples", "totals", "covered_paths", "paths_in_one_sample", "files", "functions"):
            self.assertEqual(stored[key], filed[key], key)
        # Of the three branches none went to yes, two of them, and all.
        self.assertEqual([(test["test"], test["outcomes"]) for test in stored["tests"]],
                         [("all", 5), ("none", 5), ("two", 6)])

    def test_residual(self):
        def untested(*words):
            return [(path["name"], path["kind"], path["count"], path["departure"] and path["departure"]["tests_so_far"])
                    for path in self.json("residual", "--json", *words)["untested"]]
        stored = untested("--tested=all.db", "all.db")
        self.assertEqual([row[:3] for row in stored], [row[:3] for row in untested("--tested=t", "field.wmk")])
        self.assertEqual(len([row for row in stored if row[0].startswith("look:")]), 2)
        self.assertEqual(stored, untested("--tested=all.db", "field.wmk"))
        self.assertLessEqual({label for row in stored for label in row[3] or []}, {"none", "two", "all"})

    def test_machines(self):
        """A path of two machines comes before a more frequent one of a single machine."""
        import sqlite3
        for host, words in (("one", [6]), ("two", [6]), ("one", [4, 4, 4, 4, 4]), ("one", [4])):
            self.succeed("run", "--store=hosts.db", "--label=x", "--kind=field", "--", "./program", *map(str, words))
            with sqlite3.connect(self.path("hosts.db")) as store:
                store.execute("UPDATE run SET host = ? WHERE id = (SELECT max(id) FROM run)", (host,))
        document = self.json("residual", "--json", "--tested=t", "hosts.db")
        self.assertEqual(document["field"]["machines"], 2)
        rows = [(path["machines"], path["runs"], path["count"]) for path in document["untested"]
                if path["function"] == "look"]
        self.assertEqual(rows, [(2, 2, 2), (1, 2, 6)])

    def test_saved_sets_and_exports(self):
        self.succeed("paths", "--save=a.wmp", "all.db")
        self.succeed("paths", "--save=b.wmp", "t")
        self.assertEqual(self.read("a.wmp").splitlines()[2:], self.read("b.wmp").splitlines()[2:])
        info = self.succeed("export", "--to=lcov", "all.db")
        self.assertEqual([line for line in info.splitlines() if line.startswith("TN:")], ["TN:all", "TN:none", "TN:two"])

    def test_bad_input(self):
        self.write("no.db", "nothing")
        self.assert_one_line_refusal(["cover", "no.db"], "no.db")
        self.assert_one_line_refusal(["cover", "gone.db"], "gone.db")
        self.succeed("run", "--store=field.db", "--kind=field", "--", "./program", "1")
        # A reader of a store may leave files of SQLite beside it.
        status, out, err = self.call("cover", "field.db")
        self.assertEqual((status, out, err.count("\n")), (1, "", 1))
        self.assertIn("field.db has no runs of kind test", err)


if __name__ == "__main__":
    cases.main(__name__)
