"""What the rivals in Python share: the system, clocks, and results as the benches in C++ write them.

Needs numpy. A rival writes BENCH.NAME.json into the folder that GYRE_BENCH_RESULTS names, else into
bench/results of the source tree.
"""

import argparse
import json
import os
import pathlib
import platform
import time

import numpy

TOLERANCE = 1e-8


def parse_options(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--filter", default="", help="only rows whose bench/problem/way holds this")
    parser.add_argument("--quick", action="store_true", help="fewer sizes and runs")
    return parser


class Rows:
    """The rows that one rival has for one bench."""

    def __init__(self, bench, rival, options, facts):
        self.bench, self.rival, self.options, self.facts = bench, rival, options, facts
        self.rows, self.left_out = [], []

    def wants(self, problem, way):
        return self.options.filter in f"{self.bench}/{problem}/{way}"

    def add(self, problem, way, **figures):
        self.rows.append({"problem": problem, "way": way, "by": "rival", **figures})
        print(f"  {self.bench}  {problem:<34} {way:<34} {figures}", flush=True)

    def leave_out(self, problem, way, why):
        why = str(why).strip().splitlines()[0] if str(why).strip() else repr(why)
        self.left_out.append({"problem": problem, "way": way, "why": why})
        print(f"  {self.bench}  {problem:<34} {way:<34} left out: {why}", flush=True)

    def write(self):
        if not self.rows:
            return
        default = pathlib.Path(__file__).resolve().parents[1] / "results"
        folder = pathlib.Path(os.environ.get("GYRE_BENCH_RESULTS", default))
        folder.mkdir(parents=True, exist_ok=True)
        content = {
            "bench": self.bench,
            "rival": self.rival,
            "quick": self.options.quick,
            "machine": {"python": platform.python_version(), "time": int(time.time()), **self.facts},
            "rows": self.rows,
            "left_out": self.left_out,
        }
        path = folder / f"{self.bench}.{self.rival}.json"
        path.write_text(json.dumps(content, indent=1, sort_keys=True) + "\n")


def microseconds(work):
    """How long it takes by the host's clock; `work` waits for the GPU itself."""
    start = time.perf_counter_ns()
    work()
    return (time.perf_counter_ns() - start) / 1e3


def quantiles(values):
    ordered = sorted(values)
    at = lambda part: ordered[int((len(ordered) - 1) * part + 0.5)]
    return {"least": ordered[0], "median": at(0.5), "p90": at(0.9), "p99": at(0.99),
            "runs": len(ordered)}


def five_point(side):
    """The Laplacian of a square as row offsets, columns and values, int32 and float64."""
    at = numpy.arange(side * side, dtype=numpy.int64)
    x, y = at % side, at // side
    offsets = numpy.array([-side, -1, 0, 1, side])
    there = numpy.stack([y > 0, x > 0, x >= 0, x + 1 < side, y + 1 < side], axis=1)
    col = (at[:, None] + offsets)[there].astype(numpy.int32)
    val = numpy.broadcast_to([-1.0, -1.0, 4.0, -1.0, -1.0], there.shape)[there]
    row = numpy.concatenate([[0], numpy.cumsum(there.sum(axis=1))]).astype(numpy.int32)
    return row, col, val


def padded(row, col, val):
    """The same with five entries in every row, as n x 5 columns and values; what is added is zero."""
    n = len(row) - 1
    width = int(numpy.diff(row).max())
    cols, vals = numpy.zeros((n, width), numpy.int32), numpy.zeros((n, width))
    rows = numpy.repeat(numpy.arange(n), numpy.diff(row))
    slot = numpy.arange(len(col)) - row[rows]
    cols[rows, slot], vals[rows, slot] = col, val
    return cols, vals


def right_hand_side(n):
    """The b of the benches in C++, between 0.5 and 1.5."""
    mixed = numpy.arange(1, n + 1, dtype=numpy.uint64) * numpy.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> numpy.uint64(31))) * numpy.uint64(0xBF58476D1CE4E5B9)
    return 0.5 + (mixed >> numpy.uint64(11)).astype(numpy.float64) * 2.0**-53


def multiply(row, col, val, x):
    return numpy.add.reduceat(val * x[col], row[:-1])


def solve_on_host(row, col, val, b, trips):
    """Conjugate gradients by numpy: what every rival's solution is compared with."""
    x, r, p = numpy.zeros_like(b), b.copy(), b.copy()
    rr = r @ r
    for _ in range(trips):
        q = multiply(row, col, val, p)
        alpha = rr / (p @ q)
        x += alpha * p
        r -= alpha * q
        rr, before = r @ r, rr
        p = r + rr / before * p
    return x


def measure_cg(rows, way, make_solver):
    """Adds rows of five-point systems.

    `make_solver(row, col, val, b, trips)` gives a function that makes so many trips from x = 0 and
    returns x as a numpy array when asked to with True, and else waits for the GPU alone.
    """
    system = five_point(32)
    b = right_hand_side(32 * 32)
    try:
        found = make_solver(*system, b, 50)(True)
    except Exception as error:  # Whatever a package of others fails with leaves its row out.
        rows.leave_out("5 points", way, error)
        return
    expected = solve_on_host(*system, b, 50)
    difference = abs(found - expected).max() / abs(expected).max()
    if not difference <= TOLERANCE:
        raise SystemExit(f"{way}: the solution differs from numpy's by {difference}")

    for side in (32, 256) if rows.options.quick else (32, 64, 128, 256, 512, 1024):
        if not rows.wants("5 points", way):
            continue
        row, col, val = five_point(side)
        n, trips = side * side, 100 if side > 256 else 200
        b = right_hand_side(n)
        solve = make_solver(row, col, val, b, trips)
        x = solve(True)
        runs = [microseconds(lambda: solve(False)) / trips
                for _ in range(2 if rows.options.quick else 5)]
        residual = b - multiply(row, col, val, x)
        rows.add("5 points", way, n=n, nnz=len(col), trips=trips, us_per_trip=quantiles(runs),
                 residual=float(numpy.linalg.norm(residual) / numpy.linalg.norm(b)))
