"""
Histogram equalisation
======================

A picture of poor contrast is given all shades in equal amounts. Three steps: a histogram (atomic operations, first in shared
memory, so that blocks seldom meet), its running sum (a scan), and a look-up in that sum for each pixel.
"""

import matplotlib.pyplot as plt
import numpy as np

import pycuda.autoinit
from pycuda import gpuarray
from pycuda.compiler import SourceModule
from pycuda.scan import InclusiveScanKernel

module = SourceModule("""
__global__ void histogram(unsigned *bins, const unsigned char *picture, int n)
{
    __shared__ unsigned mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
        atomicAdd(&mine[picture[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}
""")
histogram = module.get_function("histogram")
running_sum = InclusiveScanKernel(np.uint32, "a + b")


def shades(picture):
    bins = gpuarray.zeros(256, np.uint32)
    histogram(bins, picture, np.int32(picture.size), block=(256, 1, 1), grid=(32, 1))
    return bins


# %%
# A landscape in fog: craters, all of them in a quarter of the shades.

numbers = np.random.default_rng(11)
y, x = np.mgrid[:360, :480]
terrain = np.zeros(x.shape)
for radius in numbers.pareto(1.5, 160) * 6 + 5:
    distance = np.hypot(x - numbers.uniform(0, 480), y - numbers.uniform(0, 360)) / radius
    terrain += radius**0.5 * np.where(distance < 1, distance**2 - 1, 0.4 * np.exp(-4 * (distance - 1)))
light = np.gradient(terrain)[0] + np.gradient(terrain)[1]
foggy = np.clip(120 + 11 * light + numbers.normal(0, 1.5, x.shape), 0, 255).astype(np.uint8)

# %%
# ``take`` looks every pixel up in the table of 256 new shades.

picture = gpuarray.to_gpu(foggy)
bins = shades(picture)
table = running_sum(bins.copy())
table = (table * (255 / picture.size)).astype(np.uint8)
clear = gpuarray.take(table, picture.ravel().astype(np.uint32)).reshape(picture.shape)

np.testing.assert_array_equal(bins.get(), np.bincount(foggy.ravel(), minlength=256))
expected = (np.cumsum(bins.get()) * (255 / foggy.size)).astype(np.uint8)[foggy]
np.testing.assert_array_equal(clear.get(), expected)

figure, axes = plt.subplots(2, 2, figsize=(9, 6), layout="constrained", height_ratios=(3, 1))
for (above, below), shown, title in zip(axes.T, (picture, clear), ("foggy", "equalised"), strict=True):
    above.imshow(shown.get(), cmap="gray", vmin=0, vmax=255)
    above.set_title(title)
    above.set_axis_off()
    below.fill_between(np.arange(256), shades(shown).get(), step="mid")
    below.set_yticks([])
plt.show()
