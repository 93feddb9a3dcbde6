"""Where arrays on a GPU are slower than CuPy's or torch's, and on the host device than NumPy's: functions along axes of
arrays of many shapes and dtypes.

    PYCUDA_DRIVER=cuda python bench/corners.py [SECONDS [SEED]]

Shapes and dtypes are drawn until the time is over; the rows come in ascending order of the better one's time over
ours. Microseconds, medians of turns. A row says where to look, not how much there is to gain: turns are short.
"""

import math
import random
import sys
import time

import numpy as np
from gpu import peers, spent, versions

import pycuda.driver as cuda
from pycuda import _native, gpuarray

TURN = 2e-3
SHAPES = [
    (11585, 11585), (1 << 24, 3), (3, 1 << 24), (1000, 1000, 100), (100, 1000, 1000), (1 << 22, 30), (30, 1 << 22),
    (1025, 1025), (64, 64, 64, 64), (1 << 17, 1000), (1000, 1 << 17), (257,), (100_003,), (12_345_678,), (10, 10),
    (300, 300), (7, 11, 13, 17), (1000, 1000), (1000, 1001), (1 << 20, 3), (3, 1 << 20), (30, 200, 200)]
LARGE_FOR_CPUS = 1 << 22
DTYPES = ["float32", "float64", "float16", "int8", "int64", "complex64"]
SLOW = {"argmax", "cumsum", "mask", "sort", "std"}  # of CuPy, where arrays are large: seconds


def drawn(shape, dtype):
    values = np.random.default_rng(0).random(min(math.prod(shape), 1 << 20))
    return np.resize(values if np.dtype(dtype).kind in "fc" else 100 * values, shape).astype(dtype)


def axis_calls(owner, x, place, axis, is_torch):
    """name -> call, along an axis."""
    xp, key = np if owner is gpuarray else owner, "dim" if is_torch else "axis"
    part = [tuple(s if d == axis else slice(None) for d in range(x.ndim))
            for s in (slice(1), slice(1, None), slice(None, None, 2), place)]
    calls = {
        "sum": lambda: x.sum(**{key: axis}),
        "any": lambda: xp.any(x, **{key: axis}),
        "cumsum": lambda: xp.cumsum(x, **{key: axis}),
        "roll": lambda: xp.roll(x, 3, axis),
        "diff": lambda: xp.diff(x, **{key: axis}),
        "concatenate": lambda: owner.cat((x, x), axis) if is_torch else xp.concatenate((x, x), axis),
        "x + one": lambda: x + x[part[0]],
        "x[1:] + 1": lambda: x[part[1]] + 1,
        "x[::2] + 1": lambda: x[part[2]] + 1,
        "x[places]": lambda: x[part[3]]}
    if not is_complex(x):
        calls |= {"max": lambda: x.amax(axis) if is_torch else x.max(axis=axis),
                  "argmax": lambda: x.argmax(**{key: axis}),
                  "sort": lambda: owner.sort(x, axis)[0] if is_torch else xp.sort(x, axis=axis)}
    if is_real(x):
        calls |= {"mean": lambda: x.mean(**{key: axis}),
                  "std": lambda: x.std(axis, correction=0) if is_torch else x.std(axis=axis)}
    return {f"{name}, axis {axis}": call for name, call in calls.items()}


def whole_calls(owner, x, is_torch):
    xp = np if owner is gpuarray else owner
    calls = {"x + x": lambda: x + x, "x * 2": lambda: x * 2, "-x": lambda: -x, "x == 1": lambda: x == 1, "sum": lambda: x.sum()}
    if not is_complex(x):
        calls |= {"max": lambda: x.max(), "argmax": lambda: x.argmax(), "mask": lambda: x[x > 0.5],
                  "clip": lambda: xp.clip(x, 1, 3), "where": lambda: xp.where(x > 1, x, x)}
    if is_real(x):
        calls |= {"sqrt": lambda: xp.sqrt(x), "exp": lambda: xp.exp(x), "x / x": lambda: x / x}
    if x.ndim > 1:
        calls["transposed copy"] = (lambda: x.permute(*range(x.ndim)[::-1]).contiguous()) if is_torch else \
            lambda: xp.copy(x.T, order="C")
    return calls


def is_complex(x):
    return "complex" in str(x.dtype)


def is_real(x):
    return "float" in str(x.dtype)


def tables_of(owners, host):
    """What each contender has of such an array: name -> call."""
    tables = {}
    for name, (owner, make) in owners.items():
        x = make(host)
        tables[name] = whole_calls(owner, x, name == "torch")
        for axis in sorted({0, host.ndim // 2, host.ndim - 1}):
            place = make(np.random.default_rng(1).permutation(host.shape[axis]))
            tables[name] |= axis_calls(owner, x, place, axis, name == "torch")
    return tables


def runs(call):
    """Whether it does: contenders lack a dtype here and there."""
    try:
        call()
    except (TypeError, ValueError, RuntimeError):
        return False
    return True


def rows_of(owners, host, until):
    """(ratio, what, seconds by name) of each function."""
    tables = tables_of(owners, host)
    for what in tables["ours"]:
        if time.time() > until:
            return
        there = {name: table[what] for name, table in tables.items()
                 if what in table and not (name == "CuPy" and host.nbytes > 1 << 26 and what.split(",")[0] in SLOW)}
        there = {name: call for name, call in there.items() if runs(call)}
        if "ours" in there and len(there) > 1:
            seconds = dict(zip(there, spent(list(there.values()), TURN, turns=3), strict=True))
            yield min(took for name, took in seconds.items() if name != "ours") / seconds["ours"], what, seconds


def main(limit=120, seed=0):
    is_host, owners = _native._is_host_device(), {"ours": (gpuarray, gpuarray.to_gpu)}
    others = {} if is_host else peers()
    print(versions(others), end="\n\n")
    if is_host:
        owners["NumPy"] = np, np.asarray
    if "cupy" in others:
        owners["CuPy"] = others["cupy"], others["cupy"].asarray
    if "torch" in others:
        owners["torch"] = others["torch"], lambda x: others["torch"].as_tensor(x).cuda()
    most = LARGE_FOR_CPUS if is_host else max(map(math.prod, SHAPES))
    cases = [(shape, dtype) for shape in SHAPES for dtype in DTYPES if math.prod(shape) <= most]
    random.Random(int(seed)).shuffle(cases)
    until, rows = time.time() + float(limit), []
    for shape, dtype in cases:
        if time.time() > until:
            break
        rows += [(ratio, f"{what} of {dtype} {shape}", seconds)
                 for ratio, what, seconds in rows_of(owners, drawn(shape, dtype), until)]
        cuda.Context.synchronize()
    print(f"{'ratio':>6}  {'':56}" + "".join(f"{name:>10}" for name in owners))
    for ratio, what, seconds in sorted(rows, key=lambda row: row[0]):
        print(f"{ratio:6.2f}  {what:56}" + "".join(f"{seconds[name] * 1e6:10.1f}" if name in seconds else f"{'-':>10}" for name in owners))


if __name__ == "__main__":
    main(*sys.argv[1:])
