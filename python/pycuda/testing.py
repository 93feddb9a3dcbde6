"""Comparisons of `numpy.testing` for arrays on the device and on the host alike, and a pytest plugin.

pytest finds the plugin by itself where this package is installed: fixtures ``cuda_context`` (a context
of its own around each test, current) and ``cuda_device`` (its device), and marks ``gpu_only`` (the test is
skipped on the host device) and ``cuda`` (set by :func:`pycuda.tools.mark_cuda_test`)::

    def test_double(cuda_context):
        x = gpuarray.arange(10, dtype=np.float32)
        assert_array_equal(2 * x, np.arange(0, 20, 2))

``pytest --cuda-check=memory,race`` checks kernels on the host device, as :class:`pycuda.debug.check` does: a test
whose kernels do something wrong fails with the report.

With ``PYCUDA_DRIVER=host`` in the environment, tests run on machines without a GPU.
"""

import numpy as np

__all__ = ["assert_allclose", "assert_array_equal", "assert_array_less"]


def _on_host(array):
    """A copy of an array on the device; a sequence of them member by member; all else as it is."""
    if isinstance(array, (list, tuple)):
        return type(array)(map(_on_host, array))
    get = getattr(array, "get", None)
    return get() if callable(get) and hasattr(array, "gpudata") else array


def assert_allclose(actual, desired, rtol=1e-7, atol=0, equal_nan=True, err_msg="", verbose=True):
    """Raise AssertionError unless ``|actual - desired| <= atol + rtol * |desired|`` everywhere.

    *actual*, *desired*: GPUArrays, NumPy arrays, numbers or sequences of those, of one shape or to be
    broadcast. The message shows what differs. See `numpy.testing.assert_allclose`.
    """
    __tracebackhide__ = True
    np.testing.assert_allclose(_on_host(actual), _on_host(desired), rtol, atol, equal_nan, err_msg, verbose)


def assert_array_equal(actual, desired, err_msg="", verbose=True, *, strict=False):
    """Raise AssertionError unless the elements are equal; NaN equals NaN.

    *strict*: shapes and dtypes have to be the same, too. See `numpy.testing.assert_array_equal`.
    """
    __tracebackhide__ = True
    np.testing.assert_array_equal(_on_host(actual), _on_host(desired), err_msg, verbose, strict=strict)


def assert_array_less(x, y, err_msg="", verbose=True):
    """Raise AssertionError unless ``x < y`` everywhere. See `numpy.testing.assert_array_less`."""
    __tracebackhide__ = True
    np.testing.assert_array_less(_on_host(x), _on_host(y), err_msg, verbose)
