"""The figures as tables of text: a row per variant, a column per program."""
from figures import mean

NAMES, WIDTH = 20, 11
FEWEST_ROUNDS = 5

# What each mode may cost: means over the programs, but for the largest time.
BUDGETS = {
    "edges": {"time": 1.03, "largest time": 1.12, "instructions": 1.06},
    "paths": {"time": 1.06, "largest time": 1.20, "instructions": 1.10, "text": 1.40,
              "compile": 1.20},
    "paths-classic": {"time": 1.12, "largest time": 1.35, "instructions": 1.15},
    "paths-use": {"time": 1.05, "largest time": 1.15, "instructions": 1.08},
    "prefer": {"time": 1.04, "largest time": 1.12, "instructions": 1.05},
    "context": {"time": 1.10, "largest time": 1.25, "text": 1.60},
    "edges+context": {"time": 1.15, "largest time": 1.35},
    "paths+context": {"time": 1.20, "largest time": 1.60},
    "events": {"time": 1.06}, "events-three": {"time": 1.12}, "events-stop": {"time": 1.12},
    "trace": {"time": 1.40, "largest time": 2.50}, "trace-use": {"time": 1.25},
    "trace-last": {"time": 1.30, "largest time": 2.50}}


def table(title, columns, rows):
    return ["", title] + ["%-*s" % (NAMES, name) + "".join("%*s" % (WIDTH, cell) for cell in cells)
                          for name, cells in [("", columns)] + list(rows)]


def rows_of_ratios(figures, names, ratio, text):
    """Rows of cells and, last, the geometric mean, for which `text` is given no program."""
    for name in names:
        values = [ratio(program, name) for program in figures.programs]
        cells = [text(value, program, name) for value, program in zip(values, figures.programs)]
        yield name, cells + [text(mean(values), None, name)]


def times(figures):
    def uncertainty(program, name):
        return figures.uncertainty(program, name) if program else figures.mean_uncertainty(name)

    def marked(value, program, name):
        return "%.3f%s" % (value, "~" if abs(value - 1) <= uncertainty(program, name) else " ")

    def with_spread(value, program, name):
        spread = figures.spread(program, name) if program else figures.mean_uncertainty(name)
        return "%.2f±%.2f%s" % (value, spread, marked(value, program, name)[-1])

    rounds, names = figures.results["repetitions"], figures.names()
    columns = figures.programs + ["mean"]
    seconds = ["%.3f " % min(figures.times(program, "plain")) for program in figures.programs]
    noise = ["%.3f " % figures.noise(program) for program in figures.programs]
    return (table("CPU time (user and system), smallest of %d runs over smallest of the base's; "
                  "~ is inside the noise" % rounds, columns,
                  [("plain, seconds", seconds + [""]), ("noise", noise + [""])] +
                  list(rows_of_ratios(figures, names, figures.fastest, marked))) +
            table("CPU time, median of %d paired ratios ± half the distance of the quartiles "
                  "(for the mean: its uncertainty)" % rounds, columns,
                  rows_of_ratios(figures, names, figures.median, with_spread)))


def ratios(figures, measure, title):
    plain = ["%.4g" % figures.value(measure, program, "plain") for program in figures.programs]
    rows = rows_of_ratios(figures, figures.compared(),
                          lambda program, name: figures.ratio(measure, program, name),
                          lambda value, program, name: "%.3f" % value)
    return table(title, figures.programs + ["mean"], [("plain", plain + [""])] + list(rows))


def profile_sizes(figures):
    return table("Profile, KiB", figures.programs, [
        (name, ["%.1f" % (figures.value("profile", program, name) / 1024)
                for program in figures.programs]) for name in figures.compared()])


def thesis(figures):
    """Table 3.4 and figure 3.16 of the thesis of 2007 for our programs, if both were measured."""
    pair = ["ball-larus", "prefer-commit"]
    if not set(pair) <= set(figures.variants) or not figures.has("user"):
        return []
    rows = []
    for what, figure in (("text", lambda p, n: figures.ratio("text", p, n)),
                         ("time", figures.median)):
        for name in pair:
            values = [figure(program, name) for program in figures.programs]
            rows.append(("%s, %s" % (what, name), ["%.3f" % value for value in values] +
                         ["%.3f" % mean(values)]))
    return table("Ball-Larus against preferential paths: code size (Vaswani 2007, table 3.4) and "
                 "time (figure 3.16), over plain", figures.programs + ["mean"], rows)


def budget_lines(figures):
    """Each mode against its budget, missed ones included."""
    lines = []
    for name in figures.compared():
        parts = [judge(figures, name, what, limit) for what, limit in BUDGETS.get(name, {}).items()]
        if any(parts):
            lines.append("  %-16s %s" % (name, "; ".join(part for part in parts if part)))
    return ["", "Budgets, of the means"] + lines if lines else []


def judge(figures, name, what, limit):
    """A figure and its limit in words; None if it was not measured."""
    timed = what in ("time", "largest time")
    if not figures.has("user" if timed else what):
        return None
    average, largest = figures.over_programs(
        figures.median if timed else lambda p, n: figures.ratio(what, p, n), name)
    value = largest if what == "largest time" else average
    return "%s %.3f, %s %.2f" % (what, value, "within" if value <= limit else "ABOVE", limit)


def against_clang(figures):
    """What paths add, as a part of what clang's own counters add in the same run."""
    if "paths" not in figures.variants or "profile-generate" not in figures.variants:
        return []
    lines = []
    for what, measured, figure in (("time", "user", figures.median), (
            "instructions", "instructions", lambda p, n: figures.ratio("instructions", p, n))):
        if figures.has(measured):
            paths, clang = (figures.over_programs(figure, name)[0] - 1
                            for name in ("paths", "profile-generate"))
            lines.append("  %s: paths add %.1f%%, clang -fprofile-generate %.1f%%" % (
                what, 100 * paths, 100 * clang))
    return ["", "Paths against clang's edges"] + lines if lines else []


def render(figures):
    lines = ["%s; %s" % (figures.results["date"], figures.results["machine"]),
             "made by: %s" % figures.results["command"]]
    lines += ["skipped: %s" % text for text in figures.results["skipped"]]
    if 0 < figures.results["repetitions"] < FEWEST_ROUNDS:
        lines.append("with fewer than %d repetitions times and their noise mean little" % FEWEST_ROUNDS)
    if figures.has("instructions"):
        lines += ratios(figures, "instructions", "Instructions (callgrind, small inputs)")
    if figures.has("user"):
        lines += times(figures)
        lines += ratios(figures, "memory", "Peak of resident memory (plain in KiB)")
        lines += profile_sizes(figures)
    lines += ratios(figures, "text", "Text size, without the runtime library (plain in bytes)")
    lines += ["  runtime library: " + ", ".join("%s %d" % (name, size) for name, size in sorted(
        figures.results["runtime_text"].items()) if size)]
    if figures.has("compile"):
        lines += ratios(figures, "compile", "Compile time, CPU (plain in seconds)")
    lines += thesis(figures) + budget_lines(figures) + against_clang(figures)
    return "\n".join(lines)
