"""Sparse products and conjugate gradients against SciPy, where it is installed, taking turns.

sparse.py [TURNS]. Shown are milliseconds (medians) and the median of the turns' ratios: above 1, ours
is the faster.
"""

import sys
import time

import numpy as np
import scipy.sparse.linalg

import pycuda.autoinit
from pycuda import gpuarray
from pycuda.sparse import CSRMatrix
from pycuda.sparse.cg import solve


def matrices():
    n, random = 1000, np.random.default_rng(1)
    yield "five-point stencil, 10^6 rows", scipy.sparse.diags_array(
        [-1, -1, 4.001, -1, -1], offsets=[-n, -1, 0, 1, n], shape=(n * n, n * n)).tocsr()
    n = 200_000
    yield "30 random places a row, 200,000 rows", scipy.sparse.random_array(
        (n, n), density=30 / n, format="csr", rng=random)
    lengths = np.minimum(5000, random.zipf(1.7, n))
    yield "1 to 5,000 places a row, most of few", scipy.sparse.csr_array(
        (random.random(lengths.sum()), random.integers(0, n, lengths.sum()), np.append(0, lengths.cumsum())), (n, n))


def compare(name, ours, theirs, turns):
    spent = np.empty((turns, 2))
    for turn in range(-1, turns):
        for k, call in enumerate((ours, theirs)):
            start = time.perf_counter()
            call()
            pycuda.autoinit.context.synchronize()
            spent[turn, k] = time.perf_counter() - start
    mine, other = np.median(spent, axis=0) * 1e3
    print(f"{name:<50}{mine:10.2f}{other:10.2f}{np.median(spent[:, 1] / spent[:, 0]):7.2f}x")


def main():
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    print(f"{'ms':<50}{'ours':>10}{'scipy':>10}")
    for name, matrix in matrices():
        for dtype in (np.float32, np.float64):
            theirs = matrix.astype(dtype)
            x = np.random.default_rng(2).random(matrix.shape[1]).astype(dtype)
            ours, y = CSRMatrix(theirs), gpuarray.to_gpu(x)
            compare(f"{name}, {np.dtype(dtype)}", lambda a=ours, y=y: a @ y,
                    lambda a=theirs, x=x: a @ x, turns)
            wide = np.random.default_rng(3).random((len(x), 8)).astype(dtype)
            there = gpuarray.to_gpu(wide)
            compare("  times 8 columns", lambda a=ours, there=there: a @ there, lambda a=theirs, wide=wide: a @ wide, turns)
        if "stencil" in name:
            compare("its system to 1e-6, float64", lambda a=ours, y=y: solve(a, y, tol=1e-6),
                    lambda a=theirs, x=x: scipy.sparse.linalg.cg(a, x, rtol=1e-6), 1)


if __name__ == "__main__":
    main()
