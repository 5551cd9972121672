"""Growth as a picture: a column per sweep, seconds above and bytes below, both axes logarithmic.

The grey lines are those of linear growth: a curve that runs along them grows linearly.
"""
import math
from xml.sax.saxutils import escape

from chart import STYLE, element, text, upright

WIDTH, HEIGHT, LEFT, TOP, GAP, BELOW = 205, 190, 62, 74, 62, 84
COLOURS = ["#1b6ca8", "#c25b12", "#3a8a3f", "#8a3a86", "#777777", "#b59a00"]
UNITS = {"seconds": ((1e-6, "1 µs"), (1e-3, "1 ms"), (1, "1 s"), (1e3, "1000 s")),
         "bytes": ((1e3, "1 kB"), (1e6, "1 MB"), (1e9, "1 GB"), (1e12, "1 TB"))}


class Panel:
    """Curves of one unit against the sizes of one sweep."""

    def __init__(self, unit, curves, left, top):
        self.unit, self.left, self.top = unit, left, top
        self.curves = {name: points for name, points in curves.items() if points}
        sizes = [size for points in self.curves.values() for size, _ in points]
        values = [value for points in self.curves.values() for _, value in points]
        self.sizes = (math.floor(math.log10(min(sizes))), math.ceil(math.log10(max(sizes))))
        self.values = (math.floor(math.log10(min(values))), math.ceil(math.log10(max(values))))

    def place(self, value, bounds):
        low, high = bounds
        return (math.log10(value) - low) / max(high - low, 1)

    def x(self, size):
        return self.left + self.place(size, self.sizes) * WIDTH

    def y(self, value):
        return self.top + HEIGHT - self.place(value, self.values) * HEIGHT

    def axes(self):
        for power in range(self.sizes[0], self.sizes[1] + 1):
            x = self.x(10 ** power)
            yield upright(x, self.top, self.top + HEIGHT, stroke="#eeeeee")
            yield text("10", x - 2, self.top + HEIGHT + 16, "small end")
            yield text(str(power), x - 1, self.top + HEIGHT + 11, "small")
        for value, label in UNITS[self.unit]:
            if self.values[0] <= math.log10(value) <= self.values[1]:
                yield self.line([(self.left, self.y(value)), (self.left + WIDTH, self.y(value))],
                                "#dddddd", 1)
                yield text(label, self.left - 6, self.y(value) + 4, "small end")

    def guides(self):
        """Linear growth, through each power of ten at the left edge and below it."""
        first, last = self.sizes
        for power in range(self.values[0] - (last - first), self.values[1]):
            start = max(first, first + self.values[0] - power)
            end = min(last, first + self.values[1] - power)
            if start < end:
                yield self.line([(self.x(10 ** size), self.y(10 ** (power + size - first)))
                                 for size in (start, end)], "#bbbbbb", 0.8, "3 3")

    def line(self, points, colour, width, dashes="none"):
        return element("polyline", points=" ".join("%.1f,%.1f" % point for point in points),
                       fill="none", stroke=colour, stroke_width=width, stroke_dasharray=dashes)

    def draw(self):
        yield from self.axes()
        yield from self.guides()
        yield element("rect", x=self.left, y=self.top, width=WIDTH, height=HEIGHT, fill="none",
                      stroke="#999999")
        for colour, (name, points) in zip(COLOURS, self.curves.items()):
            places = [(self.x(size), self.y(value)) for size, value in points]
            yield self.line(places, colour, 1.8)
            for (x, y), (size, value) in zip(places, points):
                tip = element("title", escape("%s, %d: %.3g %s" % (name, size, value, self.unit)))
                yield element("circle", tip, cx="%.1f" % x, cy="%.1f" % y, r=3, fill=colour)

    def legend(self, exponents):
        for index, (colour, name) in enumerate(zip(COLOURS, self.curves)):
            y = self.top + HEIGHT + 32 + 13 * index
            yield element("rect", x=self.left, y=y - 8, width=9, height=9, fill=colour)
            grows = ", grows by %.2f" % exponents[name] if exponents.get(name) is not None else ""
            yield text(name + grows, self.left + 14, y, "small")


def curves_of(sweep, unit):
    return {measure["name"]: [(row["size"], row["values"][name]) for row in sweep["rows"]
                              if row["values"].get(name)]
            for name, measure in sweep["measures"].items() if measure["unit"] == unit}


def draw(results, exponent):
    """The chart as SVG text; `exponent(sweep, measure)` says how a measure grows."""
    row = HEIGHT + BELOW
    width, height = LEFT + len(results["sweeps"]) * (WIDTH + GAP), TOP + 2 * row + 24
    parts = [element("rect", width=width, height=height, fill="white"),
             text("Growth (grey lines: linear)", 12, 22, "title")]
    for column, sweep in enumerate(results["sweeps"]):
        left = LEFT + column * (WIDTH + GAP)
        parts.append(text(sweep["name"], left, TOP - 24, "title"))
        parts.append(text("against " + sweep["unit"], left, TOP - 9, "small"))
        for line, unit in enumerate(UNITS):
            curves = curves_of(sweep, unit)
            if not any(curves.values()):
                continue
            panel = Panel(unit, curves, left, TOP + line * row)
            exponents = {measure["name"]: exponent(sweep, name)
                         for name, measure in sweep["measures"].items()}
            parts += list(panel.draw()) + list(panel.legend(exponents))
    parts.append(text("%s; %s" % (results["date"], results["machine"]), 12, height - 12, "small"))
    return element("svg", "\n".join(["", element("style", STYLE)] + parts + [""]),
                   xmlns="http://www.w3.org/2000/svg", viewBox="0 0 %d %d" % (width, height),
                   width=width, height=height) + "\n"
