#!/usr/bin/env python3
"""Everything that --json prints is a document of its schema, docs/schemas/KIND.schema.json, and no
member is missing there.

usage: json_schemas.py --waymark=PATH [unittest arguments]
"""
import copy
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "end_to_end"))

import jsonschema

import cases

SCHEMAS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "schemas")
GRAPH = 'digraph { entry="a"; exit="d"; b [events="3 | 4"]; a -> b [weight=2]; b -> d; a -> c; c -> d; b -> c; }'
PROGRAM = """#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) int step(int number)
{
	switch (number % 4) {
	case 0:
		return number > 5 && number < 9 ? 1 : 2;
	case 1:
		return 3;
	default:
		if (number > 90)
			exit(0);
		return 4;
	}
}
int main(int argc, char **argv)
{
	int sum = 0;
	for (int i = 0; i < 10 * argc; i++)
		sum += step(i);
	printf("%d\\n", sum);
	return argc > 100;
}
"""


def closed(schema):
    """The schema where no member is allowed that it does not name."""
    schema = copy.deepcopy(schema)

    def close(part):
        if isinstance(part, dict):
            if "properties" in part:
                part["additionalProperties"] = False
            for value in part.values():
                close(value)
        elif isinstance(part, list):
            for value in part:
                close(value)

    close(schema)
    return schema


def read_schema(name):
    with open(os.path.join(SCHEMAS, name + ".schema.json")) as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(closed(schema))


class Schemas(cases.Case):
    def build(self, name, *words):
        self.write("program.c", PROGRAM)
        self.succeed("cc", "-g", "-O1", *words, "program.c", "-o", name)
        for profile, count in (("one", 1), ("two", 12)):
            self.execute("./" + name, *["word"] * (count - 1),
                         environment={"WAYMARK_FILE": "%s-%s.wmk" % (name, profile)})

    def assert_valid(self, name, *words):
        """Returns the document."""
        document = json.loads(self.succeed(*words))
        read_schema(name).validate(document)
        return document

    def test_calls_in_all(self):
        self.build("calls", "--profile=events", "--events=instructions,calls", "--inclusive")
        found = self.assert_valid("counts", "count", "--json", "calls-two.wmk")["inclusive"]
        self.assertIn((92, 91), {(call["calls"], call["came_back"]) for call in found})

    def test_profiles(self):
        for name, words in (("all", []), ("edges", ["--profile=edges"]), ("early", ["--at=early"]),
                            ("blocks", ["--profile=blocks", "--placement=vertex"]),
                            ("some", ["--select=function:step"]), ("bare", ["-g0"])):
            with self.subTest(name=name):
                self.build(name, *words)
                one, two = name + "-one.wmk", name + "-two.wmk"
                self.assert_valid("report", "report", "--json", two)
                self.assert_valid("diff", "diff", "--json", one, two)
                self.assert_valid("counts", "count", "--json", "--events=instructions,calls:exit,loads", two)
                if name not in ("some", "bare"):
                    self.assert_valid("cover", "cover", "--json", "--by-test", one, two)
                    self.assert_valid("annotate", "annotate", "--json", two, "program.c")
                if name not in ("edges", "blocks", "some"):
                    self.assert_valid("correlated", "report", "--correlated", "--json", two)
                    self.assert_valid("superblocks", "report", "--superblocks", "--json", two)
                if name not in ("edges", "blocks"):
                    self.assert_valid("paths", "paths", "--json", "step", two)
                    if name != "some":
                        self.assert_valid("residual", "residual", "--json", "--tested=" + one, two)
                        self.assert_valid("not-run", "paths", "--not-run", "--json", "step", one)
                    for number in range(3):
                        self.assert_valid("path", "path", "--json", "step#%d" % number, two)
                if name == "all":
                    self.assert_valid("compare", "plan", "--compare", "--json", two)
        self.assert_valid("diff", "diff", "--json", "edges-one.wmk", "all-two.wmk")

    def test_metrics(self):
        self.build("metered", "--profile=paths+metric:tsc,user:none")
        for name in "one", "two":
            document = self.assert_valid("report", "report", "--json", "metered-%s.wmk" % name)
            self.assertTrue(any("cost" in path for f in document["functions"] for path in f["paths"]))
            self.assert_valid("costs", "report", "--json", "--metric=tsc", "metered-%s.wmk" % name)

    def test_sentinels(self):
        self.build("all")
        self.succeed("paths", "--save=tested.wmp", "all-one.wmk")
        self.build("field", "--residual=@tested.wmp", "--residual-by=sentinel")
        document = self.assert_valid("residual", "residual", "--json", "--tested=tested.wmp", "field-two.wmk")
        self.assertTrue(document["departures"])

    def test_top(self):
        self.build("all")
        whole = self.assert_valid("report", "report", "--json", "all-two.wmk")
        top = self.assert_valid("report", "report", "--json", "--top=1", "all-two.wmk")
        self.assertEqual((whole["functions_left_out"], len(whole["functions"])), (0, 2))
        self.assertEqual((top["functions_left_out"], len(top["functions"])), (1, 1))
        step = next(f for f in whole["functions"] if f["name"] == "step")
        hottest = top["functions"][0]
        self.assertEqual(hottest["instructions"], max(f["instructions"] for f in whole["functions"]))
        self.assertEqual([len(hottest[key]) for key in ("blocks", "edges", "paths")], [1, 1, 1])
        top = self.assert_valid("report", "report", "--json", "--top=2", "all-two.wmk")
        edges = next(f for f in top["functions"] if f["name"] == "step")["edges"]
        self.assertEqual([edge["count"] for edge in edges],
                         sorted((edge["count"] for edge in step["edges"]), reverse=True)[:2])
        paths = self.assert_valid("diff", "diff", "--json", "--top=1", "all-one.wmk", "all-two.wmk")
        self.assertLessEqual(len(paths["paths"]), 1)
        self.assertGreater(len(json.loads(self.succeed(
            "diff", "--json", "all-one.wmk", "all-two.wmk"))["paths"]), 1)

    def test_segments(self):
        self.build("all", "--segments=2:function:*")
        self.assertTrue(self.assert_valid("segments", "segments", "--json", "all-two.wmk")["segments"])

    def test_trees(self):
        self.build("contexts", "--profile=context")
        tree = self.assert_valid("tree", "tree", "--json", "contexts-two.wmk")
        self.assertEqual((len(tree["contexts"]), tree["statistics"]["contexts"]), (2, 2))
        self.assert_valid("tree", "tree", "--json", "--by=function", "contexts-two.wmk")
        self.assertTrue(self.assert_valid("tree-diff", "diff", "--contexts", "--json", "contexts-one.wmk",
                                          "contexts-two.wmk")["changes"])

    def test_plans(self):
        self.write("graph.dot", GRAPH)
        for words in ([], ["--problem=blocks-vertex"], ["--problem=paths"], ["--problem=events"],
                      ["--problem=trace"], ["--problem=trace", "--regenerate=1"],
                      ["--problem=paths", "--path=1"], ["--problem=select", "--interesting=0,2"],
                      ["--problem=prefer", "--interesting=0,2"],
                      ["--problem=select", "--interesting=0", "--path=1"]):
            with self.subTest(words=words):
                self.assert_valid("plan", "plan", "--json", *words, "graph.dot")

    def test_branches(self):
        self.write("some.branches", "begin 100\njcc+ 110 100 n=4 e=2\ncall 110 200 n=2\nret 208 114 n=3\n")
        for words in ([], ["--event=mispredictions"], ["--paths=calls:1", "--top=1"]):
            document = self.assert_valid("hpp", "hpp", "--json", *words, "--read=some.branches")
            self.assertEqual((document["instructions"], document["branches"]), (9, 3))

    def test_stores(self):
        self.build("all")
        self.succeed("store", "add", "s.db", "all-one.wmk", "all-two.wmk", "--outcome=fail:2")
        self.assertEqual(len(self.assert_valid("store", "store", "ls", "s.db", "--json")["labels"]), 2)
        for words in ([], ["--redundant"], ["--covers=step"], ["--changed=program.c"]):
            self.assert_valid("tests", "tests", "--store=s.db", "--json", *words)
        line = self.succeed("watch", "--once", "--store=w.db", ".").splitlines()[0]
        read_schema("watch").validate(json.loads(line))
        self.assert_valid("suspects", "suspects", "--store=s.db", "--json", "--fail=all-one")

    def test_schemas_refuse_other_documents(self):
        self.build("all")
        document = json.loads(self.succeed("report", "--json", "all-two.wmk"))
        for change in ({"version": 2}, {"schema": "diff"}, {"runs": "1"}, {"unheard": 1}):
            with self.assertRaises(jsonschema.ValidationError):
                read_schema("report").validate(dict(document, **change))
        del document["functions"][0]["paths_known"]
        with self.assertRaises(jsonschema.ValidationError):
            read_schema("report").validate(document)


if __name__ == "__main__":
    cases.main("__main__")
