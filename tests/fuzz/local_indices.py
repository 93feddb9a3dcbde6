"""Random kernels whose loops and conditions go to a local array, some beyond its ends: memory checks report just these,
whatever the compiler has found out about the indices. Python does the same with its integers.

``python local_indices.py FIRST [COUNT]`` tries the seeds from FIRST on.
"""

import os
import random
import warnings

os.environ.setdefault("PYCUDA_DRIVER", "host")

import numpy as np
from phases import main

import pycuda.driver as cuda
from pycuda import debug
from pycuda.autoinit import context
from pycuda.compiler import SourceModule

THREADS = 8
N = 5  # a parameter
MOST_STEPS = 20_000  # of a thread
#: What makes an int of another one and of a number of the kernel's size: in C, and in Python.
WITH_NUMBER = [
    ("{} + {}", lambda a, b: a + b), ("{} - {}", lambda a, b: a - b), ("{1} - {0}", lambda a, b: b - a),
    ("{} & {}", lambda a, b: a & b), ("{} ^ {}", lambda a, b: a ^ b), ("{} % {}", lambda a, b: int(np.fmod(a, b))),
    ("min({}, {})", min), ("max({}, {})", max), ("{} * 2", lambda a, b: 2 * a), ("{} / 2", lambda a, b: int(a / 2)),
    ("(int)(unsigned char)({})", lambda a, b: a & 255)]
WITH_OTHER = [("{} + {}", lambda a, b: a + b), ("{} - {}", lambda a, b: a - b),
              ("({0} < {1} ? {0} : {1})", min)]


class TooLong(Exception):
    pass


class Kernel:
    """A seed's text, and how often its threads go beyond the array: never or a few times."""

    def __init__(self, seed):
        self.name, self.beyond = f"k{seed}", None
        self.r = random.Random(seed)
        while self.beyond is None or self.beyond > THREADS:
            self.size = self.r.choice([4, 7, 8, 16, 24, 33])
            self.variables = 0
            self.statement = self.block(["t", "n"], 0)
            self.beyond = self.count()

    def count(self):
        self.found = 0
        try:
            for t in range(THREADS):
                self.steps = 0
                self.statement[1]({"t": t, "n": N})
        except TooLong:
            return None
        return self.found

    # Expressions: their text, and their value from those of the variables.

    def number(self):
        n = self.r.choice([0, 1, 2, 3, self.size // 2, self.size - 2, self.size - 1, self.size, self.size + 1])
        return str(n), lambda env: n

    def atom(self, names):
        name = self.r.choice(names)
        return self.r.choice([(f"(int){name}", lambda env: env[name])] * 3 + [self.number()])

    def expression(self, names):
        a, b = self.atom(names), self.atom(names)
        kind = self.r.randrange(3)
        if kind == 0:
            return a
        if kind == 1:
            b = str(n := self.r.choice([1, 3, 7, self.size - 1, self.size, self.size + 1])), lambda env: n
        text, value = self.r.choice(WITH_NUMBER if kind == 1 else WITH_OTHER)
        return f"({text.format(a[0], b[0])})", lambda env: value(a[1](env), b[1](env))

    # Statements: their text, and what they do when the variables have values.

    def block(self, names, depth):
        parts = [self.one(names, depth) for _ in range(self.r.randint(1, 3))]

        def run(env):
            for _, step in parts:
                step(env)
        return "".join(text for text, _ in parts), run

    def one(self, names, depth):
        kinds = [self.access] * 4 + ([self.loop] * 5 + [self.condition] * 2) * (depth < 3)
        return self.r.choice(kinds)(names, depth)

    def access(self, names, depth):
        index, value = self.expression(names), self.atom(names)

        def run(env):
            self.found += not 0 <= index[1](env) < self.size
        return self.r.choice([f"a[{index[0]}] = {value[0]};\n", f"sum += a[{index[0]}];\n"]), run

    def condition(self, names, depth):
        a, b, inner = self.expression(names), self.number(), self.block(names, depth + 1)
        is_both = self.r.random() < 0.5

        def run(env):
            if (0 <= a[1](env) or not is_both) and a[1](env) < b[1](env):
                inner[1](env)
        return f"if ({f'{a[0]} >= 0 && ' * is_both}{a[0]} < {b[0]}) {{\n{inner[0]}}}\n", run

    def loop(self, names, depth):
        name = f"i{self.variables}"
        self.variables += 1
        begin = self.r.choice([("0", lambda env: 0), self.number(), self.atom(names)])
        end = self.r.choice([(str(self.size), lambda env: self.size), self.number(), self.expression(names)])
        kind, by = self.r.choice(["int", "int", "short", "long long"]), self.r.choice([1, 1, 2, 3])
        downwards, inner = self.r.random() < 0.3, self.block([*names, name], depth + 1)

        def run(env):
            env[name] = (end if downwards else begin)[1](env)
            while env[name] > begin[1](env) if downwards else env[name] < end[1](env):
                self.steps += 1
                if self.steps > MOST_STEPS:
                    raise TooLong
                inner[1](env)
                env[name] += -by if downwards else by
        head = f"{kind} {name} = {end[0]}; {name} > {begin[0]}; {name} -= {by}" if downwards else \
            f"{kind} {name} = {begin[0]}; {name} < {end[0]}; {name} += {by}"
        unroll = self.r.choice(["", "", "#pragma unroll\n", "#pragma unroll 1\n"])
        return f"{unroll}for ({head}) {{\n{inner[0]}}}\n", run

    def text(self):
        return f"""
extern "C" __global__ void {self.name}(int *out, int n)
{{
int t = threadIdx.x, sum = 0, a[{self.size}];
for (int k = 0; k < {self.size}; k++)
    a[k] = k;
{self.statement[0]}out[t] = sum;
}}
"""


def is_reported(module, kernel, out):
    debug.clear_reports()
    try:
        module.get_function(kernel.name)(out, np.int32(N), block=(THREADS, 1, 1))
        context.synchronize()
    except debug.CheckError:
        pass
    return bool(debug.reports())


def failures(seeds):
    """The seeds of whose kernels something else is reported than Python finds."""
    kernels, out = [Kernel(seed) for seed in seeds], cuda.mem_alloc(4 * THREADS)
    with debug.check("memory"), warnings.catch_warnings(action="ignore"):  # constant indices that are beyond
        module = SourceModule("".join(k.text() for k in kernels), no_extern_c=True)
        return [seed for seed, k in zip(seeds, kernels, strict=True) if is_reported(module, k, out) != (k.beyond > 0)]


if __name__ == "__main__":
    main(__doc__, Kernel, failures)
