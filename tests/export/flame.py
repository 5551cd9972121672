#!/usr/bin/env python3
"""The picture of `waymark flame`: read as XML, and used in a browser as a person would.

usage: flame.py --waymark=PATH [unittest arguments]

The numbers of the programs are reckoned by hand (run.py).
"""
import collections
import json
import os
import pathlib
import re
import sys
import unittest
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "..", "end_to_end"), os.path.join(HERE, "..", "page")]

import browser
import cases
import harness
import run

SVG = "{http://www.w3.org/2000/svg}"
HEAD, ROW = 66, 17
# The names of functions as the linker has them, of a program that calls each once and the last twice.
HOSTILE = ["</title><script>alert(1)</script>", "]]>&amp;\"'", "a b\tc%s", "naïve·λ", "c\x01\xff", "last"]
SHOWN = [name.replace("\x01\xff", "\ufffd\ufffd") for name in HOSTILE]  # what XML cannot hold
HOSTILE_PROGRAM = "".join(
    '__attribute__((noinline)) int f%d(int x) __asm__("%s");\nint f%d(int x) { return x %% 7 ? x + %d : %d; }\n' %
    (i, name.replace('"', '\\"').replace("\t", "\\t").replace("\x01\xff", "\\001\\377"), i, i, i + 3) for i, name in enumerate(HOSTILE)) + \
    "int main(int argc, char **argv) { return (%s + f5(argc + 9)) * !argv; }\n" % \
    " + ".join("f%d(argc)" % i for i in range(len(HOSTILE)))


Box = collections.namedtuple("Box", "name start total own depth x width y title")


def read_boxes(text):
    """The boxes, by what is written for people (titles and places) and for the script."""
    root = xml.etree.ElementTree.fromstring(text)
    found = []
    for box in root.iter(SVG + "svg"):
        if "box" not in box.get("class", "").split():
            continue
        number = {key: int(box.get("data-" + key)) for key in ("from", "total", "own", "depth")}
        found.append(Box(box.find(SVG + "text").text, *number.values(), float(box.get("x")[:-1]),
                         float(box.get("width")[:-1]), int(box.get("y")), box.find(SVG + "title").text))
    return root, found


def stacks_of(boxes):
    """Own costs by chain; chains are found by the places of boxes."""
    stacks = {}
    for box in boxes:
        chain = [below.name for below in sorted(boxes, key=lambda each: each.depth)
                 if 0 < below.depth <= box.depth and below.start <= box.start < below.start + below.total]
        if box.own:
            stacks[tuple(chain)] = box.own
    return stacks


class Case(cases.Case):
    def build(self, text, *words, name="program.c"):
        self.write(name, text)
        if os.path.exists(self.path("p.wmk")):
            os.remove(self.path("p.wmk"))
        self.succeed("c++" if name.endswith("pp") else "cc", "-O1", "-g", *words, name, "-o", "program")
        harness.run([self.path("program")], self.directory, {"WAYMARK_FILE": "p.wmk"})

    def flame(self, *words):
        self.assertEqual(self.succeed("flame", "-o", "out.svg", *words, "p.wmk"), "")
        return read_boxes(self.read("out.svg").decode())


class Flame(Case):
    def test_boxes_are_the_calls(self):
        for mode in ("context", "edges+context"):
            self.build(run.PROGRAM, "--profile=" + mode)
            root, boxes = self.flame()
            self.assertEqual(stacks_of(boxes), dict(run.STACKS))
            deepest = max(box.depth for box in boxes)
            self.assertEqual(float(root.get("height")), HEAD + (deepest + 1) * ROW)
            for box in boxes:
                self.assertAlmostEqual(box.x, 100 * box.start / run.TOTAL, 5)
                self.assertAlmostEqual(box.width, 100 * box.total / run.TOTAL, 5)
                self.assertEqual(box.y, HEAD + (deepest - box.depth) * ROW)
                match = re.match(r"(.*): ([\d,]+) calls, ([\d.]+)%; itself ([\d,]+)( \(inlined\))?(\n.*)?\Z", box.title)
                self.assertEqual((match[1], int(match[2]), int(match[4])), (box.name, box.total, box.own))
                self.assertAlmostEqual(float(match[3]), box.width, 1)
                self.assertEqual(bool(match[5]), box.name == "middle")
            by_name = {box.name: box for box in boxes if box.name != "leaf"}
            self.assertEqual({name: by_name[name].total for name in by_name},
                             {"all": run.TOTAL, "main": run.TOTAL, "fib": run.FIB_10, "outer": 78,
                              "middle": 12, "compare": 3})
            self.assertTrue(by_name["outer"].title.endswith("program.c:9"), by_name["outer"].title)

    def test_boxes_are_the_instructions(self):
        """In the program the work of a call is the same in all contexts of a function."""
        self.build(run.PROGRAM, "--profile=edges+context")
        functions = {each["name"]: each for each in json.loads(self.succeed("report", "--json", "p.wmk"))["functions"]}
        work = {stack: calls * functions[stack[-1]]["instructions"] // functions[stack[-1]]["entry_count"]
                for stack, calls in run.STACKS.items()}
        self.assertEqual(stacks_of(self.flame("--by=instructions", "--min=0%")[1]), work)
        self.assertEqual(sum(work.values()), sum(each["instructions"] for each in functions.values()))

    def test_children_are_inside_and_side_by_side(self):
        self.build(run.PROGRAM, "--profile=context")
        boxes = self.flame()[1]
        for depth in range(1, max(box.depth for box in boxes) + 1):
            row = sorted((box for box in boxes if box.depth == depth), key=lambda box: box.start)
            for left, right in zip(row, row[1:]):
                self.assertLessEqual(left.start + left.total, right.start)
            for box in row:
                self.assertEqual(1, sum(below.depth == depth - 1 and below.start <= box.start and
                                        box.start + box.total <= below.start + below.total for below in boxes))

    def test_small_ones_are_left_out_and_counted(self):
        self.build(run.PROGRAM, "--profile=context")
        root, boxes = self.flame("--min=10%")
        # Left out: leaf of main (3 of 174), middle (12) with its leaf (12), compare (3) with its leaf (2).
        self.assertEqual({box.name for box in boxes}, {"all", "main", "fib", "outer", "leaf"})
        self.assertTrue(all(box.total >= run.TOTAL / 10 for box in boxes))
        note = next(text.text for text in root.iter(SVG + "text") if text.get("id") == "note")
        self.assertEqual(note, "%d calls; 5 stacks with less than 10%% are not drawn" % run.TOTAL)

    def test_names_are_text(self):
        self.build(HOSTILE_PROGRAM, "--profile=context")
        root, boxes = self.flame("--min=0%")
        self.assertEqual({box.name: box.own for box in boxes if box.depth == 2},
                         {name: 1 + (name == "last") for name in SHOWN})
        self.assertEqual(len(list(root.iter(SVG + "script"))), 1)
        self.assertEqual(self.read("out.svg").count(b"alert(1)</script>"), 0)

    def test_names_are_those_of_the_source(self):
        self.build(run.TEMPLATES, "--profile=context", name="program.cpp")
        boxes = self.flame()[1]
        self.assertEqual(stacks_of(boxes), {("main",): 1, ("main", run.OPERATOR): 1,
                                            ("main", run.OPERATOR, run.GET): 2, ("main", run.GET): 1})

    def test_output(self):
        self.build(run.PROGRAM, "--profile=context")
        self.succeed("flame", "p.wmk")
        self.assertEqual(self.read("program.svg").decode(), self.succeed("flame", "-o", "-", "p.wmk"))

    def test_refusals(self):
        self.build(run.PROGRAM, "--profile=edges+context")
        self.assert_one_line_refusal(["flame", "--by=time", "p.wmk"], "flame: --by='time'", "calls")
        self.assert_one_line_refusal(["flame", "--min=2", "p.wmk"], "flame: --min='2'", "0.1%")
        self.assert_one_line_refusal(["flame", "-o", "no/out.svg", "p.wmk"], "no/out.svg")
        self.assert_one_line_refusal(["flame", "absent.wmk"], "absent.wmk")
        self.build(run.PROGRAM, "--profile=context")
        self.assert_one_line_refusal(["flame", "--by=instructions", "p.wmk"], "instructions", "by context")
        self.build(run.PROGRAM, "--profile=edges")
        self.assert_one_line_refusal(["flame", "p.wmk"], "p.wmk", "edges+context")


@unittest.skipUnless(browser.is_there(), "chromium-driver is not installed")
class InABrowser(Case):
    def setUp(self):
        super().setUp()
        self.browser = browser.Browser()
        self.addCleanup(self.browser.close)

    def open(self, *words):
        self.flame(*words)
        self.browser.call("POST", self.browser.base + "/url",
                          {"url": pathlib.Path(self.path("out.svg")).as_uri()})
        self.browser.wait("return document.querySelector('input')")

    def shown(self):
        """Boxes that can be seen: name and part of the window."""
        return self.browser.run("""return [...document.querySelectorAll('.box')]
            .filter(box => getComputedStyle(box).display !== 'none').map(box =>
                [box.querySelector('text').textContent,
                 Math.round(1000 * box.querySelector('rect').getBoundingClientRect().width / innerWidth)])""")

    def click(self, name):
        index = self.browser.run("""return [...document.querySelectorAll('.box')].findIndex(box =>
            box.querySelector('text').textContent === arguments[0])""", name)
        self.browser.click(".box > rect", index)

    def test_zoom_and_search(self):
        self.build(run.PROGRAM, "--profile=context")
        self.open()
        at_first = self.shown()
        self.assertEqual(dict(at_first)["outer"], round(1000 * 78 / run.TOTAL))
        self.click("outer")
        self.assertEqual(sorted(self.shown()), sorted([
            ["all", 1000], ["main", 1000], ["outer", 1000], ["middle", round(12000 / 78)],
            ["leaf", round(12000 / 78)], ["leaf", round(60000 / 78)]]))
        self.click("middle")
        self.assertEqual(dict(self.shown())["leaf"], 1000)
        self.click("all")
        self.assertEqual(self.shown(), at_first)
        self.browser.type("/LEA")
        note = "return document.getElementById('note').textContent"
        self.assertEqual(self.browser.run(note), "4 found, with 77 of %d (%.1f%%)" %
                         (run.TOTAL, 7700 / run.TOTAL))
        self.browser.type("\ue00c")
        self.assertEqual(self.browser.run(note), "%d calls" % run.TOTAL)
        self.assertEqual(self.browser.errors(), [])

    def test_hostile_names_do_nothing(self):
        self.build(HOSTILE_PROGRAM, "--profile=context")
        self.open()
        self.assertEqual({name for name, _ in self.shown()}, {*SHOWN, "all", "main"})
        self.assertEqual(self.browser.errors(), [])


if __name__ == "__main__":
    cases.main("__main__")
