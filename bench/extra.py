"""Two runs of a program under callgrind, plain and with probes, and what the difference is made of,
function by function."""
import os
import tempfile

import builds
import machine_code
import measure
import programs
import variants

DEFAULT_WAYMARK = os.path.join(programs.HERE, "..", "build", "release", "bin", "waymark")

MARKED = [("increments", [machine_code.INCREMENT]), ("by register", [machine_code.BY_REGISTER]),
          ("sets", [machine_code.SET]), ("moves", [machine_code.MOVE, machine_code.COPY]),
          ("spills", [machine_code.SPILL, machine_code.RELOAD]), ("tables", [machine_code.TABLE])]
# What the program's own code has more of: to save registers, to keep values in the frame, to jump.
UNMARKED = [("pushes", lambda instruction: instruction.name in ("push", "pop")),
            ("frame", lambda instruction: instruction.moves_frame()),
            ("jumps", lambda instruction: instruction.name == "jmp")]
HEADINGS = ["plain", "ours", "extra"] + [heading for heading, _ in MARKED + UNMARKED] + ["other"]


def run(waymark, name, mode, look=lambda place: None):
    """The functions of the program, by name: plain, and with probes; and what `look` finds where
    the program with probes left its profile."""
    program = programs.available([name])[0][0]
    mode = next(variant for variant in variants.MODES if variant.name == mode)
    built = builds.Builds(variants.Tools(waymark), [variants.PLAIN] + variants.MODES)
    executed = []
    for variant in (variants.PLAIN, mode):
        with tempfile.TemporaryDirectory() as where:
            place = measure.Place(program, 1, where)
            executed.append(machine_code.execute(place, built.binary(program, variant)))
            found = look(place) if variant == mode else None
    return executed + [found]


def count(functions, matches):
    return sum(instruction.count for function in functions for instruction in function.instructions
               if matches(instruction))


class Cost:
    """Executed instructions of the same functions, plain and ours, and what the difference is."""

    def __init__(self, plain, ours):
        self.plain = count(plain, lambda instruction: True)
        self.ours = count(ours, lambda instruction: True)
        self.parts = [count(ours, lambda instruction: instruction.mark in kinds)
                      for _, kinds in MARKED]
        for _, matches in UNMARKED:
            self.parts.append(count(ours, lambda i: not i.mark and matches(i)) -
                              count(plain, matches))

    def extra(self):
        return self.ours - self.plain

    def cells(self):
        """In the order of HEADINGS."""
        return [self.plain, self.ours, self.extra()] + self.parts + [self.extra() - sum(self.parts)]


def is_runtime(name, plain, ours):
    return name not in plain and not ours[name].is_marked()


def costs_by_function(plain, ours):
    """(name, cost) of the program's functions, those first where most is added."""
    names = [name for name in {**plain, **ours}
             if name in plain or not is_runtime(name, plain, ours)]
    costs = [(name, Cost(*([functions[name]] if name in functions else []
                           for functions in (plain, ours)))) for name in names]
    return sorted(costs, key=lambda cost: (-cost[1].extra(), cost[0]))
