#!/usr/bin/env python3
"""PyTorch as a rival: conjugate gradients that ask `.item()` in each trip, and a forward with one
branch: `.item()`, `torch.cond`, and a CUDA graph for each arm."""

import sys

try:
    import torch
except ImportError as error:
    print(f"pytorch: left out: {error}")
    sys.exit(77)

from rows import Rows, measure_cg, microseconds, parse_options, quantiles

FLOATS = 65536


def make_solver(row, col, val, b, trips):
    on_gpu = lambda array: torch.from_numpy(array.copy()).cuda()
    a = torch.sparse_csr_tensor(on_gpu(row), on_gpu(col), on_gpu(val), (len(b), len(b)))
    b = on_gpu(b)

    def solve(wanted):
        x, r, p = torch.zeros_like(b), b.clone(), b.clone()
        rr = torch.dot(r, r)
        for _ in range(trips):
            q = a @ p
            alpha = rr / torch.dot(p, q)
            x += alpha * p
            r -= alpha * q
            rr, before = torch.dot(r, r), rr
            p = r + rr / before * p
            if rr.item() <= 0:
                break
        torch.cuda.synchronize()
        return x.cpu().numpy() if wanted else None

    return solve


def make_eager(x, which):
    def forward():
        h = 2 * x
        return h + 1 if which.item() > 0 else h - 1

    return forward


def make_cond(x, which):
    @torch.compile(fullgraph=True)
    def whole(x, which):
        h = 2 * x
        return torch.cond(which[0] > 0, lambda h: h + 1, lambda h: h - 1, (h,))

    return lambda: whole(x, which)


def make_graph_per_arm(x, which):
    def capture(work):
        work()
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            work()
        return graph

    h, y = torch.empty_like(x), torch.empty_like(x)
    first = capture(lambda: torch.mul(x, 2, out=h))
    arms = [capture(lambda: torch.sub(h, 1, out=y)), capture(lambda: torch.add(h, 1, out=y))]

    def forward():
        first.replay()
        arms[which.item()].replay()
        return y

    return forward


def measure_forward(rows, way, make):
    x = torch.arange(FLOATS, device="cuda", dtype=torch.float32) % 1000 / 8 + 1
    which = torch.zeros(1, device="cuda", dtype=torch.int32)
    try:
        forward = make(x, which)
        for arm in (0, 1):
            which.fill_(arm)
            if not torch.equal(forward(), 2 * x + (1 if arm else -1)):
                raise SystemExit(f"{way}: arm {arm} is wrong")
    except Exception as error:  # As when no compiler is there for inductor.
        rows.leave_out("all", way, error)
        return

    def one(arm):
        which.fill_(arm)
        torch.cuda.synchronize()

        def run():
            forward()
            torch.cuda.synchronize()

        return microseconds(run)

    for percent, arms in ((0, (0,)), (50, (0, 1)), (100, (1,))):
        problem = f"taken {percent} %"
        if not rows.wants(problem, way):
            continue
        runs = [one(arms[i % len(arms)]) for i in range(20 if rows.options.quick else 300)]
        rows.add(problem, way, taken_percent=percent, us=quantiles(runs))


def main():
    options = parse_options(__doc__).parse_args()
    if not torch.cuda.is_available():
        print("pytorch: no GPU to measure")
        return 77
    facts = {"gpu": torch.cuda.get_device_name(), "package": f"PyTorch {torch.__version__}"}
    cg = Rows("cg_per_trip", "pytorch", options, facts)
    measure_cg(cg, "PyTorch, .item() a trip", make_solver)
    cg.write()
    forwards = Rows("branch_latency", "pytorch", options, facts)
    measure_forward(forwards, "PyTorch, .item()", make_eager)
    measure_forward(forwards, "PyTorch, a CUDA graph for each arm", make_graph_per_arm)
    measure_forward(forwards, "PyTorch, torch.cond compiled", make_cond)
    forwards.write()
    return 0


if __name__ == "__main__":
    sys.exit(main())
