#!/usr/bin/env python3
"""A profile outlives its build: what readers need of a binary is kept by build-id when it is linked.

usage: kept.py --waymark=PATH [unittest arguments]
"""
import json
import os
import re
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "end_to_end"))

import cases
import harness

PROGRAM = """#include <stdio.h>
__attribute__((noinline)) int look(int x)
{
	if (x %% %d == 0) {
		__asm__ volatile("");
		return 2 * x;
	}
	return x;
}
int main(void)
{
	int sum = 0;
	for (int i = 0; i < 9; i++)
		sum += look(i);
	printf("%%d\\n", sum);
	return 0;
}
"""
ELF = b"\x7fELF"
LINKERS = ("bfd", "lld", "gold")


class Kept(cases.Case):
    """A folder with a cache of its own."""

    def setUp(self):
        super().setUp()
        self.cache = self.path("cache")

    def call(self, *words, environment=None, **keywords):
        return super().call(*words, environment=dict({"WAYMARK_CACHE": self.cache}, **(environment or {})),
                            **keywords)

    def entries(self, cache=None):
        """The builds that are kept, by name, with their sizes."""
        folder = os.path.join(cache or self.cache, "kept")
        names = os.listdir(folder) if os.path.isdir(folder) else []
        return {name: os.path.getsize(os.path.join(folder, name)) for name in names if name[0] != "."}

    def only(self):
        self.assertEqual(len(self.entries()), 1, self.entries())
        return os.path.join(self.cache, "kept", next(iter(self.entries())))

    def build(self, modulus=3, *words, name="program", language="cc", environment=None):
        self.write("program.c", PROGRAM % modulus)
        return self.succeed(language, harness.LINKER, "-O1", "-g", *words, "program.c", "-o", name,
                            environment=environment)

    def run_into(self, profile, name="program"):
        self.assertEqual(self.execute("./" + name, environment={"WAYMARK_FILE": self.path(profile)})[0], 0)

    def build_id(self, name="program"):
        notes = self.execute("readelf", "-n", name)[1]
        return re.search(r"Build ID: ([0-9a-f]+)", notes).group(1)

    def counts(self, profile, *words, **keywords):
        """Blocks and edges of each function, as the report has them."""
        functions = json.loads(self.succeed("report", "--json", profile, *words, **keywords))["functions"]
        return {f["name"]: (f["blocks"], f["edges"], f.get("paths")) for f in functions}


class Story(Kept):
    def rebuild(self):
        """Two builds, one in place of the other, and a profile of each."""
        self.build(3)
        self.run_into("old.wmk")
        self.expected = self.counts("old.wmk")
        os.mkdir(self.path("away"))
        os.rename(self.path("program"), self.path("away/program"))
        self.build(5)
        self.run_into("new.wmk")
        self.assertNotEqual(self.build_id("away/program"), self.build_id())

    def without_place(self, text):
        return re.sub(r"(%s/|away/)program\b(?!\.c)" % re.escape(self.directory), "program", text)

    def test_old_profile_is_read_as_with_a_copy_of_the_program(self):
        self.rebuild()
        self.assertEqual(self.counts("old.wmk"), self.expected)
        for words in (["report"], ["report", "--lines"], ["paths", "look"], ["path", "look#0"], ["annotate"],
                      ["report", "--json"], ["plan", "--compare"]):
            with self.subTest(words=words):
                profile = ["--file=old.wmk"] if words == ["annotate"] else ["old.wmk"]
                kept = [str(part) for part in self.call(*words, *profile)]
                copy = [str(part) for part in self.call(*words, *profile, "--binary=away/program")]
                self.assertEqual((kept[0], copy[0]), ("0", "0"))
                self.assertEqual([self.without_place(part) for part in kept], [self.without_place(part) for part in copy])

    def test_lines_are_those_of_the_old_source(self):
        self.rebuild()
        self.write("program.c", PROGRAM % 3)
        lines = self.succeed("annotate", "--file=old.wmk")
        self.assertRegex(lines, r"(?m)^ +9: +4:")
        self.assertRegex(lines, r"(?m)^ +3: +6:")  # 0, 3 and 6

    def test_sources_are_checked_against_the_old_build(self):
        self.rebuild()
        for words in (["annotate", "--file=old.wmk"], ["report", "old.wmk"], ["paths", "look", "old.wmk"]):
            self.assertRegex(self.call(*words)[2], r"\A[^\n]*program\.c has changed since \S*/program was built[^\n]*\n\Z")
            self.assertEqual(self.call(*[word.replace("old", "new") for word in words])[2], "")

    def test_diff(self):
        self.rebuild()
        with_copy = self.succeed("diff", "--json", "--old-binary=away/program", "old.wmk", "new.wmk")
        os.remove(self.path("away/program"))
        kept = json.loads(self.succeed("diff", "--json", "old.wmk", "new.wmk"))
        expected = json.loads(with_copy)
        expected["old"]["program"] = self.path("program")
        self.assertEqual(kept, expected)
        self.assertEqual(kept["functions"], [])  # the same shape: path by path
        moved = {path["name"].split(":")[0] for path in kept["paths"]}
        self.assertIn("look", moved)
        self.assertLess(kept["overlap"], 1)

    def test_sum_of_old_profiles(self):
        self.rebuild()
        self.run_into("more.wmk", "away/program")
        os.remove(self.path("away/program"))
        self.succeed("merge", "-o", "sum.wmk", "old.wmk", "more.wmk")
        counts = self.counts("sum.wmk")
        self.assertEqual([block["count"] for block in counts["look"][0]],
                         [2 * block["count"] for block in self.expected["look"][0]])

    def test_use_in_place(self):
        """The new build knows the old profile, whose program it replaces."""
        self.rebuild()
        self.succeed("cc", "-O1", "-g", "--use=old.wmk", "--binary=away/program", "-c", "program.c", "-o", "expected.o")
        os.remove(self.path("away/program"))
        self.succeed("cc", "-O1", "-g", "--use=old.wmk", "-c", "program.c", "-o", "new.o")
        self.assertEqual(self.read("new.o"), self.read("expected.o"))
        self.succeed("cc", "-O1", "-g", "-c", "program.c", "-o", "plain.o")
        self.assertNotEqual(self.read("new.o"), self.read("plain.o"))
        os.remove(self.path("program"))
        self.succeed("cc", "-O1", "-g", "--use=old.wmk", "-c", "program.c", "-o", "new.o")
        self.assertEqual(self.read("new.o"), self.read("expected.o"))

    def test_named_binary_must_fit(self):
        self.rebuild()
        self.assert_one_line_refusal(["report", "--binary=program", "old.wmk"], self.build_id("away/program"), self.build_id())
        self.assertEqual(self.counts("old.wmk", "--binary=away/program"), self.expected)

    def test_program_that_is_gone(self):
        self.build()
        self.run_into("old.wmk")
        expected = self.counts("old.wmk")
        self.execute("strip", "-o", "stripped", "program")
        os.remove(self.path("program"))
        self.assertEqual(self.counts("old.wmk"), expected)
        os.rename(self.path("stripped"), self.path("program"))
        self.assertEqual(self.counts("old.wmk"), expected)


class Links(Kept):
    def assert_kept(self, *names):
        """These and no others."""
        self.assertEqual(set(self.entries()), {self.build_id(name) for name in names})

    def test_every_linker_and_output(self):
        for linker in LINKERS:
            self.build(3, "-fuse-ld=" + linker, name=linker)
        self.assert_kept(*LINKERS)

    def test_ways_to_name_the_output(self):
        self.write("program.c", PROGRAM % 3)
        for number, words in enumerate((["-o", "a"], ["-ob"], ["--output=c"], ["--output", "d"], ["-o", "x", "-o", "e"],
                                        ["@words"], [])):
            self.write("words", "-o 'in a file'\n")
            self.succeed("cc", harness.LINKER, "-O1", "-DN=%d" % number, "program.c", *words,
                         "-Wl,--defsym=n=%d" % number)
        self.assert_kept("a", "b", "c", "d", "e", "in a file", "a.out")

    def test_libraries_objects_and_lto(self):
        self.write("program.c", PROGRAM % 3)
        self.succeed("cc", "-O1", "-g", "-c", "program.c", "-o", "program.o")
        self.assertEqual(self.entries(), {})
        self.succeed("cc", harness.LINKER, "program.o", "-o", "program")
        self.succeed("cc", harness.LINKER, "-O1", "-g", "-fPIC", "-shared", "program.c", "-o", "lib.so")
        self.succeed("cc", "-fuse-ld=lld", "-O1", "-g", "-flto", "program.c", "-o", "lto")
        self.succeed("c++", harness.LINKER, "-O1", "-g", "-x", "c++", "program.c", "-o", "cxx")
        self.assert_kept("program", "lib.so", "lto", "cxx")
        for name in ("lto", "cxx"):
            self.run_into(name + ".wmk", name)
            expected = self.counts(name + ".wmk")
            os.remove(self.path(name))
            self.assertEqual(self.counts(name + ".wmk"), expected)

    def test_what_does_not_count_is_not_kept(self):
        self.write("program.c", PROGRAM % 3)
        self.assertEqual(self.call("cc", harness.LINKER, "--only=none", "program.c", "-o", "program")[0], 0)
        self.assertEqual(self.call("cc", "-###", "program.c", "-o", "other")[0], 0)
        self.assertNotEqual(self.call("cc", "nothing.c", "-o", "program")[0], 0)
        for name in ("conftest", "cmTC_1a2b3"):  # how configure and CMake try the compiler
            self.succeed("cc", harness.LINKER, "program.c", "-o", name)
            self.succeed("cc", harness.LINKER, "program.c", "-o", name, environment={"WAYMARK_CACHE": "relative"})
        self.assertEqual(self.entries(), {})

    def test_no_code_is_kept(self):
        self.build()
        with open(self.only(), "rb") as file:
            kept = file.read()
        self.assertNotIn(ELF, kept)
        self.assertLess(len(kept), 2000)
        self.assertEqual(os.stat(self.only()).st_mode & 0o777, 0o600)
        self.assertEqual(os.stat(os.path.dirname(self.only())).st_mode & 0o777, 0o700)

    def test_concurrent_links(self):
        """Of one build and of several, all with room for a few only."""
        self.write("program.c", PROGRAM % 3)
        self.succeed("cc", "-O1", "-g", "-c", "program.c", "-o", "program.o")
        environment = dict(os.environ, WAYMARK_CACHE=self.cache, WAYMARK_CACHE_SIZE="5K")
        jobs = [subprocess.Popen([self.waymark, "cc", harness.LINKER, "program.o", "-o", "out%d" % number,
                                  "-Wl,--defsym=n=%d" % (number // 2)], cwd=self.directory, env=environment,
                                 stderr=subprocess.PIPE) for number in range(24)]
        for job in jobs:
            self.assertEqual((job.communicate()[1], job.returncode), (b"", 0))
        self.assertLessEqual(sum(self.entries().values()), 5 * 1024)
        self.assertTrue(self.entries())
        self.assertFalse([name for name in self.entries() if "." in name])
        for number in range(24):
            if self.build_id("out%d" % number) in self.entries():
                self.run_into("%d.wmk" % number, "out%d" % number)
                os.remove(self.path("out%d" % number))
                self.counts("%d.wmk" % number)

    def test_status_and_signals_of_clang(self):
        self.write("clang", "#!/bin/sh\ncase $1 in -Wl,--version|-dumpversion) echo 19; exit;; esac\n"
                            "trap 'echo ended >ended; trap - TERM; kill -TERM $$' TERM\n"
                            "echo $$ >started\nwhile [ -n \"$WAIT\" ]; do sleep 0.05; done; exit 7\n")
        os.chmod(self.path("clang"), 0o755)
        words = ["cc", "--clang=" + self.path("clang"), "x.o", "-o", "x"]
        self.assertEqual(self.call(*words), (7, "", ""))
        os.remove(self.path("started"))
        job = subprocess.Popen([self.waymark] + words, cwd=self.directory, env=dict(os.environ, WAIT="yes"))
        while not os.path.exists(self.path("started")) or not self.read("started"):
            time.sleep(0.01)
        job.send_signal(signal.SIGTERM)
        self.assertEqual(job.wait(), -signal.SIGTERM)
        self.assertEqual(self.read("ended"), b"ended\n")
        os.remove(self.path("started"))
        job = subprocess.Popen([self.waymark] + words, cwd=self.directory, env=dict(os.environ, WAIT="yes"))
        while not os.path.exists(self.path("started")) or not self.read("started"):
            time.sleep(0.01)
        os.remove(self.path("ended"))
        job.kill()
        job.wait()
        for _ in range(1000):
            if os.path.exists(self.path("ended")):
                break
            time.sleep(0.01)
        self.assertTrue(os.path.exists(self.path("ended")))  # clang is not left alone

    def test_clang_that_is_not_there(self):
        status, out, err = self.call("cc", "--clang=" + self.path("none"), "x.o", "-o", "x")
        self.assertEqual((status, out, len(err.splitlines())), (1, "", 1))


class Place(Kept):
    def kept_by(self, environment):
        unset = [word for name in ("WAYMARK_CACHE", "XDG_CACHE_HOME", "HOME") for word in ("-u", name)]
        self.write("program.c", PROGRAM % 3)
        settings = ["%s=%s" % pair for pair in environment.items()]
        return self.execute("env", *unset, *settings, self.waymark, "cc", harness.LINKER, "-O1", "-g", "program.c",
                            "-o", "program")

    def test_default_place(self):
        home, other = self.path("home"), self.path("other")
        for environment, folder in (({"HOME": home}, home + "/.cache/waymark"),
                                    ({"HOME": home, "XDG_CACHE_HOME": other}, other + "/waymark"),
                                    ({"HOME": home, "WAYMARK_CACHE": self.path("ci")}, self.path("ci"))):
            self.assertEqual(self.kept_by(environment), (0, "", ""))
            self.assertEqual(list(self.entries(folder)), [self.build_id()])

    def test_no_place_is_no_reason_to_complain(self):
        for environment in ({}, {"HOME": "/dev/null"}, {"HOME": ""}, {"WAYMARK_CACHE": "", "HOME": self.path("home")}):
            self.assertEqual(self.kept_by(environment), (0, "", ""))
        self.assertFalse(os.path.exists(self.path("home")))

    def test_place_from_one_machine_to_another(self):
        """A continuous integration keeps the folder, and reads what another machine has counted."""
        self.build(3)
        self.run_into("old.wmk")
        expected = self.counts("old.wmk")
        os.remove(self.path("program"))
        os.rename(self.cache, self.path("restored"))
        self.assert_one_line_refusal(["report", "old.wmk"], "program': No such file", "nothing is kept of that build in",
                                     "--binary=PATH")
        self.assertFalse(os.path.exists(self.cache))  # readers make no folders
        self.assertEqual(self.counts("old.wmk", environment={"WAYMARK_CACHE": self.path("restored")}), expected)


class Size(Kept):
    def test_oldest_used_goes_first(self):
        self.write("program.c", PROGRAM % 3)
        self.succeed("cc", "-O1", "-g", "-c", "program.c", "-o", "program.o")
        kept = []
        for number in range(8):
            self.succeed("cc", harness.LINKER, "program.o", "-o", "p", "-Wl,--defsym=n=%d" % number)
            kept.append(self.build_id("p"))
            self.run_into("%d.wmk" % number, "p")
        for number, name in enumerate(kept):
            os.utime(os.path.join(self.cache, "kept", name), (0, 1000 + number))
        self.assertEqual(set(self.entries()), set(kept))
        each = self.entries()[kept[0]]
        self.counts("0.wmk")  # is used now
        self.succeed("cc", harness.LINKER, "program.o", "-o", "p", "-Wl,--defsym=n=8",
                     environment={"WAYMARK_CACHE_SIZE": str(each * 8)})
        left = {kept[0]} | set(kept[2:]) | {self.build_id("p")}  # 7 of 8 stay, and the new one
        self.assertEqual(set(self.entries()), left)

    def test_units_and_nonsense(self):
        for size in ("64K", "1M", "2G", "99999"):
            self.build(3, environment={"WAYMARK_CACHE_SIZE": size})
            os.remove(self.only())
        for size in ("0", "100"):  # no room for it
            self.build(3, environment={"WAYMARK_CACHE_SIZE": size})
            self.assertEqual(self.entries(), {})
        for size in ("much", "-1", "1T", "1MB", "99999999999999999999", "99999999999G"):
            self.write("program.c", PROGRAM % 3)
            status, out, err = self.call("cc", harness.LINKER, "-O1", "program.c", "-o", "program",
                                         environment={"WAYMARK_CACHE_SIZE": size})
            self.assertEqual((status, out), (0, ""))
            self.assertRegex(err, r"\A[^\n]*WAYMARK_CACHE_SIZE='%s' is no size such as 500M\n\Z" % size)


class Trouble(Kept):
    """One line where something is wrong, and none where the binary is there."""

    def setUp(self):
        super().setUp()
        self.build(3)
        self.run_into("old.wmk")
        self.expected = self.counts("old.wmk")

    def assert_trouble(self, fragment, **keywords):
        self.assertEqual(self.counts("old.wmk", **keywords), self.expected)
        os.rename(self.path("program"), self.path("away"))
        try:
            for words in (["report", "old.wmk"], ["diff", "old.wmk", "old.wmk"], ["paths", "look", "old.wmk"],
                          ["annotate", "--file=old.wmk"]):
                self.assert_one_line_refusal(words, "program': No such file", fragment, "inary=PATH", **keywords)
        finally:
            os.rename(self.path("away"), self.path("program"))

    def test_entries_that_are_damaged(self):
        with open(self.only(), "rb") as file:
            right = file.read()
        damages = {b"": "it ends in its head", right[:100]: "it ends in its head", right[:-8]: "it is truncated",
                   right[:-1]: "it is truncated", right + bytes(8): "it is truncated, or longer",
                   b"#!/bin/sh\n" * 99: "it is something else",
                   b"WMKEPT02" + right[8:]: "it is of version 02, and this waymark reads version 01",
                   right[:16] + b"x" + right[17:]: "its checksum does not match"}
        for place in range(24, len(right), 31):
            damages[right[:place] + bytes([right[place] ^ 4]) + right[place + 1:]] = "its checksum does not match"
        for number, (data, reason) in enumerate(damages.items()):
            with open(self.only(), "wb") as file:
                file.write(data)
            if number < 9:
                self.assert_trouble(reason)
            self.assert_one_line_refusal(["report", "--binary=none", "old.wmk"], "none': No such file")
        self.build(3)  # a link puts it right
        with open(self.only(), "rb") as file:
            self.assertEqual(file.read()[32:], right[32:])  # behind the time of the link

    def test_entry_of_another_build(self):
        kept = self.only()
        self.build(4)
        other = os.path.join(self.cache, "kept", self.build_id())
        os.rename(other, kept)
        self.build(3)
        self.build(4)
        os.replace(other, kept)
        self.build(3, "-DX", environment={"WAYMARK_CACHE": ""})
        self.assert_trouble("is of build-id")

    def test_entries_that_are_no_files(self):
        name = self.only()
        os.remove(name)
        self.assert_trouble("nothing is kept of that build in '%s/kept'" % self.cache)
        os.mkdir(name)
        self.assert_trouble("is not used")
        os.rmdir(name)
        os.mkfifo(name)
        self.assert_trouble("is not used")
        os.remove(name)
        os.symlink("/dev/zero", name)
        self.assert_trouble("is not used")

    def test_folders_that_are_not_ours_alone(self):
        folder = os.path.dirname(self.only())
        faults = [(lambda: os.chmod(folder, 0o777), "other users may write to it"),
                  (lambda: os.chmod(folder, 0o770), "other users may write to it")]
        if os.geteuid() == 0:
            faults.append((lambda: (os.chmod(folder, 0o700), os.chown(folder, 12345, 12345)),
                           "it belongs to another user"))
        for make, reason in faults:
            make()
            self.assert_trouble("'%s' is not used: %s" % (folder, reason))
            status, out, err = self.call("cc", harness.LINKER, "-O1", "-g", "program.c", "-o", "other")
            self.assertEqual((status, out), (0, ""))
            self.assertRegex(err, r"\A[^\n]*'other' is not kept: '%s' is not used: %s\n\Z" % (folder, reason))
            self.assertEqual(self.execute("./other")[0], 0)

    def test_folders_that_are_no_folders(self):
        self.write("file", "")
        for cache, reason in ((self.path("file"), "Not a directory"), ("/dev/null/cache", "Not a directory"),
                              ("relative", "WAYMARK_CACHE is no absolute name")):
            environment = {"WAYMARK_CACHE": cache}
            self.assert_trouble(reason, environment=environment)
            status, out, err = self.call("cc", harness.LINKER, "-O1", "-g", "program.c", "-o", "other",
                                         environment=environment)
            self.assertEqual((status, out, len(err.splitlines())), (0, "", 1))
            self.assertIn(reason, err)
        self.assertFalse(os.path.exists(self.path("relative")))
        self.assert_trouble("there is no cache: WAYMARK_CACHE is empty", environment={"WAYMARK_CACHE": ""})

    def test_limit_on_the_size_of_files(self):
        """As on a full disk: the link is whole, one line says the rest, and nothing is left behind."""
        os.remove(self.only())
        self.write("clang", "#!/bin/sh\ncase $1 in -Wl,--version|-dumpversion) echo 19; exit;; esac\n"
                            "ulimit -S -f unlimited; exec %s \"$@\"\n" % harness.CLANG)
        os.chmod(self.path("clang"), 0o755)
        script = "ulimit -S -f 0; exec \"$@\""
        status, out, err = self.execute("sh", "-c", script, "sh", self.waymark, "cc", "--clang=" + self.path("clang"),
                                        harness.LINKER, "-O1", "-g", "program.c", "-o", "program",
                                        environment={"WAYMARK_CACHE": self.cache})
        self.assertEqual((status, out), (0, ""))
        self.assertRegex(err, r"\A[^\n]*'program' is not kept: cannot write '[^']*': File too large\n\Z")
        self.assertEqual(self.entries(), {})
        self.assertEqual(self.execute("./program")[0], 0)


if __name__ == "__main__":
    cases.main("__main__")
