"""The probes in a module's text, as short lines that a person can read.

A line says what happens where: `max at entry->join: counters[1] += 1`. A place is a block of the
program, or an edge if the code stands in a block put on it; code in a block made by the plug-in in
another way counts as part of the block that leads there. Names and numbers of values, the order of
instructions of one probe and the positions of debug information are not in it.

The key idea: what the program's own text does not name is the plug-in's. Addresses are resolved to
counters. A counter chosen by the history is shown as one for each route by which control comes.
"""
import re

from module_text import ELEMENT, NAME, assembled, hidden, parse, unquote, value_of

MAX_ROUTES = 8  # that are named one by one
COUNTERS = "@__waymark_counters."
MINUS = re.compile(r"^-\d+$")


class Summary:
    """The lines of one function; `plain` is the function as it was."""

    def __init__(self, function, plain, variables):
        self.function, self.plain, self.variables = function, plain, variables
        self.lines = []  # (place, text)

    def is_program(self, name):
        return name in self.plain.values or name not in self.function.values

    def place(self, block):
        """A block of the program, an edge, or the block that leads to what has no name."""
        if block in self.plain.blocks:
            return block
        before = self.function.predecessors(block)
        if block.endswith("_crit_edge"):
            return "%s->%s" % (self.place(before[0]),
                               self.function.blocks[block][-1].successors()[0])
        return self.place(before[0]) if re.match(r"\d+$", block) else block

    # Values ------------------------------------------------------------------------------------

    def sum_of(self, value):
        """What is added up in a value: (names of values, number)."""
        if re.match(r"-?\d+$", value):
            return (), int(value)
        if value in ("undef", "poison", "null"):
            return (value,), 0
        if COUNTERS in value:
            return ("counters",), sum(int(n) for n in re.findall(r"i64 (-?\d+)", value))
        one = self.function.values.get(value)
        if not one or value in self.plain.values:
            return (value,), 0
        if one.opcode == "getelementptr":
            return self.added(one.operands()[1:])
        if one.opcode == "add":
            return self.added(one.operands())
        if one.opcode in ("ptrtoint", "inttoptr"):
            return self.sum_of(value_of(one.text.split(" to ")[0]))
        if 'asm sideeffect ""' in one.text:
            return self.sum_of(hidden(one))
        if self.is_delta(one):
            return ("delta",), 0
        return (value,), 0

    def added(self, operands):
        sums = [self.sum_of(operand) for operand in operands]
        return sum((names for names, _ in sums), ()), sum(number for _, number in sums)

    def is_delta(self, one):
        if one.opcode == "phi":
            return any(self.is_delta(self.function.values[value]) for value, _ in one.incoming()
                       if value in self.function.values and value != one.result and
                       self.function.values[value].opcode == "call")
        return "@__waymark_delta" in one.text or one.callee() == "__waymark_attach"

    def expression(self, value):
        """How a value is computed from the program's own."""
        one = self.function.values.get(value)
        if not one or value in self.plain.values:
            found = re.match(r"blockaddress\(@%s, (%%%s)\)" % (NAME, NAME), value)
            return "label " + unquote(found.group(1)) if found else unquote(value)
        if one.opcode == "phi" or self.registers_in(value):
            return "register"
        if 'asm sideeffect ""' in one.text:
            return self.expression(hidden(one))
        if one.opcode in ("zext", "sext", "trunc", "freeze"):
            return self.expression(value_of(one.text.split(" to ")[0]))
        if one.callee():
            words = [self.expression(word) for word in one.arguments()]
            return "%s(%s)" % (one.callee().split(".")[1], ", ".join(words))
        left, right = [self.expression(word) for word in one.operands()[:2]]
        if one.opcode == "icmp":
            return "(%s %s %s)" % (left, {"eq": "=="}.get(one.text.split()[1], "?"), right)
        if one.opcode == "add":
            return "%s - %s" % (left, right[1:]) if MINUS.match(right) else left + " + " + right
        return "%s(%s, %s)" % (one.opcode, left, right)

    def registers_in(self, value, seen=()):
        """The phis, made by the plug-in, of which an amount consists."""
        one = self.function.values.get(value)
        if not one or value in self.plain.values or value in seen:
            return set()
        seen += (value,)
        if one.opcode == "phi":
            found = {value}
            for other, _ in one.incoming():
                found |= self.registers_in(other, seen)
            return found
        if one.opcode == "call" and 'asm sideeffect ""' in one.text:
            return self.registers_in(hidden(one), seen)
        if one.opcode == "add":
            return set().union(*(self.registers_in(word, seen) for word in one.operands()))
        return set()

    # Addresses ---------------------------------------------------------------------------------

    def routes(self, names, number, seen=()):
        """The counters that an address may be that of: [(counter, [merged blocks on the route])]."""
        rest = [name for name in names if name not in ("counters", "delta")]
        if not rest:
            return [(number // 8, [])]
        one = self.function.values.get(rest[0])
        if rest[0] in ("undef", "poison") or rest[0] in seen or len(rest) > 1 or not one:
            return []
        found = []
        if one.opcode == "phi":
            for value, block in one.incoming():
                inner, plus = self.sum_of(value)
                for counter, route in self.routes(inner, plus + number, seen + (rest[0],)):
                    found.append((counter, route + [self.place(block)]))
        elif one.opcode == "select":
            condition = self.expression(one.operands()[0])
            for word, value in zip(("if ", "unless "), one.operands()[1:]):
                inner, plus = self.sum_of(value)
                for counter, route in self.routes(inner, plus + number, seen + (rest[0],)):
                    found.append((counter, route + [word + condition]))
        return found

    def counter(self, address):
        names, number = self.sum_of(address)
        routes = sorted((counter, " ".join(route)) for counter, route in self.routes(names, number))
        if len(routes) > MAX_ROUTES:
            return "counters[%d..%d by history]" % (routes[0][0], routes[-1][0])
        text = ", ".join("%d by %s" % route if route[1] else str(route[0]) for route in routes)
        return "counters[%s]" % text.replace(" by unless ", " unless ")

    def histories_in(self, address):
        """The phis and selects that an address was chosen by."""
        waiting, found = list(self.sum_of(address)[0]), []
        while waiting:
            one = self.function.values.get(waiting.pop())
            if one in found or not one or self.is_program(one.result):
                continue
            if one.opcode == "phi":
                values = [value for value, _ in one.incoming()]
            elif one.opcode == "select":
                values = one.operands()[1:]
            else:
                continue
            found.append(one)
            for value in values:
                waiting += self.sum_of(value)[0]
        return found

    # Lines -------------------------------------------------------------------------------------

    def beside(self, one):
        """Which of the program's instructions that may not return stands behind or before."""
        block = self.function.blocks[one.block]
        at = block.index(one)
        later = [self.anchor(other) for other in block[at + 1:] if self.anchor(other)]
        sooner = [self.anchor(other) for other in block[:at] if self.anchor(other)]
        return " before " + later[0] if later else " behind " + sooner[-1] if sooner else ""

    def anchor(self, one):
        callee = one.callee()
        if one.ours or (callee and callee.startswith(("llvm.", "__waymark"))):
            return None
        if one.opcode in ("call", "invoke", "callbr"):
            return "%s %s" % (one.opcode, callee or ("asm" if " asm " in one.text else "pointer"))
        if one.opcode in ("sdiv", "udiv", "srem", "urem"):
            return one.opcode
        return "volatile " + one.opcode if one.volatile else None

    def add(self, one, text):
        line = (self.place(one.block), text + self.beside(one))
        self.lines.append(line)

    def say_store(self, one):
        value, address = one.operands()[:2]
        self.add(one, "%s += %s" % (self.counter(address), self.expression(
            self.function.values[value].operands()[1])))

    def say_assembled(self, one):
        if '""' in one.text:
            if one.text.startswith("call void"):
                self.add(one, "hold")
            return
        address, amount = assembled(one)
        self.add(one, "%s += %s in one instruction" %
                 (self.counter(address), self.expression(amount)))

    def say_call(self, one):
        name, words = one.callee(), one.arguments()
        if name == "__waymark_attach":
            return
        if name == "__waymark_count":
            words = [self.counter(words[0])]
        words = [word for word in words if re.match(r"\d+$", word) or word.startswith("counters")]
        self.add(one, " ".join(["call", name] + words))

    def say_instruction(self, one):
        if one.callee() and one.callee().startswith("__waymark"):
            self.say_call(one)
        elif not one.ours:
            return
        elif one.opcode == "store":
            self.say_store(one)
        elif one.opcode == "call":
            self.say_assembled(one)
        elif "@__waymark_delta" in one.text:
            self.add(one, "base")

    def addresses(self):
        for one in self.function.instructions():
            if one.ours and one.opcode == "store":
                yield one.operands()[1]
            elif one.ours and ELEMENT in one.text:
                yield assembled(one)[0]

    def history_changes(self):
        """Where the register of the history gets a value, or another one: {(block, text)}."""
        changes = set()
        for address in self.addresses():
            for one in self.histories_in(address):
                if one.opcode == "select":
                    condition = self.expression(one.operands()[0])
                    changes.add((one.block, "history set unless " + condition))
                for value, block in one.incoming() if one.opcode == "phi" else []:
                    names, number = self.sum_of(value)
                    rest = set(names) - {"counters", "delta"}
                    if not rest:
                        changes.add((block, "history set"))
                    elif number:
                        changes.add((self.function.values[value].block, "history moved"))
        return changes

    def say_registers(self):
        """Adds to counters that a loop keeps in registers."""
        phis = set()
        for one in self.function.instructions():
            if one.ours and one.opcode == "store":
                value = self.function.values[one.operands()[0]]
                phis |= self.registers_in(value.operands()[1])
        for one in self.function.instructions():
            if one.opcode != "add" or self.is_program(one.result):
                continue
            left, right = one.operands()[:2]
            first = self.function.values.get(left)
            if self.registers_in(left) & phis and not (first and first.ours):
                self.add(one, "register += " + self.expression(right))

    def make(self):
        """[(place, text)], by place in the order of the text."""
        for one in self.function.instructions():
            self.say_instruction(one)
        self.say_registers()
        for block, text in self.history_changes():
            self.lines.append((self.place(block), text))
        order = {}
        for block in self.function.blocks:
            order.setdefault(self.place(block), len(order))
        return sorted(self.lines, key=lambda line: order[line[0]])


def counters_line(function, variables):
    """How many counters the function has, and how it reaches them."""
    name = next((name for name in variables
                 if re.match(r"__waymark_counters\.%s(\.[0-9a-f]{16})?$" % re.escape(function.name),
                             name)), None)
    if not name:
        return None
    count = int(re.search(r"\[(\d+) x i64\]", variables[name]).group(1))
    return "%d counter%s%s" % (count, "" if count == 1 else "s",
                               "" if "addrspace(256)" in variables[name] else ", base in memory")


def summarise(text, plain_text):
    """The lines of all functions of a module: [(function, place or None, text)]."""
    functions, variables = parse(text)
    plain, _ = parse(plain_text)
    lines = []
    for name, function in functions.items():
        counters = counters_line(function, variables)
        if counters is None:
            same = function.body() == plain[name].body()
            lines.append((name, None, "untouched" if same else "changed, but not counted"))
            continue
        lines.append((name, None, counters))
        if function.linkage != plain[name].linkage:
            lines.append((name, None, "%s becomes %s" % (plain[name].linkage, function.linkage)))
        lines += [(name, place, said)
                  for place, said in Summary(function, plain[name], variables).make()]
    return lines


def describe_variables(text):
    """The plug-in's global variables: [(name, section and group)]. The hash at the end of a name,
    which may change with the description's layout, is left out."""
    found = []
    for name, said in parse(text)[1].items():
        if not name.startswith("__waymark"):
            continue
        short = re.sub(r"\.[0-9a-f]{16}$", ".HASH", name)
        linkage = re.match(r"(?:external|private|linkonce_odr|weak)", said).group(0)
        section = re.search(r'section "(\w+)"', said)
        group = "in a group" if "comdat" in said else "in no group"
        found.append((short, "%s, %s, %s" % (
            linkage, "section " + section.group(1) if section else "no section", group)))
    return found
