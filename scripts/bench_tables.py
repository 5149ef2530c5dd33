"""The sections that are one table each: a row a way, a column a size or problem."""

from bench_data import median
from bench_page import section, table


def by(rows, names, column, figure):
    """The table of `figure` by what `names` gives of a row, a list, and by `column`."""
    figures = {}
    for row in rows:
        figures.setdefault(tuple(names(row)), {})[column(row)] = median(row[figure])
    columns = dict.fromkeys(column(row) for row in rows)
    if all(isinstance(name, int) for name in columns):
        columns = sorted(columns)
    width = len(next(iter(figures), ()))
    head = [""] * width + [name if isinstance(name, str) else f"{name:,}" for name in columns]
    return rows and table(head, [[*of, *(found.get(name, "") for name in columns)]
                                 for of, found in figures.items()])


def way(row):
    return [row["way"]]


def problem_and_way(row):
    return [row["problem"], row["way"]]


def rows_of_system(row):
    return int(row["problem"])


def solvers(results):
    return section("What a trip of each solver costs",
                   "The five-point matrix of a square, by rows; microseconds a trip.",
                   by(results.of("solvers"), way, rows_of_system, "us_per_trip"))


def solver_contest(results):
    return section("Solvers beside cuBLAS and cuSPARSE",
                   "The five-point matrix of a square, by rows; microseconds a trip, from launch to result "
                   "and with everything on the device.",
                   by(results.of("solver_contest"), problem_and_way, lambda row: row["n"], "us_per_trip"))


def triangular_solves(results):
    return section("What it costs to apply incomplete factors",
                   "ILU(0) of the five-point matrix of a square, by rows; microseconds for both triangles.",
                   by(results.of("triangular_solves"), way, rows_of_system, "us_per_application"))


def batched_solves(results):
    return section("Many small systems",
                   "Conjugate gradients to rtol 1e-8, each system with a matrix of its own; microseconds a "
                   "system, at once and one after another.",
                   by(results.of("batched_solves"), way, lambda row: row["problem"], "us_per_system"))


def primitives(results):
    return section("Scans, sorts and selections",
                   "Lists of f32 and i32 on the GPU; microseconds by its clock, from the first kernel of a "
                   "launch to the end of the last.",
                   by(results.of("primitives"),
                      lambda row: [row["problem"].split(",")[0], row["way"]], lambda row: row["n"], "us"))
