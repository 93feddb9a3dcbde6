"""
A scan explained
================

A scan (prefix sum) makes ``[a, a+b, a+b+c, ...]`` of ``[a, b, c, ...]``. That each result needs the one before seems to leave nothing
to do at the same time. This kernel shows how it is done, and writes down what its threads hold after each step.
"""

import matplotlib.pyplot as plt
import numpy as np

import pycuda.autoinit
from pycuda import gpuarray
from pycuda.compiler import SourceModule
from pycuda.scan import InclusiveScanKernel

n = 16
module = SourceModule("""
/* Hillis and Steele: after a step of width d, place i has the sum of the 2 d places that end with it. */
__global__ void scan(int *steps, const int *x)
{
    __shared__ int sum[N];
    int i = threadIdx.x;
    sum[i] = x[i];
    steps[i] = x[i];
    for (int d = 1; d < N; d *= 2) {
        __syncthreads();                      /* all have written */
        int left = i >= d ? sum[i - d] : 0;
        __syncthreads();                      /* all have read */
        sum[i] += left;
        steps += N;
        steps[i] = sum[i];
    }
}
""", options=[f"-DN={n}"])

x = np.random.default_rng(9).integers(1, 9, n).astype(np.int32)
steps = gpuarray.empty((5, n), np.int32)
module.get_function("scan")(steps, gpuarray.to_gpu(x), block=(n, 1, 1), grid=(1, 1))
table = steps.get()
np.testing.assert_array_equal(table[-1], np.cumsum(x))

# %%
# Sixteen numbers take four steps, a million would take twenty. Arrows show where a sum comes from.

figure, axis = plt.subplots(figsize=(10, 4), layout="constrained")
for row, values in enumerate(table):
    for i, value in enumerate(values):
        finished = row == 4 or i < 2**row
        axis.text(i, -row, value, ha="center", va="center", bbox={
            "boxstyle": "round", "facecolor": "palegreen" if finished else "white", "edgecolor": "gray"})
    if row:
        for i in range(2 ** (row - 1), n):
            axis.annotate("", (i - 0.05, -row + 0.2), (i - 2 ** (row - 1), -row + 0.8),
                          arrowprops={"arrowstyle": "->", "color": "steelblue", "linewidth": 0.7})
axis.set(xlim=(-1, n), ylim=(-4.5, 0.5))
axis.set_axis_off()
plt.show()

# %%
# In programs, :class:`pycuda.scan.InclusiveScanKernel` and ``ExclusiveScanKernel`` do that for arrays of any length and any associative
# operation. With ``max``, a scan is the highest so far; with a pair of operations in a struct it can even tell where a bracket closes.

walk = np.cumsum(np.random.default_rng(5).normal(0.04, 1, 1000)).astype(np.float32)
highest = InclusiveScanKernel(np.float32, "fmaxf(a, b)")(gpuarray.to_gpu(walk)).get()
np.testing.assert_array_equal(highest, np.maximum.accumulate(walk))

plt.figure(figsize=(10, 2.6), layout="constrained")
plt.plot(walk, linewidth=0.8, label="a random walk")
plt.plot(highest, label="its scan by max")
plt.legend()
plt.show()
