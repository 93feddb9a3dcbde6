"""Kinds of CUDA programs on the host device beside C with OpenMP and beside PoCL, on the same memory in one run.

    PYCUDA_DRIVER=host python bench/hostcc.py [KIND ...]

The kernels are in kinds.cu; C does the same work in kinds.c (gcc -O3 -march=native -ffast-math, as many threads), and
where that is another algorithm than the kernel's, C also does the kernel's: that is what the verdict goes by. PoCL runs the same kernels as OpenCL C where PyOpenCL has it (`pip install pyopencl pocl-binary-distribution`). The results must agree. Contenders take turns, in an order drawn anew each round, from the same state of the arrays; rows give
medians of milliseconds, and their time over ours: above 1, ours is the faster.
"""

import collections
import functools
import os
import pathlib
import statistics
import sys
import time

import host
import numpy as np

import pycuda.driver as cuda
from pycuda.compiler import SourceModule

HERE = pathlib.Path(__file__).parent
TARGET_C, TARGET_POCL, TARGET_MEAN = 0.8, 1, 4
WAYS = ("ours", "C", "C tiles", "PoCL")
i4, f4, f8, u1 = np.int32, np.float32, np.float64, np.uint8
rng = np.random.default_rng(1)

# Launches: (kernel, arguments, block, grid). C: a function and its arguments. Outputs: arrays by name, compared. Tiles:
# C has a second function, by the kernel's algorithm.
Kind = collections.namedtuple("Kind", "name arrays launches c outputs tiles", defaults=[False])


def heat(side=1020, launches=20):
    a = {"a": rng.random((side, side), f4), "b": np.zeros((side, side), f4), "power": rng.random((side, side), f4)}
    k, size, tiles = f4(0.1), i4(side), -(-side // 12)
    return Kind("halo stencil, two steps", a,
                [("heat", (*(("b", "a") if i % 2 == 0 else ("a", "b")), "power", size, size, k), (16, 16, 1), (tiles, tiles))
                 for i in range(launches)],
                ("heat", ("a", "b", "power", size, size, k, i4(launches))), ["a"], tiles=True)


def cheapest(columns=100_000, rows=96):
    a = {"a": rng.integers(0, 10, columns, i4), "b": np.zeros(columns, i4),
         "cost": rng.integers(0, 10, (rows, columns), i4)}
    return Kind("cheapest way, rows", a,
                [("cheapest", (*(("b", "a") if k % 2 == 0 else ("a", "b")), "cost", i4(columns), i4(rows), i4(8 * k)),
                  (256, 1, 1), (-(-columns // 240), 1)) for k in range(rows // 8)],
                ("cheapest", ("a", "b", "cost", i4(columns), i4(rows))), ["a"], tiles=True)


def search(nodes=1 << 20, degree=6):
    count = rng.integers(1, 2 * degree, nodes)
    start = np.concatenate([[0], np.cumsum(count)]).astype(i4)
    edge = rng.integers(0, nodes, start[-1], i4)
    level, frontier, levels = np.full(nodes, -1, i4), np.array([0]), 0
    level[0] = 0
    while frontier.size:
        to = np.unique(np.concatenate([edge[start[v]:start[v + 1]] for v in frontier]))
        frontier, levels = to[level[to] < 0], levels + 1
        level[frontier] = levels
    a = {"start": start, "edge": edge, "frontier": np.eye(1, nodes, dtype=u1)[0], "next": np.zeros(nodes, u1),
         "seen": np.eye(1, nodes, dtype=u1)[0], "level": np.where(np.arange(nodes) == 0, 0, -1).astype(i4)}
    block, grid = (256, 1, 1), (nodes // 256, 1)
    return Kind("breadth-first search", a, [launch for _ in range(levels) for launch in (
        ("expand", ("start", "edge", "frontier", "next", "seen", "level", i4(nodes)), block, grid),
        ("advance", ("frontier", "next", "seen", i4(nodes)), block, grid))],
        ("search", ("start", "edge", "frontier", "next", "seen", "level", i4(nodes))), ["level"])


def align(n=2048, penalty=10):
    width, tiles = n + 1, n // 16
    score = np.zeros((width, width), i4)
    score[0] = score[:, 0] = -penalty * np.arange(width)
    a = {"score": score, "match": rng.integers(-5, 10, (width, width), i4)}
    return Kind("alignment, diagonals", a,
                [("align", ("score", "match", i4(width), i4(d), i4(max(0, d - tiles + 1)), i4(penalty)), (16, 1, 1),
                  (min(d, tiles - 1) - max(0, d - tiles + 1) + 1, 1)) for d in range(2 * tiles - 1)],
                ("align", ("score", "match", i4(width), i4(penalty))), ["score"], tiles=True)


def nearest(n=200_000, centres=5, features=34):
    points = rng.random((n, features), f4)
    a = {"member": np.zeros(n, i4), "by_feature": np.ascontiguousarray(points.T), "by_point": points,
         "centre": rng.random((centres, features), f4)}
    sizes = (i4(n), i4(centres), i4(features))
    return Kind("nearest of 5, 34 features", a,
                [("nearest", ("member", "by_feature", "centre", *sizes), (256, 1, 1), (-(-n // 256), 1))],
                ("nearest", ("member", "by_point", "centre", *sizes)), ["member"])


def lu(n=512):
    launches = []
    for k in range(0, n, 16):
        rest = (n - k) // 16 - 1
        launches.append(("lu_diagonal", ("m", i4(n), i4(k)), (16, 1, 1), (1, 1)))
        if rest:
            launches += [("lu_border", ("m", i4(n), i4(k)), (32, 1, 1), (rest, 1)),
                         ("lu_inner", ("m", i4(n), i4(k)), (16, 16, 1), (rest, rest))]
    return Kind("LU decomposition, tiles", {"m": rng.random((n, n), f4) + n * np.eye(n, dtype=f4)}, launches,
                ("lu", ("m", i4(n))), ["m"])


def network(n=1 << 17):
    a = {"partial": np.zeros(n, f4), "input": rng.random(n, f4), "weight": rng.random((n, 16), f4),
         "momentum": np.zeros((n, 16), f4), "delta": rng.random(16, f4)}
    return Kind("network, shared tree", a,
                [("forward", ("partial", "input", "weight"), (16, 16, 1), (n // 16, 1)),
                 ("learn", ("weight", "momentum", "input", "delta"), (16, 16, 1), (n // 16, 1))],
                ("network", ("partial", "input", "weight", "momentum", "delta", i4(n))), ["partial", "weight"])


def speckle(side=1024):
    parts = ("c", "dn", "ds", "dw", "de")
    a = {"image": np.exp(rng.random((side, side), f4)), **{name: np.zeros((side, side), f4) for name in parts}}
    size, block, grid = i4(side), (16, 16, 1), (side // 16, side // 16)
    return Kind("image diffusion", a,
                [("gradients", (*parts, "image", size, size, f4(0.5)), block, grid),
                 ("diffuse", ("image", *parts, size, size, f4(0.5)), block, grid)],
                ("speckle", ("image", *parts, size, size, f4(0.5), f4(0.5))), ["image"])


def layers(side=512, depth=16):
    a = {"out": np.zeros((depth, side, side), f4), "in": rng.random((depth, side, side), f4)}
    sizes = (i4(side), i4(side), i4(depth), f4(0.1))
    return Kind("3-D stencil", a, [("layers", ("out", "in", *sizes), (64, 4, 1), (side // 64, side // 4))],
                ("layers", ("out", "in", *sizes)), ["out"])


def boxes(side=4, per_box=100):
    index = np.arange(side**3).reshape(side, side, side)
    steps = [-1, 0, 1]
    around = [[index[z + c, y + b, x + a] if all(0 <= k < side for k in (z + c, y + b, x + a)) else -1
               for c in steps for b in steps for a in steps] for z, y, x in np.ndindex(side, side, side)]
    a = {"force": np.zeros((side**3 * per_box, 4), f8), "place": rng.random((side**3 * per_box, 4)),
         "around": np.array(around, i4)}
    return Kind("particles in boxes, double", a,
                [("boxes", ("force", "place", "around", i4(per_box), f8(0.5)), (128, 1, 1), (side**3, 1))],
                ("boxes", ("force", "place", "around", i4(side**3), i4(per_box), f8(0.5))), ["force"])


KINDS = (heat, cheapest, search, align, nearest, lu, network, speckle, layers, boxes)


def pocl():
    """The same kernels under PoCL, or None."""
    try:
        import opencl
        return opencl.Platform("Portable", opencl.translate((HERE / "kinds.cu").read_text()))
    except (ImportError, StopIteration):
        return None


class Contest:
    """The arrays of a kind in device memory, and a way to do its work for each contender."""

    def __init__(self, kind, module, native, other):
        self.kind, self.ways = kind, {}
        self.memory = {name: cuda.to_device(array) for name, array in kind.arrays.items()}
        functions = {name: module.get_function(name) for name, *_ in kind.launches}
        launches = [(functions[name], self.values(arguments), {"block": block, "grid": grid})
                    for name, arguments, block, grid in kind.launches]
        arguments = [*map(host.native_argument, self.values(kind.c[1]))]

        def ours():
            for call, values, how in launches:
                call(*values, **how)
            cuda.Context.synchronize()

        self.ways["ours"] = ours
        for way, ending in [("C", ""), ("C tiles", "_tiles")][:1 + kind.tiles]:
            self.ways[way] = functools.partial(getattr(native, kind.c[0] + ending), *arguments)
        if other:
            starts = [other.launch(name, self.values(values), block, grid, shared=True)
                      for name, values, block, grid in kind.launches]

            def theirs():
                for start in starts:
                    start()
                other.queue.finish()
            self.ways["PoCL"] = theirs

    def values(self, arguments):
        return [self.memory[value] if isinstance(value, str) else value for value in arguments]

    def restore(self):
        for name, array in self.kind.arrays.items():
            cuda.memcpy_htod(self.memory[name], array)

    def results(self, way):
        self.restore()
        self.ways[way]()
        return [cuda.from_device_like(self.memory[name], self.kind.arrays[name]) for name in self.kind.outputs]

    def compare(self):
        right = self.results("C")
        for way in self.ways:
            for name, want, got in zip(self.kind.outputs, right, self.results(way), strict=True):
                if want.dtype == i4:
                    assert (want != got).mean() < 1e-4, (self.kind.name, way, name)  # sums in another order: near ties
                else:
                    np.testing.assert_allclose(got, want, rtol=1e-3, atol=1e-4, err_msg=f"{self.kind.name}, {way}: {name}")

    def times(self, rounds=11):
        """Median milliseconds, contender by contender."""
        spent = {way: [] for way in self.ways}
        for _ in range(rounds):
            for way in rng.permutation(list(self.ways)):
                self.restore()
                start = time.perf_counter()
                self.ways[way]()
                spent[way].append(time.perf_counter() - start)
        return {way: 1e3 * statistics.median(each) for way, each in spent.items()}


def main(names):
    os.environ["OMP_NUM_THREADS"] = str(cuda.Context.get_device().multiprocessor_count)
    module = SourceModule((HERE / "kinds.cu").read_text(), no_extern_c=True)
    native, other, over_pocl = host.native_library("kinds.c"), pocl(), []
    print(f"{'ms':<28}" + "".join(f"{way:>9}" for way in WAYS) + f"{'C/ours':>9}{'tiles/':>9}{'PoCL/':>9}")
    for make in KINDS:
        if names and make.__name__ not in names:
            continue
        contest = Contest(make(), module, native, other)
        contest.compare()
        took = contest.times()
        ratio = {way: each / took["ours"] for way, each in took.items()}
        same = ratio.get("C tiles", ratio["C"])
        verdict = "ok" if same >= TARGET_C and ratio.get("PoCL", TARGET_POCL) >= TARGET_POCL else "BELOW"
        over_pocl += [ratio["PoCL"]] if "PoCL" in ratio else []
        cells = [f"{took[way]:9.3f}" if way in took else f"{'-':>9}" for way in WAYS]
        cells += [f"{ratio[way]:9.2f}" if way in ratio else f"{'-':>9}" for way in WAYS[1:]]
        print(f"{contest.kind.name:<28}" + "".join(cells) + f"   {verdict}", flush=True)
    if over_pocl:
        mean = statistics.geometric_mean(over_pocl)
        print(f"geometric mean over PoCL {mean:.2f}, at least {TARGET_MEAN}: {'ok' if mean >= TARGET_MEAN else 'BELOW'}")


if __name__ == "__main__":
    main(sys.argv[1:])
