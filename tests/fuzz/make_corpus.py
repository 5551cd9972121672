#!/usr/bin/env python3
"""Writes the seeds of the fuzz targets into corpus/: good-* must be read, bad-* must be refused.

The formats are written here a second time, from their documentation, so that replaying the seeds
also checks the readers against something that is not our own writer. Inputs found by fuzzing lie in
the same folders under names of their own and are left alone.
"""
import importlib
import os
import struct
import sys

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HERE = os.path.join(TESTS, "fuzz", "corpus")
sys.path.insert(0, os.path.join(TESTS, "merge"))
HEAD_BYTES = 32
PAGE = 4096


def save(target, name, data):
    folder = os.path.join(HERE, target)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())


def fnv(items):
    value = 0xcbf29ce484222325
    for item in items:
        value = (value ^ item) * 0x100000001b3 % 2**64
    return value


def words(data):
    return struct.unpack("<%dQ" % (len(data) // 8), data)


# Descriptions ------------------------------------------------------------------------------------

def number(value):
    result = bytearray()
    while value >= 0x80:
        result.append(value & 0x7f | 0x80)
        value >>= 7
    return bytes(result) + bytes([value])


def numbers(*values):
    return b"".join(map(number, values))


def text(value):
    return number(len(value)) + value.encode()


def table(rows):
    return number(len(rows)) + b"".join(rows)


def scope(function, file, line=0, parent=0, call_line=0):
    return text(function) + text(file) + numbers(line, parent, call_line)


def block(instructions, *positions):
    return numbers(instructions, len(positions)) + b"".join(numbers(*p) for p in positions)


GRAPH, COPIES, CALLS, CONTEXTS, WORK, MARKS, COUNTERS, PATHS, SUMS, ORACLE, EVENTS = 1, 2, 4, 5, 7, 8, 16, 17, 18, 19, 20
BLOCKS_COUNTED, EDGES_COUNTED, PATHS_COUNTED, EVENTS_COUNTED = 1, 2, 3, 4
OPTIMAL, VERTEX, COMMIT, REDUNDANT, SELECTED, PREFERRED = 1, 2, 3, 4, 5, 6


def section(tag, *content):
    data = b"".join(content)
    return numbers(tag, len(data)) + data


def graph(name="f", scopes=None, blocks=(block(1),), edges=((0, 1, 0),), positions=None):
    if positions is None:
        positions = sum(item[1] for item in blocks)  # small ones: the second byte is the count
    return section(GRAPH, table(scopes or [scope(name, "")]), number(positions), table(blocks),
                   table([numbers(*e) for e in edges]))


def probe_list(probes):
    return table([numbers(*p) for p in probes])


def counters_of(probes, counters=None, measure=(EDGES_COUNTED, OPTIMAL), first=0, tail=b""):
    if counters is None:
        counters = len(probes)
    return section(COUNTERS, numbers(*measure, first, counters), probe_list(probes), tail)


def paths_of(probes, counters, limit=64, keys=(), measure=(PATHS_COUNTED, OPTIMAL)):
    return section(PATHS, numbers(*measure, 0, counters, limit), probe_list(probes),
                   table([numbers(*k) for k in keys]))


def sums_of(placement, counters, keys, lower_bits=0):
    return section(SUMS, numbers(PATHS_COUNTED, placement, 0, counters, lower_bits),
                   table([numbers(*k) for k in keys]))


def calls_of(names, calls):
    return section(CALLS, table([text(name) for name in names]), table([numbers(*call) for call in calls]))


def whole(sections, name="f", flags=0, counters=0):
    return text(name) + numbers(flags, counters) + b"".join(sections)


def body(name="f", probes=(), flags=0, counters=None, measure=(EDGES_COUNTED, OPTIMAL), tail=b"",
         **shape):
    """A function whose edges or blocks were counted."""
    if counters is None:
        counters = len(probes)
    return whole([graph(name, **shape), counters_of(probes, counters, measure, tail=tail)],
                 name, flags, counters)


DIAMOND = dict(
    name="diamond", scopes=[scope("diamond", "d.c", 3), scope("inner", "d.h", 9, 0, 5)],
    blocks=[block(4, (0, 3), (0, 4)), block(2, (1, 10)), block(3, (0, 6)), block(1, (0, 8))],
    edges=[(0, 1, 0), (0, 2, 0), (1, 3, 0), (2, 3, 0), (3, 4, 0)], probes=[(0, 0), (0, 4)])
LOOP = dict(
    name="loop", blocks=[block(1), block(2), block(1)],
    edges=[(0, 1, 0), (1, 1, 0), (1, 2, 0), (2, 3, 0)], probes=[(0, 1), (0, 3)])
SETJMP = dict(
    name="again", blocks=[block(1), block(1)],
    edges=[(0, 1, 0), (1, 2, 0), (0, 2, 3), (2, 1, 1)], probes=[(1, 0), (1, 1), (0, 0)])


DIAMOND_CUT = graph("diamond", DIAMOND["scopes"], DIAMOND["blocks"],
                    [(0, 1, 0), (0, 2, 0), (1, 3, 0), (2, 3, 0), (3, 4, 4)])


def descriptions():
    diamond = body(**DIAMOND)
    good = {
        "one-block": body(probes=[(1, 0)]),
        "no-counter": body(edges=[(0, 1, 0)]),
        "diamond-with-inlined-call": diamond,
        "self-loop": body(**LOOP),
        "reentry-and-early-exit": body(**SETJMP),
        "counters-in-blocks": body(**dict(DIAMOND, measure=(BLOCKS_COUNTED, REDUNDANT),
                                          probes=[(1, v) for v in range(4)])),
        "instrumented-early": body(flags=1, probes=[(0, 0)]),
        "edge-of-no-return": body(flags=4, edges=[(0, 1, 16)], probes=[(0, 0)]),
        "edge-of-a-return": body(flags=4, edges=[(0, 1, 32)], probes=[(0, 0)]),
        "block-without-edges": body(blocks=[block(1), block(0)]),
        "endless-loop": body(edges=[(0, 0, 0)], probes=[(0, 0)]),
        "paths-by-history": whole([DIAMOND_CUT, paths_of([(0, 0), (2, 4)], 3)], "diamond", 0, 3),
        "paths-at-their-ends": whole(
            [DIAMOND_CUT, paths_of([(2, 4)], 2, measure=(PATHS_COUNTED, COMMIT))],
            "diamond", 0, 2),
        "paths-with-known-key": whole(
            [DIAMOND_CUT, paths_of([(0, 0), (2, 4)], 4, keys=[(1, 3, 1, 0)])], "diamond", 0, 4),
        "oracle-of-paths": whole(
            [DIAMOND_CUT, section(ORACLE, numbers(PATHS_COUNTED, REDUNDANT, 0, 1))],
            "diamond", 0, 1),
        "selected-path": whole(
            [DIAMOND_CUT, sums_of(SELECTED, 3, [(2, 1, 0, 0)])], "diamond", 0, 3),
        "preferred-path": whole(
            [DIAMOND_CUT, sums_of(PREFERRED, 3, [(2, 1, 0, 0)], 4)], "diamond", 0, 3),
        "key-of-64-bits": whole(
            [DIAMOND_CUT, sums_of(SELECTED, 1, [(0, 0, 2**32 - 1, 2**31)])], "diamond", 0, 1),
        "calls-by-name-and-pointer": whole([graph(blocks=[block(1), block(2)], edges=[(0, 1, 0), (1, 2, 0)]),
                                            calls_of(["", "g"], [(0, 6, 1, 0, 3), (1, 0, 0, 0, 0), (0, 1, 1, 0, 9)])]),
        "contexts": whole([graph(), calls_of(["g"], [(0, 0, 0, 0, 0)]), section(CONTEXTS, numbers(1)),
                           counters_of([(0, 0)])], counters=2),
        # The block's seven instructions: two at no position (one branches and loads), five at its line.
        "work-by-line": whole([graph(blocks=[block(7, (0, 3))]), section(WORK, numbers(5, 1, 1, 0, 10)),
                               counters_of([(0, 0)])], counters=1),
        "marks": whole([graph(), section(MARKS, table([numbers(0) + text("mine") + numbers(3)])), counters_of([(0, 0)])],
                       counters=1),
        "running-sums": whole([graph(), section(EVENTS, numbers(EVENTS_COUNTED, OPTIMAL, 0, 16),
                                                table([text("loads"), text("weights:w")]), numbers(0, 0, 7, 9))], counters=16),
        "two-modes": whole([DIAMOND_CUT, counters_of([(0, 0), (0, 4)]),
                            section(ORACLE, numbers(PATHS_COUNTED, REDUNDANT, 2, 1))],
                           "diamond", 0, 3),
        "unknown-section": whole([graph(), counters_of([(0, 0)]), section(77, b"later")],
                                 counters=1),
        "only-an-unknown-section": whole([graph(), section(77, b"later")], counters=5),
        "nothing-but-a-graph": whole([graph()]),
        "copied-block": whole([graph(blocks=[block(1), block(1)], edges=[(0, 2, 0), (1, 2, 0)]),
                               section(COPIES, table([numbers(1, 0)])), counters_of([(0, 0)])],
                              flags=8, counters=1),
        "number-with-idle-bytes": b"\x81\x00" + body(probes=[(0, 0)])[1:],
    }
    bad = {
        "empty": b"",
        "ends-in-a-number": diamond[:-1] + b"\x80",
        "number-over-32-bits": b"\xff\xff\xff\xff\x7f",
        "number-without-end": b"\x80" * 20,
        "name-longer-than-record": number(2**32 - 1) + b"f",
        "scopes-longer-than-record": text("f") + numbers(0, 0) + section(GRAPH, number(2**31)),
        "scope-before-its-parent": body(scopes=[scope("f", ""), scope("g", "", 0, 1)]),
        "no-scope": whole([section(GRAPH, numbers(0, 0), table([block(1)]), number(0))]),
        "no-block": body(blocks=[], edges=[]),
        "no-graph": whole([counters_of([])]),
        "graph-behind-counters": whole([counters_of([]), graph()]),
        "section-twice": whole([graph(), counters_of([]), counters_of([])]),
        "section-longer-than-record": whole([graph(), numbers(COUNTERS, 99)]),
        "section-of-tag-zero": whole([section(0), graph()]),
        "unknown-quantity": body(measure=(9, OPTIMAL)),
        "unknown-pair": body(measure=(EDGES_COUNTED, COMMIT)),
        "counters-of-another": whole([graph(), counters_of([(0, 0)], first=1)], counters=1),
        "call-in-no-block": whole([graph(), calls_of(["g"], [(0, 0, 0, 0, 0), (1, 0, 0, 0, 0)])]),
        "call-with-unknown-flags": whole([graph(), calls_of(["g"], [(0, 8, 0, 0, 0)])]),
        "call-without-callee": whole([graph(), calls_of([], [(0, 0, 0, 0, 0)])]),
        "call-in-no-scope": whole([graph(), calls_of(["g"], [(0, 0, 0, 1, 0)])]),
        "contexts-without-counter": whole([graph(), section(CONTEXTS, numbers(1)), counters_of([(0, 0)])],
                                          counters=1),
        "work-not-of-its-block": whole([graph(blocks=[block(7, (0, 3))]), section(WORK, numbers(4, 8))]),
        "work-of-a-position-missing": whole([graph(blocks=[block(7, (0, 3))]), section(WORK, numbers(14))]),
        "work-of-more-than-its-instructions": whole([graph(), section(WORK, numbers(3, 1, 2, 0))]),
        "mark-in-no-block": whole([graph(), section(MARKS, table([numbers(1) + text("mine") + numbers(3)]))]),
        "marks-without-any": whole([graph(), section(MARKS, table([]))]),
        "more-kinds-than-sums": whole([graph(), section(EVENTS, numbers(EVENTS_COUNTED, OPTIMAL, 0, 16),
                                                        table([text(c) for c in "abcdefghi"]), bytes(18))], counters=16),
        "kinds-without-hashes": whole([graph(), section(EVENTS, numbers(EVENTS_COUNTED, OPTIMAL, 0, 16),
                                                        table([text("loads")]))], counters=16),
        "copy-of-a-copy": whole([graph(blocks=[block(1), block(1), block(1)]),
                                 section(COPIES, table([numbers(1, 0), numbers(2, 1)])),
                                 counters_of([])], flags=8),
        "oracle-of-two-counters": whole(
            [DIAMOND_CUT, section(ORACLE, numbers(PATHS_COUNTED, REDUNDANT, 0, 2))],
            "diamond", 0, 2),
        "sums-without-counter": whole([DIAMOND_CUT, sums_of(SELECTED, 0, [])], "diamond", 0, 0),
        "key-with-too-many-lower-bits": whole(
            [DIAMOND_CUT, sums_of(PREFERRED, 1, [], 64)], "diamond", 0, 1),
        "position-without-scope": body(blocks=[block(1, (7, 1))]),
        "block-with-too-many-positions": body(blocks=[block(1, (0, 1))], positions=0),
        "positions-of-no-block": body(positions=1),
        "edge-out-of-range": body(edges=[(0, 2, 0)]),
        "edge-with-unknown-flags": body(edges=[(0, 1, 64)]),
        "probe-on-missing-edge": body(probes=[(0, 1)]),
        "probe-on-exit": body(probes=[(1, 1)]),
        "probe-of-unknown-kind": body(probes=[(4, 0)]),
        "probe-by-history-without-paths": body(probes=[(2, 0)]),
        "more-counters-than-probes": body(counters=1),
        "bytes-left-over": body(tail=b"\0"),
        "keys-missing": whole(
            [DIAMOND_CUT, section(PATHS, numbers(PATHS_COUNTED, OPTIMAL, 0, 0, 64, 0))],
            "diamond"),
        "keys-longer-than-record": whole(
            [DIAMOND_CUT, section(SUMS, numbers(PATHS_COUNTED, SELECTED, 0, 1, 0, 9, 0, 0, 0, 0))],
            "diamond", 0, 1),
        "key-without-counter": whole(
            [DIAMOND_CUT, sums_of(SELECTED, 1, [(0, 1, 0, 0)])], "diamond", 0, 1),
        "key-without-table": whole(
            [DIAMOND_CUT, sums_of(SELECTED, 1, [(1, 0, 0, 0)])], "diamond", 0, 1),
        "zero-byte-in-name": number(2) + b"f\0" + body()[2:],
    }
    for name, data in good.items():
        save("description", "good-" + name, data)
    for name, data in bad.items():
        save("description", "bad-" + name, data)


# Objects -----------------------------------------------------------------------------------------

DESCRIPTIONS_AT, COUNTERS_AT = 0x10000, 0x20000
PROGBITS, STRTAB, NOTE, NOBITS = 1, 3, 7, 8


def section_of(bodies, damage=0):
    """Records one after another; their counters too. damage is added to every hash."""
    data, counter = b"", COUNTERS_AT
    for item in bodies:
        address = DESCRIPTIONS_AT + len(data)
        probes = item[1]
        data += struct.pack("<IIqqQ", 0x33444d57, HEAD_BYTES + len(item[0]), counter - address, 0,
                            fnv(item[0]) + damage) + item[0]
        data += bytes(-len(data) % 8)
        counter += 8 * probes
    return data


NOTE_DATA = struct.pack("<III", 4, 8, 3) + b"GNU\0" + bytes(range(1, 9))


def elf(records, counters, note=NOTE_DATA, names=True, kind=PROGBITS, missing=0, last=None):
    """kind and missing bytes are those of the descriptions; last is the number of the section that
    holds the names."""
    sections = [("", 0, 0, b"", 0), (".note.gnu.build-id", NOTE, 0x400, note, len(note)),
                ("waymark_descriptions", kind, DESCRIPTIONS_AT, records, len(records) + missing),
                ("waymark_counters", NOBITS, COUNTERS_AT, b"", counters)]
    strings = b"".join(name.encode() + b"\0" for name, *_ in sections) + b".shstrtab\0"
    sections.append((".shstrtab", STRTAB, 0, strings, len(strings)))
    data, table_rows = bytearray(64), b""
    for name, kind, address, content, size in sections:
        offset = len(data)
        data += content + bytes(-len(content) % 8)
        where = strings.index(name.encode() + b"\0") if names else 0
        table_rows += struct.pack("<IIQQQQIIQQ", where, kind, 2 if address else 0, address, offset,
                                  size, 0, 0, 4 if kind == NOTE else 8, 0)
    header = b"\x7fELF\2\1\1" + bytes(9) + struct.pack(
        "<HHIQQQIHHHHHH", 3, 62, 1, 0, 0, len(data), 0, 64, 0, 0, 64, len(sections),
        len(sections) - 1 if last is None else last)
    data[:64] = header
    return bytes(data) + table_rows


def objects():
    diamond, loop, again = (body(**DIAMOND), 2), (body(**LOOP), 2), (body(**SETJMP), 3)
    three = section_of([diamond, loop, again])
    whole = elf(three, 56)
    good = {
        "three-functions": whole,
        "one-function": elf(section_of([diamond]), 16),
        "no-function": elf(bytes(8), 0),
        "padding-between-records": elf(bytes(16) + section_of([(body(), 0)]) + bytes(24), 8),
        "huge-counters-section": elf(three, 2**62),
        "another-note-first": elf(three, 56,
                                  note=struct.pack("<III", 4, 4, 1) + b"GNU\0abcd" + NOTE_DATA),
    }
    bad = {
        "empty": b"",
        "text": b"#!/bin/sh\n",
        "archive": b"!<arch>\n",
        "truncated-in-section-table": whole[:-1],
        "truncated-in-header": whole[:40],
        "no-build-id": elf(three, 56, note=b""),
        "note-longer-than-section": elf(three, 56,
                                        note=struct.pack("<III", 4, 2**31, 3) + b"GNU\0"),
        "descriptions-beyond-file": elf(three, 56, missing=2**20),
        "descriptions-without-content": elf(three, 56, kind=NOBITS),
        "names-in-no-section": elf(three, 56, last=99),
        "sections-without-names": elf(three, 56, names=False),
        "hash-does-not-match": elf(section_of([diamond], damage=1), 16),
        "counters-outside-their-section": elf(three, 48),
        "record-longer-than-section": elf(three[:-8], 56),
        "record-ends-in-its-head": elf(three[:16], 56),
        "no-magic": elf(b"x" + three[1:], 56),
        "counters-not-aligned": elf(section_of([diamond]).replace(
            struct.pack("<q", COUNTERS_AT - DESCRIPTIONS_AT),
            struct.pack("<q", COUNTERS_AT - DESCRIPTIONS_AT + 4)), 64),
    }
    for name, data in good.items():
        save("object", "good-" + name, data)
    for name, data in bad.items():
        save("object", "bad-" + name, data)


# Kept builds -------------------------------------------------------------------------------------

def kept(descriptions=b"", sources=b"", checksums=b"\0", magic=b"WMKEPT01", build_id=bytes(range(1, 9)), size=0,
         damage=0, counter_bytes=24, distance=COUNTERS_AT - DESCRIPTIONS_AT, lengths=None, id_bytes=None):
    """A record as the cache holds it."""
    parts = [descriptions, sources, checksums]
    rest = struct.pack("<QQQQQQII32s", 7, counter_bytes, distance, *(lengths or map(len, parts)),
                       len(build_id) if id_bytes is None else id_bytes, 0, build_id)
    rest += b"".join(part.ljust((len(part) + 7) // 8 * 8, b"\0") for part in parts)
    return magic + struct.pack("<QQ", 24 + len(rest) + size, fnv(words(rest)) ^ damage) + rest


def kept_builds():
    diamond = section_of([(body(**DIAMOND), 2)])
    sums = number(2) + text("/a.c") + bytes(range(16)) + text("/b.c") + bytes(16)
    whole = kept(diamond, checksums=sums)
    good = {
        "no-function": kept(),
        "one-function": whole,
        "many-counters": kept(diamond, counter_bytes=2**62),
    }
    bad = {
        "empty": b"",
        "ends-in-its-head": whole[:111],
        "truncated": whole[:-8],
        "no-multiple-of-8": whole[:-1],
        "longer": whole + bytes(8),
        "another-version": kept(diamond, magic=b"WMKEPT02"),
        "something-else": b"#!/bin/sh\n" * 20,
        "checksum": kept(diamond, damage=1),
        "no-build-id": kept(build_id=b""),
        "build-id-too-long": kept(id_bytes=33),
        "descriptions-over-all": kept(diamond, lengths=(2**64 - 8, 8, len(diamond))),
        "parts-of-too-few-bytes": kept(diamond, lengths=(0, 0, 1)),
        "damaged-description": kept(diamond[:-8] + bytes(8)),
        "counters-outside": kept(diamond, counter_bytes=0),
        "no-list-of-checksums": kept(checksums=b""),
        "list-longer-than-its-bytes": kept(checksums=number(1) + text("/a.c") + bytes(15)),
        "bytes-behind-the-list": kept(checksums=bytes(9)),
        "damaged-sources": kept(sources=b"WMS1" + bytes(12)),
    }
    for name, data in good.items():
        save("kept", "good-" + name, data)
    for name, data in bad.items():
        save("kept", "bad-" + name, data)


# .wmk files --------------------------------------------------------------------------------------

CHUNK_TOTALS, CHUNK_COUNTERS, CHUNK_TABLE = 1, 2, 3
# kind, state, ended, log2 of part, span, process, thread, start, namespace, runs, cut short, status,
# handovers, checksum
HEAD = "<BBBBIIIQQQQIIQ"


def wmk_block(counters, state=0, runs=0, cut_short=0, status=0, checksum=None, process=0,
              ended=0, stride=PAGE, kind=None, span=1):
    content = struct.pack("<%dQ" % len(counters), *counters)
    if checksum is None:
        checksum = 0
        if not state and (runs or any(counters)):
            checksum = fnv((runs, cut_short, status) + words(content))
    if kind is None:
        kind = CHUNK_COUNTERS if state else CHUNK_TOTALS
    if not state and not checksum:  # never written
        kind = span = 0
    data = struct.pack(HEAD, kind, state, ended, 0, span, process, process, 1 if state else 0, 0,
                       runs, cut_short, status, 0, checksum)
    return (data + content).ljust(stride, b"\0")


def wmk_table(cells, state=1, process=77, span=1, changes=0, stride=PAGE, part=0):
    """Cells are (place, key, earlier, count)."""
    data = struct.pack(HEAD, CHUNK_TABLE, state, 1, part, span, process, 0, 1 if process else 0, 0, 0, 0, 0,
                       changes, 0)
    data += b"".join(struct.pack("<QQQQ", *cell) for cell in cells)
    return data.ljust(stride * span, b"\0")


def wmk_other(kind, span=1, units=None, state=0xff):
    """A chunk of which nothing but the first 8 bytes makes sense, if they do."""
    data = struct.pack("<BBHI", kind, state, 0xabcd, span)
    return data.ljust(PAGE * (span if units is None else units), b"\xee")


def wmk(blocks, counters=3, commit=0, stride=PAGE, build_id=bytes(range(1, 9)), version=4,
        path=b"/bin/program", counter_bytes=None, damage=0, block_count=None, id_bytes=None):
    identity = struct.pack("<8sIIQQII32s3072s", b"WAYMARK1", version, PAGE,
                           counters * 8 if counter_bytes is None else counter_bytes, stride,
                           len(build_id) if id_bytes is None else id_bytes, 0, build_id, path)
    header = identity + struct.pack("<QQQ", fnv(identity) ^ damage, commit,
                                    len(blocks) if block_count is None else block_count)
    return header.ljust(PAGE, b"\0") + b"".join(blocks)


def profile_files_of_libraries():
    """Made by the model of the format that the tests of `waymark merge` use."""
    model = importlib.import_module("wmk")
    nobody = {"process": 77, "start": 1, "namespace": 0}
    table = model.Table([(1, 7, 3, 4)], **nobody)
    small = model.Library([model.totals([1, 2], 3), model.totals([0, 0], 0),
                           model.Block([10, 20], **nobody), model.Block([0, 0], state=0, **nobody)],
                          [table], path="/lib/libone.so")
    folded = model.Library([model.totals([1, 2], 3), model.totals([7, 8], 4),
                            model.Block([9, 9], **nobody)], commit=(1, 1))
    large = model.Library([model.totals([1] * 1500, 3), model.totals([0] * 1500, 0),
                           model.Block([5] * 1500, **nobody)], build_id=b"\x22" * 8)

    def file(*libraries, counters=3):
        return model.Profile([model.totals([1] * counters, 1), model.totals([0] * counters, 0)],
                             libraries=libraries).encode()

    def changed(place, value):
        data = bytearray(file(small))
        data[PAGE * 3 + place:PAGE * 3 + place + len(value)] = value
        return bytes(data)
    good = {
        "library": file(small),
        "library-folded": file(folded),
        "library-twice": file(small, folded),
        "library-larger-than-its-program": file(small, large),
        "library-smaller-than-its-program": file(small, large, counters=1000),
    }
    bad = {
        "library-checksum": changed(200, b"M"),
        "library-that-is-not-there": changed(3 * PAGE + 56, b"\3"),
        "library-table-of-none": changed(5 * PAGE + 56, b"\0"),
        "library-counters-of-two-units": changed(3 * PAGE + 4, b"\2"),
        "library-table-of-absent-counter": changed(5 * PAGE + 64, b"\x50"),
        "library-folded-chunk-not-there": changed(3192, b"\xee"),
        "library-totals-checksum": changed(PAGE + 64, b"M"),
        "library-of-fewer-units": changed(4, b"\2"),
        "library-beyond-file": file(small)[:4 * PAGE],
    }
    return good, bad


def wmk_packed(kind, content, span=1, size=None, damage=0):
    data = struct.pack(HEAD, kind, 0, 0, 0, span, *[0] * 9)
    data += struct.pack("<QQ", len(content) if size is None else size, fnv(content) ^ damage)
    return (data + content).ljust(PAGE * span, b"\0")


def text_piece(path=b"/a.c\0\0\0\0", text=b"int x;\n"):
    return struct.pack("<QQ", 9, len(path)) + path + text


def packed_profile_files():
    """Whatever is packed, the counts are good."""
    fresh = [wmk_block([0, 0, 0]), wmk_block([0, 0, 0])]
    pieces = {
        "kept-build": [wmk_packed(7, kept())],
        "source": [wmk_packed(8, text_piece())],
        "source-twice": [wmk_packed(8, text_piece())] * 2,
        "sources-of-one-path": [wmk_packed(8, text_piece()), wmk_packed(8, text_piece(text=b""))],
        "source-without-end-of-path": [wmk_packed(8, text_piece(path=b"12345678"))],
        "source-with-path-behind-it": [wmk_packed(8, struct.pack("<QQ", 9, 80) + b"/a.c")],
        "source-of-few-bytes": [wmk_packed(8, b"123")],
        "large-piece": [wmk_packed(8, text_piece(text=b"x\n" * 4000), span=3)],
        "empty-pieces": [wmk_packed(7, b""), wmk_packed(8, b"")],
        "checksum": [wmk_packed(7, kept(), damage=1)],
        "size-beyond-chunk": [wmk_packed(8, text_piece(), size=PAGE - 79)],
        "size-of-64-bits": [wmk_packed(8, text_piece(), size=2**64 - 1)],
    }
    return {"packed-" + name: wmk(fresh + chunks, block_count=2 + sum(len(c) for c in chunks) // PAGE)
            for name, chunks in pieces.items()}


def profile_files():
    fresh = [wmk_block([0, 0, 0]), wmk_block([0, 0, 0])]
    totals = [wmk_block([1, 2, 3], runs=4), wmk_block([5, 6, 2**64 - 1], runs=5, cut_short=1)]
    active = [wmk_block([7, 8, 9], state=1, runs=1, process=77)]
    cells = [(64, 7, 0, 3), (0, 0, 0, 0), (80, 2**64 - 1, 5, 2**64 - 1)]
    good = {
        "never-used": wmk(fresh),
        "running": wmk(fresh + active),
        "block-released": wmk(fresh + [wmk_block([7, 8, 9], state=2, runs=1, process=77, ended=1)]),
        "two-processes": wmk(fresh + active + [wmk_block([1, 1, 1], state=1, process=78)]),
        "second-totals-are-current": wmk(totals + active, commit=1),
        "block-folded": wmk(totals + active, commit=2 << 1),
        "no-counters": wmk([wmk_block([]), wmk_block([])], counters=0),
        "table": wmk(fresh + [wmk_table(cells)] + active),
        "table-of-three-blocks": wmk(fresh + active + [wmk_table(cells * 90, span=3)], block_count=6),
        "table-handed-on": wmk(fresh + [wmk_table(cells, 2, 0), wmk_table(cells, 1, changes=8)]),
        "table-half-handed-on": wmk(fresh + [wmk_table(cells, 2, changes=7)]),
        "table-in-parts": wmk(fresh + [wmk_table(cells, span=2, part=6)] + active, block_count=5),
        "table-of-impossible-part": wmk(fresh + [wmk_table(cells, part=255)]),
        "free-chunks": wmk(fresh + [bytes(PAGE), wmk_other(0, 0, 1)] + active + [wmk_other(0, 2)],
                           block_count=7),
        "unknown-kinds": wmk(fresh + [wmk_other(40)] + active + [wmk_other(255, 3), wmk_table(cells)],
                             block_count=8),
        "unknown-kind-of-no-state": wmk(fresh + active + [wmk_other(9, state=0)]),
        "table-that-cancels": wmk(fresh + [wmk_table([(64, 7, 1, 2), (64, 7, 0, 2**64 - 3)])]),
    }
    bad = {
        "empty": b"",
        "magic-only": b"WAYMARK1",
        "header-only": wmk([]),
        "one-block": wmk(fresh[:1]),
        "later-version": wmk(fresh, version=5),
        "earlier-version": wmk(fresh, version=3),
        "unknown-kind-beyond-file": wmk(fresh + [wmk_other(40, 2, 1)]),
        "unknown-kind-of-most-units": wmk(fresh + [wmk_other(40, 2**32 - 1, 1)]),
        "unknown-kind-of-no-unit": wmk(fresh + [wmk_other(40, 0, 1)]),
        "free-chunk-beyond-file": wmk(fresh + [wmk_other(0, 2, 1)]),
        "totals-behind-totals": wmk(fresh + [wmk_block([1, 2, 3], runs=1)]),
        "totals-of-another-kind": wmk([wmk_block([1, 2, 3], runs=4, kind=CHUNK_COUNTERS), fresh[1]]),
        "totals-of-unknown-kind": wmk([wmk_block([1, 2, 3], runs=4, kind=9), fresh[1]]),
        "totals-of-two-units": wmk([wmk_block([1, 2, 3], runs=4, span=2), fresh[1]]),
        "counters-of-two-units": wmk(fresh + [wmk_block([1, 2, 3], state=1, span=2), fresh[1]]),
        "counters-of-no-unit": wmk(fresh + [wmk_block([1, 2, 3], state=1, span=0)]),
        "counters-of-no-state": wmk(fresh + [bytes([CHUNK_COUNTERS, 0, 0, 0, 1]).ljust(PAGE, b"\0")]),
        "table-of-no-unit": wmk(fresh + [wmk_table(cells)[:4] + bytes(4) + wmk_table(cells)[8:]]),
        "identity-checksum": wmk(fresh, damage=1),
        "counters-beyond-file": wmk(fresh, counter_bytes=2**63, stride=2**63 + PAGE),
        "stride-zero": wmk(fresh, stride=0),
        "build-id-too-long": wmk(fresh, id_bytes=33),
        "folded-block-not-there": wmk(fresh, commit=9 << 1),
        "path-without-end": wmk(fresh, path=b"x" * 3072),
        "table-beyond-file": wmk(fresh + [wmk_table(cells, span=2)], block_count=3),
        "table-of-most-blocks": wmk(fresh + [wmk_table([])[:4] + b"\xff" * 4 + bytes(4088)]),
        "table-of-absent-counter": wmk(fresh + [wmk_table([(88, 1, 0, 1)])]),
        "table-of-half-a-counter": wmk(fresh + [wmk_table([(68, 1, 0, 1)])]),
        "table-of-no-counter": wmk(fresh + [wmk_table([(56, 1, 0, 1)])]),
        "table-of-no-state": wmk(fresh + [wmk_table(cells, 0)]),
        "table-state-out-of-range": wmk(fresh + [wmk_table(cells, 3)]),
        "state-out-of-range": wmk(fresh + [wmk_block([1, 2, 3], state=255)]),
        "totals-checksum": wmk([wmk_block([1, 2, 3], runs=1, checksum=1), fresh[1]]),
        "totals-changed-but-never-written": wmk([wmk_block([1, 2, 3], checksum=0), fresh[1]]),
        "more-blocks-than-the-file-holds": wmk(fresh, block_count=3),
    }
    good.update(packed_profile_files())
    more_good, more_bad = profile_files_of_libraries()
    good.update(more_good)
    bad.update(more_bad)
    for name, data in good.items():
        save("profile_file", "good-" + name, data)
    for name, data in bad.items():
        save("profile_file", "bad-" + name, data)


# Priors ------------------------------------------------------------------------------------------

PEELED, HAS_BLOCKS, HAS_EDGES, HAS_PATHS, IDLE = 1, 2, 4, 8, 16


def long(value):
    return numbers(value % 2**32, value >> 32)


def hot_function(name, shape, ids):
    return text(name) + numbers(shape, len(ids)) + b"".join(map(long, ids))


def share(percent, functions):
    return long(struct.unpack("<Q", struct.pack("<d", percent))[0]) + table(functions)


def known(name, flags=0, blocks=1, edges=1, counts=(), paths=(), file="f.c"):
    data = text(name) + text(file) + numbers(flags, blocks, edges) + long(0x123456789a) + number(7)
    data += b"".join(map(long, counts))
    return data + (table([long(a) + long(b) for a, b in paths]) if flags & HAS_PATHS else b"")


def prior(functions=(), failure="", without_hot="", shares=(), **keywords):
    """functions: (name, record)"""
    return prior_of(text(failure) + text(without_hot) + table(shares), functions, **keywords)


def prior_of(profile, functions=(), magic=b"WMPRIOR1", damage=0, size=None, count=None, move=0):
    place, index, records = 40 + 16 * len(functions) + len(profile), [], b""
    for name, record in functions:
        index.append((fnv(name.encode()), place + len(records) + move, len(record)))
        records += record
    rest = struct.pack("<Q", len(functions) if count is None else count)
    rest += b"".join(struct.pack("<QII", *entry) for entry in sorted(index)) + profile + records
    rest += bytes(-len(rest) % 8)
    return magic + struct.pack("<QQQ", 32 + len(rest) if size is None else size, 99,
                               fnv(words(rest)) + damage) + rest


def priors():
    edges = known("f", HAS_BLOCKS | HAS_EDGES | PEELED, 2, 3, (5, 2**64 - 1, 1, 2**32, 0))
    idle = known("g", HAS_BLOCKS | HAS_EDGES | IDLE, 1000, 2000)
    paths = known("main", HAS_BLOCKS | HAS_EDGES | HAS_PATHS, 1, 1, (9, 9), [(0, 3), (2**63, 6)])
    functions = [("f", edges), ("g", idle), ("main", paths)]
    whole = prior(functions)
    good = {
        "nothing": prior(),
        "failure": prior(failure="cannot read 'x': No such file or directory"),
        "three-functions": whole,
        "namesakes": prior([("f", edges), ("f", known("f", HAS_BLOCKS, 1, 1, (3,), file="g.c"))]),
        "no-counts": prior([("f", known("f", HAS_PATHS, paths=[(1, 1)]))]),
        "hot-paths": prior(functions, shares=[share(90, [hot_function("f", 7, [1, 2**40])]),
                                              share(0.5, [])]),
        "no-hot-paths": prior(functions, without_hot="x.wmk: no paths were counted"),
        "record-of-another-name": prior([("f", idle)]),
        "record-cut-short": prior([("f", edges[:-2])]),
        "record-behind-the-file": prior([("f", edges)], move=2**20),
        "billions-of-blocks": prior([("f", known("f", HAS_BLOCKS | IDLE, 2**32 - 1))]),
        "billions-of-counts": prior([("f", known("f", HAS_BLOCKS, 2**32 - 1, 1, (1,)))]),
        "paths-longer-than-record": prior([("f", known("f", HAS_PATHS)[:-1] + number(2**30))]),
    }
    bad = {
        "empty": b"",
        "ends-in-its-head": whole[:39],
        "truncated": whole[:-8],
        "longer": whole + bytes(8),
        "no-multiple-of-8": prior(functions, size=len(whole) + 4) + bytes(4),
        "another-version": prior(functions, magic=b"WMPRIOR2"),
        "checksum": prior(functions, damage=1),
        "index-longer-than-file": prior(functions, count=2**60),
        "index-over-all": prior(functions, count=len(whole) // 16),
        "failure-longer-than-file": prior_of(number(2**31)),
        "shares-longer-than-file": prior_of(text("") + text("") + number(2**31)),
        "hot-ids-longer-than-file": prior_of(text("") + text("") + table(
            [share(90, [text("f") + numbers(7, 2**31)])])),
    }
    for name, data in good.items():
        save("prior", "good-" + name, data)
    for name, data in bad.items():
        save("prior", "bad-" + name, data)


# Graphs and options ------------------------------------------------------------------------------

def graphs():
    ends = "entry=a; exit=z; "
    good = {
        "smallest": "digraph {entry=a; exit=z; a -> z}",
        "parallel-and-self-loops": "digraph {" + ends + "a -> a; a -> z; a -> z [weight=2.5]}",
        "keys-join-edges": "digraph {" + ends + "a -> z [key=k]; a -> z [key=k]; a -> z [key=l]}",
        "subgraphs": "digraph {" + ends + "subgraph s {a -> {b c} -> z} b -> a [weight=\"1e300\"]}",
        "ports-and-html": "digraph {" + ends + "a:n -> <<b>x</b>>:w -> z; node [x=1]; edge [y=2]}",
        "quoted-names": 'digraph "g\\"h" {entry="a b"; exit=z; "x" -> "a b"; "a b" -> "x" -> z}',
        "defaults-and-comments": "digraph {// c\n/* d */ edge [weight=3]; " + ends +
                                 "a -> z\n# 1 \"f\"\n}",
        "planned-before": "digraph {" + ends + "a -> b [counter=0]; b -> z [counter=1 color=red]}",
        "edge-in-nested-subgraphs": "digraph {" + ends + "a -> {{x=1; b -> c} -> {{{d -> z}}}}}",
        "reentry": "digraph {" + ends + "a -> b -> z; z -> b}",
        "comment-left-open-behind-it": "digraph {" + ends + "a -> z} /* digraph {a -> b}",
        "html-left-open-behind-it": "digraph {" + ends + "a -> z} <<<b>",
        "irreducible": "digraph {" + ends + "a -> b; a -> c; b -> c; c -> b; c -> z}",
    }
    bad = {
        "empty": "",
        "undirected": "graph {" + ends + "a -- z}",
        "strict": "strict digraph {" + ends + "a -> z}",
        "two-graphs": "digraph {" + ends + "a -> z} digraph {a -> b}",
        "syntax": "digraph {" + ends + "a -> }",
        "brace-left-open": "digraph {" + ends + "a -> z",
        "quote-left-open": 'digraph {' + ends + 'a -> "z',
        "no-entry": "digraph {exit=z; a -> z}",
        "entry-is-exit": "digraph {entry=a; exit=a; a -> z}",
        "unreached-vertex": "digraph {" + ends + "a -> z; b -> z}",
        "weight-below-zero": "digraph {" + ends + "a -> z [weight=-1]}",
        "weight-infinite": "digraph {" + ends + "a -> z [weight=\"1e999\"]}",
        "weight-no-number": "digraph {" + ends + 'a -> z [weight="1 2"]}',
    }
    for name, data in good.items():
        save("graph", "good-%s.dot" % name, data)
    for name, data in bad.items():
        save("graph", "bad-%s.dot" % name, data)


# Line tables, after DWARF Version 5 ----------------------------------------------------------------

LNCT_PATH, LNCT_DIRECTORY, LNCT_TIME, LNCT_SIZE, LNCT_MD5 = range(1, 6)
FORM_DATA2, FORM_DATA4, FORM_DATA8, FORM_STRING, FORM_BLOCK, FORM_DATA1 = 5, 6, 7, 8, 9, 0xb
FORM_STRP, FORM_UDATA, FORM_DATA16, FORM_LINE_STRP = 0xe, 0xf, 0x1e, 0x1f
SUM = bytes(range(16))


def listed(facts, *entries):
    """The format of a list, the number of its entries, and these."""
    return bytes([len(facts)]) + b"".join(numbers(*fact) for fact in facts) + table(list(entries))


def line_unit(directories, files, version=5, wide=False, opcodes=13, program=b"\x01\x02", length=None):
    offset = "<Q" if wide else "<L"
    lists = bytes(max(opcodes - 1, 0)) + directories + files
    head = struct.pack("<HBB", version, 8, 0) + struct.pack(offset, 6 + len(lists))
    content = head + struct.pack("<BBBbBB", 1, 1, 1, -5, 14, opcodes) + lists + program
    length = len(content) if length is None else length
    return (b"\xff" * 4 if wide else b"") + struct.pack(offset, length) + content


def line_tables():
    texts = b"a.c\0/home/me\0inc\0./b.h\0"
    folders = listed([(LNCT_PATH, FORM_STRING)], b"/home//me\0", b"./inc\0")
    plain = [(LNCT_PATH, FORM_STRING), (LNCT_DIRECTORY, FORM_UDATA), (LNCT_MD5, FORM_DATA16)]
    files = listed(plain, b"a.c\0" + number(0) + SUM, b"b.h\0" + number(1) + SUM)
    unit = line_unit(folders, files)
    by_offset = [(LNCT_PATH, FORM_LINE_STRP), (LNCT_DIRECTORY, FORM_DATA1), (LNCT_MD5, FORM_DATA16)]
    good = {
        "two-files": unit,
        "two-units": unit + unit,
        "of-64-bits": line_unit(folders, files, wide=True),
        "texts-of-their-own": line_unit(
            listed([(LNCT_PATH, FORM_LINE_STRP)], struct.pack("<L", 4), struct.pack("<L", 13)),
            listed(by_offset, struct.pack("<LB", 17, 1) + SUM)),
        "texts-of-all-sections": line_unit(
            folders, listed([(LNCT_PATH, FORM_STRP), (LNCT_DIRECTORY, FORM_DATA2), (LNCT_MD5, FORM_DATA16)],
                            struct.pack("<LH", 0, 1) + SUM)),
        "other-facts": line_unit(
            folders, listed([(LNCT_TIME, FORM_DATA4), (0x2001, FORM_BLOCK), (LNCT_PATH, FORM_STRING),
                             (LNCT_MD5, FORM_DATA16), (LNCT_SIZE, FORM_DATA8), (0x2002, FORM_DATA16),
                             (0x2003, FORM_STRING), (0x2004, FORM_UDATA)],
                            bytes(4) + b"\x02ab" + b"a.c\0" + SUM + bytes(8) + SUM + b"x\0" + b"\x81\x01")),
        "behind-an-older-unit": line_unit(b"", b"", version=4) + unit,
        "behind-a-damaged-unit": line_unit(folders, b"\xff\xff") + unit,
        "before-a-cut-unit": unit + unit[:-1],
        "absolute-name": line_unit(folders, listed(plain, b"//x/./a.c\0" + number(0) + SUM)),
        "no-standard-opcodes": line_unit(folders, files, opcodes=1),
    }
    bad = {
        "empty": b"",
        "older-version": line_unit(folders, files, version=4),
        "later-version": line_unit(folders, files, version=6),
        "without-checksums": line_unit(folders, listed(plain[:2], b"a.c\0" + number(0))),
        "checksum-in-another-form": line_unit(
            folders, listed([(LNCT_PATH, FORM_STRING), (LNCT_MD5, FORM_BLOCK)], b"a.c\0" + number(16) + SUM)),
        "no-directory": line_unit(listed([]), files),
        "directory-that-is-not-there": line_unit(folders, listed(plain, b"a.c\0" + number(2) + SUM)),
        "longer-than-section": line_unit(folders, files, length=1000),
        "length-over-64-bits": line_unit(folders, files, wide=True, length=2**64 - 1),
        "cut-in-its-length": unit[:3],
        "many-files-of-no-size": line_unit(folders, bytes([0]) + number(2**60)),
        "files-without-names": line_unit(folders, bytes([1]) + numbers(LNCT_MD5, FORM_DATA16, 2**40)),
        "more-files-than-bytes": line_unit(
            folders, bytes([3]) + b"".join(numbers(*fact) for fact in plain) + number(2**63)),
        "unknown-form": line_unit(folders, listed([(LNCT_PATH, FORM_STRING), (0x2001, 0x7f)], b"a.c\0")),
        "text-behind-its-section": line_unit(folders, listed(by_offset, struct.pack("<LB", 1000, 0) + SUM)),
        "text-without-end": line_unit(folders, listed(by_offset[::-1], SUM + b"\0" + struct.pack("<L", 22)),
                                      program=b""),
        "name-without-end": line_unit(folders, listed(plain, b"a.c"), program=b""),
        "long-number": line_unit(folders, bytes([1]) + b"\xff" * 20),
        "long-path": line_unit(folders, listed(plain, b"x" * 5000 + b"\0" + number(0) + SUM)),
    }
    for names, prefix in (good, "good-"), (bad, "bad-"):
        for name, data in names.items():
            strings = texts[:-1] if name == "text-without-end" else texts
            save("line_table", prefix + name, struct.pack("<H", len(strings)) + strings + data)


def options():
    good = {
        "none": "",
        "all": "profile=blocks\nplacement=vertex\nweights=goldberg\nat=early\nbase=memory\n"
               "file=/tmp/%p.wmk\nonly=ma*\nskip=*[!a-z]?\n",
        "redundant-edges": "profile=edges\nplacement=redundant\nweights=heuristic\n\n\n",
        "classic-paths": "profile=paths\nplacement=commit\npaths=classic\n",
        "known-paths": "use=/tmp/a.wmk\nprior=/tmp/a.prior\nbinary=/tmp/a\nprefer=hot:50%\nstrict=yes\n"
                       "whole=yes\n",
        "selected-paths": "select=parse:1f2e3d4c:17,function:a*\npaths=classic\n",
        "prefer-a-profile": "prefer=/tmp/a.wmk\nplacement=commit\nprefer-by=intervals\n",
        "pattern-with-many-stars": "only=" + "*a" * 20 + "\n\0" + "a" * 40 + "b",
        "pattern-left-open": "only=[a-\nskip=\\\n\0a",
        "character-classes": "only=[[:alpha:]_]*[[=x=]][[.-.]]\n\0main",
    }
    bad = {
        "no-value": "profile",
        "unknown-name": "profiles=edges\n",
        "unknown-profile": "profile=path\n",
        "unknown-paths": "paths=all\n",
        "profile-without-placement": "profile=edges\nplacement=vertex\n",
        "unknown-weights": "weights=heavy\n",
        "unknown-point": "at=never\n",
        "unknown-base": "base=\n",
        "select-and-prefer": "select=function:a\nprefer=function:b\n",
        "select-without-paths": "select=function:a\nprofile=edges\n",
        "prefer-with-oracle": "prefer=function:a\nplacement=redundant\n",
        "unknown-preference": "prefer=function:a\nprefer-by=name\n",
        "strict-with-other-value": "strict=no\n",
        "long-name": "x" * 2000 + "=1\n",
    }
    for name, data in good.items():
        save("plugin_options", "good-" + name, data)
    for name, data in bad.items():
        save("plugin_options", "bad-" + name, data)


# Traces ------------------------------------------------------------------------------------------

COUNTERS = 0x5555_0000_1000
CONTROL, CALLS, BITS = 1, 2, 3
ENTRY, RETURN, AGAIN, LANDING, SIGNAL, SIGNAL_END = range(1, 7)


def trace_mark(name, call):
    value = 0x811c9dc5 ^ call * 0x9e3779b9 % 2**32
    for letter in name.encode():
        value = (value ^ letter) * 0x01000193 % 2**32
    return (value ^ value >> 15) & 0x1fff


def trace_header(magic=b"WMTRACE1", path=b"/bin/f", build_id=bytes(range(1, 9))):
    return (struct.pack("<8sIIQQQII", magic, 7, 0, COUNTERS, 1, 0, len(build_id), 0) + build_id.ljust(32, b"\0") +
            path).ljust(PAGE, b"\0")


def trace_control(position, calls, number=1):
    return struct.pack("<6QIIQIIQQ", position, 0, 0, 0x7f00_0000_0000 + calls, 0, 0x5354524d41525457, number, 7,
                       0x7f00_0000_0000, 0, 0, 0, 0).ljust(PAGE, b"\0")


def wmt(pieces, header=None):
    entries = b"".join(struct.pack("<IIQ", stream, kind, number) for stream, kind, number, _ in pieces)
    size = {CONTROL: PAGE}
    data = (header or trace_header()) + entries.ljust(PAGE, b"\0")
    for _, kind, _, content in pieces:
        data = data.ljust(-(-(len(data) - 2 * PAGE) // 65536) * 65536 + 2 * PAGE, b"\0")
        data += content.ljust(size.get(kind, 0), b"\0")
    return data


def zstd_frame(content, size):
    """A frame of zstd that is `content` and zeros: a block as it is, and one of a repeated byte."""
    blocks = struct.pack("<I", len(content) << 3)[:3] + content
    return (b"\x28\xb5\x2f\xfd\xa0" + struct.pack("<I", size) + blocks +
            struct.pack("<I", 1 | 1 << 1 | (size - len(content)) << 3)[:3] + b"\0")


def packed_wmt(pieces):
    """Pieces of one stream, each in a frame of its own."""
    data, entries = b"", b""
    start = PAGE + 32 * (len(pieces) + 1)
    for stream, kind, number, content in pieces:
        frame = content if kind == CONTROL else zstd_frame(content, 65536)
        entries += struct.pack("<IIQQII", stream, kind, number, start + len(data), len(frame), 0)
        data += frame
    return trace_header(magic=b"WMTPACK1") + entries + bytes(32) + data


def units(*values):
    return b"".join(struct.pack("<H", value) for value in values)


def traces():
    """The function of tests/fuzz/trace.c: an open call, a branch, a known call, a branch to its end."""
    entry = units(COUNTERS % 65536 + ENTRY, COUNTERS >> 16 & 0xffff)
    back = units(trace_mark("f", 0) << 3 | RETURN)
    again = units(trace_mark("f", 0) << 3 | AGAIN, 1, 2)

    def one(calls, bits=b"\0", position=8, **more):
        return wmt([(1, CONTROL, 0, trace_control(position, len(calls))), (1, BITS, 0, bits.ljust(65536, b"\0")),
                    (1, CALLS, 0, calls.ljust(65536, b"\0"))], **more)

    long = struct.pack("<Q", 3)
    good = {
        "nothing-ran": trace_header(),
        "one-call": one(entry + back, b"\1", 1),
        "killed-in-the-loop": one(entry + (back + entry) * 3, b"\2", 2),
        "comes-back-twice": one(entry + back + back, b"\0", 1),
        "comes-again": one(entry + again),
        "lands-nowhere": one(entry + units(LANDING, 3) + entry),
        "handler": one(entry + units(SIGNAL) + long + entry + back + units(SIGNAL_END) + long + back, b"\1", 1),
        "handler-without-function": one(entry + units(SIGNAL) + long + back),
        "unknown-function": one(units(0x1009, 0)),
        "unknown-unit": one(entry + units(7)),
        "holes-in-calls": one(entry + units(0, 0, 0) + back),
        "no-control": wmt([(1, CALLS, 0, entry.ljust(65536, b"\0"))]),
        "two-controls": wmt([(1, CONTROL, 0, trace_control(1, 0))] * 2),
        "ends-in-a-piece": one(entry)[:-60000],
        "unknown-kind": wmt([(1, 9, 0, b"")]),
    }
    packed = packed_wmt([(1, CONTROL, 0, trace_control(2, len(entry + back))), (1, CALLS, 0, entry + back),
                         (1, BITS, 0, b"\2")])
    good.update({
        "packed": packed,
        "packed-cut": packed[:-3],
        "packed-damaged": packed.replace(b"\x28\xb5", b"\x28\xb6"),
        "packed-without-entries": packed[:PAGE],
    })
    bad = {
        "short": trace_header()[:100],
        "other-magic": trace_header(magic=b"WMTRACE2"),
        "path-without-end": trace_header(path=b"x" * 4000),
        "long-build-id": trace_header()[:40] + struct.pack("<I", 33) + trace_header()[44:],
    }
    for name, data in good.items():
        save("trace", "good-" + name, data)
    for name, data in bad.items():
        save("trace", "bad-" + name, data)


for write in (descriptions, objects, kept_builds, profile_files, priors, graphs, line_tables, options, traces):
    write()
