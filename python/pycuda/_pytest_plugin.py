"""What pytest loads wherever this package is installed; see :mod:`pycuda.testing`.

It imports nothing of the package, and loads no driver, before a test asks for it.
"""

import pytest


def pytest_configure(config):
    config.addinivalue_line("markers", "cuda: runs in a CUDA context of its own (pycuda.tools.mark_cuda_test)")
    config.addinivalue_line("markers", "gpu_only: skipped on the host device of pycuda-c")


def pytest_report_header(config):
    """Nothing, unless PyCUDA's files have replaced those that would warn at import."""
    from pycuda import _mixture
    return _mixture.problem() or []


def pytest_runtest_setup(item):
    if item.get_closest_marker("gpu_only"):
        from pycuda import _native
        if _native._is_host_device():
            pytest.skip("for a GPU, and the host device is in use")


@pytest.fixture
def cuda_context():
    """A context of its own around the test, current, on the default device."""
    from pycuda.tools import init_cuda_context_fixture
    yield from init_cuda_context_fixture()


@pytest.fixture
def cuda_device(cuda_context):
    """The device of the test's context."""
    return cuda_context.get_device()
