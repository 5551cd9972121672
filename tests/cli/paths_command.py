#!/usr/bin/env python3
"""Paths as users see them, from `waymark report`, `paths`, `path` and `diff`, on a program that ran.

What the program did is worked out here, from its text and input, not taken from the tool.

Usage: paths_command.py WAYMARK
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

WAYMARK = os.path.abspath(sys.argv[1])
PROGRAM = """#include <stdlib.h>
int odd, big;
__attribute__((noinline)) void look(int number)
{
	if (number % 2)
		odd++;
	if (number > 50)
		big++;
	if (number > 1000)
		exit(0);
}
static void unused(void)
{
	odd--;
}
void (*keep)(void) = unused;
int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		look(atoi(argv[i]));
	return 0;
}
"""
METHODS = """
namespace one {
struct Tree {
	int rings = 0;
	int grow(int by);
	int cut();
};
}
namespace two {
int cut(int number);
}
template <class T> __attribute__((noinline)) T twice(T number)
{
	return number > 0 ? number + number : 0;
}
__attribute__((noinline)) int one::Tree::grow(int by)
{
	return by > 0 ? rings += by : rings;
}
__attribute__((noinline)) int one::Tree::cut()
{
	return rings = 0;
}
__attribute__((noinline)) int two::cut(int number)
{
	return number > 0 ? number - 1 : 0;
}
int main()
{
	one::Tree tree;
	return tree.grow(twice(1)) - (int)twice(1L) + two::cut(1) + tree.cut();
}
"""
LETTERS = """static int noted;
__attribute__((noinline)) void note(void)
{
	noted++;
	__asm__ volatile("");
}
__attribute__((noinline)) void scan(const char *text)
{
	for (; *text; text++)
		if (*text > 'm')
			note();
}
__attribute__((noinline)) void pairs(const char *text)
{
	for (; *text; text++)
		for (const char *other = text; *other; other++)
			if (*other > 'm')
				note();
}
int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		scan(argv[i]);
		pairs(argv[i]);
	}
	return 0;
}
"""
MANUAL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs")
NUMBERS = [1, 2, 3, 51, 52, 53, 55, 57, 2000]


def members(value):
    """The names of all members of an object, of those in it, too."""
    if isinstance(value, dict):
        return set(value).union(*map(members, value.values()))
    return set().union(*map(members, value)) if isinstance(value, list) else set()


class Paths(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.write("program.c", PROGRAM)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as out:
            out.write(text)

    def call(self, *arguments):
        return subprocess.run([WAYMARK, *arguments], cwd=self.folder, capture_output=True, text=True,
                              timeout=60, env=dict(os.environ, WAYMARK_CACHE=""))

    def succeed(self, *arguments):
        done = self.call(*arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for line in done.stdout.splitlines():
            if not line.startswith(("{", '"')) and "digraph" not in done.stdout:
                self.assertLessEqual(len(line), 100, line)
        return done.stdout

    def build(self, name="program", *options, source="program.c", compiler="cc"):
        self.succeed(compiler, "--profile=paths", "-O0", "-g", *options, "-o", name, source)

    def run_program(self, profile, numbers, name="program"):
        subprocess.run([os.path.join(self.folder, name), *map(str, numbers)], cwd=self.folder,
                       check=True, env=dict(os.environ, WAYMARK_FILE=profile))
        return profile

    def refuse(self, status, words, *arguments):
        done = self.call(*arguments)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (status, "", 1),
                         done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def paths_of_look(self, profile):
        """(goes through line 6, through line 8, through line 10) -> (count, the JSON object)"""
        found = json.loads(self.succeed("paths", "--json", "--top=100", "look", profile))
        self.assertEqual(len(found["functions"]), 1)
        result = {}
        for path in found["functions"][0]["paths"]:
            one = json.loads(self.succeed("path", "--json", path["name"], profile))["paths"]
            self.assertEqual(len(one), 1)
            self.assertEqual({key: one[0][key] for key in path}, path)
            lines = {line["line"] for line in one[0]["lines"]}
            key = tuple(line in lines for line in (6, 8, 10))
            self.assertNotIn(key, result)
            result[key] = path
        return found["functions"][0], result

    def test_counts_are_what_the_program_did(self):
        self.build()
        profile = self.run_program("a.wmk", NUMBERS)
        function, paths = self.paths_of_look(profile)
        expected = {}
        for number in NUMBERS:
            key = (number % 2 == 1, number > 50, number > 1000)
            expected[key] = expected.get(key, 0) + 1
        self.assertEqual({key: path["count"] for key, path in paths.items()}, expected)
        self.assertEqual(function["executed_paths"], len(expected))
        # Three decisions; no loop, and the last one does not come back to where it was.
        self.assertEqual(function["possible_paths"], 8)
        for key, path in paths.items():
            self.assertEqual(len(path["outcomes"]), 3)
            steps = [(step["line"], step["column"], step["outcome"], step["to_line"]) for step in path["steps"]]
            self.assertEqual(steps, [(line, 6, "yes" if goes else "no", line + 1 if goes else other)
                                     for line, goes, other in zip((5, 7, 9), key, (7, 9, 11))])
            self.assertEqual({step["file"] for step in path["steps"]}, {os.path.join(self.folder, "program.c")})
            for line, goes in zip((5, 7, 9), key):
                self.assertIn("%d:6 → %s" % (line, "yes" if goes else "no"), path["source"])
            self.assertTrue(path["source"].startswith("program.c:"))

    def test_calls_that_never_return(self):
        """Line 10 calls exit: the path is whole, but leads to no return."""
        for options in ((), ("--placement=commit",), ("--paths=classic",), ("--placement=redundant",)):
            self.build("program", *options)
            profile = self.run_program("a.wmk", NUMBERS)
            _, paths = self.paths_of_look(profile)
            for key, path in paths.items():
                self.assertEqual((path["no_return"], path["partial"]), (key[2], False))
                self.assertEqual(path["source"].endswith(", no return"), key[2])
                story = self.succeed("path", path["name"], profile).split("\n\n")[1].splitlines()
                self.assertEqual(story[-1] == "        no return", key[2])
                self.assertTrue(not key[2] or "exit(0);" in story[-2], story)
            self.assertIn(" no return\n", self.succeed("report", profile))
            self.assertIn(" no return\n", self.succeed("paths", "look", profile))
            report = json.loads(self.succeed("report", "--json", profile))
            self.assertEqual({function["name"] for function in report["functions"]
                              for path in function["paths"] if path["no_return"]}, {"look"})
            os.remove(os.path.join(self.folder, profile))

    def count_blocks(self, profile, name):
        report = json.loads(self.succeed("report", "--json", profile))
        return next(len(function["blocks"]) for function in report["functions"]
                    if function["name"] == name)

    def count_paths(self, profile, name):
        found = json.loads(self.succeed("paths", "--json", "--top=1000", name, profile))
        return sum(path["count"] for path in found["functions"][0]["paths"])

    def test_first_turns_of_loops(self):
        """Classic paths count a copy of the loop for its first turn: of the same lines, and with paths that
        end where the loop turns, as they do without."""
        self.write("letters.c", LETTERS)
        words = ["abba", "", "xyz", "a", "banana", "", "x"]
        lengths = [len(word) for word in words]
        # A path ends in each call, and wherever a loop turns once more.
        turns = sum(max(length - 1, 0) for length in lengths)
        inner = sum(rest - 1 for length in lengths for rest in range(1, length + 1))
        blocks = {}
        for level in ("-O2", "-Os"):
            for cuts in ("auto", "classic"):
                self.build("letters", level, "--paths=" + cuts, source="letters.c")
                profile = self.run_program(cuts + level + ".wmk", words, "letters")
                blocks[cuts, level] = self.count_blocks(profile, "scan")
                listed = self.succeed("report", "--lines", "--top=100", profile)
                lines = {text: int(count) for count, text in
                         re.findall(r"(?m)^ *(\d+)  letters\.c:\d+  (\S.*)$", listed)}
                self.assertEqual(lines["if (*text > 'm')"], sum(lengths))
                self.assertEqual(lines["if (*other > 'm')"], inner + sum(lengths))
                entered = (sum(map(bool, words)), sum(lengths)) if cuts == "auto" else (0, 0)
                self.assertEqual(self.count_paths(profile, "scan"), len(words) + turns + entered[0])
                self.assertEqual(self.count_paths(profile, "pairs"),
                                 len(words) + turns + inner + sum(entered))
        self.assertGreater(blocks["classic", "-O2"], blocks["auto", "-O2"])
        self.assertEqual(blocks["classic", "-Os"], blocks["auto", "-Os"])

    def test_report_in_json(self):
        self.build()
        profile = self.run_program("a.wmk", NUMBERS)
        report = json.loads(self.succeed("report", "--json", profile))
        _, paths = self.paths_of_look(profile)
        for function in report["functions"]:
            self.assertTrue(function["paths_known"])
            blocks = [0] * len(function["blocks"])
            edges = {(edge["from"], edge["to"]): 0 for edge in function["edges"]}
            for path in function["paths"]:
                self.assertEqual(set(path), {"id", "count", "blocks", "partial", "no_return", "next", "steps"})
                for block in path["blocks"]:
                    blocks[block] += path["count"]
                steps = path["blocks"] + [path["next"]]
                for edge in zip(steps, steps[1:] if not path["partial"] else steps[1:-1]):
                    edges[edge] += path["count"]
            self.assertEqual(blocks, [block["count"] for block in function["blocks"]])
            self.assertEqual(list(edges.values()), [edge["count"] for edge in function["edges"]])
            if function["name"] == "look":
                self.assertEqual({path["id"]: path["count"] for path in function["paths"]},
                                 {path["id"]: path["count"] for path in paths.values()})
            if function["name"] == "main":
                partial = [path for path in function["paths"] if path["partial"]]
                self.assertEqual(sum(path["count"] for path in partial), 1)
            if function["name"] == "unused":
                self.assertEqual(function["paths"], [])

    def test_report_shows_functions_and_paths(self):
        self.build()
        self.run_program("a.wmk", NUMBERS)
        report = self.succeed("report")
        self.assertLess(report.index("\nFunctions\n"), report.index("\nHot paths"))
        self.assertRegex(report, r"\d+ paths? (is|are) 80% of the run; \d+ ran in all\n")
        self.assertIn("left early, inside a call that did not come back, 1 time in all", report)
        self.assertIn("Hot paths", self.succeed("report", "--paths", "--top=1"))
        self.assertIn(" edges", self.succeed("report", "--edges"))
        names = re.findall(r"\w+#[0-9+]+", report)
        self.assertEqual(len(names), len(re.findall(
            r"\w+:[0-9a-f]{8}:[0-9+]+", self.succeed("report", "--names=full"))))
        self.assertGreaterEqual(len(names), 5)
        for name in names:
            self.assertIn(name + " ran ", self.succeed("path", name))

    def test_names_that_people_type(self):
        """look#ID is the path of that id, look its hottest one, and lo* all functions so called."""
        self.build()
        profile = self.run_program("a.wmk", NUMBERS)
        _, paths = self.paths_of_look(profile)
        for path in paths.values():
            text = self.succeed("path", "look#%d" % path["id"], profile)
            self.assertTrue(text.startswith("look#%d ran %d time" % (path["id"], path["count"])))
        hottest = max(paths.values(), key=lambda path: path["instructions"])
        self.assertIn("look#%d ran " % hottest["id"], self.succeed("path", "look", profile))
        matching = self.succeed("paths", "*", profile)
        for function in ("look", "main", "unused"):
            self.assertIn("\n%s (program.c:" % function, "\n" + matching)
        self.assertNotIn("main", self.succeed("paths", "l?ok", profile))
        self.refuse(1, ["no function 'zz*'"], "paths", "zz*", profile)
        self.refuse(1, ["has 8 paths"], "path", "look#8", profile)
        self.refuse(1, ["no path of unused ran", "unused#0"], "path", "unused", profile)
        self.assertEqual(self.selected_ids("look#%d" % hottest["id"], profile), {hottest["id"]})

    def selected_ids(self, text, profile):
        report = json.loads(self.succeed("report", "--json", "--select=" + text, profile))
        return {path["id"] for function in report["functions"] for path in function["paths"]}

    def test_names_of_methods(self):
        """The last part of a name does where only one function has it."""
        self.write("program.cpp", METHODS)
        self.build("program", source="program.cpp", compiler="c++")
        profile = self.run_program("a.wmk", [])
        self.assertIn("one::Tree::grow (", self.succeed("paths", "grow", profile).replace("(int)", ""))
        self.assertIn("\nA path's name is one::Tree::grow#ID\n", self.succeed("paths", "grow", profile))
        self.assertIn("one::Tree::grow#", self.succeed("path", "Tree::grow", profile))
        self.refuse(1, ["function 'one::Tree::grow(int)' has "], "path", "one::Tree::grow#99", profile)
        self.refuse(1, ["'cut' may be any of one::Tree::cut, two::cut: name one of them"], "paths",
                    "cut", profile)
        self.refuse(1, ["did you mean grow?"], "paths", "gorw", profile)
        self.assertEqual(self.succeed("paths", "*::cut", profile).count("A path's name is"), 2)
        # Without their template arguments twice<int> and twice<long> have one name, and here one shape.
        names = re.findall(r"name is (twice.*)#ID", self.succeed("paths", "twice", profile))
        self.assertEqual(sorted(names), ["twice<int>", "twice<long>"])
        for name in names:
            self.assertIn("%%  %s#0  program.cpp  1 time\n" % name, self.succeed("report", "--paths", profile))
            shown = self.succeed("path", name + "#0", profile)
            self.assertTrue(shown.startswith(name + "#0 ran 1 time"), shown)
            self.assertEqual(shown.count(" of the run\n"), 1)
        self.refuse(1, ["'twice#0' may be any of ", "twice<int>#0", "twice<long>#0", ": name one of them"],
                    "path", "twice#0", profile)
        whole = json.loads(self.succeed("paths", "--json", "twice<int>", profile))["functions"][0]
        self.refuse(1, ["twice<int>#0", "twice<long>#0", ": name one of them"], "path",
                    "twice:%s:0" % whole["cfg_hash"], profile)
        self.assertEqual(self.succeed("paths", "twice<long>", profile).count("A path's name is"), 1)
        # Names that nobody would read are not shown, but offered.
        long = "A" * 70
        self.write("long.cpp", METHODS.replace("int main()", "struct %s { int x; operator int() { return x; } };\n"
                                               "int main()" % long).replace(
            "twice(1L)", "twice(1L) + (int)twice(%s{1}) + (int)twice(%s_{1}) - 4" % (long, long)).replace(
            "T twice(T number)", "int twice(T number)").replace(
            "int main()", "struct %s_ : %s {};\nint main()" % (long, long)))
        self.build("long", "-std=c++17", source="long.cpp", compiler="c++")
        longer = self.run_program("long.wmk", [], "long")
        found = json.loads(self.succeed("paths", "--json", "twice", longer))["functions"]
        whole = [f["paths"][0]["name"] for f in found if long in f["name"]]
        name, = {re.sub(".*?(:.*)", r"twice\1", one) for one in whole}
        self.assertEqual(self.succeed("report", "--paths", longer).count("%%  %s  " % name), len(whole))
        self.assertEqual(len(whole), 2)
        self.refuse(1, whole, "path", name, longer)
        for one in whole:
            self.assertEqual(self.succeed("path", one, longer).count(" of the run\n"), 1)
        ids = self.selected_ids("one::Tree::grow#0,function:two::*", profile)
        self.assertIn(0, ids)
        self.build("selected", "--select=one::Tree::grow#0", source="program.cpp", compiler="c++")

    def test_sets_of_paths(self):
        self.build()
        profile = self.run_program("a.wmk", NUMBERS)
        _, paths = self.paths_of_look(profile)
        every = {path["id"]: key for key, path in paths.items()}

        def selected(text):
            report = json.loads(self.succeed("report", "--json", "--select=" + text, profile))
            others = [f for f in report["functions"] if f["name"] != "look" and f["paths"]]
            look = next(f for f in report["functions"] if f["name"] == "look")
            return {every[path["id"]] for path in look["paths"]}, others

        self.assertEqual(selected("program.c:6&&program.c:8"),
                         ({key for key in paths if key[0] and key[1]}, []))
        self.assertEqual(selected("program.c:10"), ({key for key in paths if key[2]}, []))
        self.assertEqual(selected("function:lo*"), (set(paths), []))
        self.assertEqual(selected(paths[True, True, False]["name"]), ({(True, True, False)}, []))
        self.assertEqual(selected("hot:100%,function:look")[0], set(paths))
        self.assertEqual(len(selected("hot:1%")[0]) + len(selected("hot:1%")[1]), 1)
        done = self.call("report", "--paths", "--select=program.c:6,function:lok", profile)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (0, 1))
        self.assertIn("1 of 2 matched; not matched: function:lok (no such function)", done.stderr)
        self.refuse(1, ["program.c:6&&program.c:14", "no path runs through all"], "report",
                    "--select=program.c:6&&program.c:14", profile)
        self.refuse(2, ["'look' is no set of paths; did you mean function:look?"], "report", "--select=look", profile)

    def test_without_paths_the_report_is_as_before(self):
        self.build("program", "--profile=edges")
        self.run_program("a.wmk", NUMBERS)
        self.assertNotIn("aths", self.succeed("report"))
        self.assertIn("--profile=paths", self.succeed("report", "--paths"))
        report = json.loads(self.succeed("report", "--json"))
        self.assertEqual({(f["paths_known"], len(f["paths"])) for f in report["functions"]},
                         {(False, 0)})
        self.refuse(1, ["look", "--profile=paths"], "paths", "look")

    def test_annotated_path(self):
        self.build()
        profile = self.run_program("a.wmk", NUMBERS)
        _, paths = self.paths_of_look(profile)
        text = self.succeed("path", paths[True, False, False]["name"])
        self.assertIn("ran 2 times", text)
        # Of the nine numbers six are odd, six are above 50, and one is above 1000.
        self.assertEqual(re.findall(r"(?m)^ +(\d+) {2}( *\S.*?)(?: {2,}(\S.*))?$", text.split("program.c\n")[1].split("\n\n")[0]), [
            ("5", "    if (number % 2)", "yes  67%: 6 of 9"), ("6", "        odd++;", ""),
            ("7", "    if (number > 50)", "no   33%: 3 of 9"), ("9", "    if (number > 1000)", "no   89%: 8 of 9"),
            ("11", "}", "")])
        self.assertIn("\n        returns\n", text)
        # Where others went: 2 is even; 51, 53, 55 and 57 are above 50. Nothing of these two is above 1000.
        elsewhere = re.findall(r"(?m)^ +(\d+)  (#.*?)  (\S.*)$", text.split("Instead, from the same start\n")[1])
        more = "" if len([key for key in paths if not key[0]]) == 1 else \
            "and %d more" % (len([key for key in paths if not key[0]]) - 1)
        self.assertEqual([(count, went, name.strip().partition(" ")[2]) for count, name, went in elsewhere], [
            ("3", "5 if (number % 2) → no", more), ("4", "7 if (number > 50) → yes", "")])
        other = self.succeed("path", paths[False, False, False]["name"])
        self.assertRegex(other, r"(?m)^ +5 +if \(number % 2\) +no +33%: 3 of 9$")

    def test_annotated_path_without_its_source(self):
        self.build()
        profile = self.run_program("a.wmk", NUMBERS)
        _, paths = self.paths_of_look(profile)
        source = os.path.join(self.folder, "program.c")
        with open(source, "a") as out:
            out.write("\n")
        done = self.call("path", paths[True, False, False]["name"])
        self.assertEqual((done.returncode, done.stderr.count("\n")), (0, 1))
        self.assertIn("program.c has changed since", done.stderr)
        os.remove(source)
        done = self.call("path", paths[True, False, False]["name"])
        self.assertEqual((done.returncode, done.stderr.count("\n")), (0, 1))
        self.assertIn("program.c': No such file", done.stderr)
        self.assertRegex(done.stdout, r"(?m)^ +6$")

    @unittest.skipUnless(shutil.which("dot"), "Graphviz is not installed")
    def test_drawn_path(self):
        self.build()
        profile = self.run_program("a.wmk", NUMBERS)
        _, paths = self.paths_of_look(profile)
        path = paths[True, True, False]
        text = self.succeed("path", "--dot", path["name"])
        drawn = json.loads(subprocess.run(["dot", "-Tjson0"], input=text, capture_output=True,
                                          text=True, check=True).stdout)
        marked = [node["name"] for node in drawn["objects"] if node.get("penwidth")]
        self.assertEqual(sorted(marked), sorted("b%d" % block for block in path["blocks"]))
        names = {node["_gvid"]: node["name"] for node in drawn["objects"]}
        edges = {(names[edge["tail"]], names[edge["head"]]) for edge in drawn["edges"]
                 if edge.get("penwidth")}
        steps = ["b%d" % block for block in path["blocks"]]
        last = (steps[-1], next(node["name"] for node in drawn["objects"]
                                if node["label"] == "exit"))
        self.assertEqual(edges, set(zip(steps, steps[1:])) | {last})

    def test_paths_that_did_not_run(self):
        self.build()
        profile = self.run_program("a.wmk", [1])
        function, paths = self.paths_of_look(profile)
        ran = {path["id"] for path in paths.values()}
        self.assertEqual(len(ran), 1)
        for number in range(function["possible_paths"]):
            name = "look:%s:%d" % (function["cfg_hash"], number)
            times = "ran 1 time," if number in ran else "ran 0 times,"
            self.assertIn(times, self.succeed("path", name))

    def test_pieces_must_follow_each_other(self):
        self.build()
        profile = self.run_program("a.wmk", [1, 2, 3])
        # To the loop and each of its three rounds one path, and one behind it.
        main = json.loads(self.succeed("paths", "--json", "main", profile))["functions"][0]
        name = "main:%s:" % main["cfg_hash"]
        start = next(path for path in main["paths"] if path["blocks"][0] == 0)
        around = next(path for path in main["paths"] if path["count"] == 3)
        done = next(path for path in main["paths"] if path["next"] == -1)
        self.assertIn(" ran at most 1 time: its pieces ran 1 to 3 times,",
                      self.succeed("path", name + "%d+%d" % (start["id"], around["id"])))
        self.assertIn(" ran 1 time,",
                      self.succeed("path", name + "%d+%d" % (start["id"], done["id"])))
        for before, after in ((around, start), (done, around), (start, start)):
            self.refuse(1, ["path %d does not start where path %d ends" %
                            (after["id"], before["id"])],
                        "path", name + "%d+%d" % (before["id"], after["id"]))

    def profile_selected(self):
        """Profiles of all paths of look and of one, and the names of that one and of another."""
        self.build()
        full = self.run_program("a.wmk", NUMBERS)
        _, paths = self.paths_of_look(full)
        chosen, other = paths[True, False, False]["name"], paths[True, True, False]["name"]
        self.build("some", "--select=" + chosen)
        return full, self.run_program("b.wmk", NUMBERS, "some"), chosen, other

    def test_selected_paths(self):
        """A build that counts one path of look: odd numbers up to 50, two of the nine."""
        full, some, chosen, other = self.profile_selected()
        self.assertIn("ran 2 times", self.succeed("path", chosen, some))
        self.assertIn(other + " was not counted: not among the selected paths "
                      "(others of look ran 7 times)\n",
                      self.succeed("path", "--names=full", other, some))
        shown = json.loads(self.succeed("path", "--json", other, some))["paths"][0]
        self.assertFalse(shown["counted"])
        self.assertIn(": 1 of 1 selected path ran, 2 times; others of the 8 possible ran 7 times\n",
                      self.succeed("paths", "look", some))
        for old, new in ((full, some), (some, full)):
            text = self.succeed("diff", old, new)
            self.assertIn("\nthe build of b.wmk counts chosen functions only\n"
                          "in 1 function of b.wmk only selected paths were counted\n", text)
            self.assertIn("\n0 paths appeared, 0 vanished, 0 moved, 1 ran as before\n", text)
            self.assertIn("\n1 function that ran cannot be compared", text)
        self.refuse(1, ["only selected paths were counted", "lines are not known",
                        "`waymark report --paths`"], "annotate", "--file=b.wmk", "program.c")
        for view in ("blocks", "edges", "lines"):
            text = self.succeed("report", "--" + view, some)
            self.assertIn("  %s are not known in 1 function: only selected paths" % view, text)
            self.assertIn("`waymark report --paths`", text)
        self.refuse(1, ["main", "compiled without counters"], "paths", "main", some)

    def test_difference_to_a_build_that_counts_some_functions(self):
        """A function without counters is not gone, and its work is no share of what can be compared."""
        self.build()
        full = self.run_program("a.wmk", NUMBERS)
        self.build("some", "--only=look")
        self.build("hot", "--prefer=function:look")
        for name in ("some", "hot"):
            counted = self.run_program(name + ".wmk", NUMBERS, name)
            for old, new in ((full, counted), (counted, full)):
                text = self.succeed("diff", old, new)
                self.assertNotRegex(text, r"(?m)^ *(gone|new) ")
                self.assertIn("\nthe build of %s counts chosen functions only\n"
                              "100.0%% of the work that can be compared is on the same paths\n"
                              % counted, text)
                self.assertIn("\n1 function that ran cannot be compared: not counted, or only in part, "
                              "by the other build\n", text)
                found = json.loads(self.succeed("diff", "--json", old, new))
                self.assertEqual((found["functions"], found["left_out"], found["overlap"]), ([], 1, 1))
                self.assertEqual((found["old"]["some_functions"], found["new"]["some_functions"]),
                                 (old == counted, new == counted))

    def test_selected_paths_beside_others(self):
        """Of count more paths are selected than have a counter each: it is counted as ever."""
        cases = "".join("\tcase %d:\n\t\tbits = %d;\n\t\tbreak;\n" % (i, i * i) for i in range(300))
        self.write("program.c", PROGRAM.replace("int odd, big;", "int odd, big, bits;").replace(
            "int main(", "void count(int number)\n{\n\tswitch (number) {\n" + cases + "\t}\n}\nint main(").replace(
            "return 0;", "count(5);\n\treturn 0;"))
        self.build("program")
        profile = self.run_program("a.wmk", [1])
        _, paths = self.paths_of_look(profile)
        chosen = paths[True, False, False]["name"]
        done = self.call("cc", "-O0", "-g", "--select=%s,function:count" % chosen, "-o", "program",
                         "program.c")
        self.assertEqual((done.returncode, done.stderr.count("warning: ")), (0, 1), done.stderr)
        self.assertIn("paths of function 'count' are selected, more than 256", done.stderr)
        self.run_program("b.wmk", [1])
        done = self.call("annotate", "--file=b.wmk", "program.c")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (0, 1), done.stderr)
        self.assertIn("in 1 function of", done.stderr)
        self.assertIn("only paths were counted: their lines are left out", done.stderr)
        self.assertEqual(re.findall(r"(?m)^ *1:.*(bits = .*;)$", done.stdout), ["bits = 25;"])
        self.assertEqual(len(re.findall(r"(?m)^ *#####:.*bits = .*;$", done.stdout)), 299)
        self.refuse(1, ["no counts of lines of 'other.c'", "in 1 function only paths"], "annotate",
                    "--file=b.wmk", "other.c")

    def test_members_are_documented(self):
        """Every member of what --json prints stands in the command's manual page."""
        full, some, chosen, other = self.profile_selected()
        self.write("shorter.c", PROGRAM.replace("\tif (number > 50)\n\t\tbig++;\n", ""))
        self.build("shorter", source="shorter.c")
        shorter = self.run_program("c.wmk", NUMBERS, "shorter")
        for words in (["report", full], ["report", some], ["paths", "look", full],
                      ["paths", "look", some], ["path", chosen, some], ["path", other, some],
                      ["diff", full, some], ["diff", full, shorter]):
            page = os.path.join(MANUAL, "waymark-%s.1.scd" % words[0])
            with open(page) as file:
                named = set(re.findall(r"\*([a-z_]+)\*", file.read().replace("\\_", "_")))
            printed = members(json.loads(self.succeed(words[0], "--json", *words[1:])))
            self.assertEqual(printed - named, set(), words[0])

    def test_choice_in_a_report(self):
        self.build()
        profile = self.run_program("a.wmk", NUMBERS)
        report = json.loads(self.succeed("report", "--json", profile))
        ran = sum(path["count"] > 0 for f in report["functions"] for path in f["paths"])
        _, paths = self.paths_of_look(profile)
        text = self.succeed("report", "--paths", "--select=function:look", profile)
        self.assertRegex(text, r"\n  the %d selected paths are \d+\.\d%% of the run, of %d that ran\n"
                         % (len(paths), ran))

    def test_names_of_other_ways_to_count(self):
        self.build()
        profile = self.run_program("a.wmk", NUMBERS)
        main = json.loads(self.succeed("paths", "--json", "main", profile))["functions"][0]
        name = main["paths"][0]["name"]
        self.build("edges", "--profile=edges")
        edges = self.run_program("b.wmk", NUMBERS, "edges")
        self.refuse(1, ["paths of main were not counted in b.wmk", "--profile=paths"],
                    "path", name, edges)
        text = self.succeed("diff", profile, edges)
        self.assertIn("\npaths were not counted in b.wmk: functions are compared by their totals\n"
                      "100.0% of the work is in the same functions\n", text)
        self.assertNotIn("same paths", text)
        # Only its loop makes main another function with --paths=classic.
        self.build("classic", "--paths=classic")
        classic = self.run_program("c.wmk", NUMBERS, "classic")
        self.refuse(1, ["another build, or of another --paths"], "path", name, classic)

    def test_difference_of_runs(self):
        self.build()
        old, new = self.run_program("a.wmk", [1, 2, 51]), self.run_program("b.wmk", [1, 1, 51, 52])
        _, before = self.paths_of_look(old)
        _, after = self.paths_of_look(new)
        diff = json.loads(self.succeed("diff", "--json", old, new))
        found = {path["name"]: path for path in diff["paths"] if path["name"].startswith("look:")}
        self.assertEqual(found[before[False, False, False]["name"]]["change"], "vanished")
        self.assertEqual(found[after[False, True, False]["name"]]["change"], "appeared")
        moved = found[after[True, False, False]["name"]]
        self.assertEqual((moved["change"], moved["old_count"], moved["new_count"]), ("moved", 1, 2))
        self.assertEqual(diff["functions"], [])
        self.assertGreater(diff["overlap"], 0.1)
        self.assertLess(diff["overlap"], 1)
        text = self.succeed("diff", old, new)
        self.assertIn("1 path appeared, 1 vanished", text)
        same = json.loads(self.succeed("diff", "--json", old, old))
        self.assertEqual((same["paths"], same["functions"], same["overlap"]), ([], [], 1))

    def test_difference_of_builds(self):
        self.build()
        old = self.run_program("a.wmk", NUMBERS)
        self.write("changed.c", PROGRAM.replace("number > 50", "number > 50 && number != 60")
                   .replace("static void unused(void)\n{", "static void unused(void)\n{\n"))
        self.build("changed", source="changed.c")
        new = self.run_program("b.wmk", NUMBERS, "changed")
        diff = json.loads(self.succeed("diff", "--json", old, new))
        self.assertEqual([(f["change"], f["name"], f["old_calls"], f["new_calls"])
                          for f in diff["functions"]], [("reshaped", "look", 9, 9)])
        # main is the same; only its share of the run is another.
        self.assertEqual({path["name"].split(":")[0] for path in diff["paths"]} - {"main"}, set())
        for path in diff["paths"]:
            self.assertEqual(path["old_count"], path["new_count"])

    def test_names_hold_across_builds(self):
        self.build()
        old = self.run_program("a.wmk", NUMBERS)
        _, before = self.paths_of_look(old)
        # Other lines and other numbers, but the same shape.
        self.write("moved.c", "\n\n\n" + PROGRAM.replace("> 50", "> 70"))
        self.build("moved", source="moved.c")
        new = self.run_program("b.wmk", [71], "moved")
        name = before[True, True, False]["name"]
        self.assertIn("ran 1 time,", self.succeed("path", name, new))

    def test_mistakes_are_refused(self):
        self.build()
        profile = self.run_program("a.wmk", NUMBERS)
        function, _ = self.paths_of_look(profile)
        name = "look:%s:" % function["cfg_hash"]
        self.refuse(1, ["no function 'lok'", "look"], "paths", "lok", profile)
        self.refuse(1, ["no function 'zzzzzzzzzz'"], "paths", "zzzzzzzzzz", profile)
        self.refuse(2, ["which function"], "paths")
        self.refuse(2, ["--top='0'"], "paths", "--top=0", "look", profile)
        self.refuse(2, ["which path"], "path")
        self.refuse(2, ["'look:3' is not a path's name", "did you mean look#3?"], "path", "look:3",
                    profile)
        self.refuse(2, ["--names='long' is neither short nor full"], "report", "--names=long")
        self.refuse(2, ["--json", "--dot"], "path", "--json", "--dot", name + "0", profile)
        self.refuse(1, ["no function 'loook'", "look"], "path", name.replace("look", "loook") + "0")
        self.refuse(1, ["another build", function["cfg_hash"]], "path", "look:00000000:1", profile)
        self.refuse(1, ["has 8 paths"], "path", name + "8", profile)
        self.refuse(1, ["program.c"], "path", name + "0", "program.c")
        self.refuse(2, ["two profiles"], "diff", profile)
        self.refuse(2, ["two profiles"], "diff", profile, profile, profile)
        self.refuse(1, ["absent.wmk"], "diff", profile, "absent.wmk")
        self.refuse(1, ["program.c"], "diff", "program.c", profile)

    def test_difference_needs_the_old_program(self):
        self.build()
        old = self.run_program("a.wmk", NUMBERS)
        os.rename(os.path.join(self.folder, "program"), os.path.join(self.folder, "kept"))
        self.build("program", "-DCHANGED=1", "-O1")
        new = self.run_program("b.wmk", NUMBERS)
        self.refuse(1, ["a.wmk", "--old-binary"], "diff", old, new)
        self.refuse(1, ["a.wmk", "--new-binary"], "diff", new, old)
        self.succeed("diff", "--old-binary=kept", old, new)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
