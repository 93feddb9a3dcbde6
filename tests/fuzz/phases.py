"""Random kernels in which a block of as many threads as its shared arrays have elements goes from barrier to barrier:
in each phase threads read or write at a fixed distance, some of them or all. NumPy does the same with whole arrays.

``python phases.py FIRST [COUNT]`` tries the seeds from FIRST on.
"""

import argparse
import os
import random

os.environ.setdefault("PYCUDA_DRIVER", "host")

import numpy as np

import pycuda.autoinit  # noqa: F401
from pycuda import gpuarray
from pycuda.compiler import SourceModule

TYPES = {"int": np.int32, "unsigned": np.uint32, "float": np.float32, "long long": np.int64, "short": np.int16,
         "unsigned char": np.uint8, "double": np.float64}
SIZES = [32, 48, 64, 96, 128, 256]
GRID = 3
TOGETHER = 20  # kernels of a source


class Kernel:
    """A seed's text, and what it does to x, an array of GRID rows, when n is given to it."""

    def __init__(self, seed):
        r = self.r = random.Random(seed)
        self.name = f"k{seed}"
        self.size = r.choice(SIZES)
        self.kind = r.choice(list(TYPES))
        self.arrays = ["s", "z"][:r.randint(1, 2)]
        self.lines, self.steps = [], []
        for name in self.arrays:
            self.write(name, "true", lambda t, n: t >= 0, 0)
        for _ in range(r.randint(2, 9)):
            self.phase()

    def guard(self):
        """A condition of t and the parameter n, as C and as a function of arrays."""
        k = self.r.randrange(self.size)
        return self.r.choice([
            ("true", lambda t, n: t >= 0), (f"t < {k}", lambda t, n: t < k), (f"t >= {k}", lambda t, n: t >= k),
            (f"t == {k}", lambda t, n: t == k), ("t % 2 == 0", lambda t, n: t % 2 == 0),
            (f"t != {k}", lambda t, n: t != k), ("n > 1", lambda t, n: (t >= 0) & (n > 1)),
            (f"t < {k} && n == 1", lambda t, n: (t < k) & (n == 1))])

    def add(self, line, step):
        self.lines += [line, "__syncthreads();"]
        self.steps.append(step)

    def write(self, name, c, chosen, by):
        """Threads that are chosen store what they hold, `by` elements on."""
        def step(m, v, t, n):
            m[name][:, t[chosen(t, n) & (t + by < self.size)] + by] = v[:, chosen(t, n) & (t + by < self.size)]
        self.add(f"if (({c}) && t + {by} < {self.size}) {name}[t + {by}] = v;", step)

    def read(self, name, c, chosen, by):
        def step(m, v, t, n):
            some = chosen(t, n) & (t + by < self.size) & (t + by >= 0)
            v[:, some] = self.mix(v[:, some], m[name][:, t[some] + by])
        self.add(f"if (({c}) && t + {by} < {self.size} && t + {by} >= 0) v = mix(v, {name}[t + {by}]);", step)

    def read_one(self, name, c, chosen, at):
        def step(m, v, t, n):
            some = chosen(t, n)
            v[:, some] = self.mix(v[:, some], m[name][:, at:at + 1])
        self.add(f"if ({c}) v = mix(v, {name}[{at}]);", step)

    def fold(self, name, half):
        def step(m, v, t, n):
            m[name][:, :half] = self.mix(m[name][:, :half], m[name][:, half:2 * half])
        self.add(f"if (t < {half}) {name}[t] = mix({name}[t], {name}[t + {half}]);", step)

    def scan(self, name):
        def step(m, v, t, n):
            by = 1
            while by < self.size:
                low = m[name].copy()
                m[name][:, by:] = self.mix(low[:, by:], low[:, :-by])
                by *= 2
        self.add(f"""for (int by = 1; by < {self.size}; by *= 2) {{
        number other = t >= by ? {name}[t - by] : 0;
        __syncthreads();
        if (t >= by) {name}[t] = mix({name}[t], other);
        __syncthreads();
    }}""", step)

    def phase(self):
        r, name, (c, chosen) = self.r, self.r.choice(self.arrays), self.guard()
        by = r.choice([0, 0, 1, 2, 15, 16, 17, r.randrange(self.size)])
        r.choice([lambda: self.write(name, c, chosen, r.choice([0, 0, by])), lambda: self.read(name, c, chosen, by),
                  lambda: self.read(name, c, chosen, -by), lambda: self.read_one(name, c, chosen, r.randrange(self.size)),
                  lambda: self.fold(name, 1 << r.randrange((self.size // 2).bit_length())), lambda: self.scan(name)])()

    def mix(self, a, b):
        """2 a + b, cut so that every type holds it."""
        return ((2 * a.astype(np.int64) + b.astype(np.int64)) & 127).astype(TYPES[self.kind])

    def text(self):
        shared = ", ".join(f"{name}[{self.size}]" for name in self.arrays)
        body = "\n    ".join(self.lines)
        return f"""
namespace {self.name}_ {{
typedef {self.kind} number;
__device__ number mix(number a, number b) {{ return (number)((2 * (int)a + (int)b) & 127); }}
}}
extern "C" __global__ void {self.name}({self.kind} *out, const {self.kind} *in, int n)
{{
    using namespace {self.name}_;
    __shared__ number {shared};
    int t = threadIdx.x, i = blockIdx.x * {self.size} + t;
    number v = in[i];
    {body}
    out[i] = v;
    out[gridDim.x * {self.size} + i] = {' + '.join(f'{name}[t]' for name in self.arrays)};
}}
"""

    def expected(self, x, n):
        m = {name: np.zeros_like(x) for name in self.arrays}
        v, t = x.copy(), np.arange(self.size)
        for step in self.steps:
            step(m, v, t, n)
        return np.concatenate([v, sum(m.values())])


def failures(seeds):
    """The seeds whose kernels, compiled together, give something else than NumPy."""
    kernels = [Kernel(seed) for seed in seeds]
    module = SourceModule("".join(k.text() for k in kernels), no_extern_c=True)
    wrong = []
    for seed, k in zip(seeds, kernels, strict=True):
        x = np.random.default_rng(seed).integers(0, 100, (GRID, k.size)).astype(TYPES[k.kind])
        function = module.get_function(k.name)
        for n in (1, 2):
            out = gpuarray.zeros((2 * GRID, k.size), x.dtype)
            function(out, gpuarray.to_gpu(x), np.int32(n), block=(k.size, 1, 1), grid=(GRID, 1))
            if not np.array_equal(out.get(), k.expected(x, n)):
                wrong.append(seed)
                break
    return wrong


def main(description, Kernel, failures):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int, nargs="?", default=TOGETHER)
    given = parser.parse_args()
    seeds = range(given.first, given.first + given.count)
    wrong = [seed for k in range(0, given.count, TOGETHER) for seed in failures(seeds[k:k + TOGETHER])]
    for seed in wrong:
        print(f"seed {seed}\n{Kernel(seed).text()}")
    print(f"{len(seeds)} seeds, {len(wrong)} failed")
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main(__doc__, Kernel, failures)
