#!/usr/bin/env python3
"""JAX as a rival: conjugate gradients in one `while_loop`, and a forward with one `cond`.

The matrix is padded to five entries a row, which XLA multiplies by in one fused kernel: faster than
its sparse formats. `--command-buffers` lets XLA make WHILE and CONDITIONAL nodes of CUDA graphs.
"""

import importlib.util
import os
import sys

if importlib.util.find_spec("jax") is None:
    print("jax: left out: No module named 'jax'")
    sys.exit(77)

from rows import Rows, measure_cg, microseconds, padded, parse_options, quantiles

FLOATS = 65536


def make_solver_with(jax):
    jnp, lax = jax.numpy, jax.lax

    @jax.jit
    def run(cols, vals, b, trips):
        def trip(state):
            x, r, p, rr, done = state
            q = (vals * p[cols]).sum(axis=1)
            alpha = rr / jnp.dot(p, q)
            x, r = x + alpha * p, r - alpha * q
            after = jnp.dot(r, r)
            return x, r, r + after / rr * p, after, done + 1

        goes_on = lambda state: (state[3] > 0) & (state[4] < trips)
        return lax.while_loop(goes_on, trip, (jnp.zeros_like(b), b, b, jnp.dot(b, b), 0))[0]

    def make_solver(row, col, val, b, trips):
        cols, vals = (jnp.asarray(array) for array in padded(row, col, val))
        b = jnp.asarray(b)

        def solve(wanted):
            x = run(cols, vals, b, trips).block_until_ready()
            return jax.device_get(x) if wanted else None

        return solve

    return make_solver


def measure_forward(jax, rows, way):
    jnp = jax.numpy

    @jax.jit
    def forward(x, which):
        h = 2 * x
        return jax.lax.cond(which[0] > 0, lambda h: h + 1, lambda h: h - 1, h)

    x = jnp.arange(FLOATS, dtype=jnp.float32) % 1000 / 8 + 1
    choices = [jnp.full(1, arm, jnp.int32).block_until_ready() for arm in (0, 1)]
    for arm in (0, 1):
        if not (forward(x, choices[arm]) == 2 * x + (1 if arm else -1)).all():
            raise SystemExit(f"{way}: arm {arm} is wrong")
    for percent, arms in ((0, (0,)), (50, (0, 1)), (100, (1,))):
        problem = f"taken {percent} %"
        if not rows.wants(problem, way):
            continue
        count = 20 if rows.options.quick else 300
        runs = [microseconds(lambda: forward(x, choices[arms[i % len(arms)]]).block_until_ready())
                for i in range(count)]
        rows.add(problem, way, taken_percent=percent, us=quantiles(runs))


def main():
    parser = parse_options(__doc__)
    parser.add_argument("--command-buffers", action="store_true")
    options = parser.parse_args()
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    if options.command_buffers:
        os.environ["XLA_FLAGS"] = (os.environ.get("XLA_FLAGS", "") +
                                   " --xla_gpu_enable_command_buffer=+WHILE,+CONDITIONAL")
    import jax  # Reads the flags.

    jax.config.update("jax_enable_x64", True)
    device = jax.devices()[0]
    if device.platform != "gpu":
        print("jax: no GPU to measure")
        return 77

    suffix = ", command buffers" if options.command_buffers else ""
    name = "jax_command_buffers" if options.command_buffers else "jax"
    facts = {"gpu": device.device_kind, "package": f"JAX {jax.__version__}"}
    cg = Rows("cg_per_trip", name, options, facts)
    measure_cg(cg, "JAX while_loop" + suffix, make_solver_with(jax))
    cg.write()
    forwards = Rows("branch_latency", name, options, facts)
    measure_forward(jax, forwards, "JAX cond" + suffix)
    forwards.write()
    return 0


if __name__ == "__main__":
    sys.exit(main())
