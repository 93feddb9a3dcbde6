"""Reductions and scans of random arrays against NumPy: dtypes, shapes, views, axes, NaNs, overlap. Where results are
rounded, NumPy gives them in long double: its own sums along an axis other than the last lose digits.

``python reductions.py SEED CASES`` prints what differed, with the number of the case: one case is SEED CASES FIRST.
"""

import os
import random
import sys
import warnings

os.environ.setdefault("PYCUDA_DRIVER", "host")

import numpy as np

import pycuda.autoinit  # noqa: F401
from pycuda import gpuarray
from pycuda.reduction import ReductionKernel
from pycuda.scan import ExclusiveScanKernel, InclusiveScanKernel

NAMES = ["sum", "prod", "max", "min", "mean", "var", "std", "any", "all", "argmax", "argmin", "nansum", "nanmean",
         "nanmax", "nanmin", "cumsum"]
ROUNDED = ["sum", "mean", "var", "std", "nansum", "nanmean", "cumsum"]
EDGES = [0, 1, 2, 3, 31, 32, 33, 127, 128, 129, 255, 256, 257, 300]
LONG = [2047, 2048, 2049, 4096, 16384, 16385, 20_011, 65_537, 131_072]
# The last element that is not zero, and the first: not the same from the other side.
ORDERED = {kind: (ReductionKernel(kind, "0", "b ? b : a", arguments=f"{word} *in"),
                  ReductionKernel(kind, "0", "a ? a : b", arguments=f"{word} *in"))
           for kind, word in [("i", "int"), ("l", "long")]}
SCANS = {kind: (InclusiveScanKernel(kind, "b ? b : a"), InclusiveScanKernel(kind, "a + b"),
                ExclusiveScanKernel(kind, "a + b", neutral=0)) for kind in "il"}


def shape_of(rng):
    if rng.random() < 0.3:
        return (rng.choice(LONG),)
    axes = rng.choice([0, 1, 1, 2, 2, 3])
    shape = [rng.choice(EDGES if axes < 3 else EDGES[:7]) for _ in range(axes)]
    if axes == 2 and rng.random() < 0.2:
        shape[rng.randrange(2)] = rng.choice(LONG[:6])
    return tuple(shape)


def values(rng, shape, char):
    draw = np.random.default_rng(rng.randrange(1 << 30))
    x = np.asarray(draw.integers(0 if char in "?BHIL" else -3, 5, shape)).astype(char)
    if char in "fdeFD":
        x = np.asarray(x + draw.random(shape).astype(char))
        for odd in (np.nan, np.inf, -np.inf):
            if rng.random() < 0.15:
                x[draw.random(shape) < 0.01] = odd
    return x


def view(rng, x):
    """The same cut of both."""
    cut = tuple(rng.choice([np.s_[:], np.s_[:], np.s_[::-1], np.s_[1:], np.s_[::2]]) for _ in range(x.ndim))
    axes = rng.sample(range(x.ndim), x.ndim)
    return lambda a: a[cut].transpose(axes) if a.ndim else a


def outcome(function, *arguments):
    try:
        result = function(*arguments)
        return result.get() if isinstance(result, gpuarray.GPUArray) else np.asarray(result)
    except (ValueError, TypeError) as error:
        return type(error)


def differs(ours, theirs, name, x):
    if isinstance(theirs, type) or isinstance(ours, type):
        return ours is not theirs
    if ours.dtype != theirs.dtype or ours.shape != theirs.shape:
        return True
    if theirs.dtype.kind not in "fc":
        return not np.array_equal(ours, theirs)
    scale = np.abs(x[np.isfinite(x)].astype("D")).sum() if name in ("sum", "nansum", "cumsum") else 1
    eps = np.finfo(theirs.dtype).eps * (8 + scale)
    return not np.allclose(ours, theirs, rtol=200 * np.finfo(theirs.dtype).eps, atol=4 * eps, equal_nan=True)


def precise(run, x, theirs, name, dtype):
    """What is rounded, to NumPy's dtype from long double."""
    if not isinstance(theirs, np.ndarray) or theirs.dtype.kind not in "fc" or name not in ROUNDED:
        return theirs
    wide = (x if dtype is None else x.astype(dtype)).astype("G" if x.dtype.kind == "c" else "g")
    return outcome(run, wide).astype(theirs.dtype)


def try_reduction(rng):
    name, char = rng.choice(NAMES), rng.choice("?bBhHiIlLfdFDfd")
    x = values(rng, shape_of(rng), char)
    look = view(rng, x)
    axes = [None, *range(-x.ndim, x.ndim)]
    if x.ndim > 1 and not name.startswith(("arg", "cum")):
        axes.append(tuple(rng.sample(range(x.ndim), 2)))
    options = {"axis": rng.choice(axes)}
    if not name.startswith("cum") and rng.random() < 0.3:
        options["keepdims"] = True
    if name in ("sum", "mean", "cumsum") and rng.random() < 0.2 and char not in "FD":
        options["dtype"] = rng.choice(["d", "f", "l"]) if name != "mean" else "d"
    if (name in ("cumsum", "prod") or options.get("dtype") == "l") and not np.isfinite(x).all():
        x[~np.isfinite(x)] = 1  # infinities minus infinities depend on grouping, and are no integers
    if name == "prod" and char in "fdFD":
        x = np.asarray(np.sign(x.real).astype(char))
    run = lambda a, **more: getattr(np, name)(look(a), **(options | more))
    with np.errstate(all="ignore"):
        ours, theirs = outcome(run, gpuarray.to_gpu(x)), outcome(run, x)
        theirs = precise(lambda a: run(a, **({"dtype": None} if "dtype" in options else {})), x, theirs, name,
                         options.get("dtype"))
    if name in ("max", "min", "nanmax", "nanmin") and char in "FD" and not isinstance(theirs, type):
        theirs = np.where(np.isnan(theirs), np.nan, theirs).astype(theirs.dtype)  # which NaN of several
        ours = np.where(np.isnan(ours), np.nan, ours).astype(ours.dtype)
    if differs(ours, theirs, name, look(x)):
        return f"{name} {options} of {char} {look(x).shape} strides {look(x).strides}: {ours} NumPy {theirs}"
    return None


def try_order(rng):
    char, n = rng.choice("il"), rng.choice(EDGES[1:] + LONG)
    x = values(rng, (n,), char)
    x[np.random.default_rng(n).random(n) < rng.choice([0, 0.9, 0.999])] = 0
    found = x[x != 0]
    last, first = (int(kernel(gpuarray.to_gpu(x)).get()) for kernel in ORDERED[char])
    wanted = (int(found[-1]), int(found[0])) if len(found) else (0, 0)
    return None if (last, first) == wanted else f"order of {char} {n}: {last, first}, not {wanted}"


def try_scan(rng):
    char, n = rng.choice("il"), rng.choice(EDGES[1:] + LONG)
    which, step = rng.randrange(3), rng.choice([1, 1, 2, -1])
    memory = values(rng, (2 * n + 8,), char)
    start, into = rng.randrange(8), rng.randrange(8)
    source = np.s_[start:start + 2 * n:2] if step == 2 else np.s_[start:start + n] if step == 1 else \
        slice(start + n - 1, start - 1 if start else None, -1)
    a = gpuarray.to_gpu(memory)
    x = memory[source].copy()
    last = np.where(x != 0, np.arange(n), -1)
    np.maximum.accumulate(last, out=last)
    sums = np.cumsum(x, dtype=char)
    wanted = [np.where(last >= 0, x[last], 0), sums, np.concatenate([[0], sums[:-1]])][which].astype(char)
    SCANS[char][which](a[source], a[into:into + n])
    memory[into:into + n] = wanted
    return None if np.array_equal(a.get(), memory) else f"scan {which} of {char} {n} {source} into {into}"


def main(seed, cases, first=0):
    warnings.simplefilter("ignore")
    problems = 0
    for case in range(first, first + cases):
        rng = random.Random(f"{seed} {case}")
        wrong = rng.choice([try_reduction, try_reduction, try_reduction, try_order, try_scan])(rng)
        if wrong:
            problems += 1
            print(f"case {case}: {wrong}", flush=True)
    print(f"{cases} cases, {problems} problems")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
