#!/usr/bin/env python3
"""`waymark tests` and `waymark suspects`: which tests cover what, which to run after a change, and which
paths failing runs have in common.

usage: selection.py --waymark=PATH [unittest arguments]

What is expected is worked out by hand from the program below, or, after changes, from what the tests print.
"""
import json
import os
import random
import re
import sqlite3
import subprocess
import sys

import programs
import run

sys.dont_write_bytecode = True

# Each letter is a function of its own. `?` fails if it comes behind `b` and two others.
LETTERS = """#include <stdio.h>
#include <stdlib.h>
#include "letters.h"
#define NOINLINE __attribute__((noinline))
static int seen;
NOINLINE int a(int n)
{
	return n + ONE;
}
NOINLINE int b(int n)
{
	seen++;
	return 2 * n;
}
NOINLINE int c(int n)
{
	if (n > 10)
		return n - 1;
	return n + 7;
}
NOINLINE int question(int n)
{
	if (seen && n > 10)
		exit(1);
	return n;
}
int main(int argc, char **argv)
{
	int n = 1;
	for (const char *letter = argc > 1 ? argv[1] : ""; *letter; letter++)
		switch (*letter) {
		case 'a':
			n = a(n);
			break;
		case 'b':
			n = b(n);
			break;
		case 'c':
			n = c(n);
			break;
		default:
			n = question(n);
		}
	printf("%d\\n", n);
	return 0;
}
"""


class Selection(run.Store):
    def build(self):
        self.write("letters.c", LETTERS)
        self.write("letters.h", "#define ONE 1\n")
        self.succeed("cc", "-O1", "-g", "--at=early", "letters.c", "-o", "letters")

    def run_test(self, label, word, status=0):
        return self.do("run", "--store=s.db", "--label=" + label, "--", "./letters", word, status=status)

    def ask(self, *words):
        return json.loads(self.do("tests", "--store=s.db", "--json", *words))["tests"]

    def names(self, *words):
        return [row["label"] for row in self.ask(*words)]

    def line(self, text):
        return 1 + LETTERS.split("\n").index(text)


class Tests(Selection):
    def setUp(self):
        super().setUp()
        self.build()
        for label, word in (("t-a", "a"), ("t-ab", "ab"), ("t-b", "b"), ("t-c", "c"), ("t-abc", "abc")):
            self.run_test(label, word)

    def test_what_each_covers(self):
        rows = {row["label"]: row for row in self.ask()}
        self.assertEqual(sorted(rows), ["t-a", "t-ab", "t-abc", "t-b", "t-c"])
        # Every test takes the empty start and end of main; only t-abc takes main's route from b to c.
        self.assertTrue(all(row["outcome"] == "pass" and row["runs"] == 1 for row in rows.values()))
        connection = sqlite3.connect(self.path("s.db"))
        rows_in_table = connection.execute(
            "SELECT f.name, t.part, t.path, t.count, t.runs FROM total t, function f"
            " WHERE f.id = t.function AND f.name IN ('a', 'b') ORDER BY f.name").fetchall()
        connection.close()
        self.assertEqual(rows_in_table, [("a", "path", 0, 3, 3), ("b", "path", 0, 3, 3)])

    def test_covers_function_and_line(self):
        self.assertEqual(sorted(self.names("--covers=a")), ["t-a", "t-ab", "t-abc"])
        self.assertEqual(sorted(self.names("--covers=c")), ["t-abc", "t-c"])
        self.assertEqual(self.names("--covers=question"), [])
        seven = self.line("	return n + 7;")
        self.assertEqual(sorted(self.names("--covers=letters.c:%d" % seven)), ["t-abc", "t-c"])
        self.assertEqual(self.names("--covers=letters.c:%d" % self.line("		return n - 1;")), [])
        self.assertEqual(self.refuse("tests", "--store=s.db", "--covers=nothing"),
                         "tests: no program in the store has a function 'nothing'")

    def test_redundant(self):
        """t-abc takes what t-a, t-ab and t-b take but for the pieces in which main ends; greedy cover keeps
        a set that takes everything, checked here against the sets in the database."""
        redundant = set(self.names("--redundant"))
        items = self.items_by_label()
        everything = set().union(*items.values())
        kept = [label for label in items if label not in redundant]
        self.assertEqual(set().union(*(items[label] for label in kept)), everything)
        for label in redundant:
            self.assertLessEqual(items[label], set().union(*(items[other] for other in kept)))
        own = {label: len(items[label] - set().union(*(items[o] for o in items if o != label)))
               for label in items}
        rows = {row["label"]: row for row in self.ask()}
        self.assertEqual({label: row["own_paths"] for label, row in rows.items()}, own)
        self.assertEqual({label: row["paths"] for label, row in rows.items()},
                         {label: len(items[label]) for label in items})

    def items_by_label(self):
        """Paths of each label, as a reader of the test's own sees them in profiles by label."""
        items = {}
        for row in self.labels("s.db"):
            name = "%s.wmk" % row["label"]
            self.do("store", "export", "s.db", "--label=" + row["label"], "-o", name)
            items[row["label"]] = {(f["name"], path["id"]) for f in self.report(name)["functions"]
                                   for path in f.get("paths", [])}
        return items

    def test_formats(self):
        self.assertEqual(self.do("tests", "--store=s.db", "--covers=c", "--format=names").split(),
                         self.names("--covers=c"))
        self.run_test("odd.name(1)", "c")
        pattern = self.do("tests", "--store=s.db", "--covers=c", "--format=ctest").strip()
        for label in "t-c", "t-abc", "odd.name(1)":
            self.assertTrue(re.search(pattern, label))
        for label in "t-a", "oddxname(1)", "xt-c":
            self.assertFalse(re.search(pattern, label))
        self.assertEqual(sorted(self.do("tests", "--store=s.db", "--covers=a", "--format=gtest").strip().split(":")),
                         ["t-a", "t-ab", "t-abc"])

    def test_changed_lines(self):
        changed = lambda text: "--changed=letters.c:%d" % self.line(text)
        self.assertEqual(sorted(self.names(changed("	return n + ONE;"))), ["t-a", "t-ab", "t-abc"])
        self.assertEqual(self.names(changed("		return n - 1;")), [])
        # A declaration is in no block: all code of the file.
        self.assertEqual(len(self.names(changed("static int seen;"))), 5)
        rows = self.ask("--changed=other.h:1")
        self.assertEqual(({row["because"] for row in rows}, len(rows)), ({"no program has code of other.h"}, 5))
        self.assertEqual(self.ask("--changed=other.h:1", "--ignore=*.h"), [])

    def test_failed_ones_are_always_run(self):
        self.run_test("t-fails", "baaaaaaaaaaaa?", status=1)
        rows = self.ask("--changed=letters.c:%d" % self.line("	return n + 7;"))
        self.assertEqual([row["label"] for row in rows][0], "t-fails")
        self.assertEqual(rows[0]["because"], "failed last time")
        self.assertEqual(sorted(row["label"] for row in rows[1:]), ["t-abc", "t-c"])

    def test_which_is_usage(self):
        self.assertRegex(self.refuse("tests", "--store=s.db", "--for=x", "--covers=y", status=2), "one at a time")
        self.assertRegex(self.refuse("tests", "--store=s.db", "--changed=a.c:7-3", status=2), "is not FILE:LINE")
        self.assertRegex(self.refuse("tests", "--store=s.db", "--format=xml", status=2), "names, ctest or gtest")


class Git(Selection):
    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@example.org", *words], cwd=self.directory,
                       check=True, capture_output=True)

    def test_for_a_range(self):
        self.build()
        self.git("init", "-q")
        self.git("add", "letters.c", "letters.h")
        self.git("commit", "-qm", "first")
        for label, word in (("t-a", "a"), ("t-b", "b"), ("t-c", "c")):
            self.run_test(label, word)
        self.write("letters.c", LETTERS.replace("return 2 * n;", "return 3 * n;"))
        self.assertEqual(self.names("--for=HEAD"), ["t-b"])
        self.git("commit", "-qam", "second")
        self.assertEqual((self.names("--for=HEAD"), self.names("--for=HEAD~1")), ([], ["t-b"]))
        out = self.do("tests", "--store=s.db", "--for=HEAD~1")
        self.assertRegex(out, r"\A1 of 3 tests are to run after the change \(letters.c:13\); ")
        self.assertRegex(out, r"t-b +letters.c:13 in b\n")
        self.write("letters.h", "#define ONE 2\n")
        self.assertEqual(len(self.names("--for=HEAD")), 3)  # a macro is in no code of its own
        self.assertEqual(self.refuse("tests", "--store=s.db", "--for=no-such-branch"),
                         "tests: git does not know the range 'no-such-branch' here; name one as `git diff` takes "
                         "it, such as HEAD~1, in a working tree of the repository")

    def test_seeded_changes(self):
        """Each change of one line: a test whose output changes is among those that are selected, and fewer
        are selected than run anything of the function."""
        self.build()
        self.git("init", "-q")
        self.git("add", "letters.c", "letters.h")
        self.git("commit", "-qm", "first")
        words = {"t%d" % i: word for i, word in enumerate(("a", "b", "c", "aac", "bbbbbc", "ca", "ab?", "?"))}
        before = {label: self.run_test(label, word) for label, word in words.items()}
        chance = random.Random(4)
        for old, new in (("n + ONE", "n + 3"), ("2 * n", "5 * n"), ("n - 1", "n - 2"), ("n + 7", "n + 8"),
                         ("n > 10)\n\t\treturn", "n > 9)\n\t\treturn"), ("seen++", "seen += 2"),
                         ("return n;\n}\nint main", "return -n;\n}\nint main")):
            self.write("letters.c", LETTERS.replace(old, new, 1))
            self.succeed("cc", "-O1", "-g", "--at=early", "letters.c", "-o", "changed")
            selected = set(self.names("--for=HEAD"))
            differs = {label for label, word in words.items()
                       if self.execute("./changed", word, environment={"WAYMARK_FILE": "/dev/null"})[1] != before[label]}
            self.assertLessEqual(differs, selected, old)
            self.assertLess(len(selected), len(words), old)


class Suspects(Selection):
    def test_failing_path_comes_first(self):
        self.build()
        words = ["a", "b", "c", "ab", "bc", "a?", "c?", "?", "ba", "b?", "caab", "aaaaaaaaaaaaaaaa?", "acacaca?"]
        for i, word in enumerate(words):
            self.run_test("p%d" % i, word)
        for i, word in enumerate(["baaaaaaaaaaa?", "bbbbb?", "abcccc?"]):
            self.run_test("f%d" % i, word, status=1)
        document = json.loads(self.do("suspects", "--store=s.db", "--json"))
        self.assertEqual((document["failing_runs"], document["passing_runs"]), (3, len(words)))
        first = document["suspects"][0]
        self.assertEqual((first["function"], first["fails"], first["passes"]), ("question", 3, 0))
        # Its start was reached in 3 failing runs and 6 passing ones: those with a question mark.
        reached = sum("?" in word for word in words)
        increase = 1 - 3 / (3 + reached)
        self.assertAlmostEqual(first["increase"], increase, 5)
        self.assertAlmostEqual(first["importance"], 2 / (1 / increase + 1), 5)
        self.assertEqual(first["ochiai"], 1)
        self.assertRegex(first["source"], "seen → yes\n.* n > 10 → yes")
        out = self.do("suspects", "--store=s.db", "--top=1")
        self.assertRegex(out, r"\A3 failing and %d passing runs\n" % len(words))
        self.assertRegex(out, r"\n +3 +0 +0\.\d\d +question:[0-9a-f]{8}:\d+\n")

    def test_failing_by_label_and_outcome(self):
        self.build()
        for i, word in enumerate(["a", "b", "c"]):
            self.run_test("p%d" % i, word)
        document = json.loads(self.do("suspects", "--store=s.db", "--json", "--fail=p1"))
        self.assertEqual({row["function"] for row in document["suspects"]} >= {"b"}, True)
        self.assertEqual(document["failing_runs"], 1)
        self.assertRegex(self.refuse("suspects", "--store=s.db"), "no run failed; suspects are found")
        self.assertRegex(self.refuse("suspects", "--store=s.db", "--fail=*"), "no run passed")
        self.run_test("x", "baaaaaaaaaaa?", status=1)
        document = json.loads(self.do("suspects", "--store=s.db", "--json", "--fail=outcome:fail:1"))
        self.assertEqual(document["failing_runs"], 1)

    def test_seeded_bugs(self):
        """20 programs, each with one combination of two branches that fails: a path through it is among the
        first five rows in at least sixteen."""
        found = 0
        for seed in range(20):
            found += self.try_bug(seed)
        self.assertGreaterEqual(found, 16)

    def try_bug(self, seed):
        chance = random.Random(seed)
        place, first, second = chance.randrange(5), chance.randrange(4), chance.randrange(4)
        second = second if second != first else (first + 1) % 4
        code = ["#include <stdlib.h>\n"]
        for i in range(5):
            code.append("__attribute__((noinline)) int f%d(int n)\n{\n\tint k = 0;\n" % i)
            for bit in range(4):
                code.append("\tif (n & %d)\n\t\tk += rand() %% %d;\n" % (1 << bit, 3 + bit))
            if i == place:
                code.append("\tif ((n & %d) && (n & %d))\n\t\tabort(); /* the bug */\n" % (1 << first, 1 << second))
            code.append("\treturn k;\n}\n")
        code.append("int main(int c, char **v)\n{\n\tint k = 0;\n\tfor (int i = 1; i + 1 < c; i += 2)\n"
                    "\t\tswitch (atoi(v[i])) {\n")
        for i in range(5):
            code.append("\t\tcase %d: k += f%d(atoi(v[i + 1])); break;\n" % (i, i))
        code.append("\t\t}\n\treturn k < 0;\n}\n")
        self.write("bug.c", "".join(code))
        self.succeed("cc", "-O1", "-g", "bug.c", "-o", "bug")
        profiles = {True: [], False: []}
        for run_number in range(50):
            words = [str(x) for _ in range(3) for x in (chance.randrange(5), chance.randrange(16))]
            name = "r%d.wmk" % run_number
            status, _, _ = self.execute("./bug", *words, environment={"WAYMARK_FILE": self.path(name)})
            profiles[status != 0].append(name)
        if not profiles[True]:
            return 1
        store = "bug%d.db" % seed
        self.do("store", "add", store, "--outcome=signal:6", *profiles[True])
        self.do("store", "add", store, "--outcome=pass", *profiles[False])
        for name in profiles[True] + profiles[False]:
            os.remove(self.path(name))
        document = json.loads(self.do("suspects", "--store=" + store, "--json", "--top=5"))
        return any(row["function"] == "f%d" % place and row["passes"] == 0 for row in document["suspects"])


if __name__ == "__main__":
    programs.cases.main("__main__")
