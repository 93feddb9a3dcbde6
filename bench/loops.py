"""Divergent loops (loops.cu) on the host device as vectors, as scalar code for one lane after the other, and as hostcc chooses.

    PYCUDA_DRIVER=host python bench/loops.py [LOOP ...]

Rows give the microseconds of vectors, and that time over the others': with memory that is cached (2^15 rows) and that is not
(2^19), for all threads and for an eighth of them. The results must be the same bit for bit.
"""

import re
import sys
import time
from pathlib import Path

import numpy as np

import pycuda.autoinit  # noqa: F401 (context)
import pycuda.driver as cuda
from pycuda.compiler import SourceModule

SOURCE = Path(__file__).with_name("loops.cu").read_text()
LOOPS = dict(re.findall(r"^LOOP\((\w+), [\w ]+, (?:unsigned )?(\w+)\)", SOURCE, re.MULTILINE))
WAYS = ["--divergent-loops=vectors"], ["--divergent-loops=scalar"], []
SIZES, DENSITIES, LONGEST = (1 << 15, 1 << 19), (1, 8), 12
DTYPES = {"float4": np.float32, "double": np.float64, "int": np.int32, "float": np.float32}


def arrays(data, n):
    """start, column, v and x of rows of 1 to 11 elements."""
    rng = np.random.default_rng(0)
    start = np.concatenate([[0], np.cumsum(rng.integers(1, LONGEST, n))]).astype(np.int32)
    dtype, size = DTYPES.get(data, np.uint8), LONGEST * n
    v, x = (rng.integers(0, 256, size).astype(dtype) if data in ("int", "char") else rng.random(size).astype(dtype)
            for _ in range(2))
    return start, rng.integers(0, n, size).astype(np.int32), v, x


def row(name, modules, n):
    """Microseconds of each way at each density."""
    start, column, v, x = arrays(LOOPS[name], n)
    memory = [cuda.to_device(a) for a in (start, column, v, x)]
    y = cuda.to_device(np.zeros(LONGEST * n))
    for density in DENSITIES:
        kernels, took, results = [modules[way, density].get_function(name) for way in range(3)], [], []
        for turn in range(9):
            spent = []
            for kernel in kernels:
                if turn == 0:
                    cuda.memset_d8(y, 0, 8 * LONGEST * n)
                begin = time.perf_counter()
                kernel(y, *memory, np.int32(n), block=(256, 1, 1), grid=(n // 256, 1))
                cuda.Context.synchronize()
                spent.append(time.perf_counter() - begin)
                if turn == 0:
                    results.append(cuda.from_device(y, 8 * LONGEST * n, np.uint8))
            took.append(spent)
        assert all((results[0] == other).all() for other in results), name
        yield 1e6 * np.median(took, axis=0)


def main(names):
    modules = {(way, density): SourceModule(SOURCE, no_extern_c=True, options=[*WAYS[way], f"-DDENSITY={density}"])
               for way in range(3) for density in DENSITIES}
    print(f"{'vectors us, over scalar, chosen':<20}" + "".join(f"{n:>10} / {d}      " for n in SIZES for d in DENSITIES))
    for name in names or LOOPS:
        cells = [cell for n in SIZES for cell in row(name, modules, n)]
        print(f"{name:<20}" + "".join(f"{v:10.0f}{v / s:6.2f}{v / c:6.2f}" for v, s, c in cells), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
