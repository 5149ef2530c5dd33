#!/usr/bin/env python3
"""CuPy as a rival of gyre's solvers: its own `cg` and `gmres`, with as many trips as gyre makes."""

import inspect
import sys

try:
    import cupy
    import cupyx.scipy.sparse as sparse
    from cupyx.scipy.sparse.linalg import LinearOperator, cg, gmres
except ImportError as error:
    print(f"cupy: left out: {error}")
    sys.exit(77)

import numpy

from rows import Rows, five_point, microseconds, multiply, parse_options, quantiles, right_hand_side

RESTART = 30
# By the name that the contest has for the problem: the trips for each point along an edge, and those
# of the largest square (bench/solver_contest.cpp).
PROBLEMS = {"cg": (3, 90), "cg with jacobi": (3, 90), "gmres(30)": (4, 90)}


def tolerances(solver):
    """None at all; the relative tolerance has changed its name between versions."""
    name = "rtol" if "rtol" in inspect.signature(solver).parameters else "tol"
    return {name: 0, "atol": 0}


def make_solver(problem, row, col, val, b, trips):
    n = len(b)
    a = sparse.csr_matrix((cupy.asarray(val), cupy.asarray(col), cupy.asarray(row)), shape=(n, n))
    b = cupy.asarray(b)
    if problem == "gmres(30)":
        return lambda: gmres(a, b, restart=RESTART, maxiter=trips, **tolerances(gmres))[0]
    inverse = 1 / a.diagonal()
    preconditioner = LinearOperator((n, n), matvec=lambda r: inverse * r, dtype=b.dtype)
    with_jacobi = {"M": preconditioner} if problem == "cg with jacobi" else {}
    return lambda: cg(a, b, maxiter=trips, **with_jacobi, **tolerances(cg))[0]


def trips_for(problem, side):
    a_point, of_largest = PROBLEMS[problem]
    trips = of_largest if side > 256 else min(a_point * side, 512)
    # Cycles are never cut short.
    return -(-trips // RESTART) * RESTART if problem == "gmres(30)" else trips


def measure(rows, problem, side):
    row, col, val = five_point(side)
    n, trips, way = side * side, trips_for(problem, side), f"CuPy {problem.split('(')[0].split()[0]}"
    if not rows.wants(problem, way):
        return
    b = right_hand_side(n)
    solve = make_solver(problem, row, col, val, b, trips)

    def run():
        x = solve()
        cupy.cuda.Device().synchronize()
        return x

    residual = b - multiply(row, col, val, run().get())
    runs = [microseconds(run) / trips for _ in range(2 if rows.options.quick else 5)]
    rows.add(problem, way, n=n, nnz=len(col), trips=trips, us_per_trip=quantiles(runs),
             residual=float(numpy.linalg.norm(residual) / numpy.linalg.norm(b)))


def main():
    options = parse_options(__doc__).parse_args()
    try:
        gpu = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        print(f"cupy: no GPU to measure: {error}")
        return 77
    rows = Rows("solver_contest", "cupy", options,
                {"gpu": gpu, "package": f"CuPy {cupy.__version__}"})
    for problem in PROBLEMS:
        for side in (32, 256) if options.quick else (32, 64, 128, 256, 2048):
            measure(rows, problem, side)
    rows.write()
    return 0


if __name__ == "__main__":
    sys.exit(main())
