"""What paths and segments must be, from the record of each thread; and what a profile says they are."""
import collections

import ir

ABANDONED, CUT, RETURN = 2, 4, 32
EXIT, LEFT = "returns", "left"


class Passed(Exception):
    """The record does not say how code went on that stands in place of a call."""


class Function:
    """A function of the profile, with the calls that were crossed: places are (calls, line), from the outside in, and a
    call is (line, callee)."""

    def __init__(self, name):
        self.name, self.scopes, self.blocks, self.edges, self.sites = name, [], [], [], []
        self.paths = collections.Counter()
        self.owner = None

    def finish(self, moved, pads):
        self.calls = []
        for parent, line, callee in self.scopes:
            self.calls.append(() if not self.calls else self.calls[parent] + ((line, callee),))
        self.crossed = set(self.calls[1:])
        self.places = [[(self.calls[scope], line) for scope, line in block if line not in moved] for block in self.blocks]
        self.block_of_call = {(self.calls[scope], line, callee): block for block, scope, line, callee in self.sites}
        self.owner = collections.defaultdict(dict)  # by place: the blocks that hold it, and where
        for block, places in enumerate(self.places):
            for i, place in enumerate(places):
                self.owner[place][block] = i
        self.is_silent = [all(place[1] in pads or len(self.owner[place]) > 1 for place in places)
                          for places in self.places] + [False]
        self.successors = collections.defaultdict(dict)
        for source, target, flags in self.edges:
            if not flags & ABANDONED:
                self.successors[source][target] = self.successors[source].get(target, 0) | flags

    def ending(self, edge):
        _, target, flags = self.edges[edge]
        return ("cut", target) if flags & CUT and target < len(self.blocks) else EXIT if flags & RETURN else LEFT


def read_dump(text, moved, pads):
    """Lines that were moved to the start of a function are nowhere; those of landing pads may be in several blocks in a row."""
    functions = {}
    for line in text.splitlines():
        kind, *words = line.split(" ")
        if kind == "f":
            function = functions[words[0]] = Function(words[0])
        elif kind == "s":
            function.scopes.append((int(words[0]), int(words[1]), words[2]))
        elif kind == "b":
            function.blocks.append([tuple(map(int, word.split(":"))) for word in words])
        elif kind == "c":
            function.sites.append((*map(int, words[:3]), words[3]))
        elif kind == "e":
            function.edges.append(tuple(map(int, words)))
        elif kind == "p":
            count, edge, *blocks = map(int, words)
            if function.owner is None:
                function.finish(moved, pads)
            function.paths[tuple(blocks), function.ending(edge)] += count
    for function in functions.values():
        if function.owner is None:
            function.finish(moved, pads)
    return functions


class Root:
    """One execution of a function and of the callees that were put in place of its calls."""

    def __init__(self, function, counts):
        self.function, self.counts = function, counts
        self.path, self.at, self.starts = [], -1, {0}

    def show(self, place):
        """Landing pads stand in several blocks, one for each call that leads there."""
        places = self.function.owner.get(place, {})
        if not places:
            return
        if not self.path:
            block = min(places, key=lambda block: block not in self.starts)
            self.enter_first(block)
        elif places.get(self.path[-1], -1) > self.at:
            block = self.path[-1]
        else:
            block = self.next_of(places)
            self.go(block)
        self.at = places[block]

    def show_target(self, calls, line, name):
        """A call through a pointer, with a guard for some targets: it stands in a block for each, and in one for others."""
        blocks = self.function.block_of_call
        block = blocks.get((calls, line, name), blocks.get((calls, line, "")))
        if block is not None and self.path and block != self.path[-1]:
            self.go(block)
            self.at = self.function.owner[calls, line].get(block, -1)

    def enter_first(self, block):
        """Blocks in front of which nothing has a line are found by their edges."""
        self.path = [block if block in self.starts else min(self.starts)]
        if block not in self.starts:
            self.go(block)

    def return_again(self):
        """Behind a call that can return twice another path starts."""
        if self.path:
            self.count(LEFT)
        self.path, self.starts = [], set(self.function.successors[len(self.function.blocks)])

    def between(self, target):
        """Blocks that show nothing that lead from the last block to the target."""
        ways = [[]] if target in self.function.successors[self.path[-1]] else []
        waiting = [[block] for block in self.function.successors[self.path[-1]]
                   if self.function.is_silent[block]]
        while waiting and not ways:
            way = waiting.pop(0)
            for block in self.function.successors[way[-1]]:
                if block == target:
                    ways.append(way)
                elif self.function.is_silent[block] and block not in way:
                    waiting.append(way + [block])
        return ways[0] if ways else None

    def next_of(self, blocks):
        """The block among these to which control goes."""
        reached = [block for block in blocks if self.between(block) is not None]
        if not reached:
            raise ir.Strange("%s: no edge from block %s to %s" % (self.function.name, self.path[-1], [*blocks]))
        return min(reached, key=lambda block: len(self.between(block)))

    def go(self, target):
        for block in [*self.between(target), target]:
            flags = self.function.successors[self.path[-1]][block]
            if flags & CUT:
                self.count(("cut", block))
                self.path = []
            self.path.append(block)

    def count(self, ending):
        self.counts[tuple(self.path), ending] += 1

    def leave(self, ending):
        if ending == EXIT and self.path:
            for block in self.between(len(self.function.blocks)) or ():
                self.go(block)
        if self.path:
            self.count(ending)
        self.path = []


class Frame:
    def __init__(self, function, root, calls):
        self.function, self.root, self.calls = function, root, calls
        self.block, self.next, self.pending = None, 0, None

    def start(self, block, resumed):
        """An exception that inlined code resumes comes behind the landing pad."""
        self.block, self.next = block, 0
        while resumed and block.instructions[self.next].operation in ("phi", "landingpad"):
            self.next += 1
        self.run()

    def resumes(self):
        return not self.pending and self.block.instructions[-1].operation == "resume"

    def run(self):
        """Up to the next call of which the record tells, or to the end of the block."""
        instructions = self.block.instructions
        self.pending = None
        while self.next < len(instructions) and not self.pending:
            each = instructions[self.next]
            if self.root:
                self.root.show((self.calls, each.line))
            self.pending = each if each.is_call else None
            self.entered = False
            self.next += 1

    def show_target(self, name):
        """Once: what is entered first."""
        if self.root and not self.entered:
            self.root.show_target(self.calls, self.pending.line, name)

    def back(self, instruction):
        if self.pending is instruction and instruction.callee is None:
            self.show_target(None)
        self.next = self.block.instructions.index(instruction) + 1
        if instruction.returns_twice and self.root:
            self.root.return_again()
        self.run()

    def ending(self):
        return EXIT if self.pending and self.pending.is_musttail else LEFT


class Walk:
    def __init__(self, module, functions):
        self.module, self.functions = module, functions
        self.targets = collections.Counter()  # of calls through pointers

    def paths(self, threads):
        self.counts = collections.defaultdict(collections.Counter)
        for events in threads.values():
            self.stack = []
            for event in events:
                self.take(*self.module.events[event])
            while self.stack:
                self.pop(LEFT)
        return self.counts

    def pop(self, ending):
        frame = self.stack.pop()
        if frame.root and not frame.calls:
            frame.root.leave(frame.ending() if ending == LEFT else ending)

    def pop_until(self, fits):
        self.resumed = self.passed = False
        while self.stack and not fits(self.stack[-1]):
            frame = self.stack[-1]
            self.resumed = bool(frame.calls) and frame.resumes()
            self.passed |= bool(frame.calls and frame.pending and frame.block.unwinds)
            self.pop(LEFT)
        if not self.stack:
            raise ir.Strange("control is in no frame of the record")
        return self.stack[-1]

    def enter(self, name):
        function = self.functions.get(name)
        root, calls = (Root(function, self.counts[name]) if function else None), ()
        caller = self.stack[-1] if self.stack else None
        if caller and caller.pending and caller.pending.callee is None:
            self.targets[caller.pending.line, name] += 1
        if caller and caller.root and caller.pending:
            inner = caller.calls + ((caller.pending.line, name),)
            crossed = caller.root.function.crossed
            if caller.pending.callee is None:
                is_crossed = inner in crossed
            else:
                is_crossed = caller.pending.callee == name and (
                    inner in crossed or (caller.calls, caller.pending.line) not in caller.root.function.owner)
            if is_crossed:
                root, calls = caller.root, inner
            elif caller.pending.callee is None:
                caller.show_target(name)
            caller.entered = True
        self.stack.append(Frame(name, root, calls))

    def take(self, kind, block, instruction):
        name = block.function.name
        if kind == ir.BLOCK:
            self.resumed = self.passed = False
            if block is next(iter(block.function.blocks.values())):
                self.enter(name)
            else:
                self.pop_until(lambda frame: frame.function == name and block.label in frame.block.successors
                               and (frame is self.stack[-1] or block.label in frame.block.unwinds))
            if self.passed:
                raise Passed("an exception passes handlers for others, which code in place of a call looks at")
            self.stack[-1].start(block, self.resumed)
        elif kind == ir.BACK:
            frame = self.pop_until(lambda frame: frame.function == name and
                                   (frame.pending is instruction or instruction.returns_twice))
            frame.block = block
            frame.back(instruction)
        else:
            self.pop_until(lambda frame: frame.function == name)
            self.pop(EXIT)


class Segments:
    """Counts of segments by call, from paths."""

    def __init__(self, depth):
        self.depth, self.counts = depth, collections.defaultdict(collections.Counter)
        self.tells = set()

    def add_path(self, function, path, count):
        self.function, (self.blocks, self.ending) = function, path
        scopes = []
        for block in self.blocks:
            places = function.places[block]
            scopes.append(places[-1][0] if places else scopes[-1] if scopes else ())
        for caller in {calls[:-1] for calls in function.crossed}:
            first = None
            for i, scope in enumerate([*scopes, None]):
                inside = scope is not None and scope[:len(caller)] == caller
                if inside and first is None:
                    first = i
                elif not inside and first is not None:
                    self.add_run(scopes, caller, first, i, count)
                    first = None

    def add_run(self, scopes, caller, first, end, count):
        stretches = []
        for i in range(first, end):
            call = scopes[i][:len(caller) + 1]
            if not stretches or stretches[-1][0] != call:
                stretches.append((call, i, i))
            stretches[-1] = (call, stretches[-1][1], i + 1)
        for i, (call, start, stop) in enumerate(stretches):
            if call == caller:
                continue
            own = [each for each in stretches[max(i - 1, 0):i] if each[0] == caller]
            front = self.decisions(scopes, caller, own[0]) if own else ()
            own = [each for each in stretches[i + 1:i + 2] if each[0] == caller]
            back = self.decisions(scopes, caller, own[0]) if own else ()
            inside = self.decisions(scopes, caller, stretches[i])
            key = front, inside, back, start == 0, stop == len(self.blocks)
            self.counts[call[-1]][key] += count
            if inside:
                self.tells.add(call[-1])

    def decisions(self, scopes, caller, stretch):
        """What is decided no deeper than wanted: where control went from blocks that lead to several."""
        found = []
        for i in range(stretch[1], stretch[2]):
            block = self.blocks[i]
            to = self.blocks[i + 1] if i + 1 < len(self.blocks) else self.ending
            if len(scopes[i]) - len(caller) <= self.depth and len(self.function.successors[block]) > 1 and to != LEFT:
                to = to[1] if isinstance(to, tuple) else to
                places = self.function.places[to] if isinstance(to, int) else []
                found.append((scopes[i][len(caller):], places[0][1] if places else to))
        return tuple(found)


def segments(functions, paths, depth):
    """By call: how often each segment ran, the most frequent first."""
    found = Segments(depth)
    for name, function in functions.items():
        for path, count in paths[name].items():
            found.add_path(function, path, count)
    return {line: sorted(counts.values(), reverse=True) for line, counts in found.counts.items() if line in found.tells}


def shown(rows):
    """The same from the rows of `waymark segments`."""
    found = collections.defaultdict(list)
    for row in rows:
        found[row["line"], row["callee"]].append(row["count"])
    return {line: sorted(counts, reverse=True) for line, counts in found.items()}
