#!/usr/bin/env python3
"""Builds that tell where tested paths are left: the departures are those that follow from all paths.

The oracle runs the same input in a build that counts every path, and works out from the paths' blocks
alone where the tests' paths were left; it knows nothing of classes, histories and sentinels.

usage: sentinels.py --waymark=PATH [unittest arguments]
"""
import collections
import json
import os
import random
import re
import signal
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "end_to_end"))

import cases
import harness

EXIT = -1
LEAVES = """#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
jmp_buf back;
int sum;
__attribute__((noinline)) void leave(int number)
{
	if (number % 7 == 0)
		longjmp(back, 1);
	sum += number;
}
__attribute__((noinline)) int word(const char *text)
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
		if (vowels == 3 && text[1] == 'b')
			sum++;
		if (sum % 3 == 1)
			vowels ^= 1;
	}
	return vowels;
}
int unseen(int number)
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
HOT = """#include <stdio.h>
#include <stdlib.h>
volatile int sink;
__attribute__((noinline)) void step(int odd)
{
	if (odd)
		sink = rand() % 2 + sink;
	else
		sink = 3 * sink;
}
int main(int argc, char **argv)
{
	for (int i = 0; i < atoi(argv[1]); i++)
		step(atoi(argv[2]));
	return 0;
}
"""


def statement(generator, depth):
    kind = generator.randrange(6) if depth else 0
    bit = "(bits >> %d & 1)" % generator.randrange(24)
    inner = lambda: statement(generator, depth - 1)
    if kind < 2:
        return "h = h * 31 + %d; " % generator.randrange(99)
    if kind == 2:
        return "if %s { %s } %s" % (bit, inner(), inner())
    if kind == 3:
        return "if %s { %s } else { %s } %s" % (bit, inner(), inner(), inner())
    if kind == 4:
        return "switch (bits >> %d & 3) { case 0: %s break; case 1: %s break; case 2: %s default: h ^= 5; } %s" % (
            generator.randrange(22), inner(), inner(), inner(), inner())
    return "for (int i%d = 0; i%d < (bits >> %d & 3); i%d++) { %s sink += h; } if %s return h; %s" % (
        depth, depth, generator.randrange(22), depth, inner(), bit, inner())


def random_program(generator):
    functions = ["__attribute__((noinline)) unsigned f%d(unsigned bits) { unsigned h = bits; %s return h; }" %
                 (k, " ".join(statement(generator, 4) for _ in range(3))) for k in range(6)]
    return "\n".join(["#include <stdlib.h>", "volatile unsigned sink;"] + functions +
                     ["int main(int argc, char **argv) { for (int i = 1; i < argc; i++) {"
                      " unsigned bits = atoi(argv[i]);"] +
                     ["sink += f%d(bits);" % k for k in range(6)] + ["} return 0; }"])


class Paths:
    """The paths of a profile by function: the blocks in order, and where the path went behind them."""

    def __init__(self, document):
        self.by_function = collections.defaultdict(set)
        for function in document["functions"]:
            for path in function["paths"]:
                ends = () if path["partial"] else (path["next"],)
                self.by_function[function["name"]].add(tuple(path["blocks"]) + ends)


def departure(path, tested):
    """The longest beginning of a tested path, and where the path went on; None: it is tested."""
    alive = [other for other in tested if other[0] == path[0]]
    if not alive:
        return ((path[0],), None)
    for k in range(1, len(path)):
        alive = [other for other in alive if len(other) > k and other[k] == path[k]]
        if not alive:
            return (path[:k], path[k])
    return None


def holds(path, part):
    return any(path[i:i + len(part)] == part for i in range(len(path) - len(part) + 1))


class Sentinels(cases.Case):
    def start(self, program, words, profile, **environment):
        return harness.run(["./" + program, *map(str, words)], self.directory,
                           environment=dict(environment, WAYMARK_FILE=self.path(profile)))

    def build(self, text, tests, *options):
        """A build that counts all, a profile of it for each list of words, and one with sentinels."""
        self.write("program.c", text)
        self.succeed("cc", "-g", *options, "program.c", "-o", "full")
        for number, words in enumerate(tests):
            os.makedirs(self.path("tests"), exist_ok=True)
            self.start("full", words, "tests/%d.wmk" % number)
        self.succeed("paths", "--save=tested.wmp", "tests")
        self.succeed("cc", "-g", *options, "--residual=@tested.wmp", "--residual-by=sentinel", "program.c", "-o", "field")

    def paths_of(self, *files):
        return Paths(json.loads(self.succeed("report", "--json", *files)))

    def compare(self, field_words):
        """Runs both builds and holds what was told against what follows from the paths. How many departures."""
        for name in ("field.wmk", "full.wmk"):
            if os.path.exists(self.path(name)):
                os.remove(self.path(name))
        before = int(time.time())
        self.assertEqual(self.start("field", field_words, "field.wmk")[:2],
                         self.start("full", field_words, "full.wmk")[:2])
        told = json.loads(self.succeed("residual", "--json", "--tested=tested.wmp", "field.wmk"))
        tested, field = self.paths_of("tests"), self.paths_of("full.wmk")
        reported = collections.defaultdict(list)
        for row in told["departures"]:
            self.assertEqual(row["processes"], 1)
            self.assertTrue(before <= row["first_seen"] <= time.time() + 1)
            reported[row["function"]].append((tuple(row["blocks"]), row["to"]))
        for function in told["watched"]:
            self.check(function, tested.by_function[function], field.by_function[function], reported[function])
        return sum(map(len, reported.values()))

    def check(self, function, tested, field, reported):
        self.assertEqual(len(set(reported)), len(reported), function)
        for path in sorted(field):
            first = departure(path, tested)
            if first is None:
                continue
            if not tested:
                self.assertEqual(reported, [((0,), None)], function)
                continue
            same = [blocks for blocks, to in reported if to == first[1] and first[0][-len(blocks):] == blocks]
            self.assertEqual(len(same), 1, "%s: %s left the tests as %s, told: %s" % (function, path, first, reported))
        for blocks, to in reported:
            if to is None:
                self.assertTrue(any(path[0] == blocks[0] for path in field) or blocks == (0,), function)
                self.assertFalse(any(path[0] == blocks[0] for path in tested), function)
                continue
            self.assertTrue(any(holds(path, blocks + (to,)) for path in field), (function, blocks, to))
            self.assertFalse(any(holds(path, blocks + (to,)) for path in tested), (function, blocks, to))

    def test_words(self):
        self.build(LEAVES, [["bcd", "eaf"], ["aab"], ["oboe", "nail"]], "-O1")
        found = 0
        for words in (["unseen"], ["axe", "bab"], ["aeab", "zoo", "pea"], ["bcd"], ["xx", "aaaab", "noon"]):
            found += self.compare(words)
        self.assertGreaterEqual(found, 8)

    def test_random_programs(self):
        found = 0
        for seed in range(int(os.environ.get("PROGRAMS", "5"))):
            generator = random.Random(seed)
            harness.fresh(self.path("tests"))
            draw = lambda count: [generator.getrandbits(24) for _ in range(count)]
            level = generator.choice(["-O0", "-O1", "-O2"])
            base = [] if generator.randrange(3) else ["--base=memory"]
            with self.subTest(seed=seed, level=level):
                self.build(random_program(generator), [draw(generator.choice([1, 8, 60])) for _ in range(4)], level, *base)
                found += self.compare(draw(30)) + self.compare(draw(3))
        self.assertGreater(found, 20)

    def test_all_tested(self):
        self.build(LEAVES, [["aab", "bcd"]], "-O2")
        self.assertEqual(self.compare(["bcd", "aab"]), 0)

    def test_tells_once(self):
        """A departure is met ten million times; processes and threads add up to the first time."""
        self.build(HOT, [[5, 0]], "-O1")
        for _ in range(3):
            self.start("field", [10000, 1], "field.wmk")
        told = json.loads(self.succeed("residual", "--json", "--tested=tested.wmp", "field.wmk"))
        (row,) = [row for row in told["departures"] if row["function"] == "step"]
        self.assertEqual((row["processes"], row["kind"]), (3, "code"))
        text = self.succeed("residual", "--tested=tested.wmp", "field.wmk")
        self.assertIn("Where tested paths were left", text)
        self.assertRegex(text, r"(?m)^ +3  20\d\d-\d\d-\d\d \d\d:\d\d:\d\d  code +step$")
        self.assertIn("if (odd) → yes", text)

    def test_manners(self):
        self.build(HOT, [[5, 0]], "-O1")
        line = re.compile(rb"^waymark: untested path in process \d+, in the program at 0x[0-9a-f]+, second \d+$", re.M)
        run = lambda how, profile="x.wmk": self.start("field", [100, 1], profile, WAYMARK_ON_UNTESTED=how)
        for how in ("", "count"):
            self.assertEqual(run(how), (0, b"", b""))
        status, out, err = run("log")
        self.assertEqual((status, out, len(line.findall(err)), err.count(b"\n")), (0, b"", 1, 1))
        status, _, err = run("log:" + self.path("log.txt"))
        run("log:" + self.path("log.txt"))
        self.assertEqual((status, err), (0, b""))
        self.assertEqual(len(line.findall(self.read("log.txt"))), 2)
        status, _, err = run("abort")
        self.assertEqual((status, len(line.findall(err))), (-signal.SIGABRT, 1))
        status, _, err = run("often")
        self.assertEqual(status, 0)
        self.assertIn(b"WAYMARK_ON_UNTESTED=often is unknown: use count, log, log:FILE, stop or abort", err)
        self.assertEqual(run("log:/nowhere/at/all")[0], 0)
        # What was aborted was told before.
        run("abort", "aborted.wmk")
        self.assertEqual(len(json.loads(self.succeed("residual", "--json", "--tested=tested.wmp", "aborted.wmk"))
                             ["departures"]), 1)

    def test_stop(self):
        self.build(HOT, [[5, 0]], "-O1")
        environment = dict(os.environ, WAYMARK_ON_UNTESTED="stop", WAYMARK_FILE=self.path("s.wmk"))
        process = os.posix_spawn(self.path("field"), ["field", "100", "1"], environment)
        self.assertTrue(os.WIFSTOPPED(os.waitpid(process, os.WUNTRACED)[1]))
        os.kill(process, signal.SIGCONT)
        self.assertEqual(os.waitpid(process, 0)[1], 0)

    def test_threads_libraries_and_stores(self):
        """Code of a library, met by two threads at once; runs that a store keeps, and profiles that are added up."""
        self.write("look.c", "int look(int a) { return a > 3 ? a * 7 : a - 1; }\n")
        self.write("main.c", "#include <pthread.h>\n#include <stdlib.h>\nint look(int);\nvolatile int sink;\n"
                   "static void *work(void *n) { for (int i = 0; i < 9999; i++) sink += look((int)(long)n); return 0; }\n"
                   "int main(int c, char **v) { pthread_t t; long n = atoi(v[1]); pthread_create(&t, 0, work, (void *)n);\n"
                   "work((void *)n); pthread_join(t, 0); return 0; }\n")
        for name, words in (("full", []), ("field", ["--residual=@tested.wmp", "--residual-by=sentinel"])):
            self.succeed("cc", "-g", "-O0", "-fPIC", "-shared", "look.c", "-o", "liblook.so", *words)
            self.succeed("cc", "-g", "-O1", "main.c", "-L.", "-llook", "-pthread", "-Wl,-rpath," + self.directory, "-o",
                         name, *words)
            if name == "full":
                self.start("full", [2], "tests.wmk")
                self.succeed("paths", "--save=tested.wmp", "tests.wmk")
        for number in range(3):
            os.makedirs(self.path("f"), exist_ok=True)
            self.start("field", [9], "f/%d.wmk" % number)
            self.succeed("run", "--store=s.db", "--kind=field", "--", "./field", "9")
        self.succeed("merge", "-o", "sum.wmk", *["f/%d.wmk" % number for number in range(3)])
        for field in ("f", "sum.wmk", "s.db"):
            told = json.loads(self.succeed("residual", "--json", "--tested=tested.wmp", field))
            self.assertEqual([(row["function"], row["processes"]) for row in told["departures"]], [("look", 3)], field)

    def test_other_commands_refuse(self):
        self.build(HOT, [[5, 0]], "-O1")
        self.start("field", [3, 1], "field.wmk")
        for words in (["report", "field.wmk"], ["annotate", "field.wmk"], ["diff", "field.wmk", "field.wmk"],
                      ["cover", "field.wmk"], ["paths", "--save=x.wmp", "field.wmk"],
                      ["residual", "--tested=field.wmk", "tests/0.wmk"]):
            status, _, err = self.call(*words)
            self.assertEqual((status, err.count("\n")), (1, 1), words)
            self.assertIn("`waymark residual` shows them", err)

    def test_options(self):
        self.write("program.c", HOT)
        self.write("none.wmp", "waymark paths 1\n")
        for words, said in ((["--residual-by=sentinels"], "use history, intervals, select or sentinel"),
                            (["--residual-by=sentinel", "--at=early"], "goes with --at=late, --paths=auto"),
                            (["--residual-by=sentinel", "--paths=classic"], "goes with --at=late, --paths=auto"),
                            (["--residual-by=sentinel", "--profile=paths+context"], "goes with --at=late")):
            status, _, err = self.call("cc", "--residual=@none.wmp", *words, "program.c", "-o", "field")
            self.assertNotEqual(status, 0)
            self.assertIn(said, err)


if __name__ == "__main__":
    cases.main(__name__)
