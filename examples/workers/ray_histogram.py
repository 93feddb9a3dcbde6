"""GPUArrays that move between Ray's actors, each with a context of its own.

    pip install ray && python ray_histogram.py
"""

import os

import numpy as np
import ray


@ray.remote(num_cpus=1)
class Worker:
    """One device. On GPUs say num_gpus=1 in place of num_cpus, and Ray gives each a GPU of its own, which is number 0 there."""

    def __init__(self, device):
        os.environ["CUDA_DEVICE"] = str(device)
        import pycuda.autoprimaryctx  # noqa: F401

    def make(self, seed):
        from pycuda import gpuarray

        return gpuarray.to_gpu(np.random.default_rng(seed).standard_normal(100_000, np.float32))

    def count(self, x):
        """How many numbers are in each of 8 parts of -4 to 4. The array comes from another actor: Ray keeps what a pickle has
        beside it, here the elements, in memory that both see."""
        return np.histogram(x, 8, (-4, 4))[0]

    def add(self, x, y):
        return x + y

    def fetch(self, x):
        """For a process that has no device."""
        return x.get()


if __name__ == "__main__":
    workers = int(os.environ.get("WORKERS", "2"))
    os.environ.setdefault("HOSTCUDA_DEVICES", str(workers))  # GPUs do not look at it
    ray.init(num_cpus=workers, include_dashboard=False, configure_logging=False)
    team = [Worker.remote(number) for number in range(workers)]
    arrays = [team[seed % workers].make.remote(seed) for seed in range(4)]
    parts = [team[(i + 1) % workers].count.remote(x) for i, x in enumerate(arrays)]
    while len(parts) > 1:
        parts = [team[0].add.remote(*parts[i:i + 2]) for i in range(0, len(parts), 2)]
    print(ray.get(team[0].fetch.remote(parts[0])))
    ray.shutdown()
