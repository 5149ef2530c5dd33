#!/usr/bin/env python3
"""PyTorch as a rival: whole forwards with branches, eager with `.item()`, as a CUDA graph for each
segment between two decisions of the host, and the cascade with `torch.cond`."""

import sys

try:
    import torch
except ImportError as error:
    print(f"pytorch_forwards: left out: {error}")
    sys.exit(77)

from pytorch_models import Cascade, EarlyExit, Mixture
from rows import Rows, microseconds, parse_options, quantiles


def make_eager(model):
    def forward():
        following = [0]
        while following:
            for segment in following:
                flag = model.run(segment)
            following = model.behind(segment, flag) if model.decides(segment) else []

    return forward


def make_graphs(model):
    graphs, flags = {}, {}
    for segment in model.segments():
        model.run(segment)
        torch.cuda.synchronize()
        graphs[segment] = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graphs[segment]):
            flags[segment] = model.run(segment)

    def forward():
        following = [0]
        while following:
            for segment in following:
                graphs[segment].replay()
            following = model.behind(segment, flags[segment]) if model.decides(segment) else []

    return forward


def make_cond(model):
    if not isinstance(model, Cascade):
        raise NotImplementedError("written for the cascade only")

    @torch.compile(fullgraph=True)
    def whole(x):
        fired = model.detect(x)
        return torch.cond(fired.any(), lambda x, fired: model.classify(x, fired),
                          lambda x, fired: torch.full_like(fired, -1, dtype=torch.int64), (x, fired))

    def forward():
        model.label.copy_(whole(model.x))

    return forward


WAYS = {"PyTorch, .item()": make_eager, "PyTorch, a CUDA graph for each segment": make_graphs,
        "PyTorch, torch.cond compiled": make_cond}


def timed(forward, choose):
    choose()
    torch.cuda.synchronize()

    def run():
        forward()
        torch.cuda.synchronize()

    return microseconds(run)


def measure(rows, model, problem, way, forward, launches, **facts):
    if not rows.wants(problem, way):
        return
    eager = make_eager(model)
    for choose in launches:
        choose()
        eager()
        expected = model.output().clone()
        choose()
        forward()
        same = torch.isclose(model.output().float(), expected.float(), atol=1e-3)
        if same.float().mean().item() < 0.99:
            rows.leave_out(problem, way, "not what the eager forward gives")
            return
    count = 8 if rows.options.quick else 100
    runs = [timed(forward, launches[i % len(launches)]) for i in range(count)]
    rows.add(problem, way, model=model.name, rows=model.rows_now, us=quantiles(runs),
             rows_per_s=model.rows_now * count / sum(runs) * 1e6, **facts)


def measure_model(rows, model):
    for count in (1, 8, 64):
        model.resize(count)
        model.rows_now = count
        of_rows = f"{model.name}, {count} row{'s' * (count != 1)}"
        for way, make in WAYS.items():
            if not rows.wants(of_rows, way) and not rows.options.filter:
                continue
            try:
                forward = make(model)
                for percent in (0, 25, 50, 75, 100):
                    measure(rows, model, f"{of_rows}, taken {percent} %", way, forward,
                            model.launches(percent), taken_percent=percent)
                if isinstance(model, EarlyExit) and count != 8:
                    for blocks in range(1, 9):
                        measure(rows, model, f"{of_rows}, {blocks} blocks", way, forward,
                                [model.leave_after(blocks)], blocks_run=blocks)
            except Exception as error:  # As when no compiler is there for inductor.
                rows.leave_out(of_rows, way, error)


@torch.inference_mode()
def main():
    options = parse_options(__doc__).parse_args()
    if not torch.cuda.is_available():
        print("pytorch_forwards: no GPU to measure")
        return 77
    torch.manual_seed(1)
    facts = {"gpu": torch.cuda.get_device_name(), "package": f"PyTorch {torch.__version__}"}
    rows = Rows("forwards", "pytorch", options, facts)
    small = options.quick
    for model in (EarlyExit(small), Mixture(small, False), Mixture(small, True), Cascade(small)):
        measure_model(rows, model)
    rows.write()
    return 0


if __name__ == "__main__":
    sys.exit(main())
