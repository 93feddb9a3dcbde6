"""
Heat equation, animated
=======================

Heat flows through a plate with a hot edge and two warm spots: explicit steps of the equation
u\\ :sub:`t` = Δu on a grid of 128 by 128 points. A step reads one array and writes another; then they change roles.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.animation import FuncAnimation

import pycuda.autoinit
from pycuda import gpuarray
from pycuda.compiler import SourceModule

module = SourceModule("""
__global__ void step(float *after, const float *before, int n, float r)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    int i = y * n + x;
    float u = before[i];
    bool inside = x > 0 && y > 0 && x < n - 1 && y < n - 1;
    after[i] = inside ? u + r * (before[i - 1] + before[i + 1] + before[i - n] + before[i + n] - 4 * u) : u;
}
""")

# %%
# ``prepare`` says the types of the parameters once, so that each launch converts plain Python numbers and is cheaper.
# That pays where a kernel is launched thousands of times.

step = module.get_function("step").prepare("PPif")
n, r = 128, np.float32(0.2)  # stable up to r = 1/4
grid, block = (n // 16, n // 16), (16, 16, 1)

start = np.zeros((n, n), np.float32)
start[:, 0] = 1.0
start[30:45, 80:95] = 0.8
start[85:95, 60:110] = 0.6


def advance(u, v, steps):
    """The two arrays after so many steps, the newest first."""
    for _ in range(steps):
        step.prepared_call(grid, block, v.gpudata, u.gpudata, n, r)
        u, v = v, u
    return u, v


u, v = gpuarray.to_gpu(start), gpuarray.empty((n, n), np.float32)
frames = [start]
for _ in range(29):
    u, v = advance(u, v, 40)
    frames.append(u.get())

# %%
# The same formula in NumPy gives the same numbers, up to rounding.

expected = start.copy()
for _ in range(40):
    inner = expected[1:-1, 1:-1]
    expected[1:-1, 1:-1] = inner + r * (expected[1:-1, :-2] + expected[1:-1, 2:] + expected[:-2, 1:-1]
                                        + expected[2:, 1:-1] - 4 * inner)
np.testing.assert_allclose(frames[1], expected, atol=1e-5)

# %%
# Thirty pictures, forty steps from each to the next.

figure, axis = plt.subplots(figsize=(4.5, 4), layout="constrained")
image = axis.imshow(start, cmap="inferno", vmin=0, vmax=1)
axis.set_axis_off()


def show(k):
    image.set_data(frames[k])
    return [image]


animation = FuncAnimation(figure, show, frames=len(frames), interval=80, blit=True)
plt.show()
