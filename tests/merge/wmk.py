"""Profiles made and read byte by byte after docs/file-format.md, without any code of Waymark."""
import os
import struct

HEADER_BYTES = 4096
FREE, ACTIVE, RELEASED = 0, 1, 2
MASK = (1 << 64) - 1
# A process that no kernel can have: its number is above the highest that can be set.
NOBODY = 0x40000000


def start_of(process):
    with open("/proc/%d/stat" % process) as file:
        return int(file.read().rsplit(")", 1)[1].split()[19])


class Block:
    def __init__(self, counters, state=ACTIVE, process=NOBODY, start=1, runs=1, thread=1, ended=1,
                 cut_short=0, status=0, namespace=None, checksum=0):
        self.counters, self.state, self.process, self.start = list(counters), state, process, start
        self.runs, self.thread, self.ended, self.cut_short = runs, thread, ended, cut_short
        self.status, self.checksum = status, checksum
        self.namespace = os.stat("/proc/self/ns/pid").st_ino if namespace is None else namespace

    def encode(self, stride):
        head = struct.pack("<IIQQQIIQIIQ", self.state, self.process, self.start, self.runs,
                           self.namespace, self.thread, self.ended, self.cut_short, self.status, 0,
                           self.checksum)
        return (head + struct.pack("<%dQ" % len(self.counters), *self.counters)).ljust(stride, b"\0")

    @classmethod
    def decode(cls, data, count):
        (state, process, start, runs, namespace, thread, ended, cut_short, status, _,
         checksum) = struct.unpack_from("<IIQQQIIQIIQ", data)
        return cls(struct.unpack_from("<%dQ" % count, data, 64), state, process, start, runs, thread,
                   ended, cut_short, status, namespace, checksum)


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
                 fnv_words([runs, cut_short, status] + list(counters)))


def stride_of(count):
    return (64 + 8 * count + 4095) // 4096 * 4096


class Profile:
    """The first two blocks are the two generations of the totals."""

    def __init__(self, blocks, build_id=b"\xab" * 20, path="/bin/program", commit=0):
        self.blocks, self.build_id, self.path, self.commit = blocks, build_id, path, commit

    def encode(self):
        count = len(self.blocks[0].counters)
        identity = b"WAYMARK1" + struct.pack("<IIQQII", 2, HEADER_BYTES, 8 * count, stride_of(count),
                                             len(self.build_id), 0)
        identity += self.build_id.ljust(32, b"\0") + self.path.encode().ljust(3072, b"\0")
        header = identity + struct.pack("<QQQ", fnv(identity), self.commit, len(self.blocks))
        return header.ljust(HEADER_BYTES, b"\0") + b"".join(
            block.encode(stride_of(count)) for block in self.blocks)

    @classmethod
    def decode(cls, data):
        assert data[:8] == b"WAYMARK1", data[:8]
        version, _, size, stride, id_size, _ = struct.unpack_from("<IIQQII", data, 8)
        checksum, commit, block_count = struct.unpack_from("<QQQ", data, 3144)
        assert (version, stride, checksum) == (2, stride_of(size // 8), fnv(data[:3144]))
        assert len(data) >= HEADER_BYTES + block_count * stride
        blocks = [Block.decode(data[HEADER_BYTES + i * stride:], size // 8)
                  for i in range(block_count)]
        for block in blocks[:2]:
            written = [block.runs, block.cut_short, block.status, block.checksum]
            assert block.checksum == (fnv_words(written[:3] + block.counters) if any(written) else 0)
        return cls(blocks, data[40:40 + id_size], data[72:3144].split(b"\0")[0].decode(), commit)

    def sum(self):
        """(counters, runs) of all blocks that count."""
        current, folded = self.commit & 1, self.commit >> 1
        used = [self.blocks[current]] + [block for i, block in enumerate(self.blocks)
                                         if i >= 2 and i != folded and block.state != FREE]
        counters = [sum(column) & MASK for column in zip(*(block.counters for block in used))]
        return counters, sum(block.runs for block in used)


def simple(counters, runs=1, **keywords):
    """A file whose runs are all folded."""
    return Profile([totals(counters, runs), totals([0] * len(counters), 0)], **keywords)
