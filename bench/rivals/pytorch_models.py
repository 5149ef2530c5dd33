"""The models of bench/forwards.cpp as PyTorch has them, in segments between which the host decides.

A model runs a segment and gives its flags; `decides` says whether the host asks behind a segment, and
`behind` which segments follow by the flags.
"""

import torch

INFINITY = float("inf")


def taken(slot, percent):
    return (slot + 1) * percent // 100 > slot * percent // 100


def uniform(*shape, scale=1.0):
    return (torch.rand(*shape, device="cuda") * 2 - 1) * scale


def layers(count, outputs, inputs):
    """Weights transposed for addmm, and biases."""
    w = uniform(count, outputs, inputs, scale=(6 / inputs) ** 0.5)
    return [(w[i].t(), uniform(outputs, scale=0.1)) for i in range(count)]


def dense(layer, x):
    return torch.addmm(layer[1], x, layer[0])


def draw_rows(count, width, wanted):
    """Random rows for which `wanted` of all of them is true."""
    found = torch.empty(0, width, device="cuda")
    while len(found) < count:
        rows = uniform(4096, width)
        found = torch.cat([found, rows[wanted(rows)]])
    return found[:count].clone()


class EarlyExit:
    """Segment b is block b with its head; a flag says how many rows wait."""

    name = "early exit"

    def __init__(self, small):
        width = 64 if small else 1024
        self.blocks, self.heads = layers(8, width, width), layers(8, 16, width)
        self.width = width

    def resize(self, rows):
        self.x = uniform(rows, self.width)
        self.threshold = torch.zeros(8, device="cuda")
        self.label = torch.zeros(rows, device="cuda", dtype=torch.int64)
        self.left_after = torch.zeros(rows, device="cuda", dtype=torch.int64)
        self.h = [torch.empty(rows, self.width, device="cuda") for _ in range(8)]

    def segments(self):
        return range(8)

    def run(self, block):
        h = torch.relu(dense(self.blocks[block], self.x if block == 0 else self.h[block - 1]))
        self.h[block].copy_(h)
        best = dense(self.heads[block], h).topk(2, dim=1)
        confident = best.values[:, 0] - best.values[:, 1] >= self.threshold[block]
        waits = torch.ones_like(confident) if block == 0 else self.left_after == -1
        leaves = torch.ones_like(confident) if block == 7 else confident
        self.label.copy_(torch.where(waits, best.indices[:, 0], self.label))
        still = torch.where(leaves, block, -1)
        self.left_after.copy_(torch.where(waits, still, self.left_after))
        return (self.left_after == -1).any()

    def decides(self, block):
        return block < 7

    def behind(self, block, flag):
        return [block + 1] if flag.item() else []

    def launches(self, percent):
        return [self.leave_after(8 if taken(slot, percent) else 1) for slot in range(4)]

    def leave_after(self, blocks):
        threshold = torch.full((8,), INFINITY, device="cuda")
        threshold[blocks - 1] = -INFINITY
        return lambda: self.threshold.copy_(threshold)

    def output(self):
        return self.label


class Mixture:
    """Segment 0 is the gate, e + 1 expert e; the flags say which experts a row wants."""

    def __init__(self, small, by_row):
        self.name = "mixture by groups" if by_row else "mixture by switch"
        self.by_row = by_row
        self.width, hidden = (32, 64) if small else (512, 1024)
        self.gate = layers(1, 8, self.width)[0]
        self.up, self.down = layers(8, hidden, self.width), layers(8, self.width, hidden)

    def resize(self, rows):
        self.rows = rows
        self.x, self.y = torch.empty(2, rows, self.width, device="cuda")
        self.expert = torch.zeros(rows, device="cuda", dtype=torch.int64)

    def segments(self):
        return range(9)

    def run(self, segment):
        if segment == 0:
            scores = dense(self.gate, self.x)
            chosen = scores.argmax(1) if self.by_row else scores.sum(0).argmax().expand(self.rows)
            self.expert.copy_(chosen)
            return torch.zeros(8, device="cuda", dtype=torch.int64).scatter_(0, self.expert, 1)
        expert = segment - 1
        y = dense(self.down[expert], torch.relu(dense(self.up[expert], self.x)))
        self.y.copy_(torch.where((self.expert == expert)[:, None], y, self.y) if self.by_row else y)
        return None

    def decides(self, segment):
        return segment == 0

    def behind(self, _, wanted):
        return [e + 1 for e, is_wanted in enumerate(wanted.tolist()) if is_wanted]

    def launches(self, percent):
        made, others = [], 0
        for launch in range(4):
            experts = []
            for row in range(self.rows):
                slot = launch * self.rows + row if self.by_row else launch
                if self.by_row or row == 0:
                    expert, others = (1 + others % 7, others + 1) if taken(slot, percent) else (0, others)
                experts.append(expert)
            drawn = {e: draw_rows(experts.count(e), self.width,
                                  lambda x, e=e: dense(self.gate, x).argmax(1) == e)
                     for e in set(experts)}
            at = {e: iter(rows) for e, rows in drawn.items()}
            x = torch.stack([next(at[e]) for e in experts])
            made.append(lambda x=x: self.x.copy_(x))
        return made

    def output(self):
        return self.y


class Cascade:
    """Segment 0 is the detector, 1 the classifier; the flag says whether a row fires."""

    name = "cascade"

    def __init__(self, small):
        self.width = 64 if small else 1024
        self.detector, self.score = layers(1, 64, self.width)[0], uniform(64, scale=0.3)
        self.layers, self.head = layers(4, self.width, self.width), layers(1, 16, self.width)[0]

    def resize(self, rows):
        self.rows = rows
        self.x = torch.empty(rows, self.width, device="cuda")
        self.fired = torch.zeros(rows, device="cuda", dtype=torch.bool)
        self.label = torch.zeros(rows, device="cuda", dtype=torch.int64)

    def segments(self):
        return range(2)

    def detect(self, x):
        return torch.relu(dense(self.detector, x)) @ self.score > 0

    def classify(self, x, fired):
        for layer in self.layers:
            x = torch.relu(dense(layer, x))
        return torch.where(fired, dense(self.head, x).argmax(1), -1)

    def run(self, segment):
        if segment == 0:
            self.fired.copy_(self.detect(self.x))
            self.label.fill_(-1)
            return self.fired.any()
        self.label.copy_(self.classify(self.x, self.fired))
        return None

    def decides(self, segment):
        return segment == 0

    def behind(self, _, flag):
        return [1] if flag.item() else []

    def launches(self, percent):
        made = []
        for slot in range(4):
            fires = taken(slot, percent)
            x = draw_rows(self.rows, self.width, lambda x: self.detect(x) == fires)
            made.append(lambda x=x: self.x.copy_(x))
        return made

    def output(self):
        return self.label
