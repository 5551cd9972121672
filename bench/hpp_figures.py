"""Tables and charts of bench/hpp, from what `waymark hpp --figures --json` and `--sweep` say of programs."""
from xml.sax.saxutils import escape

METRICS = ("frequency", "l2", "mispredictions")
# The thesis' averages, where its text gives them; 512 x 4.
THESIS = {("complete", "frequency"): 88.0, ("complete", "l2"): 96.0, ("complete", "mispredictions"): 78.4,
          ("dynamic", "frequency"): 95.5, ("dynamic", "l2"): 98.0, ("dynamic", "mispredictions"): 91.2,
          "extended_by_a_loop": 78.35, "extended_by_a_call": 84.10, "power": 82.9,
          "mispredictions_as_frequency": 25.0, "l2_as_frequency": 32.0, "power_as_frequency": 62.0,
          ("queue", 0): 8.04, ("queue", 4): 0.6}
COLOURS = ("#1b6ca8", "#c25b12", "#5a9e4b", "#8a5aa8", "#777777", "#b8961e")
STYLE = "text{font:12px sans-serif;fill:#222}.title{font-weight:bold;font-size:14px}.small{font-size:10.5px;fill:#555}"


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def overlap(document, kind, metric, table="512x4"):
    return next(row[kind] for row in document["overlaps"]
                if row["metric"] == metric and row["table"].startswith(table + ":"))


def policy(document, name, entries):
    return next(row["complete"] for row in document["policies"] if (row["policy"], row["entries"]) == (name, entries))


def stall(document, ipc, slots):
    return next(row["overhead"] for row in document["queue"]
                if not row["of_model"] and abs(row["ipc"] - ipc) < 0.01 and row["slots"] == slots)


def columns():
    """Heading, value of a program, the thesis' average or None."""
    for kind in ("complete", "dynamic"):
        for metric in METRICS:
            yield "%s %s" % (kind, metric), lambda d, k=kind, m=metric: overlap(d, k, m), THESIS[kind, metric]
    for key in ("extended_by_a_loop", "extended_by_a_call", "power", "mispredictions_as_frequency",
                "l2_as_frequency", "power_as_frequency"):
        yield key.replace("_", " "), lambda d, k=key: d[k], THESIS[key]
    for slots in (0, 4):
        yield "stall, queue of %d, IPC 1" % slots, lambda d, s=slots: stall(d, 1, s), THESIS["queue", slots]
    for name in ("lfu", "admit"):
        yield "best policy: %s, 512 x 4" % name, lambda d, n=name: policy(d, n, 512), None


def tables(figures, sweeps):
    names = list(figures)
    lines = ["Percent; tables of 512 x 4 entries, folded, least frequently used, unless told.",
             "%-32s %s %9s %7s" % ("", " ".join("%8s" % name[:8] for name in names), "mean", "thesis")]
    for title, value, thesis in columns():
        values = [value(figures[name]) for name in names]
        lines.append("%-32s %s %9.1f %7s" % (title, " ".join("%8.1f" % v for v in values), mean(values),
                                             "" if thesis is None else "%g" % thesis))
    lines += ["", "Mean complete overlap by frequency, 4 ways",
              "%-14s %s" % ("entries", " ".join("%7d" % n for n in (128, 256, 512, 1024, 2048)))]
    for name in ("lfu", "lru", "space-saving", "admit"):
        lines.append("%-14s %s" % (name, " ".join("%7.1f" % mean(policy(d, name, n) for d in figures.values())
                                                  for n in (128, 256, 512, 1024, 2048))))
    if sweeps:
        lines += ["", "Plackett-Burman: mean effect in points of overlap, from low to high"]
        for factor in ("entries", "ways", "index", "L2 size", "L2 ways", "predictor"):
            effects = [mean(abs(row["effect"]) for d in sweeps.values() for row in d["effects"]
                            if (row["metric"], row["factor"]) == (metric, factor)) for metric in METRICS]
            lines.append("%-14s %s" % (factor, " ".join("%8.2f %s" % pair for pair in zip(effects, METRICS))))
    return "\n".join(lines) + "\n"


def text(content, x, y, kind="", end="start"):
    return '<text x="%.1f" y="%.1f" class="%s" text-anchor="%s">%s</text>' % (x, y, kind, end, escape(content))


def picture(title, width, height, parts):
    return '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d"><style>%s</style>%s%s</svg>\n' % (
        width, height, STYLE, text(title, 20, 24, "title"), "".join(parts))


def bars(title, names, series, marks=()):
    """A group of bars for each name; series: (label, values in percent). Marks: (label, value) across."""
    group, left, top, tall = 16 * len(series) + 14, 50, 50, 220
    width = left + group * len(names) + 180
    parts = []
    for value in range(0, 101, 20):
        y = top + tall * (1 - value / 100)
        parts.append('<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#ddd"/>' % (left, left + group * len(names), y, y))
        parts.append(text("%d%%" % value, left - 6, y + 4, "small", "end"))
    for i, name in enumerate(names):
        for k, (_, values) in enumerate(series):
            high = tall * min(max(values[i], 0), 100) / 100
            parts.append('<rect x="%.1f" y="%.1f" width="14" height="%.1f" fill="%s"/>' % (
                left + i * group + 6 + 16 * k, top + tall - high, high, COLOURS[k]))
        parts.append(text(name, left + i * group + group / 2, top + tall + 16, "small", "middle"))
    for k, (label, _) in enumerate(series):
        y = top + 18 * k
        parts.append('<rect x="%d" y="%d" width="12" height="12" fill="%s"/>' % (width - 165, y, COLOURS[k]))
        parts.append(text(label, width - 148, y + 10))
    for k, (label, value) in enumerate(marks):
        y = top + tall * (1 - value / 100)
        parts.append('<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="%s" stroke-dasharray="4 3"/>' % (
            left, left + group * len(names), y, y, COLOURS[k]))
        parts.append(text("%s %.1f%%" % (label, value), width - 165, top + 18 * (len(series) + k + 1) + 10, "small"))
    return picture(title, width, top + tall + 40, parts)


def charts(figures):
    names = list(figures)
    found = {}
    for kind, number in (("complete", "5.7"), ("dynamic", "5.8")):
        found["overlap-" + kind] = bars(
            "Figure %s: %s overlap of 512 x 4 entries" % (number, kind), names + ["mean"],
            [(m, [overlap(figures[n], kind, m) for n in names] + [mean(overlap(d, kind, m) for d in figures.values())])
             for m in METRICS], [("thesis: " + m, THESIS[kind, m]) for m in METRICS])
    found["policies"] = bars(
        "Mean complete overlap by size and policy", ["128", "256", "512", "1024", "2048"],
        [(p, [mean(policy(d, p, n) for d in figures.values()) for n in (128, 256, 512, 1024, 2048)])
         for p in ("lfu", "lru", "space-saving", "admit")])
    found["extended"] = bars(
        "Figures 5.10 and 5.11: extended paths, power", names,
        [(label, [d[key] for d in figures.values()]) for label, key in (
            ("one back edge", "extended_by_a_loop"), ("one call", "extended_by_a_call"), ("power", "power"))],
        [("thesis: back edge", 78.35), ("thesis: call", 84.1), ("thesis: power", 82.9)])
    found["hottest"] = bars(
        "Figure 5.2: share of the hottest paths, mean", ["1", "10", "50", "100", "500", "1000"],
        [(k, [mean(d["hottest"][i][k] for d in figures.values()) for i in range(6)])
         for k in ("instructions", "frequency", "l2", "mispredictions")])
    found["lengths"] = bars(
        "Figure 5.3: instructions along paths of at most so many branches, mean",
        ["1", "2", "4", "8", "16", "24", "32"],
        [("instructions", [mean(d["lengths"][i]["instructions"] for d in figures.values()) for i in range(7)])])
    found["queue"] = bars(
        "Figure 5.12: stall by entries of the queue, mean", ["0", "1", "2", "4", "8", "16"],
        [("IPC %g" % ipc, [mean(stall(d, ipc, slots) for d in figures.values()) for slots in (0, 1, 2, 4, 8, 16)])
         for ipc in (1, 1.5, 2, 3, 4)])
    return found
