"""
Reaction and diffusion
======================

The model of Gray and Scott: a substance *v* eats *u*, both spread, and patterns like those of corals grow out of a few spots.
Four thousand steps, each one launch of a kernel; a :class:`~pycuda.driver.Graph` holds forty of them and is launched as one.
"""

import matplotlib.pyplot as plt
import numpy as np

import pycuda.autoinit
import pycuda.driver as cuda
from pycuda import gpuarray
from pycuda.compiler import SourceModule

module = SourceModule("""
/* u and v of a cell as one float2; the plane is a torus. */
__global__ void react(float2 *after, const float2 *before, int n, float feed, float kill)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int left = (x + n - 1) % n, right = (x + 1) % n, up = (y + n - 1) % n * n, down = (y + 1) % n * n;
    float2 c = before[y * n + x], w = before[y * n + left], e = before[y * n + right];
    float2 north = before[up + x], south = before[down + x];
    float du = w.x + e.x + north.x + south.x - 4 * c.x;
    float dv = w.y + e.y + north.y + south.y - 4 * c.y;
    float eaten = c.x * c.y * c.y;
    after[y * n + x] = make_float2(c.x + 0.16f * du - eaten + feed * (1 - c.x),
                                   c.y + 0.08f * dv + eaten - (feed + kill) * c.y);
}
""")
react = module.get_function("react")

n = 192
start = np.zeros((n, n, 2), np.float32)
start[..., 0] = 1
for row, column in np.random.default_rng(3).integers(10, n - 10, (12, 2)):
    start[row - 4:row + 4, column - 4:column + 4] = 0.5, 0.25

# %%
# Launches into a stream that captures are not run but noted down; ``graph.launch`` then costs one call for all of them.

a, b = gpuarray.to_gpu(start), gpuarray.empty((n, n, 2), np.float32)
arguments = np.int32(n), np.float32(0.0545), np.float32(0.062)
stream = cuda.Stream()
with stream.capture() as graph:
    for _ in range(20):
        react(b, a, *arguments, block=(16, 16, 1), grid=(n // 16, n // 16), stream=stream)
        react(a, b, *arguments, block=(16, 16, 1), grid=(n // 16, n // 16), stream=stream)
forty_steps = graph.instantiate()

shots = []
for _ in range(4):
    for _ in range(25):
        forty_steps.launch(stream)
    stream.synchronize()
    shots.append(a.get()[..., 1])

# %%
# Forty steps in NumPy, from the same start.


def spread(x):
    return sum(np.roll(x, shift, axis) for axis in (0, 1) for shift in (1, -1)) - 4 * x


u, v = start[..., 0].astype(float), start[..., 1].astype(float)
for _ in range(40):
    eaten = u * v * v
    u, v = (u + 0.16 * spread(u) - eaten + 0.0545 * (1 - u), v + 0.08 * spread(v) + eaten - (0.0545 + 0.062) * v)
a.set(start)
forty_steps.launch(stream)
stream.synchronize()
np.testing.assert_allclose(a.get()[..., 1], v, atol=1e-4)

figure, axes = plt.subplots(1, 4, figsize=(12, 3.2), layout="constrained")
for axis, shot, k in zip(axes, shots, range(1000, 5000, 1000), strict=True):
    axis.imshow(shot, cmap="magma")
    axis.set_title(f"step {k}")
    axis.set_axis_off()
plt.show()
