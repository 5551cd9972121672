"""Growth as figures: exponents and tables.

The exponent of a measure is the slope of its logarithm over that of the size, the least squares of
the three largest sizes: what does not depend on the size, like the C library's memory, is small
there. 1 is linear growth.
"""
import math

LARGEST_SIZES = 3
SHOWN = {"seconds": ((1, "s"), (1e-3, "ms"), (1e-6, "µs")),
         "bytes": ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"))}


def exponent(sweep, measure):
    """The exponent, or None where fewer than two sizes have a value above zero."""
    points = [(math.log(row["size"]), math.log(row["values"][measure])) for row in sweep["rows"]
              if row["values"][measure] > 0][-LARGEST_SIZES:]
    if len(points) < 2:
        return None
    middle = sum(x for x, _ in points) / len(points)
    return (sum((x - middle) * y for x, y in points) /
            sum((x - middle) ** 2 for x, _ in points))


def spell(value, unit):
    factor, word = next(((factor, word) for factor, word in SHOWN[unit] if value >= factor),
                        SHOWN[unit][-1])
    return "%.3g %s" % (value / factor, word)


def each(value, size, unit):
    """The value per unit of size, in the smallest unit that tables have."""
    return "%.0f ns" % (value / size * 1e9) if unit == "seconds" else "%.0f B" % (value / size)


def table(sweep):
    keys = list(sweep["measures"])
    width = max(len(sweep["measures"][key]["name"]) for key in keys) + 2
    width = max(width, 22)
    yield "%s, against %s" % (sweep["name"], sweep["unit"])
    yield "%10s" % "" + "".join("%*s" % (width, sweep["measures"][key]["name"]) for key in keys)
    for row in sweep["rows"]:
        cells = []
        for key in keys:
            unit, value = sweep["measures"][key]["unit"], row["values"][key]
            cells.append("%s (%s)" % (spell(value, unit), each(value, row["size"], unit)))
        yield "%10d" % row["size"] + "".join("%*s" % (width, cell) for cell in cells)
    exponents = [exponent(sweep, key) for key in keys]
    yield "%10s" % "exponent" + "".join(
        "%*s" % (width, "-" if value is None else "%.2f" % value) for value in exponents)


def slowest(sweep):
    """Edges per second of the slowest way to plan each size."""
    for row in sweep["rows"]:
        yield row["size"], row["size"] / max(row["values"].values())


def over_clang(sweep):
    """By size: the time of each other measure over that of plain clang."""
    for row in sweep["rows"]:
        plain = row["values"]["clang"]
        yield row["size"], [(name, value / plain) for name, value in row["values"].items()
                            if name != "clang"]


def render(results):
    lines = []
    for sweep in results["sweeps"]:
        lines += list(table(sweep)) + [""]
        if sweep["name"].startswith("Planning"):
            lines += ["edges per second, slowest: " + ", ".join(
                "%.2f M of %d" % (speed / 1e6, size) for size, speed in slowest(sweep)), ""]
        if "clang" in sweep["measures"]:
            lines += ["over plain clang:"] + [
                "%10d  %s" % (size, ", ".join("%s %.2f" % ratio for ratio in ratios))
                for size, ratios in over_clang(sweep)] + [""]
    lines.append("In brackets: per edge, function or path. Exponent: of growth at the %d largest "
                 "sizes; 1 is linear." % LARGEST_SIZES)
    lines.append("%s; %s; %s" % (results["date"], results["machine"], results["command"]))
    return "\n".join(lines)
