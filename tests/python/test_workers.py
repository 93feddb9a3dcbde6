"""The examples of Dask and Ray: arrays move between workers that each have a device. `make check` installs both; without
one of them its example is not run."""

import importlib.util
import os
import pathlib
import pickle
import subprocess
import sys

import numpy as np
import pytest

from pycuda import gpuarray

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples/workers"
HERE = [name for name in ("dask", "ray") if importlib.util.find_spec(name)]


@pytest.mark.devices(2)
@pytest.mark.parametrize("name", HERE)
def test_example(tmp_path, name):
    done = subprocess.run([sys.executable, str(EXAMPLES / f"{name}_histogram.py")], cwd=tmp_path, check=False,
                          capture_output=True, text=True, env=os.environ | {"RAY_AUTH_MODE": "disabled", "HOSTCUDA_DEVICES": "2"})
    assert done.returncode == 0, done.stderr
    numbers = np.concatenate([np.random.default_rng(seed).standard_normal(100_000, np.float32) for seed in range(4)])
    assert [int(word) for word in done.stdout.strip("[] \n").split()] == np.histogram(numbers, 8, (-4, 4))[0].tolist()


@pytest.mark.parametrize("shape, order", [((100_000,), "C"), ((20, 30), "F"), ((3, 4, 5), "F"), ((0,), "C"), ((), "C")])
@pytest.mark.parametrize("dtype", ["f4", "c16", "?", [("a", "i4"), ("b", "f8", 2)]])
def test_pickles_have_the_elements_beside_them(context, dtype, shape, order):
    array = np.zeros(shape, dtype, order)
    array.ravel("K").view(np.uint8)[...] = np.random.default_rng(0).integers(0, 2, array.nbytes)
    x, beside = gpuarray.to_gpu(array), []
    pickled = pickle.dumps(x, 5, buffer_callback=beside.append)
    assert len(pickled) < 500 and [one.raw().nbytes for one in beside] == [array.nbytes]
    again = pickle.loads(pickled, buffers=beside)
    assert (again.shape, again.strides, again.dtype) == (x.shape, x.strides, x.dtype)
    assert again.get().tobytes("K") == array.tobytes("K")
