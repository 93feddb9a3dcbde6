"""
K-means
=======

Groups points by their nearest centre, moves each centre to the middle of its group, and so on (Lloyd's method). The kernel that
assigns a point also adds it to its group's sum: in shared memory first, then once a block in global memory.
"""

import matplotlib.pyplot as plt
import numpy as np

import pycuda.autoinit
from pycuda import gpuarray
from pycuda.compiler import SourceModule

GROUPS = 8
module = SourceModule("""
__global__ void assign(int *group, float *sum_x, float *sum_y, int *count, const float2 *point, const float2 *centre, int n)
{
    __shared__ float x[GROUPS], y[GROUPS];
    __shared__ int many[GROUPS];
    if (threadIdx.x < GROUPS)
        x[threadIdx.x] = y[threadIdx.x] = many[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float2 p = point[i];
        float least = 1e30f;
        int nearest = 0;
        for (int k = 0; k < GROUPS; k++) {
            float dx = p.x - centre[k].x, dy = p.y - centre[k].y, d = dx * dx + dy * dy;
            if (d < least) {
                least = d;
                nearest = k;
            }
        }
        group[i] = nearest;
        atomicAdd(&x[nearest], p.x);
        atomicAdd(&y[nearest], p.y);
        atomicAdd(&many[nearest], 1);
    }
    __syncthreads();
    if (threadIdx.x < GROUPS) {
        atomicAdd(&sum_x[threadIdx.x], x[threadIdx.x]);
        atomicAdd(&sum_y[threadIdx.x], y[threadIdx.x]);
        atomicAdd(&count[threadIdx.x], many[threadIdx.x]);
    }
}
""", options=[f"-DGROUPS={GROUPS}"])
assign = module.get_function("assign")

numbers = np.random.default_rng(4)
n = 40_000
middles = numbers.uniform(-5, 5, (GROUPS, 2))
points = (middles[numbers.integers(0, GROUPS, n)] + numbers.normal(0, 0.6, (n, 2))).astype(np.float32)

# %%
# Good starts are far apart: each is the farthest of all points from those before it.

start = [points[0]]
for _ in range(GROUPS - 1):
    distances = np.min([((points - p) ** 2).sum(axis=1) for p in start], axis=0)
    start.append(points[distances.argmax()])

# %%
# The centres never leave the device: means are arithmetic on GPU arrays, and ``maximum`` keeps an empty group from
# dividing by zero.

point, centre = gpuarray.to_gpu(points), gpuarray.to_gpu(np.array(start))
group = gpuarray.empty(n, np.int32)
ways = [centre.get()]
for _ in range(12):
    sum_x, sum_y = gpuarray.zeros(GROUPS, np.float32), gpuarray.zeros(GROUPS, np.float32)
    count = gpuarray.zeros(GROUPS, np.int32)
    assign(group, sum_x, sum_y, count, point, centre, np.int32(n), block=(256, 1, 1), grid=(-(-n // 256), 1))
    centre[:, 0] = sum_x / gpuarray.maximum(count, 1)
    centre[:, 1] = sum_y / gpuarray.maximum(count, 1)
    ways.append(centre.get())

# %%
# NumPy finds the same groups around the last but one centres, and their means are the last.

squares = ((points[:, None].astype(float) - ways[-2]) ** 2).sum(axis=2)
found = group.get()
near = np.sort(squares, axis=1)
clear = near[:, 1] - near[:, 0] > 1e-3  # points between two centres may fall either way by rounding
np.testing.assert_array_equal(found[clear], squares.argmin(axis=1)[clear])
means = [points[found == k].mean(axis=0) for k in range(GROUPS)]
np.testing.assert_allclose(ways[-1], means, atol=1e-3)

plt.figure(figsize=(6, 5.5), layout="constrained")
plt.scatter(*points[::8].T, c=found[::8], s=2, cmap="tab10")
for way in np.transpose(ways, (1, 2, 0)):
    plt.plot(*way, "k.-", linewidth=1)
plt.plot(*ways[-1].T, "kX", markersize=9)
plt.axis("equal")
plt.show()
