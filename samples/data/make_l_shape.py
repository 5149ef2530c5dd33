#!/usr/bin/env python3
"""Writes l_shape.mtx: a finite-element Laplacian on an L-shaped domain.

    python3 make_l_shape.py [CELLS] > l_shape.mtx

The domain is the square [0, 1]^2 without its upper right quarter, cut into CELLS x CELLS grid cells
(CELLS even) of two right triangles each. On it stands the weak form of

    -div(k(x, y) grad u) = f,   u = 0 on the boundary,

with piecewise linear elements and the coefficient k taken at the middle of each triangle. The grid
lines crowd towards the reentrant corner (1/2, 1/2), where the solution is singular, and bend between,
so every edge of a triangle couples its ends: seven entries a row. Unknowns are the inner vertices, row
by row; the matrix is symmetric and positive definite, and its lower triangle is written.
"""

import math
import sys

SCALE = 1000


def grid_line(i, cells):
    """The place of line i: the distance to the middle grows a little faster than linearly."""
    t = 2.0 * i / cells - 1.0
    return 0.5 + 0.5 * t * (0.7 + 0.3 * abs(t))


def place(vertex, cells):
    """The point where a vertex stands. The bend is 0 on every line of the L's boundary."""
    x, y = (grid_line(index, cells) for index in vertex)
    bend = 0.04 * math.sin(2.0 * math.pi * x) * math.sin(2.0 * math.pi * y)
    return x + bend, y + bend


def coefficient(x, y):
    """Smooth, between 1 and about 4."""
    return 1.0 + 3.0 * x * (1.0 - 0.5 * y)


def inside(i, j, cells):
    """Whether vertex (i, j) is an unknown: within the square, and not of the quarter cut out."""
    half = cells // 2
    return 0 < i < cells and 0 < j < cells and not (i >= half and j >= half)


def triangles(cells):
    """The two triangles of each cell, as triples of vertices with the right angle first."""
    half = cells // 2
    for j in range(cells):
        for i in range(cells):
            if i >= half and j >= half:
                continue
            yield (i, j), (i + 1, j), (i, j + 1)
            yield (i + 1, j + 1), (i, j + 1), (i + 1, j)


def element_stiffness(points):
    """K[a][b] = k * area * grad(phi_a) . grad(phi_b) of the triangle with these corners."""
    (x0, y0), (x1, y1), (x2, y2) = points
    twice_area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
    k = coefficient((x0 + x1 + x2) / 3.0, (y0 + y1 + y2) / 3.0)
    # The gradient of the function that is 1 at a corner: the opposite edge, turned, over 2 * area.
    gradients = [(y1 - y2, x2 - x1), (y2 - y0, x0 - x2), (y0 - y1, x1 - x0)]
    scale = k / (2.0 * abs(twice_area))
    return [[scale * (a[0] * b[0] + a[1] * b[1]) for b in gradients] for a in gradients]


def assemble(cells):
    """The stiffness between each two vertices of an edge, boundary included: {(a, b): value}."""
    coupling = {}
    for corners in triangles(cells):
        stiffness = element_stiffness([place(vertex, cells) for vertex in corners])
        for a, vertex_a in enumerate(corners):
            for b, vertex_b in enumerate(corners):
                if a != b:
                    edge = (vertex_a, vertex_b)
                    coupling[edge] = coupling.get(edge, 0.0) + stiffness[a][b]
    return coupling


def lower_triangle(cells):
    """The number of unknowns, and {(row, column): value}, values in units of 1 / SCALE.

    A stiffness matrix with its boundary has rows of sum 0. Couplings are rounded first and the
    diagonal is what that leaves, so short decimals keep the matrix positive definite.
    """
    number = {}
    for j in range(cells + 1):
        for i in range(cells + 1):
            if inside(i, j, cells):
                number[(i, j)] = len(number)
    lower = {(row, row): 0 for row in range(len(number))}
    for (vertex_a, vertex_b), value in assemble(cells).items():
        row, column = number.get(vertex_a), number.get(vertex_b)
        units = round(value * SCALE)
        if row is None or units == 0:
            continue
        lower[row, row] -= units
        if column is not None and column < row:
            lower[row, column] = units
    return len(number), lower


def main():
    cells = int(sys.argv[1]) if len(sys.argv) > 1 else 120
    if cells < 4 or cells % 2 != 0:
        sys.exit("CELLS must be even and at least 4")
    unknowns, lower = lower_triangle(cells)
    print("%%MatrixMarket matrix coordinate real symmetric")
    print(f"% Finite-element Laplacian on an L-shaped domain, written by make_l_shape.py {cells}.")
    print(unknowns, unknowns, len(lower))
    for (row, column), units in sorted(lower.items()):
        print(row + 1, column + 1, f"{units / SCALE:g}")


if __name__ == "__main__":
    main()
