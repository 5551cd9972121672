#!/usr/bin/env python3
"""`waymark report --metric`: hot, dense, sparse and cold, reckoned by hand.

usage: costs.py --waymark=PATH [unittest arguments]
"""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "end_to_end"))

import cases

# Of 100,000 in all, `slow` has 90,000 in a tenth of the calls of `often`, which has 9,500 although it does most of the
# work; `rare` and main have the rest. The arms of slow's branch have 81,000 and 9,000.
PROGRAM = """volatile unsigned long cost, other;
static volatile int work;
#define APART __attribute__((noinline))
APART void slow(int i) { if (i % 10) cost += 900; else cost += 900; }
APART void often(int i) { work += i; work += i; work += i; work += i; work += i; work += i; work += i; cost += 10; }
APART void rare(void) { cost += 400; }
int main(void)
{
	for (int i = 0; i < 100; i++) slow(i);
	for (int i = 0; i < 950; i++) often(i);
	rare();
	cost += 100;
	return 0;
}
"""


class Costs(cases.Case):
    def setUp(self):
        super().setUp()
        self.write("p.c", PROGRAM)
        self.succeed("cc", "-O0", "-g", "--profile=paths+metric:user:cost,user:other", "--file=p.wmk", "p.c", "-o", "p")
        self.assertEqual(self.execute("./p"), (0, "", ""))

    def read(self, *words):
        return json.loads(self.succeed("report", "--json", *words, "p.wmk"))

    def test_classes(self):
        got = self.read("--metric=user:cost")
        self.assertEqual(got["cost"], 100000)
        rows = {row["function"]: (row["class"], row["cost"]) for row in got["functions"]}
        self.assertEqual(rows, {"slow": ("dense", 90000), "often": ("sparse", 9500), "rare": ("cold", 400),
                                "main": ("cold", 100)})
        self.assertEqual([(row["function"], row["class"], row["cost"], row["count"]) for row in got["paths"][:4]],
                         [("slow", "dense", 81000, 90), ("often", "sparse", 9500, 950), ("slow", "dense", 9000, 10),
                          ("rare", "cold", 400, 1)])
        self.assertEqual([got["path_classes"][name]["cost"] for name in ("dense", "sparse", "cold")], [90000, 9500, 500])
        self.assertEqual([got["path_classes"][name]["number"] for name in ("dense", "sparse")], [2, 1])
        self.assertEqual(got["function_classes"]["dense"]["paths"], 2)
        # slow's two paths: of their blocks two lie on both and one on one; the path of often has one block.
        self.assertAlmostEqual(got["paths_of_hot_block"], 11 / 7)

    def test_limit(self):
        classes = self.read("--metric=user:cost", "--hot=0.4%")["function_classes"]
        self.assertEqual(classes["dense"]["number"], 2)
        self.assertEqual(classes["cold"]["cost"], 100)
        self.assertEqual(self.read("--metric=user:cost", "--hot=95%")["function_classes"]["cold"]["number"], 4)

    def test_for_people(self):
        text = self.succeed("report", "--metric=user:cost", "p.wmk")
        self.assertIn("p: 100,000 user:cost along ", text)
        self.assertRegex(text, r"(?m)^ *81\.0% +[0-9.]+ +900 +90 +slow#\d+ ")
        self.assertRegex(text, r"(?m)^ *dense +2 .* 90\.0%$")

    def test_a_metric_of_zero(self):
        self.assertEqual(self.read("--metric=user:other")["function_classes"]["cold"]["number"], 4)
        self.assertIn("0 user:other", self.succeed("report", "--metric", "user:other", "p.wmk"))

    def refuse(self, status, text, *words):
        got = self.call("report", *words)
        self.assertEqual((got[0], got[1]), (status, ""))
        self.assertRegex(got[2], r"\Awaymark: [^\n]*%s[^\n]*\n\Z" % text)

    def test_bad_words(self):
        self.refuse(1, "it has user:cost, user:other", "--metric=tsc", "p.wmk")
        self.refuse(2, "is no share", "--metric=user:cost", "--hot=many", "p.wmk")
        self.build_hello()
        self.refuse(1, r"no metric was read .* --profile=paths\+metric:tsc", "--metric=tsc", "hello")


if __name__ == "__main__":
    Costs.waymark = cases.take_waymark()
    cases.unittest.main()
