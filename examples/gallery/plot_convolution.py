"""
Convolution of a picture
========================

Blur and edges of a picture that the program paints itself. A Gaussian is a product of a row and a column, so
two passes of 17 weights do the work of one pass of 289. The weights are in constant memory, a strip of the picture with
its margins in shared memory.
"""

import matplotlib.pyplot as plt
import numpy as np

import pycuda.autoinit
from pycuda import cumath, gpuarray
from pycuda.compiler import SourceModule

RADIUS, STRIP = 8, 128
module = SourceModule("""
__constant__ float weight[2 * RADIUS + 1];

/* Convolves along one axis: element k of line j is at j * between_lines + k * between_elements. Outside of the picture
   the element at its edge counts. */
__global__ void convolve(float *out, const float *in, int length, int between_elements, int between_lines)
{
    __shared__ float strip[STRIP + 2 * RADIUS];
    int first = blockIdx.x * STRIP - RADIUS;
    const float *line = in + (size_t)blockIdx.y * between_lines;
    for (int k = threadIdx.x; k < STRIP + 2 * RADIUS; k += STRIP)
        strip[k] = line[min(max(first + k, 0), length - 1) * between_elements];
    __syncthreads();
    int k = blockIdx.x * STRIP + threadIdx.x;
    if (k >= length)
        return;
    float sum = 0;
    for (int w = 0; w <= 2 * RADIUS; w++)
        sum += weight[w] * strip[threadIdx.x + w];
    out[(size_t)blockIdx.y * between_lines + k * between_elements] = sum;
}
""", options=[f"-DRADIUS={RADIUS}", f"-DSTRIP={STRIP}"])
convolve = module.get_function("convolve")
weight = gpuarray.GPUArray(2 * RADIUS + 1, np.float32, gpudata=module.get_global("weight")[0])


def along(axis, picture, weights):
    weight.set(weights.astype(np.float32))
    out = gpuarray.empty_like(picture)
    height, width = picture.shape
    lengths, strides = (height, width), (width, 1)
    convolve(out, picture, *map(np.int32, (lengths[axis], strides[axis], strides[1 - axis])),
             block=(STRIP, 1, 1), grid=(-(-lengths[axis] // STRIP), lengths[1 - axis]))
    return out


# %%
# The picture: hills in front of a low sun, with the grain of a film.

height, width = 320, 480
y, x = np.mgrid[:height, :width].astype(np.float32)
photograph = 0.55 + 0.4 * y / height
photograph += 0.5 * (np.hypot(x - 330, y - 110) < 34)
for k, level in enumerate((0.55, 0.38, 0.2)):
    ridge = 150 + 50 * k + 26 * np.sin(x / (47 - 9 * k) + 2 * k) + 9 * np.sin(x / (13 + k))
    photograph = np.where(y > ridge, level + 0.05 * np.sin(x / 3) * np.sin(y / 4), photograph)
photograph += 0.04 * np.random.default_rng(5).standard_normal((height, width))
photograph = photograph.astype(np.float32)

# %%
# The derivative of a Gaussian finds edges. The gradient's length is plain arithmetic on GPU arrays.

t = np.arange(-RADIUS, RADIUS + 1)
gauss = np.exp(-(t**2) / (2 * 2.5**2))
gauss /= gauss.sum()
slope = -t * gauss
slope /= -(slope * t).sum()

picture = gpuarray.to_gpu(photograph)
blurred = along(1, along(0, picture, gauss), gauss)
edges = cumath.sqrt(along(1, along(0, picture, gauss), slope) ** 2 + along(0, along(1, picture, gauss), slope) ** 2)

# %%
# Pixel by pixel, away from the margin, it is what NumPy's ``convolve`` makes of rows and columns.

expected = np.apply_along_axis(np.convolve, 0, photograph, gauss, "valid")
expected = np.apply_along_axis(np.convolve, 1, expected, gauss, "valid")
np.testing.assert_allclose(blurred.get()[RADIUS:-RADIUS, RADIUS:-RADIUS], expected, atol=1e-5)

figure, axes = plt.subplots(1, 3, figsize=(12, 3), layout="constrained")
for axis, shown, title in zip(axes, (photograph, blurred.get(), edges.get()), ("picture", "blurred", "edges"),
                              strict=True):
    axis.imshow(shown, cmap="gray")
    axis.set_title(title)
    axis.set_axis_off()
plt.show()
