"""Solutions and trips of `gyre solve` beside those of SciPy's solvers of the same names.

Usage: solvers_test.py GYRE [MATRICES]. Says that it skips where SciPy is not installed.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy
    import scipy.io
    import scipy.sparse
    import scipy.sparse.linalg as linalg
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(0)

GYRE = sys.argv[1]
MATRICES = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else pathlib.Path("nowhere")


def five_points(side, shift=0.0, wind=0.0):
    """−Δ on a square, less `shift`, with convection along one axis."""
    line = scipy.sparse.diags([-1.0 - wind, 2.0, -1.0 + wind], [-1, 0, 1], shape=(side, side))
    still = scipy.sparse.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(side, side))
    one = scipy.sparse.identity(side)
    return (scipy.sparse.kron(one, line) + scipy.sparse.kron(still, one)
            - shift * scipy.sparse.identity(side * side)).tocsr()


def trips_of(method, a, b, rtol, **options):
    """x of SciPy's solver of that name, and its trips."""
    trips = []
    x, info = getattr(linalg, method)(a, b, rtol=rtol, callback=trips.append, **options)
    assert info == 0, f"{method} of SciPy: {info}"
    return x, len(trips)


class Solvers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def solve(self, a, b, *options):
        """What `gyre solve` tells, and its x."""
        matrix, rhs, x = (self.folder / name for name in ("a.mtx", "b.mtx", "x.mtx"))
        scipy.io.mmwrite(matrix, a, symmetry="general", precision=17)
        scipy.io.mmwrite(rhs, b.reshape(-1, 1), precision=17)
        ran = subprocess.run([GYRE, "solve", matrix, "--rhs", rhs, "--output", x, "--json",
                              "--executor", "cpu", *options], capture_output=True, check=False)
        self.assertIn(ran.returncode, (0, 1), ran.stderr.decode())
        return json.loads(ran.stdout), numpy.asarray(scipy.io.mmread(x)).ravel()

    def assert_close(self, x, expected, part):
        self.assertLessEqual(numpy.linalg.norm(x - expected), part * numpy.linalg.norm(expected))

    def test_cg_takes_the_trips_of_scipy(self):
        a = five_points(24)
        b = numpy.random.default_rng(1).standard_normal(a.shape[0])
        expected = linalg.spsolve(a, b)
        for rtol in (1e-4, 1e-8):
            told, x = self.solve(a, b, "--rtol", str(rtol))
            theirs, trips = trips_of("cg", a, b, rtol)
            self.assertEqual(told["reason"], "converged_rtol")
            self.assertLessEqual(abs(told["iterations"] - trips), 1)
            self.assert_close(x, theirs, 10 * rtol)
            self.assert_close(x, expected, 1e3 * rtol)

    def test_cg_with_jacobi_takes_the_trips_of_scipy(self):
        scale = scipy.sparse.diags(numpy.arange(1, 577) % 7 + 1.0)
        a = (scale @ five_points(24) @ scale).tocsr()
        b = numpy.random.default_rng(2).standard_normal(a.shape[0])
        told, x = self.solve(a, b, "--precond", "jacobi", "--rtol", "1e-9")
        theirs, trips = trips_of("cg", a, b, 1e-9, M=scipy.sparse.diags(1 / a.diagonal()))
        self.assertLessEqual(abs(told["iterations"] - trips), 1)
        self.assert_close(x, theirs, 1e-6)

    def test_other_methods_agree_with_a_direct_solver(self):
        cases = {"minres": five_points(20, shift=0.7), "bicgstab": five_points(20, wind=0.4),
                 "gmres": five_points(20, wind=0.4)}
        for method, a in cases.items():
            b = numpy.random.default_rng(3).standard_normal(a.shape[0])
            for form in ("csr", "ell", "sell"):
                with self.subTest(method=method, form=form):
                    told, x = self.solve(a, b, "--method", method, "--format", form,
                                         "--rtol", "1e-11")
                    self.assertEqual(told["reason"], "converged_rtol")
                    self.assertLessEqual(numpy.linalg.norm(b - a @ x),
                                         1.001e-11 * numpy.linalg.norm(b))
                    self.assert_close(x, linalg.spsolve(a.tocsc(), b), 1e-7)

    def test_gmres_takes_the_trips_of_scipy_within_a_cycle(self):
        a = five_points(12, wind=0.4)
        b = numpy.random.default_rng(4).standard_normal(a.shape[0])
        told, _ = self.solve(a, b, "--method", "gmres", "--restart", "60", "--rtol", "1e-6")
        _, trips = trips_of("gmres", a, b, 1e-6, restart=60, callback_type="pr_norm")
        self.assertLessEqual(abs(told["iterations"] - trips), 1)

    def test_real_matrices_agree_with_a_direct_solver(self):
        names = [name for name in ("494_bus", "nos6", "gr_30_30", "ani4")
                 if (MATRICES / f"{name}.mtx").exists()]
        if not names:
            self.skipTest(f"no matrices in {MATRICES}")
        for name in names:
            with self.subTest(name=name):
                a = scipy.io.mmread(MATRICES / f"{name}.mtx").tocsr()
                b = numpy.ones(a.shape[0])
                told, x = self.solve(a, b, "--precond", "jacobi", "--rtol", "1e-9")
                self.assertEqual(told["reason"], "converged_rtol")
                self.assert_close(x, linalg.spsolve(a.tocsc(), b), 1e-3)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
