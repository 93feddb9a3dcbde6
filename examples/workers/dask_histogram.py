"""GPUArrays that move between Dask's workers, each with a context of its own.

    pip install 'dask[distributed]' && python dask_histogram.py
"""

import os

import numpy as np
from dask.distributed import Client, LocalCluster


def use_device(dask_worker):
    """Runs first in each worker: its own device, current in every thread of it."""
    os.environ["CUDA_DEVICE"] = str(dask_worker.name)
    import pycuda.autoprimaryctx  # noqa: F401


def make(seed):
    from pycuda import gpuarray

    return gpuarray.to_gpu(np.random.default_rng(seed).standard_normal(100_000, np.float32))


def count(x):
    """How many numbers are in each of 8 parts of -4 to 4. The array may come from another worker: Dask sends what a pickle
    has beside it, here the elements, without a copy."""
    return np.histogram(x, 8, (-4, 4))[0]


def add(x, y):
    return x + y


def fetch(x):
    """For a process that has no device."""
    return x.get()


if __name__ == "__main__":
    workers = int(os.environ.get("WORKERS", "2"))
    os.environ.setdefault("HOSTCUDA_DEVICES", str(workers))  # GPUs do not look at it
    with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        client.run(use_device)
        names = list(client.scheduler_info()["workers"])
        arrays = [client.submit(make, seed, workers=[names[seed % workers]]) for seed in range(4)]
        parts = [client.submit(count, x, workers=[names[(i + 1) % workers]]) for i, x in enumerate(arrays)]
        while len(parts) > 1:
            parts = [client.submit(add, *parts[i:i + 2]) for i in range(0, len(parts), 2)]
        print(client.submit(fetch, parts[0]).result())
