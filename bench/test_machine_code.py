#!/usr/bin/env python3
"""Checks which instructions bench/hottest takes for ours, on listings written by hand."""
import sys
import unittest

sys.dont_write_bytecode = True

import machine_code


def listing(*lines):
    """A function f, one instruction per line, at addresses 0, 1, 2, ..."""
    return "0000 <f>:\n" + "".join("   %x:\t%s\n" % (i, line) for i, line in enumerate(lines))


def marks(*lines):
    function = machine_code.parse_disassembly(listing(*lines))[0]
    machine_code.mark(function)
    return [instruction.mark for instruction in function.instructions]


class Counts(unittest.TestCase):
    def test_of_one_object_without_what_its_callees_cost(self):
        text = ["events: Ir", "ob=/lib/other.so", "fn=g", "0x10 5", "ob=/bin/program", "fn=f",
                "0x10 2", "cob=/lib/other.so", "cfn=g", "calls=1 0x10 ", "0x14 900", "0x14 3", "",
                "fn=h", "0x10 4"]
        self.assertEqual(machine_code.parse_counts(text, "/bin/program"), {0x10: 6, 0x14: 3})

    def test_functions_and_instructions_of_a_listing(self):
        text = "\nsection:\n\n0010 <f>:\n  10:\tlea    0x8(%rip),%rax        # 20 <x>\n"
        text += "  17:\tret\n\n"
        text += "0018 <g>:\n  18:\tjmp    10 <f>\n"
        f, g = machine_code.parse_disassembly(text)
        self.assertEqual([f.name, g.name], ["f", "g"])
        self.assertEqual([i.text for i in f.instructions], ["lea 0x8(%rip),%rax", "ret"])
        self.assertEqual(g.instructions[0].jump_target(), 0x10)

    def test_operands_in_parentheses_are_one(self):
        code = machine_code.Instruction(0, "mov    %rax,0x8(%rsp,%rcx,4)")
        self.assertEqual(code.operands, ["%rax", "0x8(%rsp,%rcx,4)"])


class Marks(unittest.TestCase):
    def test_probes_are_known_by_the_segment(self):
        self.assertEqual(marks("incq   %gs:0x30(%rip)        # 40 <c>", "add %rax,%gs:0x8(%rip)",
                               "incq %gs:-0x8(%r12)", "mov %fs:0x28,%rax",
                               "call 99 <__waymark_count>"),
                         ["increment", "increment", "by register", None, "table"])

    def test_the_register_is_followed_to_where_it_is_set(self):
        self.assertEqual(marks("lea 0x100(%rip),%rbx", "lea 0x200(%rip),%rcx", "mov %rbx,%r12",
                               "add $0x8,%r12", "incq %gs:0x0(%r12)", "ret"),
                         ["set", None, "copy", "move", "by register", None])

    def test_and_through_the_frame(self):
        self.assertEqual(marks("lea 0x100(%rip),%rax", "mov %rax,0x8(%rsp)", "mov %rdx,0x10(%rsp)",
                               "call 99 <g>", "mov 0x8(%rsp),%rax", "incq %gs:0x0(%rax)"),
                         ["set", "spill", None, None, "reload", "by register"])

    def test_a_call_ends_what_it_does_not_save(self):
        self.assertEqual(marks("lea 0x100(%rip),%rax", "lea 0x100(%rip),%rbx", "call 99 <g>",
                               "incq %gs:0x0(%rax)", "incq %gs:0x0(%rbx)"),
                         [None, "set", None, "by register", "by register"])
        self.assertEqual(marks("lea 0x100(%rip),%rax", "call 99 <__waymark_count>",
                               "incq %gs:0x0(%rax)"),
                         ["set", "table", "by register"])

    def test_both_ways_to_a_probe_are_followed_around_a_loop_too(self):
        self.assertEqual(marks("lea 0x100(%rip),%rbx", "je 4 <f+0x4>", "lea 0x108(%rip),%rbx",
                               "xor %eax,%eax", "incq %gs:0x0(%rbx)", "lea 0x110(%rip),%rbx",
                               "jne 4 <f+0x4>", "lea 0x118(%rip),%rbx", "ret"),
                         ["set", None, "set", None, "by register", "set", None, None, None])

    def test_a_jump_through_a_table_leads_to_what_nothing_else_leads_to(self):
        self.assertEqual(marks("lea 0x100(%rip),%rbx", "notrack jmp *%rax", "ret",
                               "incq %gs:0x0(%rbx)", "ret"),
                         ["set", None, None, "by register", None])

    def test_but_not_to_the_room_between_blocks(self):
        self.assertEqual(marks("lea 0x100(%rip),%rbx", "notrack jmp *%rax", "cs nopw 0x0(%rax)",
                               "incq %gs:0x0(%rbx)", "jmp 3 <f+0x3>"),
                         [None, None, None, "by register", None])

    def test_a_value_that_no_set_leads_to_is_the_programs(self):
        self.assertEqual(marks("lea 0x100(%rip),%rbx", "incq %gs:0x0(%rbx)", "notrack jmp *%rax",
                               "lea 0x100(%rip),%r12", "notrack jmp *%rax", "incq %gs:0x0(%r12)",
                               "ret", "mov %rdi,%r12", "add $0x8,%r12", "jmp 2 <f+0x2>"),
                         ["set", "by register", None, "set", None, "by register", None, None, None,
                          None])

    def test_an_address_elsewhere_is_the_programs(self):
        lines = ["lea 0x10(%rip),%rbx        # 500 <x>", "je 3 <f+0x3>",
                 "lea 0x10(%rip),%rbx        # 100 <c>", "incq %gs:0x0(%rbx)"]
        function = machine_code.parse_disassembly(listing(*lines))[0]
        machine_code.mark(function, range(0x80, 0x180))
        self.assertEqual([i.mark for i in function.instructions],
                         [None, None, "set", "by register"])

    def test_a_value_that_is_used_as_a_pointer_is_the_programs(self):
        self.assertEqual(marks("lea 0x100(%rip),%rbx", "notrack jmp *%rax", "add $0x8,%rbx",
                               "mov (%rbx),%rax", "notrack jmp *%rax", "incq %gs:0x0(%rbx)"),
                         ["set", None, None, None, None, "by register"])

    def test_the_programs_own_use_of_the_register_is_not_ours(self):
        self.assertEqual(marks("mov %rdi,%rbx", "mov (%rbx),%rax", "lea 0x100(%rip),%rbx",
                               "incq %gs:0x0(%rbx)", "mov %rsi,%rbx"),
                         [None, None, "set", "by register", None])


if __name__ == "__main__":
    unittest.main()
