#!/usr/bin/env python3
"""Each recipe of docs/build-systems.md, word by word: it builds a project that has the files of all of these
build systems, and the profile has the counts that the source says.

usage: recipes.py --waymark=PATH [unittest arguments]

Waymark is installed below a prefix of the test, where the recipes must find it.
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "end_to_end"))

import cases

DOCUMENT = os.path.join(HERE, "..", "..", "docs", "build-systems.md")
PROJECT = os.path.join(HERE, "project")
WORKFLOW = os.path.join(HERE, "..", "..", "examples", "github-actions.yml")
USES_HEADER = """#include <waymark.h>
int dump(void) { return waymark_dump(); }
"""


def blocks(language):
    """Of each heading the first block of a language below it."""
    found = {}
    with open(DOCUMENT, encoding="utf-8") as file:
        for section in file.read().split("\n## ")[1:]:
            block = re.search(rf"^```{language}\n(.*?)^```$", section, re.S | re.M)
            if block:
                found[section.split("\n")[0]] = block[1]
    return found


class Recipes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix="waymark-")
        cls.addClassCleanup(holder.cleanup)
        cls.prefix = os.path.join(os.path.realpath(holder.name), "prefix")
        build = os.path.dirname(os.path.dirname(cases.Case.waymark))
        subprocess.run(["cmake", "--install", build, "--prefix", cls.prefix], check=True,
                       stdout=subprocess.DEVNULL)
        cls.recipes = blocks("sh")

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="waymark-")
        self.addCleanup(holder.cleanup)
        self.directory = os.path.join(os.path.realpath(holder.name), "project")
        shutil.copytree(PROJECT, self.directory)

    def path(self, *names):
        return os.path.join(self.directory, *names)

    def environment(self):
        inherited = {name: value for name, value in os.environ.items()
                     if not name.startswith(("WAYMARK_", "CCACHE_")) and name not in ("CC", "CXX", "CFLAGS")}
        return {**inherited, "LC_ALL": "C.UTF-8",
                "PATH": self.prefix + "/bin:" + os.environ["PATH"],
                "PKG_CONFIG_PATH": self.prefix + "/share/pkgconfig",
                "XDG_DATA_DIRS": self.prefix + "/share:/usr/local/share:/usr/share",
                "CCACHE_DIR": self.path("ccache")}

    def shell(self, commands):
        done = subprocess.run(["sh", "-euc", commands], cwd=self.directory, env=self.environment(),
                              capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, commands + done.stdout + done.stderr)
        return done.stdout

    def calls(self):
        """How often each function was entered, by all profiles of the project's own code."""
        profiles = [name for name in glob.glob(self.path("**", "*.wmk"), recursive=True)
                    if not os.path.basename(name).startswith("sanitycheck")]
        self.assertTrue(profiles, "no profile")
        counts = {}
        for profile in profiles:
            text = self.shell(f"waymark report --json {profile}")
            counts.update({function["name"]: function["entry_count"]
                           for function in json.loads(text)["functions"]})
        return counts

    def follow(self, name):
        said = self.shell(self.recipes[name])
        self.assertEqual(self.calls(), {"main": 1, "price": 1000})
        return said

    def assert_report(self, said, calls="1,000"):
        """For people: its layout is tested elsewhere."""
        self.assertRegex(said, r"\bprice\b")
        self.assertRegex(said, rf"\b{calls}\b")

    def test_every_recipe_has_a_test(self):
        with open(__file__, encoding="utf-8") as file:
            tested = re.findall(r'(?:follow|recipes)[(\[]"([^"]+)"', file.read())
        self.assertEqual(set(self.recipes), set(tested))

    def test_make(self):
        self.assert_report(self.follow("Make"))

    def test_cmake(self):
        said = self.follow("CMake")
        self.assert_report(said)
        self.assertIn("100% tests passed", said)

    def test_cmake_without_the_toolchain_file(self):
        said = self.shell("CC=waymark-cc CXX=waymark-c++ cmake -B build && cmake --build build && build/app")
        self.assertEqual(self.calls(), {"main": 1, "price": 1000})
        self.assertIn("identification is Clang 19", said)

    def test_test_suite(self):
        self.assert_report(self.follow("Test suites"))
        self.assertEqual(len(os.listdir(self.path("profiles"))), 1)

    def test_header(self):
        os.rename(self.path("Makefile"), self.path("Makefile.old"))
        with open(self.path("a.c"), "w") as out:
            out.write(USES_HEADER)
        self.shell(self.recipes["waymark.h"])
        with open(self.path("CMakeLists.txt"), "a") as out:
            out.write(blocks("cmake")["waymark.h"])
            out.write("target_sources(app PRIVATE a.c)\n")
        self.shell("CC=gcc CXX=g++ cmake -B plain && cmake --build plain && plain/app")
        self.assertFalse(glob.glob(self.path("*.wmk")))
        self.shell("CC=waymark-cc CXX=waymark-c++ cmake -B build && cmake --build build && build/app")
        self.assertEqual(self.calls(), {"main": 1, "price": 1000, "dump": 0})

    def test_meson(self):
        self.assert_report(self.follow("Meson"))

    def assert_run(self, said, label):
        """One run of the one test, which passed."""
        self.assertRegex(said, r"\A(.*\n)*1 tests took [0-9]+ paths")
        listed = json.loads(self.shell("waymark store ls waymark.db --json"))["labels"]
        self.assertEqual([(row["runs"], row["outcome"]) for row in listed], [(1, "pass")])
        self.assertTrue(listed[0]["label"].endswith(label), listed)
        self.shell("waymark store export waymark.db --object=app -o run.wmk")
        self.assertEqual(self.calls()["main"], 1)

    def test_runs_with_ctest(self):
        self.assert_run(self.shell(self.recipes["Runs of tests with CTest"]), "app")

    def test_runs_with_meson(self):
        self.assert_run(self.shell(self.recipes["Runs of tests with Meson"]), "app")

    def test_runs_with_automake(self):
        os.remove(self.path("Makefile"))
        with open(self.path("Makefile.am"), "a") as out:
            out.write("TESTS = app\n")
        self.assert_run(self.shell(self.recipes["Runs of tests with Automake"]), "app")

    def write_budgets(self):
        with open(DOCUMENT, encoding="utf-8") as file:
            text = file.read().split("\n## Budgets with CTest\n")[1]
        with open(self.path("budgets.txt"), "w") as out:
            out.write(re.search(r"^```\n(.*?)^```$", text, re.S | re.M)[1])

    def break_budget(self):
        with open(self.path("price.c")) as file:
            text = file.read()
        with open(self.path("price.c"), "w") as out:
            out.write(text.replace("return amount + 2;", "return price(amount + 1) + 1;"))

    def test_budgets_with_ctest(self):
        self.write_budgets()
        with open(self.path("CMakeLists.txt"), "a") as out:
            out.write(blocks("cmake")["Budgets with CTest"])
        said = self.shell(self.recipes["Budgets with CTest"])
        self.assertIn("100% tests passed, 0 tests failed out of 2", said)
        self.break_budget()
        with self.assertRaisesRegex(AssertionError, r"price \(price.c:3\): changed code"):
            self.shell("cmake --build build && ctest --test-dir build --output-on-failure -R budgets")
        with open(self.path("build", "budgets.xml"), encoding="utf-8") as file:
            self.assertIn('tests="2" failures="1"', file.read())

    def test_budgets_with_meson(self):
        self.write_budgets()
        with open(self.path("meson.build")) as file:
            text = file.read()
        with open(self.path("meson.build"), "w") as out:
            out.write(text.replace("test('app', executable('app', 'main.cpp', 'price.c'))",
                                   "app = executable('app', 'main.cpp', 'price.c')\ntest('app', app)"))
            out.write(blocks("meson")["Budgets with Meson"])
        said = self.shell(self.recipes["Budgets with Meson"])
        self.assertRegex(said, r"Ok: +2")
        self.break_budget()
        with self.assertRaisesRegex(AssertionError, r"Fail: +1"):
            self.shell("meson test -C build")

    def test_faster_builds_with_cmake(self):
        """The second build knows what the training did: 1,000 calls, from a loop that runs once."""
        self.shell("export CMAKE_EXPORT_COMPILE_COMMANDS=ON\n" + self.recipes["Faster builds with CMake"])
        self.assertEqual(self.calls(), {"main": 1, "price": 1000})
        with open(self.path("build", "compile_commands.json"), encoding="utf-8") as file:
            commands = {os.path.basename(entry["file"]): re.sub(r" -o \S+", " -S -emit-llvm -o -", entry["command"])
                        for entry in json.load(file)}
        self.assertRegex(self.shell(commands["price.c"]), r'!"function_entry_count", i64 100[01]\b')
        weights = re.findall(r'!"branch_weights", i32 (\d+), i32 (\d+)', self.shell(commands["main.cpp"]))
        self.assertIn(1000, [round(pair[1] / pair[0], -2) for pair in [sorted(map(int, pair)) for pair in weights] if pair[0]])
        self.shell("rm *.wmk; build/app")
        self.assertFalse(glob.glob(self.path("*.wmk")))

    def test_ninja(self):
        self.assert_report(self.follow("Ninja"))

    def test_autotools(self):
        os.remove(self.path("Makefile"))
        self.assert_report(self.follow("Autotools"))

    def misses(self):
        counters = dict(re.findall(r"^(\w+)\t(\d+)$", self.shell("ccache --print-stats"), re.M))
        return int(counters["cache_miss"]), int(counters["direct_cache_hit"]) + \
            int(counters["preprocessed_cache_hit"])

    def test_ccache(self):
        """What changes the code misses; a build like an earlier one is all hits."""
        recipe = self.recipes["ccache"]
        self.assert_report(self.follow("ccache"))
        self.assertEqual(self.misses(), (2, 0))
        first = self.shell("cat price.o | sha256sum")
        self.shell("make clean; rm *.wmk\n" + recipe)
        self.assertEqual(self.misses(), (2, 2))
        self.assertEqual(self.shell("cat price.o | sha256sum"), first)
        self.assertEqual(self.calls(), {"main": 1, "price": 1000})
        self.shell("make clean; rm *.wmk\n" + recipe.replace("waymark-cc", "waymark-cc --profile=edges"))
        self.assertEqual(self.misses(), (3, 3))
        self.assertNotEqual(self.shell("cat price.o | sha256sum"), first)
        with open(self.prefix + "/lib/waymark/waymark-llvm.so", "ab") as plugin:
            plugin.write(b"another version")
        self.shell("make clean; rm *.wmk\n" + recipe)
        self.assertEqual(self.misses(), (5, 3))

    def test_clang_tools(self):
        self.shell(self.recipes["clangd and clang-tidy"])
        with open(self.path("price.c"), "a") as out:
            out.write("int broken(void) { return absent; }\n")
        with self.assertRaisesRegex(AssertionError, "absent"):
            self.shell(self.recipes["clangd and clang-tidy"])

    def workflow(self):
        """The commands of the workflow's steps by their names, and its environment."""
        with open(WORKFLOW, encoding="utf-8") as file:
            text = file.read()
        steps = dict(re.findall(r"^      - name: (.*)\n        run: \|\n((?:          .*\n|\n)+)", text, re.M))
        return {name: re.sub(r"^          ", "", commands, flags=re.M) for name, commands in steps.items()}

    def test_github_actions(self):
        """All steps but the first, which needs the network and a new machine."""
        steps = self.workflow()
        install = steps.pop("Install Waymark")
        self.assertIn("install", install)
        self.assertEqual(len(steps), 4)
        self.write_budgets()
        with open(self.path("budgets.txt")) as file:
            text = file.read()
        with open(self.path("budgets.txt"), "w") as out:
            out.write(text.splitlines()[0] + "\n")
        for commands in steps.values():
            self.shell(commands)
        with open(self.path("waymark", "report.txt"), encoding="utf-8") as file:
            self.assert_report(file.read(), "2,000")
        with open(self.path("waymark", "app.json"), encoding="utf-8") as file:
            self.assertEqual({f["name"]: f["entry_count"] for f in json.load(file)["functions"]},
                             {"main": 2, "price": 2000})


if __name__ == "__main__":
    cases.main("__main__")
