"""Readers of the formats that `waymark export` writes, after their documents; nothing of ours is used."""
import collections
import gzip
import json
import re


def fold(pairs):
    """Stacks, outermost first, with their own costs -> cost by stack."""
    stacks = collections.Counter()
    for stack, cost in pairs:
        stacks[tuple(stack)] += cost
    return +stacks


def inclusive(stacks):
    """By function: the cost of the stacks that it is in."""
    costs = collections.Counter()
    for stack, cost in stacks.items():
        for name in set(stack):
            costs[name] += cost
    return costs


def collapsed(text):
    pairs = []
    for line in text.splitlines():
        stack, _, cost = line.rpartition(" ")
        pairs.append((stack.split(";"), int(cost)))
    return fold(pairs)


def speedscope(text):
    """metric -> stacks; refuses what the schema does not allow."""
    document = json.loads(text)
    assert document["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    frames, found = document["shared"]["frames"], {}
    for frame in frames:
        assert set(frame) <= {"name", "file", "line", "col"} and isinstance(frame["name"], str)
        assert isinstance(frame.get("line", 1), int) and frame.get("line", 1) > 0
    for profile in document["profiles"]:
        assert profile["type"] == "sampled" and profile["unit"] == "none"
        assert len(profile["samples"]) == len(profile["weights"])
        assert profile["startValue"] == 0 and profile["endValue"] == sum(profile["weights"])
        assert all(0 <= frame < len(frames) for sample in profile["samples"] for frame in sample)
        found[profile["name"]] = fold(
            ([frames[number]["name"] for number in sample], weight)
            for sample, weight in zip(profile["samples"], profile["weights"]))
    assert 0 <= document["activeProfileIndex"] < len(document["profiles"])
    return found


class Firefox:
    """A processed profile of version 60: thread -> stacks, and of all functions (name, object, file, line,
    category). Refuses columns that are missing or of another length, and rows that are not there."""

    COLUMNS = {
        "stackTable": "prefix frame", "nativeSymbols": "libIndex address name functionSize",
        "frameTable": "address inlineDepth category subcategory func nativeSymbol innerWindowID line column",
        "funcTable": "name isJS relevantForJS resource source lineNumber columnNumber",
        "resourceTable": "lib name host type", "sources": "uuid filename"}
    SAMPLES, MARKERS = "stack weight time", "data name startTime endTime phase category"

    def __init__(self, text):
        document = json.loads(text)
        assert set(document) == {"meta", "libs", "shared", "threads"}
        meta, shared = document["meta"], document["shared"]
        assert meta["preprocessedProfileVersion"] == 60 and meta["markerSchema"] == document["libs"] == []
        assert {"interval", "startTime", "processType", "product", "stackwalk", "version"} <= set(meta)
        self.strings = shared.pop("stringArray")
        assert len(set(self.strings)) == len(self.strings)
        assert set(shared) == set(self.COLUMNS)
        for table, columns in self.COLUMNS.items():
            self.check_columns(shared[table], columns)
        functions, frames, objects = shared["funcTable"], shared["frameTable"], shared["resourceTable"]
        assert set(objects["type"]) == {1} and set(frames["address"]) <= {-1}
        files = [self.strings[name] for name in shared["sources"]["filename"]]
        self.functions = {
            (self.strings[functions["name"][row]],
             None if functions["resource"][row] == -1 else self.strings[objects["name"][functions["resource"][row]]],
             None if functions["source"][row] is None else files[functions["source"][row]],
             functions["lineNumber"][row], meta["categories"][category]["name"])
            for row, category in zip(frames["func"], frames["category"])}
        stacks, chains = shared["stackTable"], []
        for prefix, frame in zip(stacks["prefix"], stacks["frame"]):
            assert prefix is None or 0 <= prefix < len(chains)
            chains.append((() if prefix is None else chains[prefix]) +
                          (self.strings[functions["name"][frames["func"][frame]]],))
        self.stacks = {thread["name"]: self.read_thread(thread, chains) for thread in document["threads"]}

    def check_columns(self, table, columns, *others):
        assert set(table) == {"length", *columns.split(), *others}, table.keys()
        assert all(len(table[column]) == table["length"] for column in columns.split())

    def read_thread(self, thread, chains):
        samples = thread["samples"]
        self.check_columns(samples, self.SAMPLES, "weightType")
        self.check_columns(thread["markers"], self.MARKERS)
        assert samples["weightType"] == "samples" and samples["time"] == sorted(samples["time"])
        assert isinstance(thread["pid"], str) and thread["pausedRanges"] == []
        return fold((chains[stack], weight) for stack, weight in zip(samples["stack"], samples["weight"]))


def varint(data, at):
    number = shift = 0
    while True:
        byte = data[at]
        number |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return number, at


def message(data):
    """Field -> values: numbers and bytes."""
    fields, at = collections.defaultdict(list), 0
    while at < len(data):
        key, at = varint(data, at)
        value, at = varint(data, at)
        if key & 7 == 2:
            assert at + value <= len(data)
            value, at = data[at:at + value], at + value
        else:
            assert key & 7 == 0
        fields[key >> 3].append(value)
    return fields


def packed(values):
    numbers = []
    for data in values:
        at = 0
        while at < len(data):
            number, at = varint(data, at)
            numbers.append(number)
    return numbers


class Pprof:
    """A profile.proto."""

    def __init__(self, data):
        profile = message(gzip.decompress(data))
        self.strings = [text.decode() for text in profile[6]]
        assert self.strings[0] == "" and len(set(self.strings)) == len(self.strings)
        self.types = [self.texts(message(each), 1, 2) for each in profile[1]]
        self.mappings = {m[1][0]: self.texts(m, 5, 6) for m in map(message, profile[3])}
        functions = {f[1][0]: self.texts(f, 2, 3, 4) + (f[5][0] if f[5] else 0,)
                     for f in map(message, profile[5])}
        self.functions = functions
        self.locations = {}
        for location in map(message, profile[4]):
            lines = [message(line) for line in location[4]]
            assert not location[2] or location[2][0] in self.mappings
            assert location[1][0] not in self.locations
            self.locations[location[1][0]] = [
                (functions[line[1][0]][0], line[2][0] if line[2] else 0) for line in lines]
        self.samples = [(packed(s[1]), packed(s[2])) for s in map(message, profile[2])]
        assert all(len(values) == len(self.types) for _, values in self.samples)

    def texts(self, fields, *numbers):
        return tuple(self.strings[fields[number][0] if fields[number] else 0] for number in numbers)

    def stacks(self, metric):
        column = [name for name, _ in self.types].index(metric)
        pairs = []
        for locations, values in self.samples:
            leaf_first = [name for each in locations for name, _ in self.locations[each]]
            pairs.append((leaf_first[::-1], values[column]))
        return fold(pairs)


class Callgrind:
    """own: (function, file, line) -> costs; calls: (caller, callee, line) -> (count, costs)."""

    def __init__(self, text):
        names = collections.defaultdict(dict)
        self.own, self.calls, self.totals = {}, {}, None
        state = {}
        lines = iter(text.splitlines())
        assert next(lines) == "# callgrind format"
        for line in lines:
            named = re.fullmatch(r"(c?(?:ob|fi|fl|fe|fn))=\((\d+)\)(?: (.+))?", line)
            if named:
                key, number, name = named.groups()
                kind = {"ob": "ob", "fn": "fn"}.get(key.lstrip("c"), "fi")
                known = names[kind].setdefault(number, name)
                assert known and name in (None, known)
                state["c" + kind if key[0] == "c" else kind] = known
            elif line.startswith("calls="):
                count = int(line[6:].split()[0])
                place, *costs = map(int, next(lines).split())
                key = state["fn"], state["cfn"], place
                before = self.calls.get(key, (0, [0] * len(costs)))
                self.calls[key] = before[0] + count, [a + b for a, b in zip(before[1], costs)]
            elif re.match(r"\d", line):
                place, *costs = map(int, line.split())
                assert len(costs) == len(self.events)
                key = state["fn"], state["fi"], place
                self.own[key] = [a + b for a, b in zip(self.own.get(key, [0] * len(costs)), costs)]
            elif line.startswith("events:"):
                self.events = line.split()[1:]
            elif line.startswith("totals:"):
                self.totals = list(map(int, line.split()[1:]))
            else:
                assert re.match(r"$|#|\w+: ", line), line

    def own_of(self, event):
        column, costs = self.events.index(event), collections.Counter()
        for (function, _, _), own in self.own.items():
            costs[function] += own[column]
        return +costs

    def pairs(self):
        pairs = collections.Counter()
        for (caller, callee, _), (count, _) in self.calls.items():
            pairs[caller, callee] += count
        return +pairs

    def inclusive_of(self, event):
        column, costs = self.events.index(event), collections.Counter(self.own_of(event))
        for (caller, _, _), (_, cost) in self.calls.items():
            costs[caller] += cost[column]
        return +costs
