"""The ratios as a picture: a row per variant, a dot per program, a bar for the geometric mean.

One panel for CPU time, with the noise as a grey band around 1, and one for instructions; each if
measured. Values beyond the right edge are drawn at it, with their number.
"""
from xml.sax.saxutils import escape

from figures import AGAIN, mean

ROW, LEFT, PANEL, GAP, TOP = 26, 150, 430, 60, 72
LARGEST = 1.6  # of the axis: enough for nearly all, small enough to tell 1.03 from 1.06
COLOURS = {"plain": "#777777", "mode": "#1b6ca8", "peer": "#c25b12"}
STYLE = ("text{font:12px sans-serif;fill:#222}.title{font-weight:bold;font-size:14px}"
         ".small{font-size:10.5px;fill:#555}.end{text-anchor:end}.middle{text-anchor:middle}")


def element(name, content=None, **attributes):
    words = "".join(' %s="%s"' % (key.replace("class_", "class").replace("_", "-"),
                                  escape(str(value), {'"': "&quot;"}))
                    for key, value in attributes.items())
    return "<%s%s/>" % (name, words) if content is None else "<%s%s>%s</%s>" % (
        name, words, content, name)


def text(content, x, y, class_=""):
    return element("text", escape(content), x="%.1f" % x, y="%.1f" % y, class_=class_)


def upright(x, top, bottom, **attributes):
    return element("line", x1="%.1f" % x, x2="%.1f" % x, y1=top, y2=bottom, **attributes)


class Panel:
    """One figure; `left` is where its axis begins."""

    def __init__(self, title, ratio, names, programs, left, noise):
        self.title, self.ratio, self.names, self.programs = title, ratio, names, programs
        self.left, self.noise = left, noise
        values = [ratio(program, name) for name in names for program in programs]
        self.low = min(0.95, max(0.8, min(values) - 0.01))
        self.high = max(1.2, min(LARGEST, max(values) + 0.02))

    def x(self, value):
        inside = min(max(value, self.low), self.high)
        return self.left + (inside - self.low) / (self.high - self.low) * PANEL

    def axis(self, bottom):
        yield text(self.title, self.left, TOP - 28, "title")
        if self.noise:
            low, high = self.x(1 - self.noise), self.x(1 + self.noise)
            yield element("rect", x="%.1f" % low, y=TOP - 6, width="%.1f" % (high - low),
                          height=bottom - TOP + 6, fill="#e4e4e4")
        for tenth in range(8, 17):
            value = tenth / 10
            if self.low <= value <= self.high:
                yield upright(self.x(value), TOP - 6, bottom,
                              stroke="#333333" if tenth == 10 else "#dddddd")
                yield text("%.1f" % value, self.x(value), TOP - 11, "small middle")

    def row(self, name, middle, colour):
        values = [(program, self.ratio(program, name)) for program in self.programs]
        average = mean([value for _, value in values])
        left, right = sorted((self.x(1), self.x(average)))
        yield element("rect", x="%.1f" % left, y=middle - 7, width="%.1f" % max(right - left, 1),
                      height=14, fill=colour, fill_opacity="0.35")
        for program, value in values:
            tip = element("title", escape("%s, %s: %.3f" % (name, program, value)))
            yield element("circle", tip, cx="%.1f" % self.x(value), cy=middle, r=3, fill=colour,
                          fill_opacity="0.8")
        beyond = [value for _, value in values if value > self.high]
        if beyond:
            yield text("to %.2f" % max(beyond), self.left + PANEL + 6, middle + 4, "small")
        yield upright(self.x(average), middle - 9, middle + 9, stroke=colour, stroke_width=2.5)


def panels(figures):
    wanted = []
    if figures.has("user"):
        wanted.append(("CPU time, median of paired ratios", figures.median,
                       figures.mean_uncertainty(AGAIN)))
    if figures.has("instructions"):
        wanted.append(("instructions", lambda program, name: figures.ratio(
            "instructions", program, name), 0))
    if not wanted:
        wanted.append(("text size", lambda program, name: figures.ratio("text", program, name), 0))
    for index, (title, ratio, noise) in enumerate(wanted):
        yield Panel(title, ratio, figures.compared(), figures.programs,
                    LEFT + index * (PANEL + GAP + 60), noise)


def draw(figures):
    """The chart as SVG text."""
    kinds = {variant["name"]: variant["kind"] for variant in figures.results["variants"]}
    names, shown = figures.compared(), list(panels(figures))
    bottom = TOP + ROW * len(names)
    width, height = shown[-1].left + PANEL + GAP + 40, bottom + 48
    parts = [element("rect", width=width, height=height, fill="white")]
    parts.append(text("Cost of profiling over plain -O2", 12, 22, "title"))
    for panel in shown:
        parts += panel.axis(bottom)
    for index, name in enumerate(names):
        middle, colour = TOP + ROW * index + ROW / 2, COLOURS[kinds[name]]
        parts.append(text(name, LEFT - 14, middle + 4, "end"))
        for panel in shown:
            parts += panel.row(name, middle, colour)
            average = mean([panel.ratio(program, name) for program in figures.programs])
            parts.append(text("%.3f" % average, panel.left + PANEL + 52, middle + 4))
    legend = ("dot: a program; bar and number: geometric mean of %d programs; blue: waymark, "
              "orange: others; grey band: noise of the mean" % len(figures.programs))
    parts.append(text(legend, 12, bottom + 22, "small"))
    made = "%s; %s" % (figures.results["date"], figures.results["machine"])
    parts.append(text(made, 12, bottom + 38, "small"))
    return element("svg", "\n".join(["", element("style", STYLE)] + parts + [""]),
                   xmlns="http://www.w3.org/2000/svg", viewBox="0 0 %d %d" % (width, height),
                   width=width, height=height) + "\n"
