"""Element-wise operations on arrays whose elements lie a few apart along a row, held against NumPy: steps of any size and
sign, of results and operands, which the host device's kernels know up to four; beside rows that lie side by side or
stand still."""

import os

import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest

from pycuda.gpuarray import to_gpu

pytestmark = pytest.mark.usefixtures("context")
WIDE = "PYCUDA_TESTS_WIDE" in os.environ  # make check
DTYPES = "?bhiqefdFD" if WIDE else "bfdF"
STEPS = [-5, -4, -2, -1, 1, 2, 3, 4, 5, 8]
LENGTHS = st.sampled_from([1, 2, 3, 7, 15, 16, 17, 31, 33, 64, 100, 127, 128, 130, 257])


def numbers(char, shape, seed):
    values = np.random.default_rng(seed).integers(-9, 10, (2, *shape))
    return (values[0] + 1j * values[1] if char in "FD" else values[0]).astype(char)


@st.composite
def views(draw, shape):
    """(shape of an array, index of a view of that shape): each axis with a step, some of length 1, from somewhere on."""
    whole, index = [], []
    for length in shape:
        step, start = draw(st.sampled_from(STEPS)), draw(st.integers(0, 3))
        last = start + (length - 1) * abs(step)
        whole.append(last + 1 + draw(st.integers(0, 3)))
        index.append(slice(start, last + 1, step) if step > 0 else slice(last, start - 1 if start else None, step))
    return tuple(whole), tuple(index)


OPERATIONS = {
    "add": lambda z, x, y: x + y,
    "maximum": lambda z, x, y: np.maximum(x, y),
    "copy": lambda z, x, y: x.copy(),
    "set": lambda z, x, y: z.__setitem__(..., y),
    "update": lambda z, x, y: z.__iadd__(x),
    "out": lambda z, x, y: np.subtract(x, y, out=z),
    "astype": lambda z, x, y: x.astype("D"),
    "number": lambda z, x, y: x * 3,
    "equal": lambda z, x, y: x == y,
}


@hypothesis.settings(max_examples=600 if WIDE else 100, deadline=None, derandomize=True, database=None,
                     suppress_health_check=[*hypothesis.HealthCheck])
@hypothesis.given(st.data())
def test_views_of_any_steps(data):
    char = data.draw(st.sampled_from(DTYPES))
    name = data.draw(st.sampled_from(sorted(OPERATIONS)))
    shape = tuple(data.draw(LENGTHS if d == 0 else st.integers(1, 5)) for d in range(data.draw(st.integers(1, 3))))[::-1]
    if char == "?" and name in ("out", "number"):
        return
    host, device = [], []
    for seed in range(3):
        broadcast = tuple(1 if seed and data.draw(st.integers(0, 5)) == 0 else n for n in shape)
        whole, index = data.draw(views(broadcast))
        order = data.draw(st.sampled_from(["as it is", "turned"]))
        x = numbers(char, whole[::-1] if order == "turned" else whole, seed)
        g = to_gpu(x)
        host.append((x, (x.T if order == "turned" else x)[index]))
        device.append((g, (g.T if order == "turned" else g)[index]))
    wanted = OPERATIONS[name](*(view for _, view in host))
    got = OPERATIONS[name](*(view for _, view in device))
    if wanted is not None:
        assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape)
        np.testing.assert_array_equal(got.get(), wanted)
    for (x, _), (g, _) in zip(host, device, strict=True):  # what lies between elements stays
        np.testing.assert_array_equal(g.get(), x)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("char", DTYPES)
def test_rows_and_columns(char, step):
    """Rows of more than a block, that end within a vector, and one long row; up to the last element in memory."""
    for shape in [(3, 1030), (70, 37), (5000,)]:
        x = numbers(char, shape, 1)
        g = to_gpu(x)
        for index in [(..., slice(None, None, step)), (..., slice(1, None, step)), (slice(None, None, step), ...)]:
            np.testing.assert_array_equal((g[index] + g[index]).get(), x[index] + x[index])
            np.testing.assert_array_equal(g[index].copy().get(), x[index])
            z, w = to_gpu(x), x.copy()
            z[index] = g[index][..., ::-1]
            w[index] = x[index][..., ::-1]
            np.testing.assert_array_equal(z.get(), w)
