"""A tour in a minute: compile CUDA C from Python, run it, check it, time it, draw a picture with it.

    make demo            or:  python examples/demo.py [picture.png]
"""

import sys
import time

import numpy as np

import pycuda.autoinit
import pycuda.driver as cuda
from pycuda import gpuarray
from pycuda.compiler import SourceModule

SOURCE = """
__global__ void wave(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = sinf(x[i]) * expf(-x[i] * x[i]);
}

__global__ void multiply(float *c, const float *a, const float *b, int n)
{
    __shared__ float as[16][16], bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
    float value = 0;
    for (int t = 0; t < n; t += 16) {
        as[ty][tx] = a[row * n + t + tx];
        bs[ty][tx] = b[(t + ty) * n + column];
        __syncthreads();
        for (int k = 0; k < 16; k++)
            value += as[ty][k] * bs[k][tx];
        __syncthreads();
    }
    c[row * n + column] = value;
}

/* How fast z -> z*z + c escapes, smoothly, for each pixel. */
__global__ void mandelbrot(float *out, int width, int height, float x, float y, float scale, int most)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= width || row >= height)
        return;
    float cr = x + (column - width / 2) * scale, ci = y + (row - height / 2) * scale;
    float zr = 0, zi = 0;
    int k = 0;
    while (zr * zr + zi * zi < 64 && k < most) {
        float t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = t;
        k++;
    }
    out[row * width + column] = k == most ? 0 : k + 1 - log2f(0.5f * log2f(zr * zr + zi * zi));
}
"""


def best_time(run, rounds=9):
    spent = []
    for _ in range(rounds):
        start = time.perf_counter()
        run()
        cuda.Context.synchronize()
        spent.append(time.perf_counter() - start)
    return min(spent)


def line(what, text):
    print(f"  {what:<22}{text}")


def element_wise(module):
    n = 1 << 24
    x = np.random.default_rng(1).standard_normal(n).astype(np.float32)
    dx, dy = gpuarray.to_gpu(x), gpuarray.empty(n, np.float32)
    wave = module.get_function("wave")
    ours = best_time(lambda: wave(dy, dx, np.int32(n), block=(256, 1, 1), grid=(n // 256, 1)))
    numpy = best_time(lambda: np.sin(x) * np.exp(-x * x), 3)
    assert np.allclose(dy.get(), np.sin(x) * np.exp(-x * x), atol=1e-6), "wrong result"
    line("sin(x) * exp(-x*x)", f"{n:,} floats, verified: {8 * n / ours / 1e9:.1f} GB/s, "
                               f"{numpy / ours:.1f} times NumPy's speed")
    z = best_time(lambda: dx + dy)
    hy = dy.get()
    numpy = best_time(lambda: x + hy, 3)
    line("x + y (GPUArray)", f"{12 * n / z / 1e9:.1f} GB/s, NumPy {12 * n / numpy / 1e9:.1f}")


def matrix_product(module):
    n = 1024
    a, b = (np.random.default_rng(k).random((n, n), dtype=np.float32) for k in (1, 2))
    da, db, dc = gpuarray.to_gpu(a), gpuarray.to_gpu(b), gpuarray.empty((n, n), np.float32)
    multiply = module.get_function("multiply")
    spent = best_time(lambda: multiply(dc, da, db, np.int32(n), block=(16, 16, 1), grid=(n // 16, n // 16)), 5)
    assert np.allclose(dc.get(), a @ b, rtol=1e-4), "wrong result"
    line("tiled matrix product", f"{n}x{n}, verified: {2 * n**3 / spent / 1e9:.1f} GFLOP/s")


def picture(module, path):
    from PIL import Image

    width, height, most = 1600, 1000, 1000
    out = gpuarray.empty((height, width), np.float32)
    mandelbrot = module.get_function("mandelbrot")
    arguments = (out, np.int32(width), np.int32(height), np.float32(-0.7436), np.float32(0.1318),
                 np.float32(2.2e-6), np.int32(most))
    spent = best_time(lambda: mandelbrot(*arguments, block=(16, 16, 1),
                                         grid=((width + 15) // 16, (height + 15) // 16)), 1)
    k = out.get()
    phase = np.sqrt(k)[..., None] * 0.9 + np.array([3.6, 3.0, 2.2])
    colours = np.where(k[..., None] > 0, 127.5 * (1 + np.cos(phase)), 0).astype(np.uint8)
    Image.fromarray(colours).save(path)
    line("Mandelbrot set", f"{width}x{height}, up to {most} iterations in {1e3 * spent:.0f} ms: see {path}")


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else "demo.png"
    print(f"\n{pycuda.autoinit.device.name()}")
    start = time.perf_counter()
    module = SourceModule(SOURCE)
    line("compile", f"three kernels in {1e3 * (time.perf_counter() - start):.0f} ms (from now on from the cache)")
    element_wise(module)
    matrix_product(module)
    picture(module, path)


main()
