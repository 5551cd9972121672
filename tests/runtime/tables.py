#!/usr/bin/env python3
"""Counts by key: counted.c counts what this text says, its files are read by code of the tests' own.

usage: tables.py --waymark=PATH [unittest arguments]
"""
import collections
import os
import random
import struct
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "end_to_end"))
sys.path.insert(0, os.path.join(HERE, "..", "merge"))

import cases
import wmk

CLANG = os.environ.get("WAYMARK_CLANG", "clang-19")
IN_MEMORY, LOST = 1, 2
# What the program counts before its runtime has started.
EARLY = {(3, wmk.MASK - k): 1 for k in range(50)}


def all_keys(keys, times):
    return collections.Counter({(k % 4, k * 0x10001): times for k in range(keys)})


def total(*parts):
    result = collections.Counter(EARLY)
    for part in parts:
        result.update(part)
    return dict(result)


def mix(x):
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9 & wmk.MASK
    x = (x ^ x >> 27) * 0x94d049bb133111eb & wmk.MASK
    return x ^ x >> 31


def oracle_key(before, block):
    return mix(before + 0x9e3779b97f4a7c15 * (block + 1) & wmk.MASK)


def end_key(path, target):
    return oracle_key(path ^ 0x5555555555555555, target)


class Tables(cases.Case):
    maxDiff = 1000
    OPTIONS = ()

    def setUp(self):
        super().setUp()
        self.build("counted")

    def build(self, name, *options):
        folder = os.path.join(os.path.dirname(self.waymark), "..")
        subprocess.run([CLANG, "-O1", "-I", os.path.join(folder, "include"), *self.OPTIONS, *options,
                        os.path.join(HERE, "counted.c"), "-o", self.path(name),
                        os.path.join(folder, "lib", "waymark", "libwaymark_rt.a"),
                        "-Wl,--build-id", "-pthread"], check=True)

    def run_it(self, word, *more, status=0):
        done = subprocess.run(["./counted", word, *more], cwd=self.directory, stdout=subprocess.PIPE,
                              env=dict(os.environ, WAYMARK_FILE="run.wmk"), timeout=120)
        self.assertEqual(done.returncode, status)
        return done.stdout

    def profile(self, name="run.wmk"):
        return wmk.Profile.decode(self.read(name))

    def assert_entries(self, expected, name="run.wmk"):
        """The file holds them, and so does what our own reader and writer make of it."""
        self.assert_same(self.profile(name).entries(), expected)
        self.succeed("merge", "-o", "copy.tmp", name)
        self.assert_same(self.profile("copy.tmp").entries(), expected)

    def assert_same(self, entries, expected):
        if entries != expected:
            wrong = [(place, entries.get(place, 0), expected.get(place, 0))
                     for place in sorted(set(entries) | set(expected))
                     if entries.get(place, 0) != expected.get(place, 0)]
            self.fail("%d of %d differ; (place, counted, expected): %s" %
                      (len(wrong), len(expected), wrong[:5]))


class Counting(Tables):
    def test_a_million_keys(self):
        self.run_it("many")
        self.assert_entries(total(all_keys(1000000, 1), all_keys(500000, 1)))

    def test_threads(self):
        self.run_it("threads")
        self.assert_entries(total(all_keys(5000, 8 * 42)))

    def test_threads_with_the_smallest_stack(self):
        self.run_it("small-stacks")
        self.assert_entries(total(all_keys(5000, 4 * 3)))

    def test_handlers_of_signals_at_any_moment(self):
        handled = int(self.run_it("signals"))
        self.assertGreater(handled, 1000)
        in_handler = collections.Counter((1, (1 << 50) + h % 7000) for h in range(handled))
        self.assert_entries(total(all_keys(200000, 10), in_handler))

    def test_registers_are_kept(self):
        self.run_it("registers")
        self.assert_entries(total({(0, k): 2 for k in range(5000)}))

    def test_errno_is_kept(self):
        self.run_it("errno")

    def test_steps_of_the_oracle(self):
        self.run_it("steps")
        expected = collections.Counter()
        for turn in range(1000):
            start = oracle_key(0, 0)
            path = oracle_key(start, 1 + turn % 3)
            expected[1, start] += 1
            expected[1, path] += 1
            expected[1, end_key(path, 0 if turn < 999 else 9)] += 1
        self.assert_entries(total(expected))

    def test_statically_linked(self):
        self.build("counted", "-static")
        self.run_it("threads")
        self.assert_entries(total(all_keys(5000, 8 * 42)))


class Processes(Tables):
    FORK = (all_keys(1000, 2010), all_keys(2000, 5 * 500), all_keys(3000, 5 * 100))

    def test_fork(self):
        self.run_it("fork")
        self.assert_entries(total(*self.FORK))

    def test_children_take_over_from_each_other(self):
        self.run_it("fork-in-turn")
        self.assert_entries(total(all_keys(1000, 50)))
        self.assertLessEqual(len(self.profile().tables), 8)

    def test_vfork(self):
        self.run_it("vfork")
        in_child = collections.Counter((0, i * 400 + k) for i in range(20) for k in range(500))
        self.assert_entries(total(all_keys(1000, 20), in_child))
        profile = self.profile()
        self.assertEqual({table.process for table in profile.tables},
                         {block.process for block in profile.blocks[2:]})

    def test_vfork_in_threads(self):
        self.run_it("vfork-in-threads")
        self.assert_entries(total(all_keys(10, 1), all_keys(5000, 3 * 2000)))

    def test_children_of_handlers_that_go_on(self):
        """A handler may strike between finding a cell and counting there: that one count, of the turn
        in which the child was made, may be missing in the child, or not be its own."""
        expected, uncertain = collections.Counter(), collections.Counter()
        lines = self.run_it("forks-that-go-on").decode().splitlines()
        self.assertEqual(len(lines), 61)
        for first, last in (map(int, line.split()) for line in lines):
            for key in range(max(first, 0) // 50, last // 50 + 1):
                expected[2, key] += min(last, 50 * key + 50) - max(first, 50 * key)
            if first >= 0:
                uncertain[2, first // 50] += 1
        entries = self.profile().entries()
        for place in EARLY:
            self.assertEqual(entries.pop(place), 1)
        for place, count in expected.items():
            self.assertLessEqual(abs(entries.pop(place, 0) - count), uncertain[place], place)
        self.assertEqual(entries, {})

    def test_fork_in_handlers(self):
        self.run_it("forks-in-handlers")
        entries = self.profile().entries()
        self.assertEqual(entries.pop((2, 77)), 100)
        turns = entries.pop((2, 78))
        self.assert_same(entries, total(all_keys(3000, turns)))

    def test_later_runs_go_on_with_the_same_tables(self):
        sizes = []
        for run in range(1, 5):
            self.run_it("fork")
            entries = collections.Counter()
            for _ in range(run):
                entries.update(total(*self.FORK))
            self.assert_entries(dict(entries))
            sizes.append(sum(table.span for table in self.profile().tables))
        self.assertLessEqual(sizes[-1], 4 * sizes[0])
        self.assertEqual(self.profile().sum()[1], 4)

    def test_chunks_of_unknown_kinds_are_left_alone(self):
        """Neither counted into nor folded, handed on or overwritten, whatever their state may look
        like. The space behind them is not free, either: their interior looks like free chunks."""
        self.run_it("threads")
        profile = self.profile()
        stride = wmk.stride_of(len(profile.blocks[0].counters))
        unknown = [bytes([kind, state, 0, 0]) + struct.pack("<I", span).ljust(stride * span - 4, b"\0")
                   for kind, state, span in ((44, 0, 1), (45, 1, 9), (77, 2, 300), (255, 255, 2))]
        chunks = self.read("run.wmk")
        end = wmk.HEADER_BYTES + stride * struct.unpack_from("<Q", chunks, 3160)[0]
        units = (end - wmk.HEADER_BYTES) // stride + sum(len(chunk) for chunk in unknown) // stride
        self.write("run.wmk", chunks[:3160] + struct.pack("<Q", units) + chunks[3168:end] +
                   b"".join(unknown))
        for _ in range(2):
            self.run_it("fork")
        self.assertEqual(self.profile().unknown, unknown)
        self.assert_same(self.profile().entries(), total(all_keys(5000, 8 * 42), *self.FORK, EARLY,
                                                         *self.FORK, EARLY))
        self.assertEqual(self.profile().sum()[1], 3)

    def test_a_merged_file_is_counted_into(self):
        self.run_it("threads")
        self.succeed("merge", "-o", "run.wmk", "run.wmk")
        before = sum(table.span for table in self.profile().tables)
        self.run_it("threads")
        once = total(all_keys(5000, 8 * 42))
        self.assert_entries({place: 2 * count for place, count in once.items()})
        self.assertTrue(any(table.span == before and table.process != 0
                            for table in self.profile().tables))

    def test_many_at_once(self):
        environment = dict(os.environ, WAYMARK_FILE="run.wmk")
        running = [subprocess.Popen(["./counted", "fork"], cwd=self.directory, env=environment)
                   for _ in range(20)]
        while any(process.poll() is None for process in running):
            if os.path.exists(self.path("run.wmk")):
                self.call("merge", "-o", "copy.tmp", "run.wmk")
        self.assertEqual([process.returncode for process in running], [0] * 20)
        once = total(*self.FORK)
        self.assert_entries({place: 20 * count for place, count in once.items()})

    def test_kills(self):
        """One thread counts 0, 1, 2, ... in turn: the last count may be missing, nothing else."""
        chance = random.Random(5)
        for _ in range(25):
            child = subprocess.Popen(["./counted", "forever"], cwd=self.directory,
                                     stdout=subprocess.PIPE,
                                     env=dict(os.environ, WAYMARK_FILE="run.wmk"))
            child.stdout.readline()
            time.sleep(chance.uniform(0, 0.02))
            child.kill()
            child.wait()
            child.stdout.close()
            entries = self.profile().entries()
            for place in EARLY:
                self.assertEqual(entries.pop(place), 1)
            turns = list(range(30000))
            counts = [entries.pop((0, k), 0) for k in turns]
            self.assertEqual(entries, {})
            self.assertEqual(counts, sorted(counts, reverse=True))
            self.assertLessEqual(counts[0] - counts[-1], 1)
            os.remove(self.path("run.wmk"))

    def test_kills_into_one_file(self):
        """What a killed process has counted stays when others take over its tables."""
        chance = random.Random(6)
        least = collections.Counter()
        for kills in range(1, 16):
            child = subprocess.Popen(["./counted", "forever"], cwd=self.directory,
                                     stdout=subprocess.PIPE,
                                     env=dict(os.environ, WAYMARK_FILE="run.wmk"))
            if chance.random() < 0.5:
                child.stdout.readline()
            time.sleep(chance.uniform(0, 0.01))
            child.kill()
            child.wait()
            child.stdout.close()
            if not os.path.exists(self.path("run.wmk")):
                continue
            entries = collections.Counter(self.profile().entries())
            self.assertEqual(least - entries, collections.Counter())
            counts = [entries[0, k] for k in range(30000)]
            self.assertLessEqual(max(counts) - min(counts), kills)
            least = entries


    def test_killed_at_each_system_call(self):
        """When there is no file yet, and when there is one whose tables are taken over."""
        subprocess.run([CLANG, os.path.join(HERE, "..", "hostile", "kill_at_call.c"), "-o",
                        self.path("kill_at_call")], check=True)
        whole = collections.Counter(total(all_keys(600, 2)))
        environment = dict(os.environ, WAYMARK_FILE="run.wmk")
        for runs_before in (0, 1):
            status, number = 0, 0
            while status == 0:
                number += 1
                for name in self.files():
                    if name.endswith(".wmk"):
                        os.remove(self.path(name))
                for _ in range(runs_before):
                    self.run_it("few")
                status = subprocess.run(["./kill_at_call", str(number), "./counted", "few"],
                                        cwd=self.directory, env=environment).returncode
                killed = collections.Counter()
                if os.path.exists(self.path("run.wmk")):
                    killed.update(self.profile().entries())
                before = collections.Counter({key: runs_before * n for key, n in whole.items()})
                self.assertFalse(before - killed)
                self.assertFalse(killed - before - whole)
                self.run_it("few")
                self.assert_entries(dict(killed + whole))
            self.assertEqual(status, 1)
            self.assertGreater(number, 100)


class Objects(Tables):
    def test_library_opened_and_closed(self):
        self.build("lib.so", "-shared", "-fPIC", "-DLIBRARY")
        self.run_it("libraries", "./lib.so")
        self.assertEqual([name for name in self.files() if name.endswith(".wmk")], ["run.wmk"])
        (library,) = self.profile().libraries
        self.assert_same(library.entries(), dict(all_keys(300, 80)))
        self.assertEqual(library.sum()[1], 40)
        self.assertLessEqual(len(library.tables), 4)
        self.succeed("merge", "-o", "copy.tmp", "run.wmk")
        (copy,) = self.profile("copy.tmp").libraries
        self.assert_same(copy.entries(), library.entries())


class Limits(Tables):
    WORK = (all_keys(5000, 6), all_keys(20000, 3))

    def test_file_that_cannot_grow(self):
        self.run_it("limited")
        self.assertEqual(self.profile().status(), IN_MEMORY)
        entries = self.profile().entries()
        expected = total(*self.WORK)
        self.assertTrue(all(entries[place] <= expected[place] for place in entries))

    def test_file_that_can_grow_in_the_end(self):
        self.run_it("limit-lifted")
        self.assert_entries(total(*self.WORK))

    def test_no_memory(self):
        self.run_it("no-memory")
        self.assertEqual(self.profile().status(), IN_MEMORY | LOST)

    def test_no_file(self):
        environment = dict(os.environ, WAYMARK_FILE="/dev/null")
        for word in ("threads", "fork", "reset", "pause", "write", "signals"):
            done = subprocess.run(["./counted", word], cwd=self.directory, env=environment,
                                  stdout=subprocess.PIPE, timeout=60)
            self.assertEqual(done.returncode, 0, word)
        self.assert_entries(total(all_keys(3000, 5), all_keys(5000, 2)), "image.wmk")


class Steering(Tables):
    BEFORE = (all_keys(3000, 5), all_keys(5000, 2))

    def test_reset(self):
        self.run_it("reset")
        self.assert_entries(dict(all_keys(700, 2)))

    def test_reset_leaves_earlier_runs_alone(self):
        self.run_it("threads")
        self.run_it("reset")
        self.assert_entries(total(all_keys(5000, 8 * 42), all_keys(700, 2)))

    def test_pause(self):
        self.run_it("pause")
        self.assert_entries(total(*self.BEFORE, all_keys(700, 2)))

    def test_set_file(self):
        self.run_it("set-file")
        self.assert_entries(total(*self.BEFORE))
        self.assert_entries(dict(all_keys(4000, 2) + all_keys(5000, 2)), "second.wmk")

    def test_write(self):
        self.run_it("threads")
        self.run_it("write")
        self.assert_entries(total(*self.BEFORE), "image.wmk")

    def test_dump(self):
        self.run_it("dump", status=-9)
        self.assert_entries(total(*self.BEFORE))


class FromOutside(Tables):
    """waymark ctl on a process that shares its file, and its tables, with an earlier run."""
    EARLIER, COUNTED_EARLIER = ("threads",), all_keys(5000, 8 * 42)

    def setUp(self):
        super().setUp()
        self.run_it(*self.EARLIER)
        self.earlier = total(self.COUNTED_EARLIER)
        self.child = subprocess.Popen(["./counted", "serve"], cwd=self.directory, text=True,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      env=dict(os.environ, WAYMARK_FILE="run.wmk"))
        self.addCleanup(self.end)
        self.assertEqual(self.child.stdout.readline(), "ready\n")

    def end(self):
        self.child.stdin.close()
        self.assertEqual(self.child.wait(), 0)
        self.child.stdout.close()

    def ask(self, times):
        for _ in range(times):
            self.child.stdin.write("go\n")
            self.child.stdin.flush()
            self.assertEqual(self.child.stdout.readline(), "done\n")

    def ctl(self, *words):
        return self.succeed("ctl", str(self.child.pid), *words)

    def test_dump_holds_what_the_process_counted_and_nothing_else(self):
        self.ask(3)
        self.ctl("dump", "-o", "dump.wmk")
        self.assert_entries(total(all_keys(5000, 3)), "dump.wmk")
        self.assertIn("increments  15,050\n", self.ctl("status"))

    def test_reset_takes_off_what_the_process_counted_and_nothing_else(self):
        self.ask(3)
        self.ctl("reset")
        self.assert_entries(self.earlier)
        self.ask(2)
        self.ctl("dump", "-o", "dump.wmk")
        self.assert_entries(dict(all_keys(5000, 2)), "dump.wmk")
        self.ctl("reset")
        self.ask(1)
        self.assert_entries(dict(collections.Counter(self.earlier) + all_keys(5000, 1)))


class InParts:
    """A block has room for 16,384 cells: tables begin with a part of one, and go on with others."""
    OPTIONS = ("-DMORE_COUNTERS=80000",)


class CountingInParts(InParts, Counting):
    def test_a_part_is_left_when_half_of_it_is_taken(self):
        """The first has 64 cells, and 32 of the early keys; the next one 256, and the 18 others. All
        keys are counted twice: in the end they are together in one part, or in the second table.
        The last one has half of all cells, which is not four times as many as the one before."""
        for keys, parts in ((110, [256]), (111, [1024]), (512, [1024]), (513, [4096]),
                            (2048, [4096]), (2049, [8192]), (4096, [8192]), (4097, [8192, 0])):
            self.run_it("keys", str(keys))
            self.assert_entries(total(all_keys(keys, 2)))
            self.assertEqual([table.part for table in self.profile().tables], parts, keys)
            os.remove(self.path("run.wmk"))


class ProcessesInParts(InParts, Processes):
    pass


class ObjectsInParts(InParts, Objects):
    pass


class LimitsInParts(InParts, Limits):
    pass


class SteeringInParts(InParts, Steering):
    pass


class FromOutsideInParts(InParts, FromOutside):
    EARLIER, COUNTED_EARLIER = ("keys", "3000"), all_keys(3000, 2)


if __name__ == "__main__":
    cases.main("__main__")
