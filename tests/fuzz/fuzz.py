"""Random kernels on the device against the same text compiled as plain C++.

``python fuzz.py FIRST [COUNT]`` tries the seeds from FIRST on; for each that fails it prints the
seed and a kernel cut down to what still fails. test_fuzz.py does a fixed set.
"""

import argparse
import copy
import ctypes
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from generate import HEAD, LONG, TYPES, Maker, render
from together import CELLS, ROOM, SLOTS

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "kernels"))
import corpus
import session

LEVELS = ["-O3", "-O0"]  # of an entry all words are options
# The host device's compiler takes few loops so by itself.
LOOPS = ["-O3 --divergent-loops=scalar", "-O3 --divergent-loops=counted"]
BLOCKS = [(1, 1, 1), (7, 1, 1), (31, 1, 1), (32, 1, 1), (33, 1, 1), (48, 1, 1), (100, 1, 1), (256, 1, 1),
          (257, 1, 1), (16, 16, 1), (5, 7, 1), (8, 4, 3), (64, 2, 1), (1, 40, 1), (32, 3, 2), (16, 1, 1), (16, 4, 2)]
LARGE = [(1024, 1, 1), (1000, 1, 1), (90, 11, 1)]
DYNAMIC = 8 * ROOM  # bytes of shared memory


class Kernel:
    """A seed's text, its launches and its inputs."""

    def __init__(self, seed):
        self.name = f"k{seed}"
        maker = Maker(seed)
        self.tree, self.strides = maker.make(), maker.kind == "stride"
        rng = np.random.default_rng(seed)
        special = np.array([0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff, 255, 65536], np.uint32)
        xu = rng.integers(0, 2**32, LONG, np.uint32) >> rng.integers(0, 32, LONG, np.uint32)
        xu[::5] = rng.choice(special, len(xu[::5]))
        self.inputs = [xu, rng.integers(-2**15, 2**15, LONG, np.int16),
                       (rng.standard_normal(LONG) * 100).astype(np.float32),
                       rng.standard_normal(LONG)]
        choose = random.Random(seed)
        shapes = choose.sample(BLOCKS, 3) + ([choose.choice(LARGE)] if seed % 8 == 0 else [])
        self.launches = []
        for block in shapes:
            grid = choose.choice([(1, 1), (2, 1), (3, 1), (2, 2)])
            total = int(np.prod(grid + block))
            more = 2 * min(total, 500) if self.strides else 0
            self.launches.append((grid, block, total + choose.randint(-min(20, total - 1), more),
                                  choose.randint(-3, 9), choose.randint(0, 2**32 - 1)))

    def cut(self, tree, launches):
        less = copy.copy(self)
        less.tree, less.launches = tree, launches
        return less

    @property
    def text(self):
        return HEAD + self.own_text

    @property
    def own_text(self):
        return render(self.tree) + "\n"

    def outputs(self, launch):
        grid, block, n = launch[:3]
        total = max(n, int(np.prod(grid + block)))
        return [np.zeros(total * SLOTS, np.uint64), np.zeros(total * 2), np.zeros(3 * CELLS + 3, np.uint32),
                np.zeros(total * 4, np.uint64)]


class NotAKernel(Exception):
    """The text does not compile as C++ or does what CUDA does not define."""


class Reference:
    """Kernels compiled by the C++ compiler."""

    def __init__(self, kernels):
        self.folder = tempfile.TemporaryDirectory()
        source, library = (Path(self.folder.name) / name for name in ("k.cpp", "k.so"))
        source.write_text('#include "device.h"\n' + HEAD + "".join(k.own_text + self.entry(k) for k in kernels))
        # GCC 12 makes -x of 0.0 - x where x was an integer, -0.0 of 0, unless rounding has a direction.
        done = subprocess.run(["g++", "-O1", "-w", "-ffp-contract=off", "-frounding-math", "-fno-strict-aliasing",
                               "-shared", "-fPIC", "-Wl,-Bsymbolic", f"-I{HERE}", str(source), "-o", str(library)],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            raise NotAKernel(done.stderr)
        self.reference = ctypes.CDLL(str(library))

    def entry(self, kernel):
        arguments = ", ".join(f"({kind})a[{k}]" if "*" in kind else f"*({kind}*)a[{k}]"
                              for k, kind in enumerate(TYPES.values()))
        return (f'extern "C" int run_{kernel.name}(unsigned *g, void **arguments) {{\n'
                "    return emulated::launch({g[0], g[1], 1}, {g[2], g[3], g[4]}, [](void *p) {\n"
                f"        void **a = (void **)p; {kernel.name}({arguments});\n"
                "    }, arguments);\n}\n")

    def results(self, kernel, launch):
        grid, block, n, p, q = launch
        outputs = kernel.outputs(launch)
        numbers = [np.array(n, np.int32), np.array(p, np.int32), np.array(q, np.uint32)]
        arrays = [*kernel.inputs, *outputs, *numbers]
        geometry = (ctypes.c_uint * 5)(*grid, *block)
        undefined = getattr(self.reference, "run_" + kernel.name)(
            geometry, (ctypes.c_void_p * len(arrays))(*[a.ctypes.data for a in arrays]))
        if undefined:
            raise NotAKernel(f"{kernel.name}: threads wait for what cannot come")
        return outputs


class FuzzSession(session.Session):
    """The device's side; `check` is asked for through a session.Worker."""

    def check(self, kernel, level, wanted):
        """None, or what is wrong first."""
        if "loops" in level and not self.on_host():
            return None
        # With -G a pointer into shared memory is one of 64 bits.
        wraps = ["-DAT_ADDRESSES"] * ("-G" in level)
        module = self.load(kernel.text, [*level.split(), *wraps, "-w", "-fmad=false"])
        function = module.get_function(kernel.name)
        for launch, want in zip(kernel.launches, wanted, strict=True):
            grid, block, n, p, q = launch
            buffers = [corpus.Buffer(a, blank=False) for a in kernel.inputs + kernel.outputs(launch)]
            function(*[np.uintp(b.address) for b in buffers], np.int32(n), np.int32(p), np.uint32(q),
                     grid=grid, block=block, shared=DYNAMIC)
            for name, buffer, right in zip(("out", "fout", "sums", "rows"), buffers[4:], want, strict=True):
                got = buffer.fetch(name)
                same = got.view(f"u{got.itemsize}") == right.view(f"u{got.itemsize}")
                if got.dtype.kind == "f":
                    same |= np.isnan(got) & np.isnan(right)
                if not same.all():
                    at = int(np.argmin(same))
                    return (f"grid {grid}, block {block}, n {n}, p {p}, q {q}: {int((~same).sum())} "
                            f"wrong, first {name}[{at}]: {got[at]!r}, expected {right[at]!r}")
        return None


def levels(seed):
    return [*LEVELS, LOOPS[seed % 2]]


def check(worker, kernel, reference, level):
    """What is wrong with a kernel on the device at one level, or None."""
    wanted = [reference.results(kernel, launch) for launch in kernel.launches]
    wrong, error = worker.ask("check", kernel, level, wanted)
    return error or wrong


def shorter(tree, top=True):
    """Every tree that lacks one statement, or has in its place what stood inside it, or has a number
    for an expression."""
    for at, statement in enumerate(tree):
        before, after = tree[:at], tree[at + 1:]
        inside = [part for part in statement if not isinstance(part, str)]
        yield before + after
        if inside and len(statement) > 1:
            yield before + [less for part in inside for less in part] + after
        for place, part in enumerate(statement):
            if isinstance(part, str):
                trees = () if top else simpler(part)
            else:
                trees = shorter(part, False)
            for less in trees:
                yield [*before, [*statement[:place], less, *statement[place + 1:]], *after]


def simpler(line):
    """The line with 1 in place of a pair of brackets, where that can neither make a loop endless nor
    a divisor zero."""
    if line.startswith(("for", "{", "}")) or "/" in line or "%" in line:
        return
    pairs, opened = [], []
    for at, letter in enumerate(line):
        if letter == "(":
            opened.append(at)
        elif letter == ")" and opened:
            pairs.append((opened.pop(), at + 1))
    for start, end in sorted(pairs, key=lambda pair: pair[0] - pair[1]):
        if end - start > 5:
            yield f"{line[:start]}(1){line[end:]}"


def minimize(worker, kernel, level):
    """(text, what is wrong) of the smallest kernel found by cutting that still fails."""
    def fails(less):
        try:
            return check(worker, less, Reference([less]), level)
        except NotAKernel:
            return None

    wrong, at, cut = "", 0, False
    for launch in kernel.launches:
        alone = kernel.cut(kernel.tree, [launch])
        if fails(alone):
            kernel = alone
            break
    while True:
        trees = list(shorter(kernel.tree))
        if at >= len(trees):
            if not cut:
                return kernel.text, wrong
            at, cut = 0, False
            continue
        less = kernel.cut(trees[at], kernel.launches)
        message = fails(less)
        if message:
            kernel, wrong, cut = less, message, True
        else:
            at += 1


def batches(seeds, size=10):
    """(kernel, reference) for each seed; the next batch is compiled while this one is used."""
    groups = [[Kernel(seed) for seed in seeds[k:k + size]] for k in range(0, len(seeds), size)]
    with ThreadPoolExecutor(1) as pool:
        for group, reference in zip(groups, pool.map(Reference, groups), strict=True):
            yield from ((kernel, reference) for kernel in group)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("first", type=int)
    options.add_argument("count", type=int, nargs="?", default=1)
    options.add_argument("--print", action="store_true", help="print the kernels, run nothing")
    options.add_argument("--level", action="append", help=f"options, as in --level='-O3 -G'; else {LEVELS}")
    options.add_argument("--whole", action="store_true", help="do not cut down what fails")
    chosen = options.parse_args()
    seeds = list(range(chosen.first, chosen.first + chosen.count))
    if chosen.print:
        print("\n".join(Kernel(seed).text for seed in seeds))
        return 0
    with tempfile.TemporaryDirectory() as folder:  # nobody compiles these again
        worker, failed = session.Worker(limit=120, kind=FuzzSession, folder=folder), 0
        for kernel, reference in batches(seeds):
            for level in chosen.level or levels(int(kernel.name[1:])):
                wrong = check(worker, kernel, reference, level)
                if wrong:
                    failed += 1
                    print(f"seed {kernel.name[1:]} {level}: {wrong}", flush=True)
                    if not chosen.whole:
                        text, wrong = minimize(worker, kernel, level)
                        print(f"cut down, {wrong}:\n{text}", flush=True)
                    break
        worker.stop()
    print(f"{len(seeds)} seeds, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
