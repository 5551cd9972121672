"""Profiles made and read byte by byte after docs/file-format.md, without any code of Waymark."""
import collections
import os
import struct

HEADER_BYTES = 4096
FREE, ACTIVE, RELEASED = 0, 1, 2  # states; a free chunk is of kind 0, too
TOTALS, COUNTERS, TABLE, LIBRARY, LIBRARY_COUNTERS, LIBRARY_TABLE = 1, 2, 3, 4, 5, 6  # kinds
# kind, state, ended, log2 of part, span, process, thread, start, namespace, runs, cut short, status,
# handovers, checksum or number of the library
HEAD = "<BBBBIIIQQQQIIQ"
MASK = (1 << 64) - 1
# A process that no kernel can have: its number is above the highest that can be set.
NOBODY = 0x40000000


def start_of(process):
    with open("/proc/%d/stat" % process) as file:
        return int(file.read().rsplit(")", 1)[1].split()[19])


class Block:
    def __init__(self, counters, state=ACTIVE, process=NOBODY, start=1, runs=1, thread=1, ended=1,
                 cut_short=0, status=0, namespace=None, checksum=0, kind=None):
        self.counters, self.state, self.process, self.start = list(counters), state, process, start
        self.runs, self.thread, self.ended, self.cut_short = runs, thread, ended, cut_short
        self.status, self.checksum = status, checksum
        self.kind = (COUNTERS if state != FREE else FREE) if kind is None else kind
        self.namespace = os.stat("/proc/self/ns/pid").st_ino if namespace is None else namespace

    def encode(self, stride):
        head = struct.pack(HEAD, self.kind, self.state, self.ended, 0, 1, self.process, self.thread,
                           self.start, self.namespace, self.runs, self.cut_short, self.status, 0,
                           self.checksum)
        return (head + struct.pack("<%dQ" % len(self.counters), *self.counters)).ljust(stride, b"\0")

    @classmethod
    def decode(cls, data, count):
        (kind, state, ended, part, _, process, thread, start, namespace, runs, cut_short, status,
         handovers, checksum) = struct.unpack_from(HEAD, data)
        assert part == 0  # handovers: threads that counted here before
        return cls(struct.unpack_from("<%dQ" % count, data, 64), state, process, start, runs, thread,
                   ended, cut_short, status, namespace, checksum, kind)


def fnv(data):
    value = 0xcbf29ce484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 & MASK
    return value


def fnv_words(words):
    value = 0xcbf29ce484222325
    for word in words:
        value = (value ^ word) * 0x100000001b3 & MASK
    return value


def totals(counters, runs, cut_short=0, status=0):
    return Block(counters, FREE, 0, 0, runs, 0, 0, cut_short, status, 0,
                 fnv_words([runs, cut_short, status] + list(counters)), TOTALS)


def stride_of(count):
    return (64 + 8 * count + 4095) // 4096 * 4096


class Table:
    """Cells are (counter, key, count by earlier owners, count)."""
    part, kind = 0, TABLE

    def __init__(self, cells, span=1, state=ACTIVE, process=NOBODY, start=1, namespace=None,
                 changes=0):
        self.cells, self.span, self.state, self.process = list(cells), span, state, process
        self.start, self.changes = start, changes
        self.namespace = os.stat("/proc/self/ns/pid").st_ino if namespace is None else namespace

    def encode(self, stride):
        head = struct.pack(HEAD, TABLE, self.state, 1, 0, self.span, self.process, 0, self.start,
                           self.namespace, 0, 0, 0, self.changes, 0)
        cells = b"".join(struct.pack("<QQQQ", 64 + 8 * counter, key, earlier & MASK, count & MASK)
                         for counter, key, earlier, count in self.cells)
        return (head + cells).ljust(stride * self.span, b"\0")

    @classmethod
    def decode(cls, data, stride):
        (kind, state, ended, part, span, process, thread, start, namespace, runs, cut_short, status,
         changes, checksum) = struct.unpack_from(HEAD, data)
        assert (kind, ended, thread, runs, cut_short, status, checksum) == (TABLE, 1, 0, 0, 0, 0, 0)
        part = 1 << part if part else 0
        cells, room = [], (span * stride - 64) // 32
        while room & (room - 1):
            room &= room - 1
        for place, key, earlier, count in struct.iter_unpack("<QQQQ", data[64:64 + 32 * room]):
            if place:
                assert place >= 64 and place % 8 == 0, place
                cells.append(((place - 64) // 8, key, earlier, count))
        assert part <= room // 2, part
        assert not part or not any(data[64 + 32 * 2 * part:64 + 32 * room]), part
        table = cls(cells, span, state, process, start, namespace, changes)
        table.part = part
        return table


class Library:
    """A library that counts into the file of its program: its chunk with both totals, then chunks of
    counters (Block) and tables (Table) of its own."""

    def __init__(self, blocks, tables=(), build_id=b"\x11" * 20, path="/lib/libone.so", commit=(0, 0)):
        self.blocks, self.tables, self.build_id, self.path = list(blocks), list(tables), build_id, path
        self.commit = commit  # the current totals; number of the folded one of its further blocks, or 0

    def spans(self, stride):
        size = stride_of(len(self.blocks[0].counters))
        return -(-(4096 + 2 * size) // stride), -(-size // stride)

    def units(self, stride):
        whole, part = self.spans(stride)
        return whole + part * (len(self.blocks) - 2) + sum(table.span for table in self.tables)

    def encode(self, stride, number):
        count = len(self.blocks[0].counters)
        whole, part = self.spans(stride)
        folded = number + whole + part * (self.commit[1] - 1) if self.commit[1] else 0
        identity = struct.pack("<QII", 8 * count, len(self.build_id), 0)
        identity += self.build_id.ljust(32, b"\0") + self.path.encode().ljust(3072, b"\0")
        data = struct.pack("<BBBBI", LIBRARY, 0, 0, 0, whole).ljust(64, b"\0") + identity
        data += struct.pack("<QQ", fnv(identity), self.commit[0] | folded << 1)
        data = data.ljust(4096, b"\0") + b"".join(
            block.encode(stride_of(count)) for block in self.blocks[:2])
        data = data.ljust(whole * stride, b"\0")
        for block in self.blocks[2:]:
            data += self.adapt(block.encode(part * stride), LIBRARY_COUNTERS, number, part)
        for table in self.tables:
            data += self.adapt(table.encode(stride), LIBRARY_TABLE, number, table.span)
        return data

    @staticmethod
    def adapt(data, kind, number, span):
        kind = FREE if data[0] == FREE else kind
        return bytes([kind]) + data[1:4] + struct.pack("<I", span) + data[8:56] + struct.pack(
            "<Q", number) + data[64:]

    @classmethod
    def decode(cls, data, stride, number, end):
        """The library whose chunk has that number, with all that belongs to it."""
        def bytes_of(unit):
            return data[HEADER_BYTES + unit * stride:]
        head = bytes_of(number)
        size, id_size, reserved = struct.unpack_from("<QII", head, 64)
        checksum, commit = struct.unpack_from("<QQ", head, 3184)
        assert (reserved, checksum) == (0, fnv(head[64:3184]))
        count, length = size // 8, stride_of(size // 8)
        library = cls([Block.decode(head[4096 + i * length:], count) for i in range(2)], (),
                      head[80:80 + id_size], head[112:3184].split(b"\0")[0].decode(),
                      (commit & 1, commit >> 1))
        whole, part = library.spans(stride)
        assert struct.unpack_from("<I", head, 4)[0] == whole
        for block in library.blocks:
            written = [block.runs, block.cut_short, block.status, block.checksum]
            assert block.checksum == (fnv_words(written[:3] + block.counters) if any(written) else 0)
        unit = number + whole
        while unit < end:
            chunk = bytes_of(unit)
            kind, span = struct.unpack_from("<BxxxI", chunk)
            owner = struct.unpack_from("<Q", chunk, 56)[0]
            if kind == LIBRARY_COUNTERS and owner == number:
                assert span == part
                if unit != commit >> 1:
                    library.blocks.append(Block.decode(chunk, count))
            if kind == LIBRARY_TABLE and owner == number:
                assert chunk[2] == 1
                library.tables.append(Table.decode(
                    bytes([TABLE]) + chunk[1:56] + bytes(8) + chunk[64:span * stride], stride))
            unit += span or 1
        return library

    def sum(self):
        """(counters, runs) of all that counts."""
        used = [self.blocks[self.commit[0]]] + self.blocks[2:]
        counters = [sum(column) & MASK for column in zip(*(block.counters for block in used))]
        return counters, sum(block.runs for block in used)

    def entries(self):
        return Profile.entries(self)


class Unknown:
    """A chunk of a kind that only a later Waymark knows: nothing but kind and span make sense."""

    def __init__(self, kind, span=1):
        self.kind, self.span = kind, span

    def encode(self, stride):
        return (struct.pack("<BBBBI", self.kind, 255, 7, 99, self.span)).ljust(stride * self.span, b"\xee")


class Profile:
    """The first two blocks are the two generations of the totals; tables and chunks of unknown kinds
    stand behind all blocks. These chunks are bytes when they were read."""

    def __init__(self, blocks, build_id=b"\xab" * 20, path="/bin/program", commit=0, tables=(),
                 libraries=()):
        self.blocks, self.build_id, self.path, self.commit = blocks, build_id, path, commit
        self.tables, self.numbers = list(tables), list(range(len(blocks)))
        self.libraries = list(libraries)

    def encode(self):
        count = len(self.blocks[0].counters)
        identity = b"WAYMARK1" + struct.pack("<IIQQII", 4, HEADER_BYTES, 8 * count, stride_of(count),
                                             len(self.build_id), 0)
        identity += self.build_id.ljust(32, b"\0") + self.path.encode().ljust(3072, b"\0")
        stride = stride_of(count)
        units, chunks = len(self.blocks) + sum(table.span for table in self.tables), b""
        for library in self.libraries:
            chunks += library.encode(stride, units)
            units += library.units(stride)
        header = identity + struct.pack("<QQQ", fnv(identity), self.commit, units)
        return header.ljust(HEADER_BYTES, b"\0") + b"".join(
            block.encode(stride) for block in self.blocks + self.tables) + chunks

    @classmethod
    def decode(cls, data):
        assert data[:8] == b"WAYMARK1", data[:8]
        version, _, size, stride, id_size, _ = struct.unpack_from("<IIQQII", data, 8)
        checksum, commit, block_count = struct.unpack_from("<QQQ", data, 3144)
        assert (version, stride, checksum) == (4, stride_of(size // 8), fnv(data[:3144]))
        assert len(data) >= HEADER_BYTES + block_count * stride
        blocks, tables, unknown, libraries, numbers, number = [], [], [], [], [], 0
        while number < block_count:
            start = HEADER_BYTES + number * stride
            kind, span = struct.unpack_from("<BxxxI", data, start)
            assert (kind == TOTALS) <= (number < 2), kind
            assert span == 1 or kind not in (TOTALS, COUNTERS), span
            if kind == LIBRARY:
                libraries.append(Library.decode(data, stride, number, block_count))
            elif kind in (LIBRARY_COUNTERS, LIBRARY_TABLE):
                pass  # Library.decode reads them
            elif kind > LIBRARY_TABLE:
                unknown.append(data[start:start + span * stride])
            elif kind == TABLE:
                tables.append(Table.decode(data[start:start + span * stride], stride))
            else:
                blocks.append(Block.decode(data[start:start + stride], size // 8))
                numbers.append(number)
            number += span or 1
        assert number == block_count
        for block in blocks[:2]:
            written = [block.runs, block.cut_short, block.status, block.checksum]
            assert block.checksum == (fnv_words(written[:3] + block.counters) if any(written) else 0)
        profile = cls(blocks, data[40:40 + id_size], data[72:3144].split(b"\0")[0].decode(), commit,
                      tables, libraries)
        profile.numbers, profile.unknown = numbers, unknown
        return profile

    def sum(self):
        """(counters, runs) of all blocks that count."""
        current, folded = self.commit & 1, self.commit >> 1
        used = [self.blocks[current]] + [block for i, block in zip(self.numbers, self.blocks)
                                         if i >= 2 and i != folded and block.kind == COUNTERS]
        counters = [sum(column) & MASK for column in zip(*(block.counters for block in used))]
        return counters, sum(block.runs for block in used)

    def entries(self):
        """{(counter, key): count} of all tables."""
        result = collections.Counter()
        for table in self.tables:
            for counter, key, earlier, count in table.cells:
                result[counter, key] = result[counter, key] + earlier + count & MASK
        return {place: count for place, count in result.items() if count}

    def status(self):
        status = self.blocks[self.commit & 1].status
        for block in self.blocks[2:]:
            status |= block.status if block.kind == COUNTERS else 0
        return status


def simple(counters, runs=1, **keywords):
    """A file whose runs are all folded."""
    return Profile([totals(counters, runs), totals([0] * len(counters), 0)], **keywords)
