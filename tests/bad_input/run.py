#!/usr/bin/env python3
"""Bad input gets one line that says what is wrong and where, a non-zero exit, and nothing written.

usage: run.py --waymark=PATH [unittest arguments]
"""
import glob
import os
import random
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "end_to_end"))

import cases
from cases import HELLO

HEADER_BYTES = 4096
# All readers of a profile.
READERS = (["report"], ["report", "--json"], ["report", "--lines"], ["report", "--calls"])


class Profiles(cases.Case):
    """A program `hello` and its profile `hello.wmk`."""

    def setUp(self):
        super().setUp()
        self.build_hello()
        os.rename(glob.glob(self.path("hello-*.wmk"))[0], self.path("hello.wmk"))

    def assert_readers_refuse(self, *fragments):
        for words in READERS:
            with self.subTest(words=words):
                self.assert_one_line_refusal(words + ["hello.wmk"], *fragments)

    def build_id(self, name):
        text = self.execute("readelf", "-n", name)[1]
        return re.search(r"Build ID: ([0-9a-f]+)", text).group(1)

    def test_good_profile_is_read(self):
        self.assertIn("main", self.succeed("report", "hello.wmk"))

    def test_missing_profile(self):
        self.assert_one_line_refusal(["report", "absent.wmk"], "absent.wmk")

    def test_no_profile_in_the_directory(self):
        os.remove(self.path("hello.wmk"))
        self.assert_one_line_refusal(["report"], ".wmk")
        self.assert_one_line_refusal(["annotate", "hello.c"], ".wmk")

    def test_profile_is_a_directory(self):
        os.mkdir(self.path("directory.wmk"))
        self.assert_one_line_refusal(["report", "directory.wmk"], "directory.wmk")

    def test_binary_is_gone(self):
        os.remove(self.path("hello"))
        self.assert_readers_refuse("hello")

    def test_binary_is_not_elf(self):
        self.write("hello", "#!/bin/sh\necho hello\n")
        self.assert_readers_refuse("hello", "ELF")

    def test_binary_is_empty(self):
        self.write("hello", "")
        self.assert_readers_refuse("hello", "ELF")

    def test_binary_is_truncated(self):
        whole = self.read("hello")
        for size in (3, 63, 64, 200, len(whole) // 2, len(whole) - 1):
            with self.subTest(size=size):
                self.write("hello", whole[:size])
                self.assert_one_line_refusal(["report", "hello.wmk"], "hello")

    def test_binary_without_description(self):
        self.execute("gcc", "-Wl,--build-id=0x" + self.build_id("hello"), "hello.c", "-o", "hello")
        self.assert_readers_refuse("hello", "waymark cc")

    def test_profile_of_another_build(self):
        old = self.build_id("hello")
        self.write("hello.c", HELLO.replace("x > 2", "x > 3"))
        self.succeed("cc", "-g", "hello.c", "-o", "hello")
        new = self.build_id("hello")
        self.assertNotEqual(old, new)
        self.assert_readers_refuse(old, new)

    def test_profile_truncated(self):
        whole = self.read("hello.wmk")
        for size in (0, 1, 7, 8, 100, HEADER_BYTES - 1, HEADER_BYTES, HEADER_BYTES + 100,
                     len(whole) - 1):
            with self.subTest(size=size):
                self.write("hello.wmk", whole[:size])
                self.assert_one_line_refusal(["report", "hello.wmk"], "hello.wmk")

    def test_foreign_profile(self):
        for data in (b"\x89PNG\r\n\x1a\n" + bytes(5000), b"text\n" * 2000, bytes(8192),
                     self.read("hello")):
            self.write("hello.wmk", data)
            self.assert_one_line_refusal(["report", "hello.wmk"], "hello.wmk")

    def test_profile_of_a_later_version(self):
        data = bytearray(self.read("hello.wmk"))
        data[8] += 1
        self.write("hello.wmk", bytes(data))
        self.assert_one_line_refusal(["report", "hello.wmk"], "hello.wmk")

    def test_damaged_header(self):
        """Every byte of the fields that say what the file is; magic to build-id."""
        whole = self.read("hello.wmk")
        for offset in list(range(0, 60)) + [100, 3000]:
            with self.subTest(offset=offset):
                data = bytearray(whole)
                data[offset] ^= 0x41
                self.write("hello.wmk", bytes(data))
                self.assert_one_line_refusal(["report", "hello.wmk"], "hello.wmk")

    def test_random_damage_never_crashes(self):
        whole = self.read("hello.wmk")
        binary = self.read("hello")
        generator = random.Random(7)
        for name, data in (("hello.wmk", whole), ("hello", binary)):
            for _ in range(100):
                damaged = bytearray(data)
                for _ in range(generator.randrange(1, 30)):
                    damaged[generator.randrange(len(damaged))] = generator.randrange(256)
                self.write(name, bytes(damaged))
                status, _, err = self.call("report", "--json", "hello.wmk", timeout=20)
                self.assertIn(status, (0, 1), "%s: %s" % (name, err))
                self.assertLessEqual(len(err.splitlines()), 1, err)
            self.write(name, data)

    def test_source_missing_in_annotate(self):
        os.remove(self.path("hello.c"))
        self.assert_one_line_refusal(["annotate", "hello.c"], "hello.c")
        self.assert_one_line_refusal(["annotate"], "hello.c")

    def test_source_unknown_in_annotate(self):
        self.write("other.c", "int x;\n")
        self.assert_one_line_refusal(["annotate", "other.c"], "other.c")

    def test_annotate_without_debug_information(self):
        os.remove(self.path("hello.wmk"))
        self.succeed("cc", "hello.c", "-o", "hello")
        self.execute("./hello")
        self.assert_one_line_refusal(["annotate", "hello.c"], "-g")
        self.assertIn("main", self.succeed("report"))

    def test_paths_of_what_has_none(self):
        """The program was built for edges: there are no paths, whatever is asked."""
        self.succeed("cc", "-g", "--profile=edges", "hello.c", "-o", "hello")
        os.remove(self.path("hello.wmk"))
        self.execute("./hello", environment={"WAYMARK_FILE": "hello.wmk"})
        self.assert_one_line_refusal(["paths", "main"], "main", "--profile=paths")
        self.assert_one_line_refusal(["paths", "mian"], "mian", "main")

    def test_names_of_paths(self):
        for name in ("main:1", "main:0123456g:1"):
            with self.subTest(name=name):
                self.assert_one_line_refusal(["path", name], "FUNCTION#ID", "did you mean")
        for name in ("main:01234567:x", ":01234567:", "main#", "#1", "main#x"):
            with self.subTest(name=name):
                self.assert_one_line_refusal(["path", name], "no function '%s'" % name)
        self.assert_one_line_refusal(["path", "main:01234567:1"], "main")
        self.assert_one_line_refusal(["path", "mian:01234567:1"], "mian", "main")

    def test_readers_of_paths_refuse_what_is_no_profile(self):
        self.write("text.wmk", "no profile")
        for words in (["paths", "main"], ["path", "main:01234567:1"], ["diff", "hello.wmk"]):
            with self.subTest(words=words):
                self.assert_one_line_refusal(words + ["text.wmk"], "text.wmk")
                self.assert_one_line_refusal(words + ["absent.wmk"], "absent.wmk")

    def test_empty_words_are_quoted(self):
        """A word that is empty, usually a variable that is not set, must be seen in the message."""
        self.write("graph.dot", 'digraph { entry="a"; exit="b"; a -> b; }')
        name, file = "main:01234567:1", "hello.wmk"
        for words in (
                [""], ["report", ""], ["report", "--top=", file], ["report", "--top", "", file],
                ["report", "--binary=", file], ["report", "--=", file],
                ["paths", ""], ["paths", "main", ""], ["paths", "main", "--top="],
                ["paths", "main", "--binary="], ["path", ""], ["path", name, ""],
                ["path", name, "--binary="], ["diff", "", file], ["diff", file, ""],
                ["diff", "--top=", file, file], ["diff", "--old-binary=", file, file],
                ["diff", "--new-binary=", file, file], ["annotate", ""], ["annotate", "hello.c", ""],
                ["annotate", "--binary="], ["annotate", "--file="], ["merge", "-o", "", file],
                ["merge", "-o", "out.wmk", ""], ["merge", "--failure=", "-o", "out.wmk", file],
                ["ctl", "", "status"], ["ctl", "1", ""], ["plan", ""], ["plan", "--problem=", "graph.dot"],
                ["plan", "--weights=", "graph.dot"], ["plan", "--problem=paths", "--path=", "graph.dot"],
                ["plan", "--problem=select", "--interesting=", "graph.dot"],
                ["plan", "--compare", "--binary=", file], ["plan", "--compare", ""], ["doctor", ""]):
            with self.subTest(words=words):
                self.assert_one_line_refusal(words, "'--'" if "--=" in words else "''")
        for option in ("profile", "placement", "paths", "weights", "at", "base", "clang",
                       "prefer-by"):
            with self.subTest(option=option):
                self.assert_one_line_refusal(["cc", "--%s=" % option, "-c", "hello.c"], "''")
        self.assertIn("cannot read ''", self.call("cc", "--use=", "-c", "hello.c")[2])


class Graphs(cases.Case):
    def assert_refused(self, text, *fragments):
        self.write("graph.dot", text)
        self.assert_one_line_refusal(["plan", "graph.dot"], *fragments)

    def test_good_graph_is_planned(self):
        self.write("graph.dot", 'digraph { entry="a"; exit="c"; a -> b [weight=2]; b -> c; a -> c; }')
        self.assertRegex(self.succeed("plan", "graph.dot"), r"cost [0-9.]+, \d+ counters on \d+ edges")

    def test_missing_file(self):
        self.assert_one_line_refusal(["plan", "absent.dot"], "absent.dot")

    def test_no_file_named(self):
        self.assert_one_line_refusal(["plan"])

    def test_syntax_error_has_its_line(self):
        self.assert_refused('digraph g {\n entry="a"; exit="b";\n a -> b;\n a -> -> b;\n}\n',
                            "graph.dot", "4")

    def test_unclosed_graph(self):
        self.assert_refused('digraph g {\n entry="a"; exit="b";\n a -> b;\n', "graph.dot")

    def test_empty_file(self):
        self.assert_refused("", "graph.dot")

    def test_undirected(self):
        self.assert_refused('graph { entry="a"; exit="b"; a -- b; }', "graph.dot")

    def test_without_entry(self):
        self.assert_refused('digraph { exit="b"; a -> b; }', "entry")

    def test_without_exit(self):
        self.assert_refused('digraph { entry="a"; a -> b; }', "exit")

    def test_entry_is_no_vertex(self):
        self.assert_refused('digraph { entry="nowhere"; exit="b"; a -> b; }', "nowhere")

    def test_unreachable_vertices_are_named(self):
        self.assert_refused('digraph { entry="a"; exit="b"; a -> b; island -> b; }', "island")

    def test_weight_is_no_number(self):
        self.assert_refused('digraph { entry="a"; exit="b"; a -> b [weight=heavy]; }', "heavy")

    def test_weight_is_negative_or_not_finite(self):
        for weight in ("-3", "nan", "inf", "1e999"):
            with self.subTest(weight=weight):
                self.assert_refused(
                    'digraph { entry="a"; exit="b"; a -> b [weight="%s"]; a -> b; }' % weight, weight)

    def test_not_text(self):
        self.write("graph.dot", bytes(range(256)) * 20)
        self.assert_one_line_refusal(["plan", "graph.dot"], "graph.dot")


class Words(cases.Case):
    """Misspelt commands, options and values get the nearest match."""

    def setUp(self):
        super().setUp()
        self.write("hello.c", HELLO)
        self.write("graph.dot", 'digraph { entry="a"; exit="b"; a -> b; }')

    def test_commands(self):
        self.assert_one_line_refusal(["reprot"], "reprot", "report")
        self.assert_one_line_refusal(["anotate"], "anotate", "annotate")
        self.assert_one_line_refusal(["pln"], "pln", "plan")

    def test_options(self):
        self.assert_one_line_refusal(["report", "--josn"], "--josn", "--json")
        self.assert_one_line_refusal(["report", "--function"], "--function", "--functions")
        self.assert_one_line_refusal(["plan", "--problm=edges", "graph.dot"], "--problm", "--problem")
        self.assert_one_line_refusal(["doctor", "--nonsense"], "--nonsense")

    def test_values(self):
        self.assert_one_line_refusal(["report", "--top=many"], "many")
        self.assert_one_line_refusal(["plan", "--problem=edgs", "graph.dot"], "edgs", "edges")
        self.assert_one_line_refusal(["plan", "--weights=heuristics", "graph.dot"], "heuristics",
                                     "heuristic")

    def test_values_of_the_compiler_wrapper(self):
        for word, nearest in (("--profile=edgs", "edges"), ("--placement=optimum", "optimal"),
                              ("--weights=compile", "compiler"), ("--at=lat", "late")):
            with self.subTest(word=word):
                self.assert_one_line_refusal(["cc", word, "-c", "hello.c"], word.split("=")[1],
                                             nearest)

    def test_the_word_that_is_wrong_is_the_one_that_is_named(self):
        for words, expected in (
                (["--profile=pths"], "--profile='pths' is unknown: use "),
                (["--profile=pths", "--placement=vertex"], "--profile='pths' is unknown"),
                (["--placement=comit"], "--placement='comit' is unknown: use optimal, commit"),
                (["--profile=edges", "--placement=vertex"],
                 "--profile=edges does not go with --placement=vertex")):
            with self.subTest(words=words):
                self.assert_one_line_refusal(["cc", *words, "-c", "hello.c"], expected)

    def test_misspelt_options_of_the_compiler_wrapper(self):
        """clang, to whom unknown words go, refuses them."""
        for word in ("--profil=edges", "--placment=optimal", "--stric"):
            with self.subTest(word=word):
                status, _, err = self.call("cc", word, "-c", "hello.c")
                self.assertNotEqual(status, 0)
                self.assertIn(word.split("=")[0], err)

    def test_output_where_nothing_can_be_written(self):
        status, _, err = self.call("cc", "hello.c", "-o", "/proc/none/hello")
        self.assertNotEqual(status, 0)
        self.assertIn("/proc/none/hello", err)


if __name__ == "__main__":
    cases.main("__main__")
