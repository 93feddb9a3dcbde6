"""Stores past the caches (src/hostcc/vector/streamed_stores.c): with HOSTCUDA_CACHE=1 every launch of more than a byte has
them where vectors are aligned. Each element that is written has its value, the others keep theirs, and whoever reads
next, in the same launch's thread, in the next launch or on the host, finds them."""

import pytest

pytestmark = pytest.mark.host

PROGRAM = """
import numpy as np
import pycuda.autoinit
import pycuda.driver as cuda
from pycuda import gpuarray
from pycuda.compiler import SourceModule

KERNELS = '''
template <class T> __device__ void scaled(T *z, const T *x, T a, int n)
{
    int i = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n)
        z[i] = a * x[i];
}
template <class T> __device__ void rows(T *z, const T *x, int pitch)
{
    z[(blockIdx.x * blockDim.y + threadIdx.y) * pitch + threadIdx.x] = x[threadIdx.x] + T(threadIdx.y);
}
template <class T> __device__ void strides(T *z, const T *x, T a, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        z[i] = a * x[i];
}
template <class T> __device__ void again(T *z, T *w, const T *x, const T *same)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    z[i] = x[i] + T(1);
    w[i] = same[i] + same[i];
}
'''
KINDS = {"char": "i1", "short": "i2", "int": "i4", "float": "f4", "long long": "i8", "double": "f8"}
for c in KINDS:
    name = c.replace(" ", "_")
    KERNELS += f'''
extern "C" __global__ void scaled_{name}({c} *z, const {c} *x, {c} a, int n) {{ scaled(z, x, a, n); }}
extern "C" __global__ void strides_{name}({c} *z, const {c} *x, {c} a, int n) {{ strides(z, x, a, n); }}
extern "C" __global__ void rows_{name}({c} *z, const {c} *x, int pitch) {{ rows(z, x, pitch); }}
extern "C" __global__ void again_{name}({c} *z, {c} *w, const {c} *x, const {c} *same)
{{ again(z, w, x, same); }}
'''
module = SourceModule(KERNELS, options=OPTIONS, no_extern_c=True)
rng = np.random.default_rng(3)
i4 = np.int32
for c, code in KINDS.items():
    t, name = np.dtype(code).type, c.replace(" ", "_")
    scaled, strides, rows, again = (module.get_function(f"{kernel}_{name}")
                                    for kernel in ("scaled", "strides", "rows", "again"))
    x = rng.integers(-30, 30, 5000).astype(t)
    for block in (1, 16, 33, 64, 100, 256):
        for offset in (0, 1, 3, 16, 64):
            n = int(rng.integers(1, 4000))
            z = gpuarray.to_gpu(np.full(5000, 9, t))
            grid = (-(-n // block) + 1) // 2, 2
            scaled(np.intp(z.ptr + offset * z.itemsize), cuda.In(x), t(3), i4(n), block=(block, 1, 1), grid=grid)
            expected = np.full(5000, 9, t)
            expected[offset:offset + n] = t(3) * x[:n]
            assert np.array_equal(z.get(), expected), (c, block, offset, n)
            assert np.array_equal((z + z).get(), expected + expected), (c, block, offset, n)
            z.fill(9)
            strides(np.intp(z.ptr + offset * z.itemsize), cuda.In(x), t(3), i4(n), block=(block, 1, 1), grid=(3, 1))
            assert np.array_equal(z.get(), expected), (c, block, offset, n)
    for block in ((32, 4, 1), (48, 3, 1), (7, 5, 1)):
        for pitch in (block[0], block[0] + 1, 64):
            z = gpuarray.to_gpu(np.full((3 * block[1], pitch), 9, t))
            rows(z, cuda.In(x), i4(pitch), block=block, grid=(3, 1))
            expected = np.full((3, block[1], pitch), 9, t)
            expected[:, :, :block[0]] = x[:block[0]] + np.arange(block[1], dtype=t)[:, None]
            assert np.array_equal(z.get(), expected.reshape(z.shape)), (c, block, pitch)
    z, w, gx = gpuarray.zeros(2048, t), gpuarray.zeros(2048, t), gpuarray.to_gpu(x[:2048])
    y = x[:2048] + t(1)
    again(z, w, gx, z, block=(64, 1, 1), grid=(32, 1))
    assert np.array_equal(w.get(), y + y), c
    scaled(gx, gx, t(2), i4(2048), block=(256, 1, 1), grid=(8, 1))
    assert np.array_equal(gx.get(), t(2) * x[:2048]), c
x = rng.random(100_000, np.float32)
gx = gpuarray.to_gpu(x)
for _ in range(20):
    gx = gx + 1 - gx * gx
    x = x + 1 - x * x
assert np.array_equal(gx.get(), x)
print("ok")
"""


@pytest.mark.parametrize("options", ["[]", "['--no-avx512']", "['-G']"])
def test_every_launch_streams(run_python, options):
    done = run_python(f"OPTIONS = {options}\n" + PROGRAM, PYCUDA_DRIVER="host", HOSTCUDA_CACHE="1")
    assert done.stdout == "ok\n", done.stderr
