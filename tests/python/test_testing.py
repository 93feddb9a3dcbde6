"""pycuda.testing, and the pytest plugin as other projects' tests see it."""

import os
import re
import subprocess
import sys

import numpy as np
import pytest

from pycuda import gpuarray
from pycuda.testing import assert_allclose, assert_array_equal, assert_array_less

X = np.array([1, 2, np.nan], np.float32)
COMPARISONS = [(assert_array_equal, X, X), (assert_allclose, X * np.float64(1 + 5e-8), X),
               (assert_array_less, X[:2], X[:2] + 1), (assert_array_equal, X[:1], 1),
               (assert_array_equal, [X, X], [X, X])]
FAILURES = [(assert_array_equal, X, X[::-1]), (assert_allclose, X * np.float32(1.01), X),
            (assert_array_less, X[:2], X[:2]), (assert_array_equal, X[:2], X),
            (assert_array_equal, [X, X], [X, -X])]


def places(x):
    """An operand on the host and on the device."""
    if isinstance(x, list):
        return [x, [gpuarray.to_gpu(member) for member in x]]
    return [x, gpuarray.to_gpu(x)] if isinstance(x, np.ndarray) else [x]


@pytest.mark.parametrize("compare, x, y", COMPARISONS)
def test_what_holds(context, compare, x, y):
    for actual in places(x):  # NumPy's own arrays first
        for desired in places(y):
            assert compare(actual, desired) is None


@pytest.mark.parametrize("compare, x, y", FAILURES)
def test_what_does_not(context, compare, x, y):
    for actual in places(x):
        for desired in places(y):
            with pytest.raises(AssertionError, match="(?i)mismatch"):
                compare(actual, desired)


def test_strict(context):
    x = gpuarray.to_gpu(X)
    assert_array_equal(x, X, strict=True)
    with pytest.raises(AssertionError, match="dtypes"):
        assert_array_equal(x, X.astype(float), strict=True)


PROJECT = '''
import numpy as np
import pytest
import pycuda.driver as cuda
from pycuda import gpuarray
from pycuda.testing import assert_array_equal
from pycuda.tools import mark_cuda_test

seen = []

@pytest.mark.parametrize("n", [1, 2])
def test_context(cuda_context, cuda_device, n):
    assert cuda.Context.get_current() is cuda_context and cuda_context not in seen
    assert cuda_context.get_device() == cuda_device
    seen.append(cuda_context)
    assert_array_equal(2 * gpuarray.arange(n, dtype=np.float32), 2 * np.arange(n))

def test_without_context():
    assert cuda.Context.get_current() is None

@pytest.mark.gpu_only
def test_on_a_gpu(cuda_context):
    assert "Host CPU" not in cuda_context.get_device().name()

@mark_cuda_test
def test_marked():
    assert cuda.Context.get_current() is not None

def test_that_fails(cuda_context):
    assert_array_equal(gpuarray.zeros(3, np.int32), [0, 1, 0])
'''


def test_plugin(tmp_path, on_host):
    """It comes without a line in the other project, and marks are known."""
    (tmp_path / "test_project.py").write_text(PROJECT)
    done = subprocess.run([sys.executable, "-m", "pytest", "--strict-markers", "-rs", "-p", "no:cacheprovider"],
                          cwd=tmp_path, capture_output=True, text=True, check=False,
                          env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"})
    counts = dict(reversed(pair) for pair in re.findall(r"(\d+) (passed|failed|skipped)", done.stdout))
    assert counts == ({"passed": "4", "failed": "1", "skipped": "1"} if on_host else
                      {"passed": "5", "failed": "1"}), done.stdout
    assert "Mismatched elements: 1 / 3" in done.stdout
    assert "warning" not in done.stdout


def test_plugin_costs_nothing_where_it_is_not_used(run_python):
    done = run_python("import sys, pycuda._pytest_plugin; print('pycuda._native' in sys.modules)")
    assert done.stdout == "False\n", done.stderr
