"""A module as LLVM prints it: functions, blocks, instructions and their operands, as text."""
import re

NAME = r'(?:"[^"]*"|[-\w.$]+)'
LABEL = re.compile(r"^(%s):" % NAME)
RESULT = re.compile(r"^(%%%s) = (.*)$" % NAME)
LINKAGE = re.compile(r"define (?:dso_local )?(internal|private|linkonce_odr|linkonce|weak_odr|weak|"
                     r"available_externally)\b")
CONSTANT = re.compile(r"\b(getelementptr|ptrtoint|inttoptr|blockaddress|add|sub)\b.*")
ELEMENT = "(ptr elementtype(i64) "


def unquote(name):
    return name.strip('%@"')


class Instruction:
    def __init__(self, text, block):
        found = RESULT.match(text)
        self.block = block
        self.result = found.group(1) if found else None
        self.ours = "!nosanitize" in text
        body = re.sub(r"(, ![\w.]+ !\w+)+$", "", found.group(2) if found else text)
        self.text = re.sub(r" #\d+", "", body)
        words = re.sub(r"^(tail|musttail|notail) ", "", self.text).split()
        self.opcode = words[0]
        self.volatile = self.opcode in ("load", "store") and words[1] == "volatile"

    def operands(self):
        """Between the top-level commas, without the opcode, flags and types."""
        parts, depth, start = [], 0, 0
        for at, char in enumerate(self.text):
            depth += char in "([{"
            depth -= char in ")]}"
            if char == "," and not depth:
                parts.append(self.text[start:at])
                start = at + 1
        return [value_of(part) for part in parts + [self.text[start:]]]

    def callee(self):
        """The function called by its name, without its @, or None."""
        found = re.search(r"@(%s)\(" % NAME, self.text)
        return found.group(1) if found and self.opcode in ("call", "invoke", "callbr") else None

    def arguments(self):
        inside = self.text[self.text.index("(", self.text.index("@")) + 1:self.text.rindex(")")]
        return Instruction("x " + inside, None).operands() if inside else []

    def incoming(self):
        """Of a phi: [(value, block)]."""
        return [(value_of(pair[0]), unquote(pair[1])) for pair in
                re.findall(r"\[ (.*?), %%(%s) \]" % NAME, self.text)]

    def successors(self):
        return [unquote(name) for name in re.findall(r"label (%%%s)" % NAME, self.text)]


def value_of(text):
    """The value at the end of an operand: a name, a number, or a constant expression."""
    text = text.strip()
    found = CONSTANT.search(text)
    if found and text.endswith(")"):
        return found.group(0)
    return text.split()[-1] if text else text


def hidden(one):
    """The value whose origin an empty piece of assembler code hides."""
    return one.text[one.text.rindex("(") + 1:-1].split()[-1]


def assembled(one):
    """Of an increment in one instruction: (address, amount)."""
    inside = one.text[one.text.index(ELEMENT) + len(ELEMENT):-1]
    address, amount = inside.rsplit(",", 1)
    return value_of("ptr " + address), amount.split()[-1]


class Function:
    def __init__(self, head):
        self.head = head
        self.name = unquote(re.search(r"@(%s)\(" % NAME, head).group(1))
        found = LINKAGE.match(head)
        self.linkage = found.group(1) if found else "external"
        self.blocks = {}  # by name, in the order of the text
        self.values = {}  # by name with its %

    def instructions(self):
        return [instruction for block in self.blocks.values() for instruction in block]

    def predecessors(self, name):
        return [other for other, block in self.blocks.items() if name in block[-1].successors()]

    def body(self):
        """The text without what names attributes and metadata."""
        return [(one.block, one.result, one.text) for one in self.instructions()]


def joined(lines):
    """Instructions on several lines become one; records of debug information go."""
    whole = []
    for line in lines:
        if line.strip().startswith("#dbg") or not line.strip():
            continue
        goes_on = line.startswith(("   ", "  ]"))
        if goes_on and whole:
            whole[-1] += " " + line.strip()
        else:
            whole.append(line)
    return whole


def parse_function(head, lines):
    function, block = Function(head), None
    for line in joined(lines):
        label = LABEL.match(line)
        if label:
            block = unquote(label.group(1))
            function.blocks[block] = []
            continue
        instruction = Instruction(line.strip(), block)
        function.blocks[block].append(instruction)
        if instruction.result:
            function.values[instruction.result] = instruction
    return function


def parse(text):
    """The functions that the module's text defines, and its global variables: ({name: Function},
    {name: text})."""
    functions, variables, head, lines = {}, {}, None, []
    for line in text.splitlines():
        if line.startswith("define"):
            head, lines = line, []
        elif line == "}" and head:
            function = parse_function(head, lines)
            functions[function.name] = function
            head = None
        elif head:
            lines.append(line)
        elif line.startswith("@"):
            name, rest = line.split(" = ", 1)
            variables[unquote(name)] = rest
    return functions, variables
