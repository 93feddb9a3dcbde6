"""The programs in tests/programs run as they are, and print what NumPy gives for the same numbers.

They draw from numpy.random without a seed; each runs in a process of its own that sets one first.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

from pycuda import curandom

PROGRAMS = pathlib.Path(__file__).parents[1] / "programs"
WAVE = pathlib.Path(__file__).parents[2] / "examples/gallery/wave_strips.py"
SEED = 20
CODE = "import numpy, runpy, sys; numpy.random.seed({}); runpy.run_path(sys.argv[1], run_name='__main__')"
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n"]


def run(name, launcher=(), **environment):
    """What the program prints."""
    command = [*launcher, sys.executable, "-c", CODE.format(SEED), str(PROGRAMS / f"{name}.py")]
    done = subprocess.run(command, capture_output=True, text=True, cwd="/", check=False,
                          env=os.environ | environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def numbers(text):
    return np.array([float(word) for word in re.findall(r"[-+]?\d+\.\d*(?:e[-+]\d+)?", text)])


def two_random_arrays():
    """What a program gets that calls curandom.rand((50,)) twice."""
    np.random.seed(SEED)
    return curandom.rand((50,)).get(), curandom.rand((50,)).get()


@pytest.mark.parametrize("name", [
    "cumath_sqrt_fabs", "double_array_explicit", "double_array_gpuarray", "double_array_in_out",
    "double_array_inout",
])
def test_success(name):
    assert run(name) == "Success\n"


def test_multiply_in_out():
    assert np.array_equal(numbers(run("multiply_in_out")), np.zeros(400))


def test_lin_comb_elementwise(context):
    a, b = two_random_arrays()
    assert np.allclose(numbers(run("lin_comb_elementwise")), 5 * a + 6 * b, rtol=1e-6)


def test_reductions(context):
    a, b = two_random_arrays()
    assert np.allclose(numbers(run("reductions")), [a.max(), a @ b], rtol=1e-6)


def test_tutorial_doublify():
    a_doubled, a, b_doubled, b = numbers(run("tutorial_doublify")).reshape(4, 16)
    np.random.seed(SEED)
    assert np.allclose(a, np.random.randn(16), rtol=1e-6)
    assert np.allclose(b, np.random.randn(16), rtol=1e-6)
    assert np.allclose(a_doubled, 2 * a, rtol=1e-6)
    assert np.allclose(b_doubled, 2 * b, rtol=1e-6)


@pytest.mark.devices(4)
def test_mpi_scatter_gather():
    assert shutil.which(MPIRUN[0]), "no mpirun on PATH: install openmpi-bin"
    text = run("mpi_scatter_gather", [*MPIRUN, "4"], HOSTCUDA_DEVICES="4")
    before, after = text.split("doubled")
    np.random.seed(SEED)
    x = np.random.randn(2**22).astype(np.float32) * 10**16
    ends = x[[0, 1, 2, -3, -2, -1]]  # those that print() shows of a long array
    assert np.allclose(numbers(before), ends, rtol=1e-6)
    for _ in range(1000):
        ends = np.float32(0.9) * ends
    assert np.allclose(numbers(after.split("time")[0]), ends, rtol=1e-6)


def wave():
    """What wave_strips.py computes, by NumPy."""
    y, x = np.mgrid[-1:257, :256]
    now = np.exp(-((x - 90) ** 2 + (y - 70) ** 2) / 40).astype(np.float32)
    now[:, [0, -1]] = now[[0, -1]] = 0
    before = now
    for _ in range(260):
        after = np.zeros_like(now)
        inner = now[1:-1, 1:-1]
        after[1:-1, 1:-1] = 2 * inner - before[1:-1, 1:-1] + np.float32(0.25) * (
            now[1:-1, :-2] + now[1:-1, 2:] + now[:-2, 1:-1] + now[2:, 1:-1] - 4 * inner)
        before, now = now, after
    return now[1:-1]


@pytest.mark.devices(4)
@pytest.mark.parametrize("processes, devices, options", [
    (1, 1, ()), (1, 4, ()), (2, 4, ()), (4, 4, ()), (2, 4, ("--staged",)), (4, 8, ("--staged",)),
])
def test_wave_over_devices_and_processes(tmp_path, processes, devices, options):
    command = [*MPIRUN, str(processes), sys.executable, str(WAVE), str(tmp_path / "wave.npy"), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False,
                          env=os.environ | {"HOSTCUDA_DEVICES": str(devices), "HOSTCUDA_THREADS": "1"})
    assert done.returncode == 0, done.stderr
    np.testing.assert_allclose(np.load(tmp_path / "wave.npy"), wave(), atol=1e-6)
