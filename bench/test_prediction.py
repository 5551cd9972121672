#!/usr/bin/env python3
"""Checks how predictions are set beside measurements, on figures made up by hand."""
import sys
import unittest

sys.dont_write_bytecode = True

import extra
import prediction
from machine_code import Function, Instruction


def function(name, *counted):
    """A function of (text, executions, mark)."""
    made = Function(name)
    for text, count, mark in counted:
        made.instructions.append(Instruction(0, text))
        made.instructions[-1].count, made.instructions[-1].mark = count, mark
    return made


PLAIN = {"f": function("f", ("ret", 10, None)), "g": function("g", ("ret", 5, None))}
OURS = {"f": function("f", ("incq %gs:0x8(%rip)", 10, "increment"), ("push %rbx", 10, None),
                      ("lea 0x8(%rip),%rbx", 4, "set"), ("mov %rbx,%rax", 3, "copy"),
                      ("mov %rdi,0x8(%rsp)", 2, None), ("jmp 0 <f>", 1, None), ("nop", 7, None),
                      ("ret", 10, None)),
        "g": function("g", ("ret", 5, None)), "wm_start": function("wm_start", ("ret", 1, None))}


class Predictions(unittest.TestCase):
    def test_functions_with_one_name_are_one(self):
        text = "f\t1\t2\t3\t4\t5\t6\t21\nf\t10\t0\t0\t0\t0\t0\t10\n"
        self.assertEqual(prediction.parse(text), {"f": {
            "increments": 11, "by register": 2, "register": 3, "jumps": 4, "pressure": 5,
            "other": 6, "extra": 31}})

    def test_terms_of_a_measurement_sum_up_to_the_difference(self):
        predicted = prediction.parse("f\t9\t0\t7\t0\t12\t0\t28\nwm_start\t1\t0\t0\t0\t0\t0\t1\n")
        (name, _, measured), = prediction.rows_of(PLAIN, OURS, predicted)
        self.assertEqual(name, "f")
        self.assertEqual(measured, {"increments": 10, "by register": 0, "register": 7, "jumps": 1,
                                    "pressure": 12, "other": 7, "extra": 37})

    def test_what_only_the_program_with_probes_has_is_the_runtimes(self):
        self.assertEqual([name for name, _ in extra.costs_by_function(PLAIN, OURS)], ["f", "g"])

    def test_correlation_and_error(self):
        self.assertAlmostEqual(prediction.correlation([(1, 2), (2, 4), (3, 6)]), 1.0)
        self.assertAlmostEqual(prediction.correlation([(1, 6), (2, 4), (3, 2)]), -1.0)
        self.assertAlmostEqual(prediction.correlation([(1, 6), (1, 4)]), 0.0)
        self.assertAlmostEqual(prediction.error([(1, 2), (5, 2)]), 1.0)


if __name__ == "__main__":
    unittest.main()
