#!/usr/bin/env python3
"""A packed profile is read on a machine that has neither program nor sources nor cache.

usage: packed.py --waymark=PATH [unittest arguments]
"""
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "end_to_end"))
sys.path.insert(0, os.path.join(HERE, "..", "merge"))

import cases
import harness
import wmk

HEADER = "static int twice(int x)\n{\n\treturn 2 * x;\n}\n"
PROGRAM = """#include <stdio.h>
#include "twice.h"
__attribute__((noinline)) int look(int x)
{
	if (x % 3 == 0) {
		__asm__ volatile("");
		return twice(x);
	}
	return x;
}
int main(void)
{
	int sum = 0;
	for (int i = 0; i < 9; i++)
		sum += look(i);
	printf("%d\\n", sum);
	return 0;
}
"""
KEPT, TEXT = 7, 8  # kinds of chunks


class Packed(cases.Case):
    def setUp(self):
        super().setUp()
        self.cache = self.path("cache")
        os.mkdir(self.path("src"))
        self.write("src/program.c", PROGRAM)
        self.write("src/twice.h", HEADER)
        self.build()
        self.run_into("app.wmk")

    def call(self, *words, environment=None, **keywords):
        return super().call(*words, environment=dict({"WAYMARK_CACHE": self.cache}, **(environment or {})),
                            **keywords)

    def build(self, *words):
        self.succeed("cc", harness.LINKER, "-O1", "-g", "src/program.c", "-o", "program", *words)

    def run_into(self, profile):
        self.assertEqual(self.execute("./program", environment={"WAYMARK_FILE": self.path(profile)})[0], 0)

    def leave(self):
        """Everything but the profiles is on another machine."""
        for name in ("src", "cache", "program"):
            shutil.rmtree(self.path(name), ignore_errors=True)
            if os.path.exists(self.path(name)):
                os.remove(self.path(name))
        self.cache = ""

    def show(self, profile):
        """What the commands print and say."""
        return {" ".join(words): self.call(*words, profile) for words in (
            ["report", "--json"], ["report", "--lines"], ["report"], ["paths", "look"], ["path", "look#0"],
            ["annotate"])}

    def chunks(self, profile):
        """Kinds and places of the chunks, after docs/file-format.md."""
        data = self.read(profile)
        unit = int.from_bytes(data[24:32], "little")
        count = int.from_bytes(data[3160:3168], "little")
        found, index = [], 2
        while index < count:
            place = 4096 + index * unit
            found.append((data[place], place))
            index += max(1, int.from_bytes(data[place + 4:place + 8], "little"))
        return found

    def assert_same(self, shown, expected, profile):
        for words, (status, out, err) in expected.items():
            with self.subTest(words=words):
                # The report names the file and its age.
                self.assertEqual((shown[words][0], shown[words][1].splitlines()[1:], shown[words][2]),
                                 (status, out.splitlines()[1:], err))


class Story(Packed):
    def test_another_machine(self):
        expected = self.show("app.wmk")
        self.assertEqual({result[0] for result in expected.values()}, {0})
        self.assertEqual(self.succeed("pack", "--sources", "app.wmk"), "wrote app-packed.wmk\n")
        self.assertEqual(sorted(kind for kind, _ in self.chunks("app-packed.wmk")), [KEPT, TEXT, TEXT])
        os.remove(self.path("app.wmk"))
        self.leave()
        self.assert_same(self.show("app-packed.wmk"), expected, "app-packed.wmk")
        self.assertRegex(self.succeed("annotate", "--file=app-packed.wmk", "twice.h"), r"(?m)^ +3: +3:\treturn 2")

    def test_texts_of_another_machine_are_not_taken_for_ours(self):
        expected = self.show("app.wmk")
        self.succeed("pack", "--sources", "-o", "out.wmk", "app.wmk")
        self.write("src/program.c", "another text\n")
        self.write("src/twice.h", "another text\n")
        self.write("program", "#!/bin/sh\n")
        self.assert_same(self.show("out.wmk"), expected, "out.wmk")

    def test_without_sources(self):
        expected = self.counts("app.wmk")
        self.succeed("pack", "-o", "out.wmk", "app.wmk")
        self.assertEqual([kind for kind, _ in self.chunks("out.wmk")], [KEPT])
        self.leave()
        self.assertEqual(self.counts("out.wmk"), expected)
        self.assert_one_line_refusal(["annotate", "--file=out.wmk"], "cannot read source file")
        self.assert_one_line_refusal(["report", "app.wmk"], "program': No such file", "--binary=PATH")

    def counts(self, profile, *words):
        return json.loads(self.succeed("report", "--json", profile, *words))["functions"]

    def test_packed_is_a_profile(self):
        """It counts, is merged, compared and used, and packed again."""
        expected = self.counts("app.wmk")
        self.succeed("pack", "-o", "packed.wmk", "app.wmk")
        self.run_into("packed.wmk")
        self.run_into("packed.wmk")
        self.succeed("pack", "--sources", "packed.wmk", "-o", "packed.wmk")
        self.assertEqual(sorted(kind for kind, _ in self.chunks("packed.wmk")), [KEPT, TEXT, TEXT])
        self.succeed("merge", "-o", "sum.wmk", "app.wmk", "packed.wmk", "packed.wmk")
        self.assertEqual(sorted(kind for kind, _ in self.chunks("sum.wmk")), [KEPT, TEXT, TEXT])
        self.succeed("cc", "-O1", "-g", "--use=app.wmk", "-c", "src/program.c", "-o", "expected.o")
        self.succeed("cc", "-O1", "-g", "--use=packed.wmk", "-c", "src/program.c", "-o", "new.o")
        shutil.copytree(self.path("src"), self.path("there"))
        self.leave()
        for profile, times in (("packed.wmk", 3), ("sum.wmk", 7)):
            counts = self.counts(profile)
            self.assertEqual([[block["count"] for block in function["blocks"]] for function in counts],
                             [[times * block["count"] for block in function["blocks"]] for function in expected])
        self.assertEqual(json.loads(self.succeed("diff", "--json", "packed.wmk", "sum.wmk"))["overlap"], 1)

    def test_kept_build_is_packed(self):
        """The program was built again since."""
        expected = self.show("app.wmk")
        self.build("-DMORE")
        self.succeed("cc", harness.LINKER, "-O2", "-g", "src/program.c", "-o", "program")
        self.succeed("pack", "--sources", "-o", "out.wmk", "app.wmk")
        self.leave()
        self.assert_same(self.show("out.wmk"), expected, "out.wmk")

    def test_named_binary(self):
        expected = self.show("app.wmk")
        os.rename(self.path("program"), self.path("moved"))
        self.cache = ""
        self.assert_one_line_refusal(["pack", "app.wmk"], "program': No such file", "--binary=PATH")
        self.succeed("pack", "--sources", "--binary=moved", "-o", "out.wmk", "app.wmk")
        self.leave()
        self.assert_same(self.show("out.wmk"), expected, "out.wmk")

    def test_newest_profile_and_that_of_a_program(self):
        self.assertEqual(self.succeed("pack"), "wrote app-packed.wmk\n")
        self.assertEqual(self.succeed("pack", "-o", "out.wmk", "./program"), "wrote out.wmk\n")


class Sources(Packed):
    def texts(self, profile):
        data = self.read(profile)
        return [data[place + 96:].split(b"\0", 1)[0].decode()
                for kind, place in self.chunks(profile) if kind == TEXT]

    def test_only_what_was_compiled_is_packed(self):
        self.write("src/program.c", "// new\n" + PROGRAM)
        status, out, err = self.call("pack", "--sources", "-o", "out.wmk", "app.wmk")
        self.assertEqual((status, out), (0, "wrote out.wmk\n"))
        self.assertRegex(err, r"\A[^\n]*pack: \S*/src/program\.c is left out: it has changed since \S*/program was "
                         r"built\n\Z")
        self.assertEqual(self.texts("out.wmk"), [self.path("src/twice.h")])

    def test_sources_that_cannot_be_read(self):
        shutil.rmtree(self.path("src"))
        status, out, err = self.call("pack", "--sources", "-o", "out.wmk", "app.wmk")
        self.assertEqual((status, out), (0, "wrote out.wmk\n"))
        self.assertRegex(err, r"\A[^\n]*pack: 2 source files cannot be read, such as \S*src/\S+\n\Z")
        self.assertEqual(self.texts("out.wmk"), [])

    def test_without_checksums_time_decides(self):
        self.succeed("cc", harness.LINKER, "-O1", "-gdwarf-4", "src/program.c", "-o", "program")
        self.run_into("old.wmk")
        self.succeed("pack", "--sources", "-o", "out.wmk", "old.wmk")
        self.assertEqual(len(self.texts("out.wmk")), 2)
        os.utime(self.path("src/twice.h"), (2**32, 2**32))
        status, _, err = self.call("pack", "--sources", "-o", "new.wmk", "old.wmk")
        self.assertEqual(status, 0)
        self.assertRegex(err, r"\A[^\n]*twice\.h is left out: it was written after \S*/program was built\n\Z")
        self.assertEqual(self.texts("new.wmk"), [self.path("src/program.c")])


class Trouble(Packed):
    def test_outputs_that_are_refused(self):
        self.write("text", "text\n")
        self.succeed("cc", harness.LINKER, "-O2", "src/program.c", "-o", "other")
        self.execute("./other", environment={"WAYMARK_FILE": self.path("other.wmk")})
        for output, fragment in (("text", "not a .wmk file"), ("other.wmk", "profile of another build"),
                                 ("src", "not a regular file"), ("none/out.wmk", "No such file")):
            self.assert_one_line_refusal(["pack", "-o", output, "app.wmk"], fragment)
        os.mkdir(self.path("two"))
        for name in ("app.wmk", "other.wmk"):
            shutil.copy(self.path(name), self.path("two"))
        self.assert_one_line_refusal(["pack", "two"], "name one profile")
        self.assert_one_line_refusal(["pack", "none.wmk"], "none.wmk")

    def test_full_disk(self):
        with open("/dev/null") as nothing:
            done = subprocess.run(["sh", "-c", "ulimit -S -f 1; exec \"$@\"", "sh", self.waymark, "pack", "-o", "out.wmk",
                                   "app.wmk"], cwd=self.directory, stdin=nothing, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"\A[^\n]*cannot write[^\n]*\n\Z")
        self.assertEqual([name for name in os.listdir(self.directory) if name.startswith("out.wmk")], [])

    def test_damage(self):
        """Of what is packed only: counts are good, and the program is used if it is there."""
        self.succeed("pack", "--sources", "-o", "out.wmk", "app.wmk")
        whole = self.read("out.wmk")
        expected = self.show("app.wmk")
        (_, record), (_, text), _ = self.chunks("out.wmk")
        later = bytearray(whole)
        later[record + 80:record + 88] = b"WMKEPT02"
        size = int.from_bytes(whole[record + 64:record + 72], "little")
        later[record + 72:record + 80] = wmk_hash(later[record + 80:record + 80 + size]).to_bytes(8, "little")
        damages = [(bytes(later), "version 02")]
        for place, bits in ((64, 0xff), (72, 1), (80, 1), (200, 4)):
            damaged = bytearray(whole)
            damaged[record + place] ^= bits
            damages.append((bytes(damaged), "what is packed in the file is damaged"))
        for data, reason in damages:
            self.write("out.wmk", data)
            self.cache = self.path("cache")
            self.assert_same(self.show("out.wmk"), expected, "out.wmk")
            self.cache = ""
            os.rename(self.path("program"), self.path("away"))
            self.assert_one_line_refusal(["report", "out.wmk"], "program': No such file", reason)
            os.rename(self.path("away"), self.path("program"))
        damaged = bytearray(whole)
        damaged[text + 120] ^= 1
        self.write("out.wmk", bytes(damaged))
        self.assert_same(self.show("out.wmk"), expected, "out.wmk")


def wmk_hash(data):
    value = 0xcbf29ce484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 & wmk.MASK
    return value


if __name__ == "__main__":
    cases.main("__main__")
