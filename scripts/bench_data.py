"""Reads the results of the benchmarks: files BENCH.json by bench/*.cpp, BENCH.RIVAL.json by rivals."""

import json
import pathlib
from math import exp, log


class Results:
    """All rows of a folder by their bench, and where each file comes from."""

    def __init__(self, folder):
        self.rows, self.left_out, self.files = {}, [], []
        for path in sorted(pathlib.Path(folder).glob("*.json")):
            content = json.loads(path.read_text())
            bench = content["bench"]
            self.rows.setdefault(bench, []).extend(content["rows"])
            self.left_out += [{"bench": bench, **what} for what in content.get("left_out", [])]
            self.files.append({"file": path.name, "quick": content.get("quick", False),
                               "question": content.get("question", ""),
                               "unit": content.get("unit", ""), **content["machine"],
                               **{key: content[key] for key in ("copy_gb_per_s",) if key in content}})

    def of(self, bench, **wanted):
        """The rows of a bench whose members are as wanted."""
        return [row for row in self.rows.get(bench, [])
                if all(row.get(name) == value for name, value in wanted.items())]

    def ways(self, bench, **wanted):
        """The ways of those rows, gyre's first, else in the order of the files."""
        rows = self.of(bench, **wanted)
        rows.sort(key=lambda row: row.get("by") != "gyre")
        return list(dict.fromkeys(row["way"] for row in rows))


def median(value):
    """A figure, or the median of many."""
    return value["median"] if isinstance(value, dict) else value


def points(rows, x, y):
    """(x, y) of each row, ordered; of several rows with one x the last."""
    return sorted({row[x]: median(row[y]) for row in rows}.items())


def most_trips(rows):
    """Of the rows of one way and size those with the most trips."""
    most = {}
    for row in rows:
        key = (row["problem"], row["way"], row["n"])
        if key not in most or row["trips"] > most[key]["trips"]:
            most[key] = row
    return list(most.values())


def crossing(first, second):
    """The least x, read off between the points of two log-log lines, from which on the first lies
    below the second; None where it does not, or lies below from the start."""
    other = dict(second)
    shared = [(log(x), log(y / other[x])) for x, y in first if x in other]
    above = [i for i, (_, gap) in enumerate(shared) if gap > 0]
    if not above or above[-1] + 1 == len(shared):
        return None
    (x0, gap0), (x1, gap1) = shared[above[-1]], shared[above[-1] + 1]
    return exp(x0 + (x1 - x0) * gap0 / (gap0 - gap1))
