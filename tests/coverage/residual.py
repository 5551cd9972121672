#!/usr/bin/env python3
"""What the field did and no test has.

What programs do is worked out here from their text and input; sets of paths are compared with the
difference of two redundant profiles.

usage: residual.py --waymark=PATH [unittest arguments]
"""
import json
import os
import random
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "end_to_end"))

import cases

PRICE = """#include <stdlib.h>
int members, urgent;
__attribute__((noinline)) int price(int a, int b)
{
	if (a)
		members++;
	if (b)
		urgent++;
	return members;
}
int main(int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i += 2)
		for (int k = 0; k < atoi(argv[i + 1]); k++)
			price(argv[i][0] == 'T', argv[i][1] == 'T');
	return 0;
}
"""
MANY = """#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
static jmp_buf back;
static int sum;
__attribute__((noinline)) static void leave(int number)
{
	if (number % 3 == 0)
		longjmp(back, 1);
	sum += number;
}
__attribute__((noinline)) static int word(const char *text)
{
	int vowels = 0;
	for (; *text; text++) {
		switch (*text) {
		case 'a': case 'e':
			vowels++;
			break;
		case 'x':
			return -1;
		default:
			if (*text > 'm' && vowels > 1)
				vowels--;
		}
		leave(*text);
	}
	return vowels;
}
__attribute__((noinline)) static int unseen(int number)
{
	return number > 3 ? number : sum;
}
int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!setjmp(back))
			sum += strcmp(argv[i], "unseen") == 0 ? unseen(argc) : word(argv[i]);
	return sum == 77;
}
"""


def outcomes(steps):
    return [(step["line"], step["outcome"]) for step in steps]


class Residual(cases.Case):
    def build(self, text, name="program", *options):
        self.write(name + ".c", text)
        self.succeed("cc", "-O0", "-g", *options, name + ".c", "-o", name)

    def run_on(self, profile, *words, name="program"):
        os.makedirs(os.path.dirname(self.path(profile)) or ".", exist_ok=True)
        self.execute("./" + name, *map(str, words), environment={"WAYMARK_FILE": profile})
        return profile

    def residual(self, tested, *words, status=0):
        got, out, err = self.call("residual", "--json", "--tested=" + tested, *words)
        self.assertEqual(got, status, err)
        return json.loads(out)

    def of_price(self, document):
        return [path for path in document["untested"] if path["function"] == "price"]

    def test_worked_example(self):
        """Tests ran both branches [T][T] and [F][F], the field also [T][F]."""
        self.write("program.c", PRICE)
        status, _, err = self.call("cc", "-O2", "-g", "--only=price", "program.c", "-o", "program")
        self.assertEqual(status, 0, err)
        self.run_on("tests/both.wmk", "TT", 3)
        self.run_on("tests/plain.wmk", "FF", 4)
        self.run_on("field.wmk", "TT", 500, "FF", 490, "TF", 10)
        status, out, err = self.call("residual", "--json", "--tested=tests", "field.wmk")
        self.assertEqual((status, err.count("\n")), (0, 1))
        self.assertIn("the build of the field counts chosen functions only", err)
        document = json.loads(out)
        totals = document["totals"]
        self.assertEqual((totals["paths"], totals["untested_paths"]), (3, 1))
        self.assertEqual((totals["executions"], totals["untested_executions"]), (1000, 10))
        self.assertEqual((totals["edges"], totals["untested_edges"], totals["functions_with_untested_edges"]), (7, 0, 0))
        self.assertEqual((totals["lines"], totals["untested_lines"]), (5, 0))
        self.assertEqual(totals["functions_with_untested_paths"], 1)
        self.assertEqual((totals["in_functions_without_untested_edges"], totals["without_untested_edge_on_path"]), (1, 1))
        (path,) = document["untested"]
        self.assertEqual((path["kind"], path["count"], path["runs"]), ("combination", 10, 1))
        self.assertEqual(outcomes(path["steps"]), [(5, "yes"), (7, "no")])
        departure = path["departure"]
        self.assertEqual(outcomes(departure["nearest"]["steps"]), [(5, "yes"), (7, "yes")])
        self.assertEqual((departure["tests_so_far"], departure["tests_that_went_there"]), (["both"], ["plain"]))
        text = self.call("residual", "--tested=tests", "field.wmk")[1]
        self.assertIn("as both, but with 7 if (b) → yes; the other way: plain", re.sub(r"\n *", " ", text))
        self.assertRegex(text, r"(?m)^  paths +3 +1  33\.3% +1$")
        self.assertRegex(text, r"(?m)^  executions of paths  1,000 +10   1\.0%$")

    def test_all_tested_and_outcome(self):
        self.build(PRICE)
        self.run_on("tests/one.wmk", "TT", 3, "TF", 1)
        self.run_on("same.wmk", "TF", 7, "TT", 1)
        self.assertEqual(self.of_price(self.residual("tests", "same.wmk")), [])
        self.run_on("other.wmk", "FT", 1)
        (path,) = self.of_price(self.residual("tests", "other.wmk"))
        # Line 5 never went to no; every line ran.
        self.assertEqual((path["kind"], outcomes(path["steps"])), ("outcome", [(5, "no"), (7, "yes")]))
        self.assertEqual(path["departure"]["tests_that_went_there"], [])
        self.run_on("skip/one.wmk", "FF", 1)
        (path,) = self.of_price(self.residual("skip", "other.wmk"))
        self.assertEqual(path["kind"], "code")
        self.run_on("none/one.wmk", "TT", 0)
        kinds = [path["kind"] for path in self.of_price(self.residual("none", "other.wmk"))]
        self.assertEqual(kinds, ["function"])
        self.assertEqual(self.of_price(self.residual("none", "other.wmk"))[0]["departure"], None)
        # Nothing is tested, if that is meant.
        document = self.residual("--tested=none".split("=")[1], "other.wmk")
        self.assertEqual(document["totals"]["paths"], document["totals"]["untested_paths"])

    def test_equals_the_difference_of_redundant_profiles(self):
        """Complete paths one by one; a partial one is tested if a tested path begins in the same way."""
        tests, field = ["abba", "nnn", "hello"], ["xaxe", "aeaeanz", "unseen", "d", "zzc", "abba"]
        for level in ("-O0", "-O2"):
            for paths in ("auto", "classic"):
                with self.subTest(level=level, paths=paths):
                    sides = {}
                    for name, options in (("plain", []), ("oracle", ["--placement=redundant"])):
                        self.write("many.c", MANY)
                        self.succeed("cc", level, "-g", "--paths=" + paths, *options, "many.c", "-o", name)
                        for side, words in (("tests", tests), ("field", field)):
                            file = "%s-%s-%s-%s.wmk" % (name, side, level, paths)
                            sides[name, side] = self.run_on(file, *words, name=name)
                    ran = {side: self.read_paths(sides["oracle", side]) for side in ("tests", "field")}
                    expected = {key: count for key, (count, blocks, partial) in ran["field"].items()
                                if key not in ran["tests"] and not (partial and any(
                                    other[0] == key[0] and its[:len(blocks)] == blocks
                                    for other, (_, its, _) in ran["tests"].items()))}
                    document = self.residual(sides["plain", "tests"], sides["plain", "field"])
                    found = {(path["function"], path["id"]): path["count"] for path in document["untested"]}
                    self.assertEqual(found, expected)
                    self.assertGreater(len(found), 5)
                    self.assertIn("function", {path["kind"] for path in document["untested"]})

    def read_paths(self, profile):
        report = json.loads(self.succeed("report", "--json", profile))
        return {(function["name"], path["id"]): (path["count"], path["blocks"], path["partial"])
                for function in report["functions"] for path in function["paths"] if path["count"] > 0}

    def test_fifty_hidden_combinations(self):
        """In each of 50 functions tests take every branch both ways, and the field combines them otherwise."""
        generator = random.Random(33)
        text, calls = "#include <stdlib.h>\nvolatile int seen;\n", ""
        expected = {}
        for number in range(50):
            size = generator.randint(2, 7)
            body = "".join("\tif (bits & %d)\n\t\tseen += %d;\n" % (1 << k, generator.randint(1, 9))
                           for k in range(size))
            text += "__attribute__((noinline)) void f%d(int bits)\n{\n%s}\n" % (number, body)
            first = generator.randrange(1 << size)
            tests = [first, first ^ ((1 << size) - 1)]
            field = generator.choice([bits for bits in range(1 << size) if bits not in tests])
            near = [bits for bits in tests if (bits ^ field) & 1 == 0][0]
            expected["f%d" % number] = (tests, field, [bool(field >> k & 1) for k in range(size)],
                                        ((near ^ field) & -(near ^ field)).bit_length() - 1)
            calls += "\tif (argv[1][0] == 'f') f%d(%d); else { f%d(%d); f%d(%d); }\n" % (
                number, field, number, tests[0], number, tests[1])
        text += "int main(int argc, char **argv)\n{\n%s\treturn argc > 9;\n}\n" % calls
        for level in ("-O0", "-O2"):
            self.write("hidden.c", text)
            self.succeed("cc", level, "-g", "--skip=main", "hidden.c", "-o", "hidden")
            tests, field = (self.run_on(side + level + ".wmk", side, name="hidden") for side in ("tests", "field"))
            _, out, _ = self.call("residual", "--json", "--tested=" + tests, field)
            document = json.loads(out)
            found = {path["function"]: path for path in document["untested"]}
            self.assertEqual((len(document["untested"]), len(found)), (50, 50))
            self.assertEqual(document["totals"]["untested_edges"], 0)
            for name, (_, _, decided, where) in expected.items():
                path = found[name]
                self.assertEqual(path["kind"], "combination")
                self.assertEqual([step["outcome"] == "yes" for step in path["steps"]], decided)
                near = [step["outcome"] == "yes" for step in path["departure"]["nearest"]["steps"]]
                self.assertEqual(near[:where], decided[:where])
                self.assertNotEqual(near[where], decided[where])

    def test_a_hundred_changes(self):
        """One token of each function differs, and no branch: not one of its paths counts as tested."""
        bodies = ["int x = a %s b; if (x > c) x += %s; return x %s 3;" % (sign, number, other)
                  for sign, number, other in (("+", 1, "*"), ("-", 2, "/"), ("&", 3, "+"), ("|", 4, "-"), ("^", 5, "%"))]
        changes = [("a ", "b "), ("> c", ">= c"), ("> c", "< c"), ("x += ", "x -= "), ("int x", "unsigned x"),
                   ("return x", "return a"), (" 3;", " 4;"), ("> c", "> a"), ("x += ", "a += "), ("x += ", "x *= ")]
        for level, signature in (("-O0", "int a, int b, int c"), ("-O0", "short a, short b, short c")):
            texts = []
            for changed in (False, True):
                text, calls = "#include <stdlib.h>\n", ""
                for i, body in enumerate(bodies):
                    for k, (old, new) in enumerate(changes):
                        body_now = body.replace(old, new, 1) if changed else body
                        self.assertTrue(not changed or body_now != body, (body, old))
                        text += "__attribute__((noinline)) int f%d_%d(%s) { %s }\n" % (i, k, signature, body_now)
                        calls += "\tsum += f%d_%d(argc, 5, 3) + f%d_%d(argc, 1, 30);\n" % (i, k, i, k)
                texts.append(text + "int main(int argc, char **argv)\n{\n\tint sum = 0;\n%s\treturn 0;\n}\n" % calls)
            for name, text in zip(("old", "new"), texts):
                self.write("program.c", text)
                self.succeed("cc", level, "-g", "-w", "program.c", "-o", name)
                self.run_on(name + ".wmk", name=name)
            document = self.residual("old.wmk", "new.wmk")
            changed = {path["function"] for path in document["untested"] if path["kind"] == "changed"}
            self.assertEqual(changed, {"f%d_%d" % (i, k) for i in range(5) for k in range(10)})
            self.assertEqual(document["totals"]["changed_functions"], 50)
            self.assertEqual(self.residual("old.wmk", "--across=shape", "old.wmk")["untested"], [])
            # With the other rule nothing protects from that.
            across = self.residual("old.wmk", "--across=shape", "new.wmk")
            self.assertNotIn("changed", {path["kind"] for path in across["untested"]})
            for name in ("old", "new"):
                os.remove(self.path(name + ".wmk"))

    def test_killed_inside_calls(self):
        """A server that is killed while it waits did nothing that tests did not."""
        self.build("#include <stdio.h>\n#include <unistd.h>\nvolatile int sum;\n"
                   "__attribute__((noinline)) void serve(int c)\n{\n\tif (c > 'm')\n\t\tsum++;\n}\n"
                   "int main(void)\n{\n\tchar c;\n\twhile (read(0, &c, 1) == 1) {\n\t\tserve(c);\n"
                   "\t\tif (write(1, &c, 1) != 1)\n\t\t\treturn 1;\n\t}\n\treturn 0;\n}\n")
        profile = self.path("test.wmk")
        subprocess.run([self.path("program")], input=b"az", stdout=subprocess.DEVNULL, check=True, cwd=self.directory,
                       env=dict(os.environ, WAYMARK_FILE=profile))
        for number in range(20):
            server = subprocess.Popen([self.path("program")], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      cwd=self.directory,
                                      env=dict(os.environ, WAYMARK_FILE=self.path("field.wmk")))
            for letter in b"azzza"[:number % 6]:
                server.stdin.write(bytes([letter]))
                server.stdin.flush()
                server.stdout.read(1)
            time.sleep(0.02)
            server.send_signal(signal.SIGKILL)
            server.wait()
            server.stdin.close()
            server.stdout.close()
        document = self.residual("test.wmk", "--fail-if=code,outcome,combination,early,function", "field.wmk")
        self.assertEqual(document["field"]["cut_short"], 20)
        self.assertEqual([path for path in document["untested"] if path["kind"] != "uncertain"], [])

    def test_killed_while_computing(self):
        """What a kill may add is uncertain, and fails no gate; a set of tests leaves it out."""
        self.build("#include <stdlib.h>\nvolatile unsigned a, b;\nint main(int argc, char **argv)\n{\n"
                   "\tunsigned limit = (unsigned)strtoul(argv[1], NULL, 10);\n"
                   "\tfor (unsigned i = 0; i < limit; i++) {\n\t\tif (i & 1)\n\t\t\ta++;\n"
                   "\t\tif (i & 1)\n\t\t\tb++;\n\t}\n\treturn 0;\n}\n")
        self.run_on("test.wmk", 1000)
        for _ in range(12):
            running = subprocess.Popen([self.path("program"), "4000000000"], cwd=self.directory,
                                       env=dict(os.environ, WAYMARK_FILE=self.path("field.wmk")))
            time.sleep(0.05)
            running.kill()
            running.wait()
        document = self.residual("test.wmk", "--fail-if=combination,early,outcome", "field.wmk")
        self.assertEqual({path["kind"] for path in document["untested"]} - {"uncertain"}, set())
        status, _, err = self.call("paths", "--save=field.wmp", "field.wmk")
        self.assertEqual(status, 0)
        self.succeed("residual", "--tested=test.wmk", "--json", "test.wmk")
        if document["untested"]:
            self.assertIn("left out: threads that were killed", err)

    def test_left_early(self):
        """No test left the function in the middle; the field did, behind code that no tested path goes through in
        this order."""
        self.build("#include <stdlib.h>\nvoid (*leave)(int) = exit;\nint sum;\n__attribute__((noinline)) void note(int n)\n{\n"
                   "\tif (n > 9)\n\t\tleave(0);\n}\n"
                   "__attribute__((noinline)) int look(int a, int b)\n{\n\tif (a)\n\t\tsum++;\n\tif (b)\n\t\tsum += 2;\n"
                   "\tnote(sum);\n\treturn sum;\n}\n"
                   "int main(int argc, char **argv)\n{\n\tsum = atoi(argv[1]);\n\tlook(argv[2][0] == 'T', argv[2][1] == 'T');\n\treturn 0;\n}\n")
        self.run_on("tests/one.wmk", 1, "TT")
        self.run_on("tests/two.wmk", 1, "FF")
        self.run_on("tests/out.wmk", 50, "FF")
        self.run_on("same.wmk", 40, "TT")
        self.run_on("other.wmk", 40, "TF")
        rows = {name: [(path["kind"], path["partial"]) for path in self.residual("tests", name + ".wmk")["untested"]
                       if path["function"] == "look"] for name in ("same", "other")}
        self.assertEqual(rows, {"same": [], "other": [("early", True)]})

    def test_builds_for_the_field(self):
        """Each of them tells the same complete untested paths as the difference of two default builds. What is left
        early, and how often tested paths ran, only `history` tells."""
        tests, field = ["abba", "nnn", "hello"], ["xaxe", "aeaeanz", "unseen", "d", "zzc", "abba"]
        self.write("many.c", MANY)
        for level in ("-O0", "-O2"):
            for paths in ("auto", "classic"):
                self.succeed("cc", level, "-g", "--paths=" + paths, "many.c", "-o", "many")
                self.run_on("tests.wmk", *tests, name="many")
                self.run_on("plain.wmk", *field, name="many")
                self.succeed("paths", "--save=tests.wmp", "tests.wmk")
                plain = self.residual("tests.wmp", "plain.wmk")["untested"]
                complete = {path["name"]: path["count"] for path in plain if not path["partial"]}
                self.assertGreater(len(complete), 4)
                for by in ("history", "select", "intervals"):
                    with self.subTest(level=level, paths=paths, by=by):
                        placement = ["--placement=commit"] if by == "intervals" else []
                        self.succeed("cc", level, "-g", "--paths=" + paths, "--residual=@tests.wmp", "--residual-by=" + by,
                                     *placement, "many.c", "-o", by)
                        profile = self.run_on(by + level + paths + ".wmk", *field, name=by)
                        status, out, err = self.call("residual", "--json", "--tested=tests.wmp", profile)
                        self.assertEqual((status, err), (0, ""))
                        found = json.loads(out)["untested"]
                        self.assertEqual({path["name"]: path["count"] for path in found if not path["partial"]}, complete)
                        if by == "history":
                            self.assertEqual([path["name"] for path in found], [path["name"] for path in plain])
                            continue
                        report = json.loads(self.succeed("report", "--json", profile))
                        (word,) = [f for f in report["functions"] if f["name"] == "word"]
                        if by == "select":
                            self.assertEqual({"word:%s:%d" % (word["cfg_hash"], path["id"]) for path in word["paths"]},
                                             {name for name in complete if name.startswith("word:")})
                for name in ("tests.wmk", "plain.wmk"):
                    os.remove(self.path(name))

    def test_builds_for_the_field_of_changed_code(self):
        """A function whose code has changed is counted in full."""
        self.build(PRICE)
        self.run_on("tests.wmk", "TT", 1, "FF", 1)
        self.succeed("paths", "--save=tests.wmp", "tests.wmk")
        self.write("program.c", PRICE.replace("urgent++", "urgent--"))
        self.succeed("cc", "-O0", "-g", "--residual=@tests.wmp", "--residual-by=select", "program.c", "-o", "field")
        self.run_on("field.wmk", "TT", 2, "TF", 1, name="field")
        rows = self.of_price(self.residual("tests.wmp", "field.wmk"))
        self.assertEqual([(path["kind"], path["count"]) for path in rows], [("changed", 2), ("changed", 1)])
        for words, fragment in ((["--residual-by=select"], "--residual-by needs --residual=@TESTED.wmp"),
                                (["--residual=@tests.wmp", "--residual-by=luck"], "--residual-by='luck' is unknown"),
                                (["--residual=@tests.wmp", "--select=price#0"], "--residual and --select exclude each other"),
                                (["--residual=@tests.wmp", "--profile=edges"], "--residual needs --profile=paths"),
                                (["--residual=@gone.wmp"], "cannot read '%s'" % self.path("gone.wmp"))):
            self.assert_one_line_refusal(["cc", *words, "program.c", "-o", "other"], fragment)

    def test_gate_and_accepted_paths(self):
        self.build(PRICE)
        self.run_on("test.wmk", "TT", 1, "FF", 1)
        self.run_on("field.wmk", "TF", 1, "FT", 2)
        words = ["residual", "--tested=test.wmk", "--fail-if=combination", "field.wmk"]
        status, _, err = self.call(*words)
        self.assertEqual(status, 3)
        self.assertRegex(err, r"\Awaymark: residual: \d+ untested paths of the kinds combination\n\Z")
        self.assertEqual(self.call(*words[:2], "--fail-if=code,changed", "field.wmk")[0], 0)
        self.succeed("residual", "--tested=test.wmk", "--accept-all=known.wmp", "field.wmk")
        status, out, err = self.call(*words, "--accept=known.wmp", "--json")
        self.assertEqual((status, err, json.loads(out)["untested"]), (0, "", []))
        self.run_on("field.wmk", "FF", 1, "TT", 1, "TT", 1)
        self.assertEqual(self.call(*words, "--accept=known.wmp")[0], 0)
        # The tests as a saved set say the same as their profile.
        self.succeed("paths", "--save=test.wmp", "test.wmk")
        self.assertEqual([(path["name"], path["kind"], path["count"]) for path in self.residual("test.wmp", "field.wmk")["untested"]],
                         [(path["name"], path["kind"], path["count"]) for path in self.residual("test.wmk", "field.wmk")["untested"]])
        one = self.residual("test.wmp", "--kind=combination", "--top=1", "field.wmk")["untested"]
        self.assertEqual([path["kind"] for path in one], ["combination"])

    def test_lost_counts_fail_the_gate(self):
        """The chunk of the thread says that counts were lost: behind the head of the file and two totals."""
        self.build(PRICE)
        self.run_on("test.wmk", "TT", 1)
        self.run_on("field.wmk", "TT", 3)
        words = ["residual", "--tested=test.wmk", "--fail-if=code", "field.wmk"]
        self.assertEqual(self.call(*words)[0], 0)
        data = bytearray(self.read("field.wmk"))
        data[3 * 4096 + 48] |= 2
        self.write("field.wmk", bytes(data))
        status, out, err = self.call(*words)
        self.assertEqual((status, err), (3, "waymark: residual: counts were lost in a run, so --fail-if fails\n"))
        self.assertIn("Counts were lost in a run: this is incomplete", out)
        self.assertTrue(self.residual("test.wmk", "field.wmk")["field"]["incomplete"])

    def test_ranks(self):
        """Paths of many profiles come before frequent ones of few."""
        self.build(PRICE)
        self.run_on("test.wmk", "TT", 1, "FF", 1)
        self.run_on("field/a.wmk", "TF", 1, "FT", 1000)
        self.run_on("field/b.wmk", "TF", 1)
        rows = self.of_price(self.residual("test.wmk", "field"))
        self.assertEqual([(path["runs"], path["count"], outcomes(path["steps"])[0][1]) for path in rows],
                         [(2, 2, "yes"), (1, 1000, "no")])

    def test_bad_input(self):
        self.build(PRICE)
        self.run_on("test.wmk", "TT", 1)
        self.run_on("none.wmk")
        self.write("other.c", "int other(int x) { return x ? 1 : 2; }\nint main(int c, char **v) { return other(c) - 1; }\n")
        self.succeed("cc", "-O0", "other.c", "-o", "other", "--skip=main")
        self.run_on("other.wmk", name="other")
        self.write("edges.c", PRICE)
        self.succeed("cc", "--profile=edges", "edges.c", "-o", "edges")
        self.run_on("edges.wmk", "TT", 1, name="edges")
        self.succeed("cc", "--select=function:price", "edges.c", "-o", "chosen")
        self.run_on("chosen.wmk", "TT", 1, name="chosen")
        self.write("empty.wmp", "waymark paths 1\n")
        self.write("later.wmp", "waymark paths 9\n")
        self.succeed("paths", "--save=test.wmp", "test.wmk")
        high = re.sub(r"(?m)^(price\t.*\t)[^\t\n]+$", r"\g<1>0,99", self.read("test.wmp").decode())
        self.write("high.wmp", high)
        for words, fragments in (
                (["test.wmk"], ["what did the tests run?", "--tested=TESTS.wmp"]),
                (["--tested=edges.wmk", "test.wmk"], ["edges.wmk: no paths were counted", "--profile=paths"]),
                (["--tested=test.wmk", "edges.wmk"], ["edges.wmk: no paths were counted"]),
                (["--tested=other.wmk", "test.wmk"], ["'other.wmk' is of another program"]),
                (["--tested=high.wmp", "test.wmk"], ["names path 99 of function 'price'"]),
                (["--tested=chosen.wmk", "test.wmk"], ["only selected paths were counted in", "--profile=paths"]),
                (["--tested=empty.wmp", "test.wmk"], ["every path would be untested", "--tested=none"]),
                (["--tested=later.wmp", "test.wmk"], ["later.wmp:1:", "another version of Waymark"]),
                (["--tested=missing.wmp", "test.wmk"], ["cannot read 'missing.wmp'"]),
                (["--tested=test.wmk", "--kind=combinations", "test.wmk"], ["'combinations' is no kind", "did you mean combination"]),
                (["--tested=test.wmk", "--fail-if=all", "test.wmk"], ["--fail-if: 'all' is no kind"]),
                (["--tested=test.wmk", "--across=lines", "test.wmk"], ["--across='lines' is unknown"]),
                (["--tested=test.wmk", "test.wmp"], ["'test.wmp' is a set of paths"])):
            with self.subTest(words=words):
                self.assert_one_line_refusal(["residual", *words], *fragments)


if __name__ == "__main__":
    cases.main(__name__)
