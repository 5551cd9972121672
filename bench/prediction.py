"""What the cost model predicts beside what was measured, function by function."""
import math

import extra

# The columns of what the model prints, and those of the measurement that they predict.
TERMS = {"increments": ["increments"], "by register": ["by register"],
         "register": ["sets", "moves"], "jumps": ["jumps"],
         "pressure": ["spills", "pushes", "frame"], "other": ["tables", "other"]}


def parse(text):
    """Function -> term -> instructions, from what the model prints. Functions with one name are
    one."""
    predicted = {}
    for line in text.splitlines():
        name, *figures = line.split("\t")
        terms = predicted.setdefault(name, dict.fromkeys([*TERMS, "extra"], 0))
        for term, figure in zip(terms, figures):
            terms[term] += int(figure)
    return predicted


def correlation(pairs):
    """Pearson's; 0 if one side does not vary."""
    count = len(pairs)
    if not count:
        return 0.0
    mean_x, mean_y = (sum(pair[k] for pair in pairs) / count for k in (0, 1))
    together = sum((x - mean_x) * (y - mean_y) for x, y in pairs)
    apart = math.sqrt(sum((x - mean_x) ** 2 for x, _ in pairs) *
                      sum((y - mean_y) ** 2 for _, y in pairs))
    return together / apart if apart else 0.0


def measured_terms(cost):
    parts = dict(zip(extra.HEADINGS, cost.cells()))
    terms = {term: sum(parts[heading] for heading in headings)
             for term, headings in TERMS.items()}
    return dict(terms, extra=parts["extra"])


def rows_of(plain, ours, predicted):
    """(function, predicted, measured) of all functions that the model knows and that ran, those
    first where most was added."""
    return [(name, predicted[name], measured_terms(cost))
            for name, cost in extra.costs_by_function(plain, ours)
            if name in predicted and name in plain and cost.ours]


def add_up(name, rows):
    return (name,) + tuple({term: sum(row[k][term] for row in rows) for term in [*TERMS, "extra"]}
                           for k in (1, 2))


def error(pairs):
    """The sum of all errors, as a part of the sum of what was measured."""
    return (sum(abs(predicted - measured) for predicted, measured in pairs) /
            max(1, sum(abs(measured) for _, measured in pairs)))
