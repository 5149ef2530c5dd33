#!/usr/bin/env python3
"""CuPy as a rival: its own `cg`."""

import inspect
import sys

try:
    import cupy
    import cupyx.scipy.sparse as sparse
    from cupyx.scipy.sparse.linalg import cg
except ImportError as error:
    print(f"cupy: left out: {error}")
    sys.exit(77)

from rows import Rows, measure_cg, parse_options

# The relative tolerance has changed its name between versions.
RTOL = "rtol" if "rtol" in inspect.signature(cg).parameters else "tol"


def make_solver(row, col, val, b, trips):
    n = len(b)
    a = sparse.csr_matrix((cupy.asarray(val), cupy.asarray(col), cupy.asarray(row)), shape=(n, n))
    b = cupy.asarray(b)

    def solve(wanted):
        x, _ = cg(a, b, maxiter=trips, atol=0, **{RTOL: 0})
        cupy.cuda.Device().synchronize()
        return x.get() if wanted else None

    return solve


def main():
    options = parse_options(__doc__).parse_args()
    try:
        gpu = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        print(f"cupy: no GPU to measure: {error}")
        return 77
    rows = Rows("cg_per_trip", "cupy", options, {"gpu": gpu, "package": f"CuPy {cupy.__version__}"})
    measure_cg(rows, "CuPy cg", make_solver)
    rows.write()
    return 0


if __name__ == "__main__":
    sys.exit(main())
