"""What a binary executed, instruction by instruction, and which instructions are ours.

Callgrind counts each instruction, objdump names it. Counters are addressed through the gs segment,
which no compiler uses on its own, so a probe is known by its operand. From the probes that go by a
register, the value is followed backwards, through the function's jumps, to where it is set, and
from there forwards again: what lies on both ways, what moves it, copies it, spills it and loads it,
is ours as well. Where a jump through a table leads is a guess, so that either way may go astray; it
ends where something is used as only the program uses its values. What makes room for ours among
these cannot be told from the program.
"""
import re
import subprocess

from programs import Failure

# The kinds of instructions that are ours.
INCREMENT, BY_REGISTER, SET, MOVE, COPY, SPILL, RELOAD, TABLE = KINDS = (
    "increment", "by register", "set", "move", "copy", "spill", "reload", "table")

COUNTS_BY_KEY = "__waymark_count"
COUNTERS = "waymark_counters"
OUTSIDE = 1 << 15  # a set address may lie so far outside of the counters: histories have an origin

REGISTERS = {name: full for full, names in {
    "rax": "eax ax al ah", "rbx": "ebx bx bl bh", "rcx": "ecx cx cl ch", "rdx": "edx dx dl dh",
    "rsi": "esi si sil", "rdi": "edi di dil", "rbp": "ebp bp bpl", "rsp": "esp sp spl",
    **{"r%d" % i: "r%dd r%dw r%db" % (i, i, i) for i in range(8, 16)}}.items()
    for name in [full] + names.split()}
LOST_IN_CALLS = {"rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11"}
WRITES_UNNAMED = {"mul": {"rax", "rdx"}, "div": {"rax", "rdx"}, "idiv": {"rax", "rdx"},
                  "cqto": {"rdx"}, "cltd": {"rdx"}, "cltq": {"rax"}, "cwtl": {"rax"},
                  "rep": {"rcx", "rsi", "rdi"}}
READS_ONLY = re.compile(r"cmp|test|push|bt[lqw]?$|j|nop|ucomis|comis")
PADDING = re.compile(r"((cs|data16) )*nop|xchg %ax,%ax|int3")
ENDS = re.compile(r"(repz )?ret|ud2|hlt|jmp")


class Instruction:
    def __init__(self, address, text):
        self.address, self.count, self.mark = address, 0, None
        told = re.search(r"# ([0-9a-f]+)", text)
        self.refers_to = int(told.group(1), 16) if told else None
        self.text = re.sub(r"\s+", " ", text.split("#")[0]).strip()
        words = self.text.replace("notrack ", "").split(" ", 1)
        self.name = words[0]
        self.operands = split_operands(words[1]) if len(words) > 1 else []

    def written(self):
        """The operand that it writes, as text; None if that is none."""
        return self.operands[-1] if self.operands and not READS_ONLY.match(self.name) else None

    def jump_target(self):
        """The address that it may jump to; None if it does not jump, or anywhere."""
        known = self.name.startswith("j") and re.match(r"[0-9a-f]+ <", " ".join(self.operands))
        return int(known.group().split()[0], 16) if known else None

    def jumps_anywhere(self):
        return self.name == "jmp" and self.operands[0].startswith("*")

    def moves_frame(self):
        """Whether it moves a value between a register and the function's frame."""
        return self.name.startswith("mov") and any(slot(operand) for operand in self.operands)

    def calls(self):
        """The name of the function that it calls; "" if not known, None if it is no call."""
        if not self.name.startswith("call"):
            return None
        named = re.search(r"<([^+>]+)>", " ".join(self.operands))
        return named.group(1) if named else ""


class Function:
    def __init__(self, name):
        self.name, self.instructions = name, []

    def executed(self):
        return sum(instruction.count for instruction in self.instructions)

    def is_marked(self):
        return any(instruction.mark for instruction in self.instructions)


def split_operands(text):
    """At the commas that stand in no parentheses."""
    return [part.strip() for part in re.split(r",(?![^(]*\))", text)]


def register(operand):
    """The full name of the register that the operand is; None if it is none."""
    return REGISTERS.get(operand[1:]) if operand.startswith("%") else None


def slot(operand):
    """The operand if it is a place in the frame."""
    return operand if re.fullmatch(r"(-?0x[0-9a-f]+)?\(%r[sb]p\)", operand) else None


def place(operand):
    return register(operand) or slot(operand)


def index_of_probe(instruction):
    """Where a probe by register has its register; None if it is no such probe."""
    for operand in instruction.operands:
        found = re.match(r"%gs:(?:-?0x[0-9a-f]+)?\(([^)]*)\)", operand)
        if found and "%rip" not in found.group(1):
            words = [word for word in found.group(1).split(",") if word.startswith("%")]
            return register(words[-1])
    return None


def mark_by_operand(instruction):
    if any(operand.startswith("%gs:") for operand in instruction.operands):
        return BY_REGISTER if index_of_probe(instruction) else INCREMENT
    return TABLE if instruction.calls() == COUNTS_BY_KEY else None


def origin(instruction):
    """Where the value comes from that the instruction writes: (kind, the places that held it)."""
    name, operands = instruction.name, instruction.operands
    into = place(operands[-1])
    if len(operands) == 2 and name.startswith("mov"):
        if operands[0].startswith("$"):
            return SET, set()
        source = place(operands[0])
        if not source:
            return MOVE, set()
        return (SPILL if slot(operands[1]) else RELOAD if slot(operands[0]) else COPY), {source}
    if name == "lea":
        based = re.fullmatch(r"(?:-?0x[0-9a-f]+)?\(%(\w+)\)", operands[0])
        if not based:
            return MOVE, set()
        return (SET, set()) if based.group(1) == "rip" else (MOVE, {REGISTERS[based.group(1)]})
    if name.startswith("cmov"):
        return MOVE, {into} | ({place(operands[0])} - {None})
    if re.match(r"add|sub|inc|dec", name):
        return MOVE, {into}
    return MOVE, set()


def destroyed(instruction):
    """The places whose value it destroys without naming them."""
    called = instruction.calls()
    lost = LOST_IN_CALLS if called is not None and called != COUNTS_BY_KEY else set()
    return lost | WRITES_UNNAMED.get(instruction.name, set())


def written_place(instruction):
    written = instruction.written()
    return place(written) if written and instruction.calls() is None else None


def used_by_program(instruction):
    """The places whose value the instruction uses as is never done with that of the history."""
    if re.match(r"mov|lea|push|pop", instruction.name):
        used = [] if instruction.name == "lea" else re.findall(
            r"\(([^)]*)\)", " ".join(o for o in instruction.operands if not slot(o)))
    else:
        used = instruction.operands
    registers = {REGISTERS[word] for word in re.findall(r"%(\w+)", " ".join(used))
                 if word in REGISTERS}
    return registers | {slot(operand) for operand in used}


def before(instruction, wanted):
    """The places whose value is wanted before the instruction, given those behind it; and the mark
    of the instruction if it makes one of these."""
    mark, wanted = None, wanted - destroyed(instruction)
    into = written_place(instruction)
    if into in wanted:
        mark, sources = (None, set()) if instruction.name == "pop" else origin(instruction)
        wanted = (wanted - {into}) | sources
    if not mark:
        wanted = wanted - used_by_program(instruction)
    probed = index_of_probe(instruction)
    return (wanted | {probed} if probed else wanted), mark


def behind(instruction, held):
    """The places that hold the value behind the instruction, given those before it; and whether the
    instruction, if marked, deals with the value."""
    into, ours = written_place(instruction), False
    if instruction.mark in (SET, MOVE, COPY, SPILL, RELOAD):
        ours = instruction.mark == SET or bool(origin(instruction)[1] & held)
    held = held - destroyed(instruction) - {into}
    if not ours and instruction.mark != BY_REGISTER:
        held = held - used_by_program(instruction)
    return (held | {into} if ours else held), ours


def successors(instructions):
    """By index: the indices of the instructions that may come next in the function. A jump through
    a table is taken to lead to all that nothing else leads to."""
    at = {instruction.address: i for i, instruction in enumerate(instructions)}
    following = []
    for i, instruction in enumerate(instructions):
        target = at.get(instruction.jump_target())
        falls = not ENDS.match(instruction.name) and i + 1 < len(instructions)
        following.append(([i + 1] if falls else []) + ([target] if target is not None else []))
    led_to = {i for targets in following for i in targets}
    alone = [i for i in range(1, len(instructions))
             if i not in led_to and not PADDING.match(instructions[i].text)]
    return [alone if instructions[i].jumps_anywhere() else targets
            for i, targets in enumerate(following)]


def spread(instructions, order, following, step):
    """Carries sets of places along, as long as they grow: by index, what enters the instruction."""
    entering, changed = [frozenset()] * len(instructions), True
    while changed:
        changed = False
        for i in order:
            leaving = frozenset(step(instructions[i], entering[i])[0])
            for k in following[i]:
                if not leaving <= entering[k]:
                    entering[k], changed = entering[k] | leaving, True
    return entering


def invert(following):
    leading = [[] for _ in following]
    for i, targets in enumerate(following):
        for target in targets:
            leading[target].append(i)
    return leading


def mark(function, counters=None):
    """Marks what is ours in a function; `counters` are the addresses of the counters."""
    instructions = function.instructions
    for instruction in instructions:
        instruction.mark = mark_by_operand(instruction)
    if not any(instruction.mark == BY_REGISTER for instruction in instructions):
        return
    following = successors(instructions)
    backwards = range(len(instructions) - 1, -1, -1)
    wanted = spread(instructions, backwards, invert(following), before)
    for instruction, places in zip(instructions, wanted):
        instruction.mark = instruction.mark or before(instruction, places)[1]
        if instruction.mark == SET and counters and instruction.refers_to not in counters:
            instruction.mark = None
    held = spread(instructions, range(len(instructions)), following, behind)
    for instruction, places in zip(instructions, held):
        if instruction.mark in (MOVE, COPY, SPILL, RELOAD) and not behind(instruction, places)[1]:
            instruction.mark = None


def parse_disassembly(text):
    """The functions in what objdump -d prints."""
    functions = []
    for line in text.split("\n"):
        heading = re.match(r"[0-9a-f]+ <(.+)>:$", line)
        if heading:
            functions.append(Function(heading.group(1)))
            continue
        address, colon, code = line.partition(":\t")
        if colon and functions:
            functions[-1].instructions.append(Instruction(int(address, 16), code))
    return functions


def parse_counts(lines, binary):
    """Address -> executions, of one object in what callgrind writes."""
    counts, here, of_call = {}, False, False
    for line in lines:
        if line.startswith("0x"):
            if here and not of_call:
                address, count = line.split()
                counts[int(address, 16)] = counts.get(int(address, 16), 0) + int(count)
            of_call = False
        elif line.startswith("calls="):
            of_call = True
        elif line.startswith("ob="):
            here = line[3:].strip() == binary
    return counts


def counter_addresses(binary):
    """Where a set register may point; None if the binary has no counters."""
    table = subprocess.run(["readelf", "-SW", binary], stdout=subprocess.PIPE, check=True).stdout
    found = re.search(r"\] \S*%s +\w+ +([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+)" % COUNTERS,
                      table.decode())
    if not found:
        return None
    first, size = (int(word, 16) for word in found.groups())
    return range(first - OUTSIDE, first + size + OUTSIDE)


def execute(where, binary):
    """Runs the binary in the place (measure.Place) under callgrind; returns all its functions,
    counted, by name. Functions with one name are one."""
    written = where.report
    done = where.execute(["valgrind", "--tool=callgrind", "--dump-instr=yes", "--dump-line=no",
                          "--compress-strings=no", "--compress-pos=no",
                          "--callgrind-out-file=" + written, binary] + where.command)
    if done.returncode != 0:
        raise Failure("callgrind failed on %s:\n%s" % (binary, done.stderr.decode()[-2000:]))
    with open(written) as file:
        counts = parse_counts(file, binary)
    listing = subprocess.run(["objdump", "-d", "--no-show-raw-insn", binary],
                             stdout=subprocess.PIPE, check=True).stdout.decode()
    functions, counters = {}, counter_addresses(binary)
    for function in parse_disassembly(listing):
        for instruction in function.instructions:
            instruction.count = counts.get(instruction.address, 0)
        if function.executed():
            mark(function, counters)
        same = functions.setdefault(function.name, Function(function.name))
        same.instructions += function.instructions
    return functions
