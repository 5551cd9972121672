#!/usr/bin/env python3
"""Labels: many tests in one process, each with counts, an outcome and paths of its own.

usage: labels.py --waymark=PATH [unittest arguments]

What each label must hold is simulated here; sums over labels are compared with a run without labels.
"""
import collections
import json
import os
import random
import signal
import sys

import programs
import run

sys.dont_write_bytecode = True

# A word of letters is work: each letter a call. @NAME is a switch, = the outcome of the label, ! a kill.
WORK = r"""#include <waymark.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define NOINLINE __attribute__((noinline))
static volatile int sink;
NOINLINE static void a(int n)
{
	if (n & 1)
		sink++;
	if (n & 2)
		sink++;
}
static void steer(const char *word)
{
	if (word[0] == '@')
		waymark_label(word[1] ? word + 1 : NULL);
	else
		waymark_outcome(word[1] == '1');
}
/* The switch happens while `depth` calls are under way. */
NOINLINE static void deep(int depth, const char *word)
{
	if (depth == 0)
		steer(word);
	else
		deep(depth - 1, word);
	sink++;
}
static void *wait_for_end(void *argument)
{
	char byte;
	a(3);
	if (read(*(int *)argument, &byte, 1) == 1)
		a(0);
	return NULL;
}
int main(int argc, char **argv)
{
	int ends[2], threads = atoi(argv[1]);
	pthread_t thread[8];
	if (pipe(ends))
		return 2;
	for (int i = 0; i < threads; i++)
		pthread_create(&thread[i], NULL, wait_for_end, &ends[0]);
	usleep(threads ? 50000 : 0);
	for (int i = 2; i < argc; i++) {
		if (argv[i][0] == '@' || argv[i][0] == '=')
			deep(i % 3, argv[i]);
		else if (argv[i][0] == '!')
			kill(getpid(), SIGKILL);
		else
			for (const char *c = argv[i]; *c; c++)
				a(*c - '0');
	}
	for (int i = 0; i < threads; i++)
		if (write(ends[1], "", 1) != 1)
			return 3;
	for (int i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
"""


class Base(run.Store):
    def build_work(self, *options):
        self.write("work.c", WORK)
        self.succeed("cc", "-O1", "-g", "-pthread", *options, "work.c", "-o", "work")

    def export(self, label):
        self.do("store", "export", "s.db", "--label=" + label, "-o", "o.wmk")
        report = self.report("o.wmk")
        os.remove(self.path("o.wmk"))
        return report

    def counts_of(self, label):
        """By function and path, signed."""
        return {(f["name"], p["id"]): p["count"] - (p["count"] >> 63 << 64)
                for f in self.export(label)["functions"] for p in f["paths"]}

    def expected(self, words, threads=0):
        """How often each of the four paths of `a` runs under each label."""
        label, counts = "whole", collections.defaultdict(collections.Counter)
        if threads:
            counts[label][3] += threads
        for word in words:
            if word.startswith("@"):
                label = word[1:] or "whole"
            elif word[0] not in "=!":
                for letter in word:
                    counts[label][int(letter) & 3] += 1
        if threads:
            counts[label][0] += threads
        return counts

class Labels(Base):
    def random_words(self, chance):
        words = []
        for _ in range(chance.randrange(1, 30)):
            words.append(chance.choice(["@A.one", "@B/two", "@", "@c c", "0123", "3", "11", "", "0000"]) or "2")
        return words

    def check(self, words, threads=0):
        for store in "s.db", "plain.db":
            if os.path.exists(self.path(store)):
                os.remove(self.path(store))
        self.do("run", "--store=s.db", "--label=whole", "--", "./work", str(threads), *words)
        for label, counts in self.expected(words, threads).items():
            mine = sorted(count for (name, _), count in self.counts_of(label).items() if name == "a")
            self.assertEqual(mine, sorted(counts.values()), (label, words))
        unlabelled = [word if word[0] != "@" else "=" for word in words]
        self.do("run", "--store=plain.db", "--label=whole", "--", "./work", str(threads), *unlabelled)
        return unlabelled

    def test_random_switches(self):
        """Every label's paths are those of its own work; the sums are those of a run without labels."""
        chance = random.Random(5)
        for options, rounds in ([], 4), (["--base=memory"], 2), (["--placement=commit"], 1), (["--paths=classic"], 1):
            self.build_work(*options)
            for _ in range(rounds):
                self.check(self.random_words(chance))
            self.check(self.random_words(chance), threads=3)

    def test_sums_are_those_without_labels(self):
        """All paths of all functions but the one that steers, which does something else."""
        self.build_work()
        words = ["1", "@x", "123", "@y", "0", "@x", "33", "@", "2"]
        self.check(words)
        def sums(store):
            connection = run.sqlite3.connect(self.path(store))
            self.do("tests", "--store=" + store)
            rows = connection.execute("SELECT f.name, t.path, sum(t.count) FROM total t, function f WHERE f.id ="
                                      " t.function AND f.name <> 'steer' AND f.name <> 'deep' GROUP BY 1, 2"
                                      " HAVING sum(t.count) <> 0 ORDER BY 1, 2").fetchall()
            connection.close()
            return rows
        self.assertEqual(sums("s.db"), sums("plain.db"))
        self.assertGreater(len(sums("s.db")), 5)

    def test_outcomes_and_kill(self):
        self.build_work()
        self.do("run", "--store=s.db", "--label=whole", "--", "./work", "0", "@good", "1", "=0", "@bad", "2", "=1",
                "@killed", "33", "!", status=-signal.SIGKILL)
        self.assertEqual({row["label"]: row["outcome"] for row in self.labels("s.db")},
                         {"good": "pass", "bad": "fail:1", "killed": "signal:9", "whole": "signal:9"})
        self.assertEqual(sorted(c for (name, _), c in self.counts_of("killed").items() if name == "a"), [2])

    def test_odd_labels(self):
        self.build_work()
        odd = ["a/b", "..", "%b=41", "ü", "x" * 100]
        words = [word for label in odd for word in ("@" + label, "1")]
        self.do("run", "--store=s.db", "--label=whole", "--", "./work", "0", *words)
        self.assertEqual(sorted(row["label"] for row in self.labels("s.db")), sorted(odd + ["whole"]))
        self.do("run", "--store=l.db", "--label=whole", "--", "./work", "0", "@" + "y" * 1000, "1", "@" + "y" * 999,
                "1")
        long = [row["label"] for row in self.labels("l.db") if row["label"] != "whole"]
        self.assertEqual(len(set(long)), 2)
        self.assertTrue(all(label.startswith("y" * 100) for label in long))

    def test_label_in_file_names(self):
        self.build_work()
        self.execute("./work", "0", "1", environment={"WAYMARK_FILE": self.path("p-%l.wmk"), "WAYMARK_LABEL": "t/1"})
        self.assertTrue(os.path.exists(self.path("p-t=2f1.wmk")), os.listdir(self.directory))

    def test_without_waymark_run(self):
        """The label's file stands beside the program's."""
        self.build_work()
        self.execute("./work", "0", "1", "@x", "22", environment={"WAYMARK_FILE": self.path("p.wmk")})
        self.assertEqual(self.paths_of(self.report("p+x.wmk"), "a"), [2])
        self.assertEqual(self.paths_of(self.report("p.wmk"), "a"), [1])


GTEST = """#include <waymark/gtest.h>
__attribute__((noinline)) int work(int n) { if (n > 2) asm volatile(""); return n; }
TEST(Suite, Passes) { EXPECT_EQ(work(1), 1); EXPECT_EQ(work(2), 2); }
TEST(Suite, Fails) { EXPECT_EQ(work(3), 4); }
"""
CATCH = """#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#include <waymark/catch2.h>
__attribute__((noinline)) int work(int n) { if (n > 2) asm volatile(""); return n; }
TEST_CASE("Suite.Passes") { CHECK(work(1) == 1); CHECK(work(2) == 2); }
TEST_CASE("Suite.Fails") { CHECK(work(3) == 4); }
"""
CMOCKA = """#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <waymark/cmocka.h>
__attribute__((noinline)) int work(int n) { if (n > 2) asm volatile(""); return n; }
static int group, own;
static int set_up(void **state) { *state = &group; return 0; }
static int tear_down(void **state) { return *state == &group ? 0 : -1; }
static void passes(void **state) { assert_ptr_equal(*state, &group); assert_int_equal(work(1), 1); work(2); }
static void fails(void **state) { assert_ptr_equal(*state, &group); assert_int_equal(work(3), 4); }
static void owns(void **state) { assert_ptr_equal(*state, &own); }
int main(void)
{
	const struct CMUnitTest tests[] = {{"Suite.Passes", passes, NULL, NULL, NULL},
		cmocka_unit_test(fails)};
	const struct CMUnitTest others[] = {cmocka_unit_test_prestate(owns, &own)};
	return cmocka_run_group_tests(tests, set_up, tear_down) | cmocka_run_group_tests(others, NULL, NULL) << 4;
}
"""


class Adapters(Base):
    def check_adapter(self, source, text, fails, *options, more={}):
        self.write(source, text)
        self.succeed("c++" if source.endswith("cc") else "cc", "-O1", "-g", source, "-o", "suite", *options)
        process = self.start("run", "--store=s.db", "--label=whole", "--", "./suite")
        out, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 1, (out, err))
        self.assertEqual({row["label"]: row["outcome"] for row in self.labels("s.db")},
                         {"whole": "fail:1", "Suite.Passes": "pass", fails: "fail:1"} | more)
        for label, expected in (("Suite.Passes", [2]), (fails, [1])):
            counts = [sorted(p["count"] for p in f["paths"]) for f in self.export(label)["functions"]
                      if "work" in f["name"]]
            self.assertEqual(counts, [expected])

    def test_gtest(self):
        self.check_adapter("suite.cc", GTEST, "Suite.Fails", "-lgtest", "-lgtest_main", "-pthread")

    def test_catch2(self):
        self.check_adapter("suite.cc", CATCH, "Suite.Fails")

    def test_cmocka(self):
        self.check_adapter("suite.c", CMOCKA, "fails", "-lcmocka", more={"owns": "pass"})

    def test_without_waymark(self):
        """The adapters vanish elsewhere."""
        include = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "include")
        self.write("suite.c", CMOCKA)
        self.assertEqual(self.clang("-I", include, "suite.c", "-o", "suite", "-lcmocka")[0], 0)
        self.assertEqual(self.execute("./suite")[0], 1)


if __name__ == "__main__":
    programs.cases.main("__main__")
