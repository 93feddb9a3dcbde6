"""A fixed set of random kernels; fuzz.py on the command line tries others."""

import os
import subprocess
import sys

import fuzz
import pytest

WIDE = "PYCUDA_TESTS_WIDE" in os.environ  # make check
SEEDS = list(range(60 if WIDE else 8))


@pytest.fixture(scope="module")
def worker():
    worker = fuzz.session.Worker(limit=120, kind=fuzz.FuzzSession)
    yield worker
    worker.stop()


@pytest.fixture(scope="module")
def kernels():
    """Kernels in the order of SEEDS, with their references; compiled a few ahead."""
    return fuzz.batches(SEEDS)


@pytest.mark.parametrize("seed", SEEDS)
def test_seed(worker, kernels, seed):
    kernel, reference = next(kernels)
    assert kernel.name == f"k{seed}", "run all seeds, or fuzz.py for one"
    for level in fuzz.levels(seed):
        wrong = fuzz.check(worker, kernel, reference, level)
        assert wrong is None, f"python tests/fuzz/fuzz.py {seed} shows more. {level}: {wrong}"


@pytest.mark.parametrize("words", [["hostile.py", "1", "30000" if WIDE else "4000"], ["failures.py"],
                                   ["arrays.py", "1", "12000" if WIDE else "500"]], ids=lambda words: words[0])
def test_driver(tmp_path, words):
    """Hostile arguments for it, failures of it, and programs with arrays; on the command line all try
    more."""
    done = subprocess.run([sys.executable, fuzz.HERE / words[0], *words[1:]], capture_output=True, text=True,
                          cwd=tmp_path, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    assert " 0 problems" in done.stdout


def test_reductions(tmp_path):
    """Reductions and scans against NumPy; on the command line more of them."""
    cases = "1000" if WIDE else "40"
    done = subprocess.run([sys.executable, fuzz.HERE / "reductions.py", "1", cases], capture_output=True, text=True,
                          cwd=tmp_path, check=False)
    assert done.returncode == 0 and " 0 problems" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize(("kind", "options"), [
    ("phases", ""), ("grid_loops", ""), pytest.param("local_indices", "", marks=pytest.mark.host),
    *[pytest.param("phases", "--no-avx512", marks=pytest.mark.host)] * WIDE])
def test_against_numpy(kind, options, tmp_path):
    """Blocks of the size of their shared arrays, also where these are more than registers hold; loops over the grid; memory
    checks of local arrays, beside Python alone. On the command line more of them."""
    done = subprocess.run([sys.executable, fuzz.HERE / f"{kind}.py", "0", "200" if WIDE else "20"], capture_output=True,
                          text=True, cwd=tmp_path, check=False, env=os.environ | {"PYCUDA_DEFAULT_NVCC_FLAGS": options})
    assert done.returncode == 0 and " 0 failed" in done.stdout, done.stdout + done.stderr
