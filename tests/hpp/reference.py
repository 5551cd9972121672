"""A second model of path stack and hot path table, from the specification and without a thought of
speed. It shares nothing with src/hpp: what both say of random streams must be equal.
"""
UPDATE, COUNT, POP, PUSH = 1, 2, 4, 8
BALL_LARUS = {"call": COUNT | PUSH, "return": COUNT | POP, "forward": UPDATE,
              "backward": UPDATE | POP | PUSH, "indirect": UPDATE | POP | PUSH}
WHOLE = {"call": COUNT | POP | PUSH, "return": COUNT | POP | PUSH, "forward": UPDATE,
         "backward": UPDATE | POP | PUSH, "indirect": UPDATE | POP | PUSH}
MASK = (1 << 64) - 1


class Branch:
    def __init__(self, kind, at, to, taken=True, target=None, events=0):
        self.kind, self.at, self.to, self.taken, self.events = kind, at, to, taken, events
        self.after, self.target = at + 4, to if target is None else target


class Entry:
    """Outcomes are a list here, and return addresses of extended calls another."""

    def __init__(self, start, home=None):
        self.start, self.home = start, home
        self.outcomes, self.inside = [], []
        self.events = self.turns = 0
        self.full = False

    def key(self):
        bits = sum(bit << i for i, bit in enumerate(self.outcomes))
        return self.start, len(self.outcomes), bits

    def text(self):
        text = "%x:%d:%s" % (self.start, len(self.outcomes),
                             "".join(map(str, self.outcomes)) or "-")
        text += " e%d" % self.events if self.events else ""
        extension = self.turns + len(self.inside)
        return text + (" x%d" % extension if extension else "")


class Detector:
    def __init__(self, rows=BALL_LARUS, extend="none", maximum=0, limit=32, depth=32, spill=False,
                 static=False, bits=8):
        self.rows, self.extend, self.maximum, self.limit = rows, extend, maximum, limit
        self.depth, self.spill, self.static = depth, spill, static
        self.top_count = (1 << bits) - 1 if bits else MASK
        self.stack, self.emitted = [], []
        self.dropped = self.underflows = self.saturated = self.repairs = 0

    def begin(self, address):
        self.stack.append(Entry(address))

    def type_of(self, branch):
        simple = {"call": "call", "icall": "call", "ret": "return", "ijmp": "indirect"}
        if branch.kind in simple:
            return simple[branch.kind]
        back = branch.target <= branch.at if self.static else branch.taken and branch.to <= branch.at
        return "backward" if back else "forward"

    def leave(self, entry, ending):
        self.saturated += entry.full
        self.emitted.append((entry, ending))

    def enter(self, entry):
        if len(self.stack) == self.depth and not self.spill:
            del self.stack[0]
            self.dropped += 1
        self.stack.append(entry)

    def is_extended(self, top, branch, kind):
        """Whether an extended path goes on instead of what the row says, and with which update."""
        if self.extend == "loops" and kind == "backward" and top.turns < self.maximum:
            top.turns += 1
            return UPDATE
        if self.extend == "calls" and branch.kind == "call" and len(top.inside) < self.maximum:
            top.inside.append(branch.after)
            return COUNT
        if self.extend == "calls" and kind == "return" and top.inside[-1:] == [branch.to]:
            top.inside.pop()
            return COUNT
        return None

    def step(self, branch):
        kind, top = self.type_of(branch), self.stack[-1]
        row = self.is_extended(top, branch, kind)
        row = self.rows[kind] if row is None else row
        top.events += branch.events
        if top.events > self.top_count:
            top.events, top.full = self.top_count, True
        ending = kind
        if row & UPDATE:
            top.outcomes.append(int(branch.taken))
            if len(top.outcomes) == self.limit and not row & POP:
                row, ending = row | POP | PUSH, "split"
        if not row & POP:
            if row & PUSH:
                self.enter(Entry(branch.to, branch.after))
            return
        self.stack.pop()
        self.leave(top, ending)
        home = top.home
        for address in top.inside:  # the callers that it stood for get entries of their own
            self.enter(Entry(address, home))
            home = address
        if kind == "return" and not row & PUSH:
            self.returned(home, branch)
        else:
            self.enter(Entry(branch.to, home))

    def returned(self, home, branch):
        if home not in (None, branch.to):
            below = [i for i, entry in enumerate(self.stack) if entry.home == branch.to]
            self.repairs += bool(self.stack)
            if below:
                while len(self.stack) > below[-1]:
                    self.leave(self.stack.pop(), "abandoned")
            elif self.stack:
                entry = self.stack.pop()
                self.leave(entry, "abandoned")
                self.stack.append(Entry(branch.to, entry.home))
        if not self.stack:
            self.underflows += 1
            self.stack.append(Entry(branch.to))

    def finish(self):
        while self.stack:
            self.leave(self.stack.pop(), "abandoned")


class Table:
    """Of each set a list of [key, weight, error, time]; its place in the list is its way."""

    def __init__(self, entries, ways, index, policy):
        self.ways, self.index, self.policy = ways, index, policy
        self.sets = [[] for _ in range(entries // ways)]
        self.bits = len(self.sets).bit_length() - 1
        self.time = self.hits = 0
        self.random = 0x9E3779B97F4A7C15

    def set_of(self, key):
        start, length, outcomes = key
        mask = len(self.sets) - 1
        if self.index == "address":
            return start & mask
        if self.index == "xor":
            return (start ^ length ^ outcomes) & mask
        if self.index == "scaled":
            mixed = (start ^ outcomes << 20 ^ length << 52) * 0x9E3779B97F4A7C15 & MASK
            return mixed >> 64 - self.bits if self.bits else 0
        word, folded = (start ^ length << 3 ^ outcomes << 1) & MASK, 0
        while self.bits and word:
            folded ^= word & mask
            word >>= self.bits
        return folded

    def draw(self):
        x = self.random
        x ^= x << 13 & MASK
        x ^= x >> 7
        x ^= x << 17 & MASK
        self.random = x
        return x

    def add(self, key, weight):
        self.time += 1
        cells = self.sets[self.set_of(key)]
        for cell in cells:
            if cell[0] == key:
                cell[1], cell[3] = min(cell[1] + weight, 0xFFFFFFFF), self.time
                self.hits += 1
                return
        if len(cells) < self.ways:
            cells.append([key, weight, 0, self.time])
            return
        by = 3 if self.policy == "lru" else 1
        way = min(range(self.ways), key=lambda i: cells[i][by])
        least = cells[way][1]
        if self.policy == "admit" and self.draw() % (least + weight) >= weight:
            return
        kept = least if self.policy in ("space-saving", "admit") else 0
        cells[way] = [key, kept + weight, kept, self.time]

    def text(self):
        words = ["table %d hits" % self.hits]
        for number, cells in enumerate(self.sets):
            for way, (key, weight, error, _) in enumerate(cells):
                words.append("%d:%x:%x=%d-%d" % (number * self.ways + way, key[0],
                                                 key[1] << 32 | key[2], weight, error))
        return " ".join(words)
