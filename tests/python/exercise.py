"""A little of everything that launches kernels of the package's own: arrays, reductions, scans, sorts, random numbers.

    python exercise.py [PART...]

``make gpusan`` runs it under compute-sanitizer's four tools on a GPU; test_exercise.py runs it without.
"""

import sys

import numpy as np

import pycuda.driver as cuda
from pycuda import cumath, curandom, gpuarray
from pycuda._marks import Between
from pycuda.elementwise import ElementwiseKernel
from pycuda.reduction import ReductionKernel
from pycuda.scan import ExclusiveScanKernel, InclusiveScanKernel

SIZES = [1, 31, 33, 1000, 4097, 70_001, 300_000]
RANDOM = np.random.default_rng(3)


def near(x, y, rtol=1e-5, atol=1e-5):
    np.testing.assert_allclose(x.get() if isinstance(x, gpuarray.GPUArray) else x, y, rtol, atol)


def arrays():
    x, y = RANDOM.random((130, 67)).astype("f"), RANDOM.random(67).astype("f")
    a, b = gpuarray.to_gpu(x), gpuarray.to_gpu(y)
    near(2 * a + b - a[::-1] / 3, 2 * x + y - x[::-1] / 3)
    near(cumath.sin(a) * cumath.sqrt(b), np.sin(x) * np.sqrt(y))
    near(a[3::2, ::-3].copy(), x[3::2, ::-3])
    near(a.ravel()[1:] + 1, x.ravel()[1:] + 1)
    near(np.roll(a, 3, 0), np.roll(x, 3, 0))
    near(a[a > 0.5], x[x > 0.5])
    near(gpuarray.take(b, gpuarray.to_gpu(np.arange(0, 60, 7))), y[::7][:9])
    rows, columns = np.arange(129, 0, -5), np.arange(0, 67, 3)
    near(a[gpuarray.to_gpu(rows)], x[rows])
    near(a[3:, gpuarray.to_gpu(columns)], x[3:, columns])
    a[gpuarray.to_gpu(rows)], x[rows] = b, y
    a[5:9] = b
    x[5:9] = y
    near(a.T.copy(), x.T)
    near(a[:, :64] @ a[:64, :20], x[:, :64] @ x[:64, :20], 1e-4)
    with gpuarray.lazy():
        c = a * a + 1
        d = c / (a + 2)
    near(d, (x * x + 1) / (x + 2))
    z = (x + 1j * x[::-1]).astype("F")
    near(cumath.exp(gpuarray.to_gpu(z)).imag, np.exp(z).imag)
    near(gpuarray.concatenate((a, a[:3])), np.concatenate((x, x[:3])))


def gathers():
    x = RANDOM.random(1 << 25, "f")  # more than a GPU's cache holds
    a, at = gpuarray.to_gpu(x), RANDOM.integers(-x.size, x.size, (1 << 24) + 5, "i")
    often = np.where(RANDOM.random(at.size) < 0.1, 5, at)
    for places in (at, np.sort(at), often):
        near(a[gpuarray.to_gpu(places)], x[places])


def reductions():
    for n in SIZES:
        for dtype in "bhifdFD":
            x = RANDOM.integers(0, 2 if dtype == "b" else 9, n).astype(dtype)
            a = gpuarray.to_gpu(x)
            near(gpuarray.sum(a), x.sum())
            if dtype != "b":  # whose products do not fit
                near(gpuarray.dot(a, a), np.dot(x, x), 1e-4)
            if dtype not in "FD":
                near(gpuarray.max(a), x.max())
                near(a.argmin(), x.argmin())
    for shape in (7, 11, 130), (300, 257), (2, 40_000), (40_000, 3), (2, 33), (3, 800_000), (3, 700_001):
        x = RANDOM.random(shape).astype("f")
        a = gpuarray.to_gpu(x)
        for axis in [None, *range(len(shape))]:
            near(a.sum(axis=axis), x.sum(axis=axis), 1e-4)
            near(a.var(axis=axis), x.var(axis=axis), 1e-3)
            near(a.max(axis=axis), x.max(axis=axis))
            near(a.argmax(axis=axis), x.argmax(axis=axis))
    dot = ReductionKernel(np.float64, "0", "a + b", "(double)x[i] * y[i]", "float *x, float *y")
    last = ReductionKernel(np.int32, "-1", "b < 0 ? a : b", "x[i]", "int *x")
    for n in SIZES:
        x = RANDOM.random(n).astype("f")
        near(dot(gpuarray.to_gpu(x), gpuarray.to_gpu(x)), x.astype("d") @ x)
        near(last(gpuarray.arange(n, dtype=np.int32)), n - 1)


def scans():
    total, before = InclusiveScanKernel(np.int64, "a + b"), ExclusiveScanKernel(np.int32, "max(a, b)", -5)
    for n in SIZES:
        x = RANDOM.integers(-9, 9, n)
        near(total(gpuarray.to_gpu(x)), np.cumsum(x))
        y = x.astype(np.int32)
        near(before(gpuarray.to_gpu(y)), np.maximum.accumulate(np.concatenate(([-5], y[:-1]))))
        near(np.cumsum(gpuarray.to_gpu(y.astype("f"))), np.cumsum(y.astype("f")), 1e-4, 1e-3)
        near(np.cumsum(gpuarray.to_gpu(y.astype("b"))), np.cumsum(y.astype("b")))
    for shape in [(3, 4), (7000, 9), (90, 700), (5, 60, 40), (2, 200_001), (200_001, 2), (9000, 3)]:
        x = RANDOM.integers(-9, 9, shape).astype("f")
        for axis in range(x.ndim):
            near(np.cumsum(gpuarray.to_gpu(x), axis), np.cumsum(x, axis))
            near(np.maximum.accumulate(gpuarray.to_gpu(x)[..., ::-1], axis), np.maximum.accumulate(x[..., ::-1], axis))


def sorts():
    for n in SIZES:
        for dtype in "Bifd":
            x = RANDOM.integers(0, 200, n).astype(dtype)
            a = gpuarray.to_gpu(x)
            near(np.sort(a), np.sort(x))
            near(np.argsort(a), np.argsort(x, kind="stable"))
            near(np.unique(a), np.unique(x))
            near(np.nonzero(a)[0], np.nonzero(x)[0])
            near(a[a > 100], x[x > 100])
            near(np.searchsorted(np.sort(a), a), np.searchsorted(np.sort(x), x))
            ends = np.sort(x[:2])
            near(Between(a, *(gpuarray.to_gpu(end.reshape(1)) for end in ends[[0, -1]])).elements(a), x[(x >= ends[0]) & (x <= ends[-1])])
        near(np.bincount(gpuarray.to_gpu(x.astype("i"))), np.bincount(x.astype("i")))
        near(np.histogram(a, 20)[0], np.histogram(x, 20)[0])
        near(np.histogram(a, [0, 3, 50, 60])[0], np.histogram(x, [0, 3, 50, 60])[0])
        near(np.percentile(a, [30, 50]), np.percentile(x, [30, 50]))
    x = RANDOM.random((70, 90)).astype("f")
    near(np.sort(gpuarray.to_gpu(x), axis=0), np.sort(x, axis=0))
    for dtype, lengths in [("f", [3, 100, 256, 1024, 1025, 4097]), ("B", [8, 1024]), ("d", [100, 2000]), ("D", [33, 700])]:
        for n in lengths:  # of lanes, warps and blocks
            x = RANDOM.integers(0, 200, (70, n)).astype(dtype)
            a = gpuarray.to_gpu(x)
            near(np.sort(a), np.sort(x))
            near(np.argsort(a), np.argsort(x, kind="stable"))


def random_numbers():
    for make in (curandom.XORWOWRandomNumberGenerator, curandom.MRG32k3aRandomNumberGenerator,
                 curandom.Philox4x32_10RandomNumberGenerator, curandom.Sobol32RandomNumberGenerator):
        generator = make()
        for dtype in (np.float32, np.float64):
            near(generator.gen_uniform(100_003, dtype).get().mean(), 0.5, 0.02)
            near(generator.gen_normal(20_000, dtype).get().std(), 1, 0.05)
    near(curandom.rand((300, 7)).get().mean(), 0.5, 0.1)


def factors():
    # What cuSOLVER's factors are made into where it is there; the host device asks NumPy.
    host = RANDOM.normal(size=(200, 200))
    host = host @ host.T + 200 * np.eye(200)
    x = gpuarray.to_gpu(host)
    near(np.linalg.cholesky(x), np.linalg.cholesky(host), 1e-6)
    near(np.linalg.inv(x) @ x, np.eye(200))
    near(np.linalg.slogdet(x)[1], np.linalg.slogdet(host)[1])
    q, r = np.linalg.qr(x)
    near(q @ r, host, 1e-6)


def others():
    x = gpuarray.arange(1000, dtype=np.float32)
    ElementwiseKernel("float *x, float s", "x[i] = x[i] > 10 ? s : x[i]")(x, 3)
    near(x[:12], [*range(11), 3])
    stream, pool = cuda.Stream(), cuda.DeviceMemoryPool()
    y = gpuarray.empty(1000, np.float32, allocator=pool.allocate)
    y.set_async(np.arange(1000, dtype="f"), stream)
    stream.synchronize()
    near(y + x, np.arange(1000) + x.get())


if __name__ == "__main__":
    import pycuda.autoinit  # noqa: F401

    for part in (arrays, gathers, reductions, scans, sorts, random_numbers, factors, others):
        if len(sys.argv) < 2 or part.__name__ in sys.argv[1:]:
            part()
            print(part.__name__, "ok", flush=True)
