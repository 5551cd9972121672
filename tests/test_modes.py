#!/usr/bin/env python3
"""Every suite meets each of its modes at each of its levels, late and early where it tries both.

What a suite builds is asked of the suite itself. Nothing is compiled here.
"""
import importlib.util
import itertools
import os
import re
import sys
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(HERE)
for folder in ("end_to_end", "../bench"):
    sys.path.append(os.path.join(HERE, folder))

import asm_goto
import compare
import csmith
import knowledge
import modes
import sections
import variants
from modes import ATS, BY_NAME, LEVELS



def load(name, *path):
    """A module whose file has a name that others have, too."""
    specification = importlib.util.spec_from_file_location(name, os.path.join(HERE, *path))
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


hostile = load("hostile", "hostile", "run.py")
SEEDS = range(1, 101)
EARLIER = ["paths", "edges", "blocks"]


def names_of(suite):
    return {mode.name for mode in modes.modes_of(suite)}


def combinations(tries):
    return {(wanted.level, wanted.at, name) for wanted in tries for name in wanted.modes}


class Rows(unittest.TestCase):
    def test_names_are_unique(self):
        self.assertEqual(len(BY_NAME), len(modes.MODES))

    def test_modes_that_are_named_are_there(self):
        for mode in modes.MODES:
            for name in (mode.oracle, mode.path_oracle, mode.earlier):
                self.assertIn(name, list(BY_NAME) + [None], mode.name)

    def test_what_needs_an_earlier_profile_names_one(self):
        for mode in modes.MODES:
            self.assertEqual("{" in mode.options, mode.earlier is not None, mode.name)

    def test_each_path_mode_without_knowledge_has_an_oracle_of_paths(self):
        for mode in modes.MODES:
            if mode.counts == "paths" and not mode.earlier and "redundant" not in mode.name:
                self.assertEqual(BY_NAME[mode.path_oracle].is_classic, mode.is_classic, mode.name)
                self.assertEqual(BY_NAME[mode.oracle].is_classic, mode.is_classic, mode.name)

    def test_each_mode_is_tried(self):
        oracles = {name for mode in modes.MODES for name in (mode.oracle, mode.path_oracle)}
        for mode in modes.MODES:
            self.assertTrue(mode.name in oracles or set(mode.suites.split()) - {"bench"} or
                            mode.counts == "events" or mode.name == "prefer-commit", mode.name)


class Coverage(unittest.TestCase):
    def assert_all(self, got, *factors):
        missing = sorted(set(itertools.product(*factors)) - set(got))
        self.assertEqual(missing, [], "not tried; give the table in tests/modes.py such rows")
        more = sorted({name for *_, name in got} - set(factors[-1]))
        self.assertEqual(more, [], "tried, but its row in tests/modes.py does not name the suite")

    def test_programs(self):
        tries = [wanted for program in compare.find_programs() for wanted in compare.tries_of(program)]
        self.assert_all(combinations(tries), LEVELS, ATS, names_of("programs"))

    def test_random_programs(self):
        tries = [csmith.row_of(seed) for seed in SEEDS]
        self.assert_all(combinations(tries), LEVELS, ATS, names_of("csmith"))

    def test_asm_goto(self):
        tries = [asm_goto.row_of(seed) for seed in range(1, 51)]
        self.assert_all(combinations(tries), LEVELS, ATS, names_of("asm_goto"))

    def test_hostile_programs(self):
        tries = [wanted for section in sections.HOSTILE for program in hostile.list_programs(section)
                 if not hostile.is_written_for_paths(program)
                 for wanted in hostile.tries_of(program, False)]
        got = {(level, name) for level, _, name in combinations(tries)}
        self.assert_all({pair for pair in got if pair[0] in ("-O0", "-O2")}, ("-O0", "-O2"),
                        names_of("hostile"))

    def test_knowledge(self):
        rows = [row for _, row in knowledge.list_tasks(False)]
        got = {(row.level, name) for row in rows for name in row.modes[:1] + row.modes[2:] + ("select",)}
        bases = {name for name in names_of("knowledge") if not BY_NAME[name].earlier}
        self.assert_all({pair for pair in got if pair[1] not in bases}, LEVELS,
                        names_of("knowledge") - bases)
        self.assertEqual({name for _, name in got} & bases, bases)

    def test_earlier_profiles(self):
        rows = [row for _, row in knowledge.list_tasks(False)]
        got = {(row.modes[1], name) for row in rows for name in row.modes[2:4]}
        self.assert_all(got, EARLIER,
                        {name for name in names_of("knowledge") if name.endswith("-use")})

    def test_real_programs(self):
        self.assertEqual({name for _, name in modes.REAL_ALL}, names_of("real"))
        self.assertEqual({at for at, _ in modes.REAL_ALL}, set(ATS))
        self.assertEqual(modes.REAL_ALL[:len(modes.REAL)], modes.REAL)

    def test_stress(self):
        self.assertEqual({name for names in modes.STRESS.values() for name in names},
                         names_of("stress"))

    def test_bench(self):
        measured = {mode.name for mode in variants.MODES}
        self.assertEqual(measured, names_of("bench") | {name + "-early" for name in variants.EARLY})
        self.assertLessEqual(set(variants.EARLY) | set(variants.DEFAULT_MODES), names_of("bench"))

    def test_early_variants_differ_from_their_modes_by_the_place_alone(self):
        options = {mode.name: mode.options.split() for mode in variants.MODES}
        for name in variants.EARLY:
            self.assertEqual(options[name + "-early"], options[name] + ["--at=early"])
        self.assertLessEqual({mode.trainer for mode in variants.MODES}, names_of("bench") | {None})


class Stability(unittest.TestCase):
    def test_a_row_is_picked_by_the_name_alone(self):
        """By CRC-32, whose value for these letters is in its description."""
        self.assertEqual(modes.row_of("123456789", range(1 << 32)), 0xcbf43926)

    def test_a_program_belongs_to_one_section(self):
        for program in compare.find_programs():
            held = [section for section in sections.HOSTILE if sections.holds(section, program.name)]
            self.assertLessEqual(len(held), 1, program.name)
            self.assertIn(sections.of(program.name), held or list(sections.ORDINARY))

    def test_each_section_is_a_test_of_its_own(self):
        with open(os.path.join(HERE, "CMakeLists.txt")) as file:
            loops = re.findall(r"foreach\(section ([^)]*)\)\s*(waymark_\w+\(\w+)_\$", file.read())
        listed = {call: words.split() for words, call in loops}
        self.assertEqual(listed, {"waymark_end_to_end(programs": sections.names(),
                                  "waymark_extended(programs": sections.names(),
                                  "waymark_end_to_end(hostile": list(sections.HOSTILE)})


if __name__ == "__main__":
    unittest.main()
