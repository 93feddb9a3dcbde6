"""
Mandelbrot set
==============

One thread a pixel, in blocks of 16 by 16. How long a thread iterates depends on its pixel, so threads of
one block end at different times; nothing has to be done about that.
"""

import matplotlib.pyplot as plt
import numpy as np

import pycuda.autoinit
from pycuda import gpuarray
from pycuda.compiler import SourceModule

module = SourceModule("""
__global__ void mandelbrot(float *escape, int width, int height, float2 centre, float scale, int most)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= width || row >= height)
        return;
    float2 c = make_float2(centre.x + (column - width / 2) * scale,
                           centre.y + (row - height / 2) * scale);
    float2 z = make_float2(0, 0);
    int k = 0;
    for (; k < most && z.x * z.x + z.y * z.y < 64; k++)
        z = make_float2(z.x * z.x - z.y * z.y + c.x, 2 * z.x * z.y + c.y);
    /* The fraction makes the count smooth from one pixel to the next. */
    escape[row * width + column] =
        k == most ? 0 : k + 1 - log2f(0.5f * log2f(z.x * z.x + z.y * z.y));
}
""")
mandelbrot = module.get_function("mandelbrot")

# %%
# Vectors such as ``float2`` are passed as elements of ``gpuarray.vec``, plain numbers as NumPy scalars of the
# parameter's type. The grid is rounded up, and threads outside of the picture return at once.


def draw(width, height, x, y, scale, most):
    escape = gpuarray.empty((height, width), np.float32)
    mandelbrot(escape, np.int32(width), np.int32(height), gpuarray.vec.make_float2(x, y), np.float32(scale),
               np.int32(most), block=(16, 16, 1), grid=(-(-width // 16), -(-height // 16)))
    return escape.get()


whole = draw(640, 480, -0.65, 0.0, 0.0055, 200)
detail = draw(640, 480, -0.7436, 0.1318, 6e-6, 1000)

# %%
# The origin never escapes, 1 does.

assert whole[240, 320 + round(0.65 / 0.0055)] == 0
assert draw(1, 1, 1.0, 0.0, 1.0, 200)[0, 0] > 0

figure, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for axis, picture in zip(axes, (whole, detail), strict=True):
    axis.imshow(np.sqrt(picture), cmap="twilight_shifted")
    axis.set_axis_off()
plt.show()
