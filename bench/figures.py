"""From measurements to figures: ratios to the base, paired medians, noise, geometric means.

Runs of one round stand next to each other in time, so the ratio of a variant to its base is taken
round by round (paired) and the median reported, beside the ratio of the two minima. The noise of a
program is what plain shows against itself in the same run: the largest of the distances from 1 of
those two figures and half the distance of the quartiles. A difference not beyond that, or not
beyond the same distance of the variant's own ratios, is none.
"""
import math
import statistics

AGAIN = "plain again"


def mean(values):
    return math.exp(sum(math.log(value) for value in values) / len(values))


class Figures:
    """`results` is what bench/run writes with --json."""

    def __init__(self, results):
        self.results = results
        self.programs = results["programs"]
        self.over = {variant["name"]: variant["over"] for variant in results["variants"]}
        self.variants = [variant["name"] for variant in results["variants"]]

    def names(self):
        """All variants but the bases."""
        return [name for name in self.variants if self.over[name]]

    def compared(self):
        """The same without plain against itself, where a figure repeats exactly."""
        return [name for name in self.names() if name != AGAIN]

    def cell(self, program, name):
        return self.results["measurements"][program][name]

    def has(self, measure):
        return any(measure in self.cell(program, "plain") for program in self.programs)

    def times(self, program, name):
        cell = self.cell(program, name)
        return [user + system for user, system in zip(cell["user"], cell["system"])]

    def paired(self, program, name):
        """Ratios to the base, round by round."""
        pairs = zip(self.times(program, name), self.times(program, self.over[name]))
        return [time / base for time, base in pairs]

    def fastest(self, program, name):
        return min(self.times(program, name)) / min(self.times(program, self.over[name]))

    def median(self, program, name):
        return statistics.median(self.paired(program, name))

    def spread(self, program, name):
        """Half the distance of the quartiles of the paired ratios."""
        ratios = self.paired(program, name)
        if len(ratios) < 2:
            return 0.0
        low, _, high = statistics.quantiles(ratios, n=4, method="inclusive")
        return (high - low) / 2

    def noise(self, program):
        return max(abs(self.fastest(program, AGAIN) - 1), abs(self.median(program, AGAIN) - 1),
                   self.spread(program, AGAIN))

    def uncertainty(self, program, name):
        """A difference below this is none: the noise, or the variant's own spread if larger."""
        return max(self.noise(program), self.spread(program, name))

    def mean_uncertainty(self, name):
        """Of a mean over the programs: errors of their own add in squares, what they have in common
        shows in the mean of plain against plain."""
        squares = sum(self.uncertainty(program, name) ** 2 for program in self.programs)
        common = [abs(mean([figure(program, AGAIN) for program in self.programs]) - 1)
                  for figure in (self.fastest, self.median)]
        return max(math.sqrt(squares) / len(self.programs), *common)

    def ratio(self, measure, program, name):
        """To the base, of a figure measured once (or, for compile, the smallest of some)."""
        value, base = (self.value(measure, program, variant) for variant in (name, self.over[name]))
        return value / base

    def value(self, measure, program, name):
        value = self.cell(program, name)[measure]
        if measure == "text":
            return value - self.results["runtime_text"].get(name, 0)
        return min(value) if isinstance(value, list) else value

    def over_programs(self, figure, name):
        """(mean, largest) of a figure over the programs."""
        values = [figure(program, name) for program in self.programs]
        return mean(values), max(values)
