#!/usr/bin/env python3
"""waymark merge, on files made and read back by code of the tests' own.

usage: run.py --waymark=PATH [unittest arguments]
"""
import collections
import glob
import os
import random
import resource
import shutil
import signal
import stat
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "end_to_end"))

import cases
import wmk

OTHER_BUILD = b"\xcd" * 20


class Files(cases.Case):
    def put(self, name, profile):
        self.write(name, profile.encode())

    def get(self, name):
        return wmk.Profile.decode(self.read(name))

    def merge(self, *words):
        self.assertEqual(self.succeed("merge", *words), "")

    def assert_totals(self, name, counters, runs, cut_short=0, status=0):
        merged = self.get(name)
        self.assertEqual(len(merged.blocks), 2)
        block = merged.blocks[merged.commit & 1]
        self.assertEqual((block.counters, block.runs, block.cut_short, block.status),
                         (counters, runs, cut_short, status))
        self.assertEqual(merged.commit >> 1, 0)


class Sum(Files):
    def test_counters_and_runs_add_up(self):
        self.put("a.wmk", wmk.simple([1, 2, 3], 4, path="/bin/one"))
        self.put("b.wmk", wmk.simple([10, 20, wmk.MASK], 5))
        self.merge("-o", "out.wmk", "a.wmk", "b.wmk")
        self.assert_totals("out.wmk", [11, 22, 2], 9)
        self.assertEqual(self.get("out.wmk").path, "/bin/one")
        self.assertEqual(self.get("out.wmk").build_id, b"\xab" * 20)

    def test_threads_and_their_endings_are_taken_over(self):
        blocks = [wmk.totals([0], 7), wmk.totals([100], 3, 2, 4),
                  wmk.Block([1000]), wmk.Block([5000], state=wmk.FREE),
                  wmk.Block([10000], ended=0, runs=0, status=1),
                  wmk.Block([100000], ended=0, state=wmk.RELEASED, process=os.getpid()),
                  wmk.Block([1000000], ended=0, namespace=0)]
        self.put("a.wmk", wmk.Profile(blocks, commit=1))
        self.put("b.wmk", wmk.Profile(blocks, commit=1 | 2 << 1))
        self.merge("-o", "out.wmk", "a.wmk", "b.wmk")
        # Two folded, one dead, one released, one of whom nobody here can tell: in both files.
        self.assert_totals("out.wmk", [2 * 1110100 + 1000], 2 * 5 + 1, 2 * (2 + 3), 5)

    def test_a_reset_stays_one(self):
        self.put("a.wmk", wmk.Profile([wmk.totals([0, 0], 0), wmk.totals([0, 0], 0),
                                       wmk.Block([500, 9]), wmk.Block([-499 & wmk.MASK, 0], runs=0)]))
        self.merge("-o", "out.wmk", "a.wmk", "a.wmk")
        self.assert_totals("out.wmk", [2, 18], 2)

    def test_more_counters_than_one_chunk(self):
        counters = [random.Random(1).randrange(1 << 64) for _ in range(30000)]
        self.put("a.wmk", wmk.simple(counters))
        self.put("b.wmk", wmk.simple(list(range(30000))))
        self.merge("-o", "out.wmk", "a.wmk", "b.wmk")
        self.assert_totals("out.wmk", [(c + i) & wmk.MASK for i, c in enumerate(counters)], 2)

    def assert_entries(self, name, entries):
        self.assertEqual(self.get(name).entries(), entries)
        for table in self.get(name).tables:
            self.assertEqual((table.state, table.process), (wmk.RELEASED, 0))

    def test_tables_add_up(self):
        first = [wmk.Table([(0, 7, 1, 2), (1, 7, 0, 30), (0, wmk.MASK, 0, 5)]),
                 wmk.Table([(0, 7, 0, 400)], span=2, state=wmk.RELEASED)]
        second = [wmk.Table([(0, 7, 0, 5000), (0, 8, 0, 1)], changes=4),
                  wmk.Table([], span=2)]
        self.put("a.wmk", wmk.Profile([wmk.totals([1, 2], 1), wmk.totals([0, 0], 0)], tables=first))
        self.put("b.wmk", wmk.Profile([wmk.totals([1, 2], 1), wmk.totals([0, 0], 0),
                                       wmk.Block([10, 20])], tables=second))
        self.merge("-o", "out.wmk", "a.wmk", "b.wmk")
        self.assert_totals("out.wmk", [12, 24], 3)
        self.assert_entries("out.wmk", {(0, 7): 5403, (0, 8): 1, (1, 7): 30, (0, wmk.MASK): 5})

    def test_entries_that_cancel_are_gone(self):
        self.put("a.wmk", wmk.Profile([wmk.totals([1], 1), wmk.totals([0], 0)],
                                      tables=[wmk.Table([(0, 7, 0, 2), (0, 8, 0, 1 << 63)])]))
        self.put("b.wmk", wmk.Profile([wmk.totals([1], 1), wmk.totals([0], 0)],
                                      tables=[wmk.Table([(0, 7, 0, -2), (0, 8, 0, 1 << 63)])]))
        self.merge("-o", "out.wmk", "a.wmk", "b.wmk")
        self.assert_totals("out.wmk", [2], 2)
        self.assertEqual(self.get("out.wmk").tables, [])

    def test_tables_in_any_order_and_grouping(self):
        generator = random.Random(1996)
        names, expected = ["%d.wmk" % i for i in range(8)], collections.Counter()
        for name in names:
            cells = [(generator.randrange(3), generator.randrange(400), generator.randrange(9),
                      generator.randrange(1, 9)) for _ in range(250)]
            for counter, key, earlier, count in cells:
                expected[counter, key] += earlier + count
            self.put(name, wmk.Profile([wmk.totals([0] * 3, 1), wmk.totals([0] * 3, 0)],
                                       tables=[wmk.Table(cells, span=3)]))
        results = set()
        for _ in range(50):
            generator.shuffle(names)
            cut = generator.randrange(1, len(names))
            self.merge("-o", "left.tmp", *names[:cut])
            self.merge("-o", "right.tmp", *names[cut:])
            self.merge("-o", "out.tmp", "right.tmp", "left.tmp")
            results.add(self.read("out.tmp"))
        self.assertEqual(len(results), 1)
        self.assert_entries("out.tmp", dict(expected))

    def test_a_table_in_the_output_of_a_living_process(self):
        table = wmk.Table([(0, 7, 0, 2)], process=os.getpid(), start=wmk.start_of(os.getpid()))
        block = wmk.Block([60], process=os.getpid(), start=wmk.start_of(os.getpid()), ended=0)
        self.put("out.wmk", wmk.Profile([wmk.totals([5], 1), wmk.totals([0], 0), block],
                                        tables=[table]))
        self.put("b.wmk", wmk.simple([700]))
        self.assert_one_line_refusal(["merge", "-o", "out.wmk", "b.wmk"], "out.wmk", "counting")

    def test_damaged_tables(self):
        for table, reason in ((wmk.Table([(1, 7, 0, 2)]), "counter"),
                              (wmk.Table([(-1, 7, 0, 2)]), "counter"),
                              (wmk.Table([(0, 7, 0, 2)], state=wmk.FREE), "state"),
                              (wmk.Table([(0, 7, 0, 2)], state=3), "state")):
            self.put("a.wmk", wmk.Profile([wmk.totals([5], 1), wmk.totals([0], 0)], tables=[table]))
            self.assert_one_line_refusal(["merge", "-o", "out.wmk", "a.wmk"], "a.wmk", reason)
        whole = bytearray(wmk.Profile([wmk.totals([5], 1), wmk.totals([0], 0)],
                                      tables=[wmk.Table([(0, 7, 0, 2)])]).encode())
        for span in (2, 0x7fffffff, 0xffffffff):
            whole[4096 * 3 + 4:4096 * 3 + 8] = span.to_bytes(4, "little")
            self.write("a.wmk", bytes(whole))
            self.assert_one_line_refusal(["merge", "-o", "out.wmk", "a.wmk"], "a.wmk",
                                         "larger than the file")

    def test_unknown_kinds_are_named_and_left_out(self):
        self.put("a.wmk", wmk.Profile([wmk.totals([5], 1), wmk.totals([0], 0)],
                                      tables=[wmk.Unknown(200, 3), wmk.Table([(0, 7, 0, 2)]),
                                              wmk.Unknown(9)]))
        status, out, err = self.call("merge", "-o", "out.wmk", "a.wmk", "a.wmk")
        self.assertEqual((status, out), (0, ""))
        self.assertEqual(err, 2 * ("waymark: warning: a.wmk: holds data of kind 9, 200, which this "
                                   "waymark does not know: it is left out\n"))
        self.assert_totals("out.wmk", [10], 2)
        self.assert_entries("out.wmk", {(0, 7): 4})

    def test_an_output_of_unknown_kinds_is_not_replaced(self):
        self.put("out.wmk", wmk.Profile([wmk.totals([5], 1), wmk.totals([0], 0)],
                                        tables=[wmk.Unknown(40)]))
        self.put("b.wmk", wmk.simple([700]))
        before = self.read("out.wmk")
        self.assert_one_line_refusal(["merge", "-o", "out.wmk", "b.wmk"], "out.wmk", "kind 40")
        self.assertEqual(self.read("out.wmk"), before)

    def test_libraries_add_up_by_build_id(self):
        """Small and large ones, in files of small and large programs; one of them is in one file only."""
        large = [7] * 3000
        small = wmk.Library([wmk.totals([1, 2], 3), wmk.totals([0, 0], 0), wmk.Block([10, 20]),
                             wmk.Block([5, 5], state=wmk.FREE)],
                            [wmk.Table([(1, 9, 1, 2)])])
        folded = wmk.Library([wmk.totals([1, 2], 3), wmk.totals([100, 200], 4, 1, 2),
                              wmk.Block([9, 9]), wmk.Block([1000, 2000], ended=0, runs=0)],
                             [wmk.Table([(1, 9, 0, 40)], span=2)], commit=(1, 1))
        other = wmk.Library([wmk.totals(large, 1), wmk.totals([0] * 3000, 0), wmk.Block(large)],
                            [wmk.Table([(2999, 5, 0, 6)])], b"\x22" * 20, "/lib/libtwo.so")
        for count in (1, 2000):
            with self.subTest(counters=count):
                zero = [0] * count
                self.put("a.wmk", wmk.Profile([wmk.totals([1] * count, 1), wmk.totals(zero, 0)],
                                              libraries=[small]))
                self.put("b.wmk", wmk.Profile([wmk.totals([2] * count, 1), wmk.totals(zero, 0)],
                                              tables=[wmk.Table([(0, 3, 0, 4)])],
                                              libraries=[other, folded]))
                self.merge("-o", "out.wmk", "a.wmk", "b.wmk")
                self.assert_totals("out.wmk", [3] * count, 2)
                self.assert_entries("out.wmk", {(0, 3): 4})
                first, second = self.get("out.wmk").libraries
                self.assertEqual((first.path, first.build_id), ("/lib/libone.so", b"\x11" * 20))
                self.assertEqual(first.sum(), ([11 + 1100, 22 + 2200], 4 + 4))
                self.assertEqual((first.blocks[0].cut_short, first.blocks[0].status), (2, 2))
                self.assertEqual(first.entries(), {(1, 9): 43})
                self.assertEqual(second.path, "/lib/libtwo.so")
                self.assertEqual(second.sum(), ([14] * 3000, 2))
                self.assertEqual(second.entries(), {(2999, 5): 6})
                self.merge("-o", "again.wmk", "out.wmk")
                self.assertEqual(self.read("again.wmk"), self.read("out.wmk"))

    def test_damaged_libraries(self):
        def whole(**changes):
            library = wmk.Library([wmk.totals([1, 2], 3), wmk.totals([0, 0], 0), wmk.Block([10, 20])],
                                  [wmk.Table([(1, 9, 1, 2)])])
            return bytearray(wmk.Profile([wmk.totals([5], 1), wmk.totals([0], 0)],
                                         libraries=[library]).encode())
        chunk = wmk.HEADER_BYTES + 2 * 4096
        for place, byte, reason in ((chunk + 200, 77, "library is damaged: its checksum"),
                                    (chunk + 4, 4, "library is damaged: a field"),
                                    (chunk + 4096 + 64, 9, "totals are damaged"),
                                    (chunk + 3192, 8 << 1, "names a chunk that is not there"),
                                    (chunk + 3 * 4096 + 56, 3, "library that it belongs to"),
                                    (chunk + 3 * 4096 + 4, 2, "size is not that of the counters"),
                                    (chunk + 3 * 4096 + 1, 0, "state"),
                                    (chunk + 4 * 4096 + 56, 5, "library that it belongs to"),
                                    (chunk + 4 * 4096 + 64, 65, "names a counter")):
            with self.subTest(reason=reason):
                data = whole()
                data[place] = byte
                self.write("a.wmk", data)
                self.assert_one_line_refusal(["merge", "-o", "out.wmk", "a.wmk"], "a.wmk", reason)
        self.write("a.wmk", whole())
        self.merge("-o", "out.wmk", "a.wmk")

    def test_a_process_that_counts_for_a_library_of_the_output(self):
        block = wmk.Block([60, 1], process=os.getpid(), start=wmk.start_of(os.getpid()), ended=0)
        library = wmk.Library([wmk.totals([0, 0], 0), wmk.totals([0, 0], 0), block])
        self.put("out.wmk", wmk.Profile([wmk.totals([5], 1), wmk.totals([0], 0)],
                                        libraries=[library]))
        self.put("b.wmk", wmk.simple([700]))
        self.assert_one_line_refusal(["merge", "-o", "out.wmk", "b.wmk"], "out.wmk", "counting")

    def test_object_without_counters(self):
        self.put("a.wmk", wmk.simple([], 3))
        self.merge("-o", "out.wmk", "a.wmk")
        self.assert_totals("out.wmk", [], 3)

    def test_directories_stand_for_their_profiles(self):
        os.mkdir(self.path("many"))
        for i in range(5):
            self.put("many/%d.wmk" % i, wmk.simple([10 ** i]))
        self.write("many/notes.txt", "no profile")
        self.put("more.wmk", wmk.simple([500000]))
        self.merge("many", "more.wmk", "-o", "out.wmk")
        self.assert_totals("out.wmk", [511111], 6)

    def test_order_and_grouping_do_not_matter(self):
        generator = random.Random(1994)
        names = ["%d.wmk" % i for i in range(12)]
        for name in names:
            self.put(name, wmk.Profile([wmk.totals([generator.randrange(1 << 64) for _ in range(9)],
                                                   generator.randrange(5), generator.randrange(3),
                                                   generator.randrange(4)), wmk.totals([0] * 9, 0),
                                        wmk.Block([generator.randrange(1 << 64) for _ in range(9)],
                                                  ended=generator.randrange(2))]))
        results = set()
        for _ in range(334):  # a thousand merges
            generator.shuffle(names)
            cut = generator.randrange(1, len(names))
            self.merge("-o", "left.tmp", *names[:cut])
            self.merge("-o", "right.tmp", *names[cut:])
            self.merge("-o", "out.tmp", "right.tmp", "left.tmp")
            results.add(self.read("out.tmp"))
        self.assertEqual(len(results), 1)
        decoded = [self.get(name).sum() for name in names]
        self.assertEqual(self.get("out.tmp").sum(),
                         ([sum(column) & wmk.MASK for column in zip(*(d[0] for d in decoded))],
                          sum(d[1] for d in decoded)))

    def test_memory_does_not_grow_with_the_number_of_files(self):
        """100 files of 1 MiB of counters; the sum, the file at hand and the tool fit in 64 MiB."""
        self.put("a.wmk", wmk.simple([3] * (1 << 17)))
        os.mkdir(self.path("many"))
        for i in range(100):
            os.link(self.path("a.wmk"), self.path("many/%d.wmk" % i))

        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (64 << 20, 64 << 20))

        done = subprocess.run([self.waymark, "merge", "-o", "out.wmk", "many"], cwd=self.directory,
                              preexec_fn=limit, stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assert_totals("out.wmk", [300] * (1 << 17), 100)

    def test_result_is_readable_and_private_ones_stay_so(self):
        self.put("a.wmk", wmk.simple([1]))
        old = os.umask(0o027)
        try:
            self.merge("-o", "new.wmk", "a.wmk")
        finally:
            os.umask(old)
        self.assertEqual(stat.S_IMODE(os.stat(self.path("new.wmk")).st_mode), 0o640)
        os.chmod(self.path("new.wmk"), 0o600)
        self.merge("-o", "new.wmk", "a.wmk")
        self.assertEqual(stat.S_IMODE(os.stat(self.path("new.wmk")).st_mode), 0o600)

    def test_inputs_are_left_alone(self):
        self.put("a.wmk", wmk.simple([1]))
        self.put("b.wmk", wmk.simple([2]))
        before = self.files()
        self.merge("-o", "out.wmk", "a.wmk", "b.wmk")
        after = self.files()
        del after["out.wmk"]
        self.assertEqual(after, before)


class Output(Files):
    def test_output_may_be_an_input(self):
        for words in (["out.wmk", "b.wmk"], ["b.wmk", "out.wmk"], ["./out.wmk", "b.wmk"]):
            with self.subTest(words=words):
                self.put("out.wmk", wmk.Profile([wmk.totals([5], 1), wmk.totals([0], 0),
                                                 wmk.Block([60])]))
                self.put("b.wmk", wmk.simple([700]))
                self.merge("-o", "out.wmk", *words)
                self.assert_totals("out.wmk", [765], 3)

    def test_output_named_twice_counts_twice(self):
        self.put("out.wmk", wmk.simple([5]))
        self.merge("-o", "out.wmk", "out.wmk", "out.wmk")
        self.assert_totals("out.wmk", [10], 2)

    def test_output_that_is_no_input_is_replaced(self):
        self.put("out.wmk", wmk.simple([5], build_id=OTHER_BUILD))
        self.put("b.wmk", wmk.simple([700]))
        self.merge("-o", "out.wmk", "b.wmk")
        self.assert_totals("out.wmk", [700], 1)

    def test_link_stays_one(self):
        self.put("real.wmk", wmk.simple([5]))
        os.symlink("real.wmk", self.path("out.wmk"))
        self.put("b.wmk", wmk.simple([700]))
        self.merge("-o", "out.wmk", "b.wmk", "out.wmk")
        self.assertTrue(os.path.islink(self.path("out.wmk")))
        self.assert_totals("real.wmk", [705], 2)

    def test_link_to_nowhere(self):
        os.symlink("absent.wmk", self.path("out.wmk"))
        self.put("b.wmk", wmk.simple([700]))
        self.assert_one_line_refusal(["merge", "-o", "out.wmk", "b.wmk"], "out.wmk", "link")

    def test_a_process_that_counts_into_the_output(self):
        for block in (wmk.Block([60], process=os.getpid(), start=wmk.start_of(os.getpid()), ended=0),
                      wmk.Block([60], process=4711, namespace=12345, ended=0)):
            self.put("out.wmk", wmk.Profile([wmk.totals([5], 1), wmk.totals([0], 0), block]))
            self.put("b.wmk", wmk.simple([700]))
            for words in (["b.wmk"], ["out.wmk", "b.wmk"]):
                for failure in ("any", "all", "warn"):
                    self.assert_one_line_refusal(
                        ["merge", "--failure=" + failure, "-o", "out.wmk"] + words,
                        "out.wmk", str(block.process), "counting")
            self.merge("-o", "other.wmk", "out.wmk", "b.wmk")
            self.assert_totals("other.wmk", [765], 3, 1)
            os.remove(self.path("other.wmk"))

    def test_a_process_that_has_ended_does_not(self):
        self.put("out.wmk", wmk.Profile([wmk.totals([5], 1), wmk.totals([0], 0),
                                         wmk.Block([60], ended=0)]))
        self.put("b.wmk", wmk.simple([700]))
        self.merge("-o", "out.wmk", "b.wmk", "out.wmk")
        self.assert_totals("out.wmk", [765], 3, 1)

    def test_output_is_no_profile(self):
        self.put("b.wmk", wmk.simple([700]))
        self.write("precious.c", "int main(void) { return 0; }\n")
        self.assert_one_line_refusal(["merge", "-o", "precious.c", "b.wmk"], "precious.c",
                                     "not a .wmk file")
        os.mkdir(self.path("folder"))
        self.assert_one_line_refusal(["merge", "-o", "folder", "b.wmk"], "folder")
        self.assert_one_line_refusal(["merge", "-o", "/dev/full", "b.wmk"], "/dev/full")

    def test_output_that_is_an_input_and_damaged(self):
        self.put("b.wmk", wmk.simple([700]))
        self.write("out.wmk", self.read("b.wmk")[:-1])
        for words in (["b.wmk", "out.wmk"], ["out.wmk", "b.wmk"]):
            for failure in ("any", "all"):
                self.assert_one_line_refusal(["merge", "--failure=" + failure, "-o", "out.wmk"] + words,
                                             "out.wmk", "truncated")

    def test_output_where_nothing_can_be_written(self):
        self.put("b.wmk", wmk.simple([700]))
        self.assert_one_line_refusal(["merge", "-o", "absent/out.wmk", "b.wmk"], "absent/out.wmk")
        self.assert_one_line_refusal(["merge", "-o", "/proc/none/out.wmk", "b.wmk"],
                                     "/proc/none/out.wmk")

    def test_limit_on_file_sizes(self):
        self.put("b.wmk", wmk.simple([700]))
        before = self.files()

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))

        done = subprocess.run([self.waymark, "merge", "-o", "out.wmk", "b.wmk"], cwd=self.directory,
                              preexec_fn=limit, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot write 'out.wmk'", done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertEqual(self.files(), before)


class Failure(Files):
    def setUp(self):
        super().setUp()
        self.put("a.wmk", wmk.simple([1]))
        self.put("b.wmk", wmk.simple([20]))
        self.put("foreign.wmk", wmk.simple([300], build_id=OTHER_BUILD))
        self.put("larger.wmk", wmk.simple([300, 300]))
        self.write("cut.wmk", self.read("a.wmk")[:-4096])
        self.write("text.wmk", "no profile\n")

    def test_any_fails_with_one_line_and_writes_nothing(self):
        for bad, reason in (("foreign.wmk", "cdcdcdcd"), ("cut.wmk", "truncated"),
                            ("text.wmk", "not a .wmk file"), ("absent.wmk", "No such file"),
                            ("larger.wmk", "abababab")):
            for words in ([], ["--failure=any"]):
                self.assert_one_line_refusal(["merge", "-o", "out.wmk"] + words + ["a.wmk", bad, "b.wmk"],
                                             bad, reason, "nothing is written")

    def test_every_misfit_is_named(self):
        status, out, err = self.call("merge", "-o", "out.wmk", "a.wmk", "foreign.wmk", "cut.wmk",
                                     "absent.wmk", "b.wmk")
        self.assertEqual((status, out), (1, ""))
        lines = err.splitlines()
        self.assertEqual(len(lines), 3, err)
        for line, name in zip(lines, ("foreign.wmk", "cut.wmk", "absent.wmk")):
            self.assertIn(name, line)
        self.assertFalse(os.path.exists(self.path("out.wmk")))

    def test_all_and_warn_keep_what_fits(self):
        for failure in ("all", "warn"):
            status, out, err = self.call("merge", "--failure=" + failure, "-o", "out.wmk", "cut.wmk",
                                         "a.wmk", "foreign.wmk", "b.wmk")
            self.assertEqual((status, out), (0, ""), err)
            self.assertEqual(len(err.splitlines()), 2, err)
            self.assertIn("cut.wmk", err.splitlines()[0])
            self.assertIn("foreign.wmk", err.splitlines()[1])
            self.assert_totals("out.wmk", [21], 2)
            os.remove(self.path("out.wmk"))

    def test_the_first_that_can_be_read_decides(self):
        status, _, err = self.call("merge", "--failure=all", "-o", "out.wmk", "text.wmk",
                                   "foreign.wmk", "a.wmk")
        self.assertEqual(status, 0, err)
        self.assert_totals("out.wmk", [300], 1)

    def test_none_fits(self):
        for failure in ("any", "all", "warn"):
            self.assert_one_line_refusal(["merge", "--failure=" + failure, "-o", "out.wmk", "cut.wmk"],
                                         "cut.wmk", "nothing is")

    def test_directory_without_profiles(self):
        os.mkdir(self.path("empty"))
        self.assert_one_line_refusal(["merge", "-o", "out.wmk", "a.wmk", "empty"], "empty")
        shutil.rmtree(self.path("empty"))
        self.assert_one_line_refusal(["merge", "-o", "out.wmk", "a.wmk", "empty"], "empty")

    def test_random_damage_is_refused_or_read(self):
        """Never a crash, and never a result after a refusal."""
        whole = wmk.Profile([wmk.totals([5, 6], 1, 1), wmk.totals([0, 0], 0), wmk.Block([60, 1])],
                            tables=[wmk.Table([(0, 3, 4, 5), (1, 3, 0, 9)])]).encode()
        generator = random.Random(3)
        for _ in range(150):
            damaged = bytearray(whole)
            for _ in range(generator.randrange(1, 5)):
                place = generator.choice((generator.randrange(len(whole)), generator.randrange(3200),
                                          4096 * generator.randrange(1, 5) + generator.randrange(80)))
                damaged[place] = generator.randrange(256)
            self.write("damaged.wmk", bytes(damaged))
            status, _, err = self.call("merge", "-o", "out.wmk", "damaged.wmk", timeout=20)
            self.assertIn(status, (0, 1), err)
            self.assertEqual(len(err.splitlines()), status or err.count("does not know"), err)
            self.assertEqual(os.path.exists(self.path("out.wmk")), status == 0)
            if status == 0:
                self.get("out.wmk")
                os.remove(self.path("out.wmk"))

    def test_words(self):
        self.assert_one_line_refusal(["merge", "a.wmk"], "-o")
        self.assert_one_line_refusal(["merge", "-o", "out.wmk"], "files")
        self.assert_one_line_refusal(["merge", "a.wmk", "-o"], "-o")
        self.assert_one_line_refusal(["merge", "--failure=al", "-o", "out.wmk", "a.wmk"], "al", "all")
        self.assert_one_line_refusal(["merge", "--failur=all", "-o", "out.wmk", "a.wmk"], "--failure")
        self.assert_one_line_refusal(["merg"], "merge")


class Runs(Files):
    """Real runs, a hundred at a time."""

    RUNS = 100

    def setUp(self):
        super().setUp()
        self.build_hello()
        single = self.profile_of(self.only("hello-*.wmk"))
        self.expected = ([self.RUNS * counter for counter in single[0]], self.RUNS)
        self.assertEqual(single[1], 1)
        self.assertGreater(sum(single[0]), 5)

    def only(self, pattern):
        names = glob.glob(self.path(pattern))
        self.assertEqual(len(names), 1)
        return names[0]

    def profile_of(self, name):
        return self.get(name).sum()

    def start_all(self, pattern):
        environment = dict(os.environ, WAYMARK_FILE=self.path(pattern))
        return [subprocess.Popen([self.path("hello")], cwd=self.directory, env=environment,
                                 stdout=subprocess.DEVNULL) for _ in range(self.RUNS)]

    def test_many_at_once_in_one_file_while_it_is_read(self):
        children = self.start_all("common.wmk")
        seen = 0
        while any(child.poll() is None for child in children):
            if os.path.exists(self.path("common.wmk")):
                status, _, err = self.call("merge", "-o", "copy.wmk", "common.wmk")
                # Before the first run has made its header there is nothing to read.
                self.assertTrue(status == 0 or seen == 0 and "not a .wmk file" in err, err)
            if os.path.exists(self.path("copy.wmk")):
                runs = self.profile_of("copy.wmk")[1]
                self.assertGreaterEqual(runs, seen)
                seen = runs
        self.assertEqual([child.returncode for child in children], [0] * self.RUNS)
        self.merge("-o", "copy.wmk", "common.wmk")
        self.assert_totals("copy.wmk", *self.expected)

    def test_files_of_their_own_merge_to_the_same(self):
        for child in self.start_all("own/%p.wmk"):
            self.assertEqual(child.wait(), 0)
        self.merge("-o", "sum.wmk", "own")
        self.assert_totals("sum.wmk", *self.expected)

    def test_output_that_programs_run_into_meanwhile(self):
        """Runs between two merges into their own file are never lost: a merge refuses or holds them."""
        environment = dict(os.environ, WAYMARK_FILE=self.path("own.wmk"))
        for _ in range(20):
            child = subprocess.Popen([self.path("hello")], env=environment, stdout=subprocess.DEVNULL)
            self.call("merge", "-o", "own.wmk", "own.wmk")
            child.wait()
        self.merge("-o", "own.wmk", "own.wmk")
        self.assertEqual(self.profile_of("own.wmk")[1], 20)


if __name__ == "__main__":
    cases.main("__main__")
