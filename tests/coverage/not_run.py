#!/usr/bin/env python3
"""Paths that never ran, and sets of paths that outlive a build.

Which paths a program has and which ran is worked out here, from its text and its input.

usage: not_run.py --waymark=PATH [unittest arguments]
"""
import itertools
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "end_to_end"))

import cases


def switches(count):
    """A function of that many branches in a row, the first on line 3; each asks for a bit."""
    return ("#include <stdlib.h>\n__attribute__((noinline)) int look(long number, int sum)\n{" +
            "".join("\tif (number & %dL) sum += %d;\n" % (1 << k, k + 3) for k in range(count)) +
            "\treturn sum;\n}\n"
            "int main(int argc, char **argv)\n{\n\tint sum = 0;\n\tfor (int i = 1; i < argc; i++)\n"
            "\t\tsum += look(atol(argv[i]), sum);\n\treturn sum == -1;\n}\n")


def decisions(path):
    return tuple(step["outcome"] == "yes" for step in path["steps"])


def bits(number, count):
    return tuple(bool(number >> k & 1) for k in range(count))


class NotRun(cases.Case):
    def build(self, count, name="program", *options):
        self.write("program.c", switches(count))
        self.succeed("cc", "-O0", "-g", *options, "program.c", "-o", name)

    def run_on(self, numbers, profile="a.wmk", name="program"):
        self.execute("./" + name, *map(str, numbers), environment={"WAYMARK_FILE": profile})

    def not_run(self, *words):
        document = json.loads(self.succeed("paths", "--not-run", "--json", "--top=100000", "look", *words))
        return document["functions"][0]

    def test_each_path(self):
        """Of three branches in a row, exactly the other combinations; the nearest path is one that ran and
        shares the longest beginning."""
        numbers = [0, 3, 3, 7]
        self.build(3)
        self.run_on(numbers)
        found = self.not_run("a.wmk")
        ran = {bits(number, 3) for number in numbers}
        all_paths = set(itertools.product((False, True), repeat=3))
        listed = [decisions(path) for path in found["paths"]]
        self.assertEqual(len(listed), len(set(listed)))
        self.assertEqual(set(listed), all_paths - ran)
        self.assertEqual((found["complete_paths"], found["paths_not_run"]), (8, 8 - len(ran)))
        came = []
        for path in found["paths"]:
            own = decisions(path)
            shared = max(next((k for k in range(3) if own[k] != other[k]), 3) for other in ran)
            near = decisions(path["nearest"])
            self.assertIn(near, ran)
            self.assertEqual(near[:shared], own[:shared])
            self.assertNotEqual(near[shared], own[shared])
            self.assertEqual(path["nearest"]["count"], sum(bits(n, 3) == near for n in numbers))
            came.append(path["came_so_far"])
            self.assertEqual(came[-1], sum(bits(n, 3)[:shared] == own[:shared] for n in numbers))
        self.assertEqual(came, sorted(came, reverse=True))

    def test_text(self):
        self.build(3)
        self.run_on([0, 3, 7])
        text = self.succeed("paths", "--not-run", "--top=2", "look", "a.wmk")
        self.assertIn("look (program.c:2): 5 of 8 complete paths never ran\n", text)
        self.assertIn("3 more; --top=N shows N rows", text)
        self.assertEqual(len(re.findall(r"nearest: look#\d+, with \d+ if \(number & \dL\) → (?:yes|no)\n",
                                        text.replace("\n" + " " * 19, " "))), 2, text)

    def test_all_ran(self):
        self.build(2)
        self.run_on(range(4))
        found = self.not_run("a.wmk")
        self.assertEqual((found["paths_not_run"], found["paths"]), (0, []))
        self.assertIn("0 of 4 complete paths never ran", self.succeed("paths", "--not-run", "look", "a.wmk"))

    def test_never_entered(self):
        self.build(2)
        self.run_on([])
        found = self.not_run("a.wmk")
        self.assertEqual(found["paths_not_run"], 4)
        self.assertEqual(len({decisions(path) for path in found["paths"]}), 4)
        self.assertEqual({path["nearest"] for path in found["paths"]}, {None})

    def test_more_than_anybody_lists(self):
        """A row for each departure; together they stand for all 2^20 paths but those that ran. Cuts of the
        default build would end the paths."""
        numbers = [0, 1 << 7, (1 << 20) - 1]
        self.build(20, "program", "--paths=classic")
        self.run_on(numbers)
        found = self.not_run("a.wmk")
        self.assertEqual((found["complete_paths"], found["paths_not_run"]), (1 << 20, (1 << 20) - 3))
        self.assertEqual(sum(1 + path["others"] for path in found["paths"]), (1 << 20) - 3)
        ran = [bits(number, 20) for number in numbers]
        departures = {tuple(prefix[:k]) + (not prefix[k],) for prefix in ran for k in range(20)}
        departures = {d for d in departures if all(other[:len(d)] != d for other in ran)}
        self.assertEqual(len(found["paths"]), len(departures))
        for path in found["paths"]:
            (own,) = [d for d in departures if decisions(path)[:len(d)] == d]
            departures.remove(own)
            self.assertEqual(path["others"] + 1, 1 << (20 - len(own)))
        self.assertIn("Each row stands for all that leave what ran at the same place",
                      self.succeed("paths", "--not-run", "look", "a.wmk"))

    def test_calls_that_do_not_come_back(self):
        """A path that is left early is no aim of a test."""
        self.write("left.c", "#include <stdlib.h>\nvoid (*leave)(int) = exit;\n__attribute__((noinline)) int look(int n)\n"
                   "{\n\tif (n > 1)\n\t\tleave(0);\n\treturn n;\n}\n"
                   "int main(int argc, char **argv) { return look(argc); }\n")
        self.succeed("cc", "-O0", "-g", "left.c", "-o", "left")
        self.execute("./left", "more", environment={"WAYMARK_FILE": "b.wmk"})
        found = self.not_run("b.wmk")
        self.assertEqual((found["complete_paths"], found["paths_not_run"]), (2, 2))
        self.assertEqual({decisions(path) for path in found["paths"]}, {(True,), (False,)})

    def test_selected(self):
        self.build(2, "program", "--select=look#0")
        self.run_on([0])
        self.assert_one_line_refusal(("paths", "--not-run", "look", "a.wmk"), "only selected paths of look")

    def ids(self, profile):
        document = json.loads(self.succeed("paths", "--json", "look", profile))
        return {path["id"]: path["count"] for path in document["functions"][0]["paths"]}

    def test_saved_sets(self):
        """A set names the same paths wherever PATHS are taken; sets of several profiles are one."""
        self.build(3)
        self.run_on([0, 3], "a.wmk")
        self.run_on([5], "b.wmk")
        self.succeed("paths", "--save=a.wmp", "a.wmk")
        self.succeed("paths", "--save=both.wmp", "a.wmk", "b.wmk")
        self.succeed("paths", "--save=joined.wmp", "a.wmp", "@both.wmp")
        with open(self.path("both.wmp")) as both, \
                open(self.path("joined.wmp")) as joined:
            lines = both.read().splitlines()
            self.assertEqual(lines[0], "waymark paths 1")
            self.assertEqual(lines[2:], joined.read().splitlines()[2:])
        (look,) = [line.split("\t") for line in lines if line.startswith("look\t")]
        self.assertEqual(len(look), 5)
        written = {int(number) for part in look[4].split(",")
                   for number in range(int(part.split("-")[0]), int(part.split("-")[-1]) + 1)}
        self.assertEqual(written, set(self.ids("a.wmk")) | set(self.ids("b.wmk")))
        self.run_on(range(8), "all.wmk")
        picked = json.loads(self.succeed("report", "--json", "--select=@a.wmp", "all.wmk"))
        (function,) = [f for f in picked["functions"] if f["name"] == "look"]
        self.assertEqual({path["id"] for path in function["paths"]}, set(self.ids("a.wmk")))
        # The plug-in reads the set, whatever folder it runs in.
        self.build(3, "chosen", "--select=@a.wmp,function:main")
        self.run_on(range(8), "chosen.wmk", "chosen")
        self.assertEqual(self.ids("chosen.wmk"), {path: 1 for path in self.ids("a.wmk")})

    def test_changed_code_is_not_in_the_set(self):
        self.build(3)
        self.run_on([0, 3])
        self.succeed("paths", "--save=a.wmp", "a.wmk")
        self.write("program.c", switches(3).replace("sum += 4", "sum += 9"))
        self.succeed("cc", "-O0", "-g", "program.c", "-o", "changed")
        self.run_on([0, 3], "changed.wmk", "changed")
        picked = json.loads(self.succeed("report", "--json", "--select=@a.wmp", "changed.wmk"))
        kept = {f["name"]: len(f["paths"]) for f in picked["functions"]}
        self.assertEqual(kept["look"], 0)
        self.assertGreater(kept["main"], 0)

    def test_sets_that_are_none(self):
        self.build(2)
        self.run_on([1])
        self.write("version.wmp", "waymark paths 2\n")
        self.write("other.wmp", "waymark paths 1\nnobody\t/x.c\t48ca490f\t2d7e9705632e432c\t0\n")
        self.write("text.wmp", "hello\n")
        self.write("unsorted.wmp", "waymark paths 1\nb\t/x.c\t48ca490f\t2d7e9705632e432c\t0\n"
                   "a\t/x.c\t48ca490f\t2d7e9705632e432c\t0\n")
        for name, words in (("version", "version.wmp:1: this set of paths is of another version"),
                            ("text", "text.wmp:1: this is no set of paths"),
                            ("unsorted", "unsorted.wmp:3: the functions are not sorted"),
                            ("missing", "cannot read 'missing.wmp'"),
                            ("other", "@other.wmp (none of its functions)")):
            with self.subTest(name=name):
                self.assert_one_line_refusal(("report", "--select=@%s.wmp" % name, "a.wmk"), words)
        self.succeed("cc", "--profile=edges", "program.c", "-o", "edges")
        self.run_on([1], "edges.wmk", "edges")
        self.assert_one_line_refusal(("paths", "--save=no.wmp", "edges.wmk"), "edges.wmk: no paths were counted")


if __name__ == "__main__":
    cases.main(__name__)
