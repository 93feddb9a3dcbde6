"""
N-body problem
==============

Every star pulls at every other. A block copies the positions of 128 stars to shared memory, all of its threads use them,
and so on: each position is read from global memory once a block, not once a thread.
"""

import matplotlib.pyplot as plt
import numpy as np

import pycuda.autoinit
from pycuda import gpuarray
from pycuda.compiler import SourceModule

TILE = 128
module = SourceModule("""
#define SOFT 0.01f  /* squared; keeps the force finite when two stars meet */

/* x, y, z and the mass of a star, as its position. */
__global__ void accelerate(float4 *acceleration, const float4 *position, int n)
{
    __shared__ float4 tile[TILE];
    int i = blockIdx.x * TILE + threadIdx.x;
    float4 me = i < n ? position[i] : make_float4(0, 0, 0, 0);
    float3 a = make_float3(0, 0, 0);
    float potential = 0;
    for (int first = 0; first < n; first += TILE) {
        int j = first + threadIdx.x;
        tile[threadIdx.x] = j < n ? position[j] : make_float4(0, 0, 0, 0); /* no mass, no pull */
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + SOFT);
            float pull = tile[k].w * inverse * inverse * inverse;
            a.x += dx * pull;
            a.y += dy * pull;
            a.z += dz * pull;
            potential -= tile[k].w * inverse;
        }
        __syncthreads();
    }
    if (i < n)
        acceleration[i] = make_float4(a.x, a.y, a.z, potential);
}
""", options=[f"-DTILE={TILE}"])
accelerate = module.get_function("accelerate")

# %%
# Two clouds of stars that spin and pass each other. A GPUArray of shape (n, 4) is an array of n ``float4`` for the kernel.

n = 1024
numbers = np.random.default_rng(7)
radius, angle = np.sqrt(numbers.random(n)), 2 * np.pi * numbers.random(n)
side = np.where(np.arange(n) < n // 2, -1.0, 1.0)
position = np.zeros((n, 4), np.float32)
position[:, 0] = radius * np.cos(angle) + 1.5 * side
position[:, 1] = radius * np.sin(angle) + 0.5 * side
position[:, 2] = 0.1 * numbers.standard_normal(n)
position[:, 3] = 1 / n
velocity = np.zeros((n, 4), np.float32)
velocity[:, 0] = -0.6 * radius * np.sin(angle) - 0.25 * side
velocity[:, 1] = 0.6 * radius * np.cos(angle)

x, v = gpuarray.to_gpu(position), gpuarray.to_gpu(velocity)
a = gpuarray.empty_like(x)
mass = position[0, 3]


def pull():
    accelerate(a, x, np.int32(n), block=(TILE, 1, 1), grid=(-(-n // TILE), 1))


# %%
# The leapfrog method needs the pull once a step. Arithmetic on ``x[:, :3]`` is arithmetic on a view: the
# masses in the fourth column stay as they are.


def energy():
    kinetic = 0.5 * mass * (v[:, :3] ** 2).sum().get()
    return kinetic + 0.5 * mass * (a[:, 3].sum().get() + n * mass / np.sqrt(0.01))  # without each star's own


dt, steps = np.float32(0.02), 300
snapshots, energies = [x.get()], []
pull()
first = a.get()
energies.append(energy())
for k in range(1, steps + 1):
    v[:, :3] += 0.5 * dt * a[:, :3]
    x[:, :3] += dt * v[:, :3]
    pull()
    v[:, :3] += 0.5 * dt * a[:, :3]
    if k % 10 == 0:
        energies.append(energy())
    if k % 100 == 0:
        snapshots.append(x.get())

# %%
# NumPy agrees about the pull; energy is conserved to a part in a hundred.

d = position[None, :, :3].astype(float) - position[:, None, :3]
expected = (mass * d / ((d**2).sum(-1) + 0.01)[..., None] ** 1.5).sum(axis=1)
np.testing.assert_allclose(first[:, :3], expected, atol=2e-5)
assert np.ptp(energies) < 0.01 * abs(energies[0])

figure, axes = plt.subplots(1, 5, figsize=(12, 2.6), layout="constrained")
for axis, shot, k in zip(axes, snapshots, range(0, steps + 1, 100), strict=False):
    axis.scatter(shot[:, 0], shot[:, 1], s=1, c=side, cmap="coolwarm")
    axis.set(title=f"step {k}", xlim=(-3, 3), ylim=(-3, 3), xticks=[], yticks=[], aspect="equal")
axes[4].plot(range(0, steps + 1, 10), energies)
axes[4].set(title="energy", xlabel="step", ylim=(1.2 * energies[0], 0))
plt.show()
