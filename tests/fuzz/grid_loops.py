"""Random loops over the grid, on arrays that lie apart, are the same, or overlap such that a thread reads what it wrote some
iterations before. NumPy does iteration by iteration what all threads of the grid do in it.

``python grid_loops.py FIRST [COUNT]`` tries the seeds from FIRST on.
"""

import os
import random

os.environ.setdefault("PYCUDA_DRIVER", "host")

import numpy as np
from phases import TYPES, main

import pycuda.autoinit  # noqa: F401
from pycuda import gpuarray
from pycuda.compiler import SourceModule

COUNTERS = [  # type, where a thread begins, step
    ("int", "blockIdx.x * blockDim.x + threadIdx.x", "gridDim.x * blockDim.x"),
    ("unsigned", "threadIdx.x + blockDim.x * blockIdx.x", "blockDim.x * gridDim.x"),
    ("size_t", "blockIdx.x * blockDim.x + threadIdx.x", "gridDim.x * blockDim.x"),
    ("long long", "(long long)blockIdx.x * blockDim.x + threadIdx.x", "(long long)gridDim.x * blockDim.x")]
CONDITIONS = [("true", lambda i, v: i >= 0), ("i % 3 == 1", lambda i, v: i % 3 == 1), ("i > 40", lambda i, v: i > 40),
              ("v > 50", lambda i, v: v > 50), ("true", lambda i, v: i >= 0)]
TERMS = [("i", lambda i, step, n: i), ("i", lambda i, step, n: i), ("i + step", lambda i, step, n: i + step),
         ("(i + step >= n)", lambda i, step, n: i + step >= n), ("(n - i)", lambda i, step, n: n - i)]
BLOCKS = [1, 7, 16, 31, 32, 33, 64, 100, 256]
MARGIN = 8


class Kernel:
    """A seed's text, and its launches: arrays of one group may overlap, and have one distance from element to element."""

    def __init__(self, seed):
        r = self.r = random.Random(seed)
        self.name, self.kind, self.counter = f"k{seed}", r.choice(list(TYPES)), r.choice(COUNTERS)
        count = r.randint(2, 4)
        self.group = [r.randrange(k + 1) for k in range(count)]
        apart = [r.choice([1, 1, 1, 2, 3]) for _ in range(count)]
        self.apart = [apart[g] for g in self.group]
        targets = [r.randrange(count) for _ in range(r.randint(1, 3))]
        self.written = {self.group[k] for k in targets}
        self.statements = [(k, r.randrange(self.apart[k]), r.randrange(count), r.choice(CONDITIONS), r.choice(TERMS))
                           for k in targets]
        # Other elements than the iteration's own only where nobody writes.
        least = 0 if self.counter[0] == "unsigned" else -2
        self.sources = [r.randrange(self.apart[k]) if self.group[k] in self.written else r.randint(least, 4)
                        for _, _, k, _, _ in self.statements]

    def text(self):
        kind, begin, step = self.counter
        body = "".join(
            f"""
        {{
            number v = p{a}[{self.apart[a]} * i + {at}];
            if ({c}) p{k}[{self.apart[k]} * i + {by}] = mix(v, p{k}[{self.apart[k]} * i + {by}], (int)(({term}) & 15));
        }}""" for (k, by, a, (c, _), (term, _)), at in zip(self.statements, self.sources, strict=True))
        arrays = ", ".join(f"{self.kind} *p{k}" for k in range(len(self.group)))
        return f"""
namespace {self.name}_ {{
typedef {self.kind} number;
__device__ number mix(number a, number b, int i) {{ return (number)((2 * (int)a + (int)b + i) & 127); }}
}}
extern "C" __global__ void {self.name}({arrays}, {kind} n)
{{
    using namespace {self.name}_;
    const {kind} step = {step};
    for ({kind} i = {begin}; i < n; i += step) {{{body}
    }}
}}
"""

    def launch(self):
        """(grid, block, n, where each array begins, elements in all)."""
        r = self.r
        block, grid = r.choice(BLOCKS), r.choice([1, 2, 3, 40])
        step = block * grid
        n = r.choice([0, 1, step, r.randint(1, 6 * step), r.randint(2 * step, 9 * step)])
        begin, end = {}, MARGIN
        for k, (group, apart) in enumerate(zip(self.group, self.apart, strict=True)):
            whole = apart * n + MARGIN
            if group in self.written and group in self.group[:k]:
                shift = r.choice([0, 0, 1, 1, 2, -1]) * step * apart
                begin[k] = begin[self.group.index(group)] + shift
                if begin[k] < MARGIN:
                    begin[k] -= shift
            else:
                begin[k] = end
            end = max(end, begin[k] + whole)
        # The others of a group lie behind its first one; nobody else may lie there.
        for group in self.written:
            mine = [k for k in begin if self.group[k] == group]
            low = min(begin[k] for k in mine)
            move = end + 2 * step * self.apart[mine[0]] - low
            for k in mine:
                begin[k] += move
            end = max(begin[k] + self.apart[k] * n for k in mine) + MARGIN
        return grid, block, n, [begin[k] for k in range(len(begin))], end

    def run(self, x, grid, block, n, begin):
        x, step = x.copy(), grid * block
        for first in range(0, n, step):
            i = np.arange(first, min(first + step, n))
            for (k, by, a, (_, chosen), (_, term)), at in zip(self.statements, self.sources, strict=True):
                v = x[begin[a] + self.apart[a] * i + at]
                some = chosen(i, v)
                to = (begin[k] + self.apart[k] * i + by)[some]
                new = 2 * v[some].astype(np.int64) + x[to].astype(np.int64) + (term(i[some], step, n).astype(np.int64) & 15)
                x[to] = (new & 127).astype(x.dtype)
        return x


def failures(seeds):
    """The seeds whose kernels, compiled together, give something else than NumPy."""
    kernels = [Kernel(seed) for seed in seeds]
    module = SourceModule("".join(k.text() for k in kernels), no_extern_c=True)
    wrong = []
    for seed, k in zip(seeds, kernels, strict=True):
        function = module.get_function(k.name)
        for _ in range(6):
            grid, block, n, begin, size = k.launch()
            x = np.random.default_rng(seed).integers(0, 100, size).astype(TYPES[k.kind])
            y = gpuarray.to_gpu(x)
            pointers = [np.uintp(int(y.gpudata) + at * x.itemsize) for at in begin]
            counter = {"int": np.int32, "unsigned": np.uint32, "size_t": np.uint64, "long long": np.int64}[k.counter[0]]
            function(*pointers, counter(n), block=(block, 1, 1), grid=(grid, 1))
            if not np.array_equal(y.get(), k.run(x, grid, block, n, begin)):
                wrong.append(seed)
                break
    return wrong


if __name__ == "__main__":
    main(__doc__, Kernel, failures)
