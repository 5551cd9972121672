#!/usr/bin/env python3
"""Random streams with all options: the model equals the second model in reference.py, state by state;
frames are neither lost nor invented, and no event is lost.

usage: random_streams.py HPP_TRACE [COUNT [SEED]]
"""
import os
import random
import subprocess
import sys
import tempfile

import reference

KINDS = ["jcc+", "jcc-", "jmp", "call", "icall", "ret", "back", "ijmp", "odd"]


def settings(r):
    options = {"extend": r.choice(["none", "none", "loops", "calls", "calls"]),
               "maximum": r.randint(1, 3), "limit": r.choice([2, 4, 32]),
               "depth": r.choice([3, 8, 32]), "overflow": r.choice(["drop", "drop", "spill"]),
               "backward": r.choice(["taken", "taken", "static"]),
               "event-bits": r.choice([0, 2, 8]), "map": r.choice(["ball-larus"] * 4 + ["whole"])}
    if options["extend"] == "none":
        options["maximum"] = 0
    shape = r.choice([(4, 2), (8, 8), (64, 4), (16, 1)])
    table = (*shape, r.choice(["fold", "xor", "address", "scaled"]),
             r.choice(["lfu", "lru", "space-saving", "admit"]))
    return options, table


def stream(r, mistakes):
    """Branches with calls and returns that match, but for `odd` ones, which leave frames."""
    frames, pc, out = [], 0x1000, []
    weights = r.choice([(6, 3, 2, 6, 1, 6, 2, 1), (3, 3, 1, 3, 1, 3, 4, 1), (8, 8, 1, 2, 1, 1, 1, 1)])
    for _ in range(r.randint(5, 60)):
        kind = r.choices(KINDS, (*weights, int(mistakes)))[0]
        events = r.choice([0, 1, 1, 2, 90])
        if kind == "ret" and not frames:
            kind = "jcc+"
        if kind == "odd":  # a return to nowhere, or over frames
            to = r.choice(frames) if frames and r.random() < 0.7 else r.randint(2, 9) * 0x1000 + 4
            if to in frames:
                del frames[len(frames) - 1 - frames[::-1].index(to):]
            out.append(reference.Branch("ret", pc, to, events=events))
        elif kind in ("call", "icall"):
            to = r.randint(2, 9) * 0x1000
            frames.append(pc + 4)
            out.append(reference.Branch(kind, pc, to, events=events))
        elif kind == "ret":
            to = frames.pop()
            out.append(reference.Branch("ret", pc, to, events=events))
        elif kind == "jcc-":
            to = pc + 4
            out.append(reference.Branch("jcc", pc, to, False, pc + r.choice([64, -64]), events))
        elif kind == "ijmp":
            to = pc + r.randint(-64, 64) * 4
            out.append(reference.Branch("ijmp", pc, to, events=events))
        else:
            to = pc + (-r.randint(0, 8) if kind == "back" else r.randint(2, 20)) * 4
            out.append(reference.Branch("jmp" if kind == "jmp" else "jcc", pc, to, events=events))
        pc = to + r.randint(0, 3) * 4
    return out, len(frames)


def text_of(options, table, branches):
    lines = ["option " + " ".join("%s=%s" % pair for pair in options.items()),
             "option table=%dx%d:%s:%s" % table, "begin 1000"]
    for b in branches:
        name = b.kind if b.kind != "jcc" else "jcc+" if b.taken else "jcc-"
        lines.append("%s %x %x target=%x e=%d" % (name, b.at, b.to, b.target, b.events))
    return "\n".join(lines)


def expected(options, table, branches, frames, mistakes):
    d = reference.Detector(reference.WHOLE if options["map"] == "whole" else reference.BALL_LARUS,
                           options["extend"], options["maximum"], options["limit"], options["depth"],
                           options["overflow"] == "spill", options["backward"] == "static",
                           options["event-bits"])
    hot, lines, told = reference.Table(*table), [], 0

    def state(width, what):
        lines.append("%-*s | %s" % (width, what, "  ".join(e.text() for e in d.stack)))

    d.begin(0x1000)
    state(34, "begin 1000")
    for b in branches:
        before = len(d.emitted)
        d.step(b)
        name = b.kind if b.kind != "jcc" else "jcc+" if b.taken else "jcc-"
        state(58, "%-5s %x -> %x" % (name, b.at, b.to) +
              "".join("  ! %s %s" % (e.text(), why) for e, why in d.emitted[before:]))
    if not mistakes and not d.dropped and options["map"] != "whole":
        assert sum(1 + len(e.inside) for e in d.stack) == frames + 1, "a frame is lost"
        assert not d.repairs and not d.underflows, "a repair without need"
    d.finish()
    if options["event-bits"] == 0 and not d.dropped:
        assert sum(e.events for e, _ in d.emitted) == sum(b.events for b in branches)
    lines.append("emitted:")
    for entry, why in d.emitted:
        lines.append("  %-28s %s" % (entry.text(), why))
        hot.add(entry.key(), 1)
    lines.append("dropped %d underflows %d saturated %d repairs %d" % (
        d.dropped, d.underflows, d.saturated, d.repairs))
    return lines + [hot.text()]


def main():
    trace, count, seed = sys.argv[1], int((sys.argv[2:] + [10000])[0]), int((sys.argv[3:] + [1])[0])
    r = random.Random(seed)
    texts, wanted = [], []
    for number in range(count):
        options, table = settings(r)
        mistakes = number % 3 == 0
        branches, frames = stream(r, mistakes)
        texts.append(text_of(options, table, branches))
        wanted.append((options, table, branches, frames, mistakes))
    with tempfile.NamedTemporaryFile("w", suffix=".branches", delete=False) as file:
        file.write("\n%%\n".join(texts))
    try:
        out = subprocess.run([trace, "--states", file.name], capture_output=True, text=True)
    finally:
        os.unlink(file.name)
    if out.returncode:
        sys.exit("hpp_trace failed: " + out.stdout[-300:] + out.stderr)
    parts = out.stdout.split("%%\n")
    assert len(parts) == count, (len(parts), count)
    for text, part, case in zip(texts, parts, wanted):
        got = [line.rstrip() for line in part.splitlines()]
        want = [line.rstrip() for line in expected(*case)]
        if got == want:
            continue
        where = next((i for i, pair in enumerate(zip(got, want)) if pair[0] != pair[1]), len(want))
        sys.exit("%s\n\nmodel:     %s\nreference: %s" % (text, got[where:where + 1], want[where:where + 1]))
    print("%d streams are equal" % count)


if __name__ == "__main__":
    main()
