"""LLVM's intermediate form as text, in which each instruction has a line of its own; and the record of what ran of it."""
import collections
import re
import struct

LABEL = re.compile(r'^([\w.$-]+|"[^"]*"):')
NAME = r'(@[\w.$-]+|@"[^"]*"|%[\w.$-]+|%"[^"]*")'
CALLEE = re.compile(NAME + r"\(")
BLOCK, BACK, RETURN = range(3)


class Strange(Exception):
    """What the text or the record should not hold."""


class Instruction:
    def __init__(self, block, text):
        self.block, self.text = block, text

    def finish(self, lines):
        location = re.findall(r"!dbg (!\d+)", self.text)
        self.line = int(lines.get(location[-1], 0)) if location else 0
        word = re.sub(r"^\s*(%\S+ = )?", "", self.text)
        self.operation = re.match(r"((tail|musttail|notail) )?(\w+)", word).group(3)
        self.is_musttail = word.startswith("musttail ")
        self.is_call, self.callee = self.operation in ("call", "invoke") and " asm " not in word, None
        if self.is_call:
            name = CALLEE.search(word).group(1)
            self.callee = name[1:].strip('"') if name[0] == "@" else None
            self.is_call = not (self.callee or "").startswith("llvm.")


class Block:
    def __init__(self, function, label):
        self.function, self.label, self.instructions = function, label, []

    def finish(self):
        last = self.instructions[-1].text
        self.successors = re.findall(r"label %([\w.$-]+|\"[^\"]*\")", last)
        self.unwinds = re.findall(r"unwind label %([\w.$-]+|\"[^\"]*\")", last)


class Function:
    def __init__(self, name):
        self.name, self.blocks = name, {}

    def add(self, label):
        block = self.blocks[label] = Block(self, label)
        return block


class Module:
    """`pieces` are the lines of the text; instructions stand in it as such."""

    def __init__(self, text):
        lines = dict(re.findall(r"^(!\d+) = !DILocation\(line: (\d+)", text, re.MULTILINE))
        twice = set(re.findall(r"^attributes (#\d+) = .*\breturns_twice\b", text, re.MULTILINE))
        self.functions, self.function_of, self.pieces, self.events = {}, {}, [], []
        self.pointers = set()  # lines of calls through pointers
        self.pads = set()  # lines of landing pads
        self.variables = set()  # lines of variables, which stand in a function's first block wherever they were
        self.read(text)
        for function in self.functions.values():
            for block in function.blocks.values():
                for each in block.instructions:
                    each.finish(lines)
                    self.function_of[each.line] = function.name
                    self.variables |= {each.line} if each.operation == "alloca" else set()
                    self.pointers |= {each.line} if each.is_call and each.callee is None else set()
                    self.pads |= {each.line} if each.operation == "landingpad" else set()
                    each.returns_twice = each.is_call and bool(twice & set(re.findall(r"#\d+", each.text)))
                block.finish()

    def read(self, text):
        function = block = None
        for line in text.split("\n"):
            label = LABEL.match(line)
            if line.startswith("define "):
                name = re.search(NAME + r"\(", line).group(1)[1:].strip('"')
                function, block = Function(name), None
                self.functions[name] = function
            elif line == "}":
                function = None
            elif function and (line.startswith("    #dbg") or not line.strip()):
                continue
            elif function and label:
                block = function.add(label.group(1))
            elif function and re.match(r"  [^ \]]", line):
                block = block or function.add("0")
                line = Instruction(block, line)
                block.instructions.append(line)
            elif function:
                block.instructions[-1].text += "\n" + line
                continue
            self.pieces.append(line)

    def is_through_pointer(self, line):
        return line in self.pointers

    def event(self, *what):
        self.events.append(what)
        return "  call void @waymark_test_record(i32 %d)" % (len(self.events) - 1)

    def with_records(self):
        """The text with calls that record each block, each return from a call, and each return."""
        out, fresh = [], None
        for piece in self.pieces:
            if isinstance(piece, str):
                out.append(piece)
                continue
            instruction, block = piece, piece.block
            if instruction is block.instructions[0]:
                fresh = block
            if fresh and instruction.operation not in ("phi", "landingpad"):
                out.append(self.event(BLOCK, fresh, None))
                fresh = None
            if instruction.operation == "ret" and not follows_musttail(block):
                out.append(self.event(RETURN, block, None))
            out.append(re.sub(r", !dbg !\d+", "", instruction.text))
            if instruction.is_call and instruction.operation == "call" and not instruction.is_musttail:
                out.append(self.event(BACK, block, instruction))
        return "\n".join(out) + "\ndeclare void @waymark_test_record(i32)\n"


def follows_musttail(block):
    return any(each.is_musttail for each in block.instructions)


def read_record(path, limit):
    """Numbers of events by thread; None if there are too many."""
    with open(path, "rb") as file:
        used = struct.unpack("<QQ", file.read(16))[0]
        if used > limit:
            return None
        entries = file.read(8 * used)
    threads = collections.defaultdict(list)
    for thread, what in struct.iter_unpack("<II", entries):
        threads[thread].append(what)
    return threads
