"""numpy.fft on GPU arrays against numpy.fft on the host: rows of expressions, and what Hypothesis draws."""

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st
from test_linalg import assert_same, layouts, run

import pycuda.driver as cuda
from pycuda import libraries
from pycuda.gpuarray import to_gpu

_random = np.random.default_rng(17)
REAL = _random.uniform(-3, 3, (4, 6, 5))
VARIABLES = {"r": REAL, "f": REAL.astype("f"), "c": REAL + 1j * REAL[::-1], "F": (REAL - 2j * REAL[:, ::-1]).astype("F"),
             "i": _random.integers(-9, 9, (3, 8)), "b": REAL[0] > 0, "e": np.zeros((0, 4)), "z": np.array(3.0),
             "g": REAL[0].astype("e"), "v": REAL[0, 0]}

ROWS = """
    [np.fft.fft(x) for x in (r, f, c, F, i, b, e)], np.fft.fft(c, 3), np.fft.fft(c, 9, 0), np.fft.fft(F, axis=1, norm="ortho")
    [np.fft.ifft(x) for x in (r, f, c, F, i, b, e)], np.fft.ifft(c, 3), np.fft.ifft(r, 9, 0, "forward"), np.fft.ifft(a=c, axis=-2)
    [np.fft.rfft(x) for x in (r, f, i, b, e)], np.fft.rfft(r, 4), np.fft.rfft(f, 7, 1), np.fft.rfft(v, norm="ortho")
    [np.fft.irfft(x) for x in (r, f, c, F, i, b)], np.fft.irfft(c, 7), np.fft.irfft(F, 8, 0), np.fft.irfft(c, axis=1, norm="forward")
    [np.fft.hfft(x) for x in (r, f, c, F, i)], np.fft.hfft(c, 7), np.fft.hfft(F, 8, 0), np.fft.hfft(c, norm="ortho")
    [np.fft.ihfft(x) for x in (r, f, i)], np.fft.ihfft(r, 4), np.fft.ihfft(f, 7, 1), np.fft.ihfft(v, norm="forward")
    [np.fft.fft2(x) for x in (r, f, c, F)], np.fft.fft2(c, (3, 9), (0, 1)), np.fft.fft2(i, norm="ortho")
    [np.fft.ifft2(x) for x in (r, f, c, F)], np.fft.ifft2(c, axes=(2, 0)), np.fft.ifft2(c, s=(2, 2), axes=(-2, -1))
    [np.fft.rfft2(x) for x in (r, f)], np.fft.rfft2(r, (3, 9), (0, 1)), np.fft.rfft2(i)
    [np.fft.irfft2(x) for x in (c, F, r)], np.fft.irfft2(c, axes=(2, 0)), np.fft.irfft2(c, (4, 5), axes=(-2, -1))
    [np.fft.fftn(x) for x in (r, f, c, F, z)], np.fft.fftn(c, (3, 4), (0, 1)), np.fft.fftn(c, axes=(1,)), np.fft.fftn(c, axes=[0, 2])
    [np.fft.ifftn(x) for x in (r, f, c, F)], np.fft.ifftn(c, norm="ortho"), np.fft.ifftn(c, axes=(0, 0))
    [np.fft.rfftn(x) for x in (r, f)], np.fft.rfftn(r, (2, 3, 4), axes=(0, 1, 2)), np.fft.rfftn(r, axes=(2, 0))
    [np.fft.irfftn(x) for x in (c, F)], np.fft.irfftn(c, (2, 3, 4), axes=(0, 1, 2)), np.fft.irfftn(c, axes=(1,), norm="forward")
    np.fft.fftshift(r), np.fft.fftshift(c, 0), np.fft.fftshift(i, axes=(0, 1)), np.fft.fftshift(r, [1, -1]), np.fft.fftshift(e)
    np.fft.ifftshift(r), np.fft.ifftshift(c, 0), np.fft.ifftshift(i, axes=(0, 1)), np.fft.ifftshift(b, 1), np.fft.fftshift(r, ())
    np.fft.fft(g)
    np.fft.fft(e, axis=0)
    np.fft.fft(c, 0)
    np.fft.fft(c, axis=3)
    np.fft.fft(z)
    np.fft.rfft(c)
    np.fft.fft(c, norm="no")
    np.fft.fft2(v)
    np.fft.fftn(c, (2, 3), axes=(0,))
    np.fft.fft(c, 2.5)
    np.fft.irfft(v[:1])
    np.fft.fftshift(r, 5)
"""
CASES = [line.strip() for line in ROWS.splitlines() if line.strip()]


@pytest.fixture(autouse=True, scope="module")
def one_context():
    """For all, so that kernels are loaded once."""
    cuda.init()
    context = cuda.Device(0).make_context()
    yield
    context.detach()


@pytest.mark.parametrize("text", CASES)
def test_expression(text):
    got = run(text, {name: to_gpu(array) for name, array in VARIABLES.items()})
    assert_same(got, run(text, VARIABLES), text)


def test_every_function_of_numpys_has_a_row():
    names = {name for name, function in vars(np.fft).items() if hasattr(function, "__wrapped__")}
    assert len(names) == 16 and not [name for name in names if f"np.fft.{name}(" not in ROWS]


@st.composite
def transforms(draw):
    name = draw(st.sampled_from(["fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fftn", "ifftn", "rfftn", "irfftn"]))
    dtypes = "fdi" if name in ("rfft", "ihfft", "rfftn") else "fdFDi"
    dtype = draw(st.sampled_from(dtypes))
    shape = draw(st.lists(st.integers(1, 7), min_size=1, max_size=3))
    x = np.random.default_rng(draw(st.integers(0, 1 << 32))).uniform(-9, 9, (2, *shape))
    x = (x[0] + 1j * x[1] if dtype in "FD" else x[0]).astype(dtype)
    more = {"norm": draw(st.sampled_from([None, "backward", "ortho", "forward"]))}
    if name.endswith("n"):
        axes = draw(st.lists(st.integers(0, len(shape) - 1), min_size=1, max_size=len(shape), unique=True))
        more["axes"] = tuple(axes)
        if draw(st.booleans()):
            more["s"] = tuple(draw(st.integers(1, 9)) for _ in axes)
    else:
        more["axis"] = draw(st.integers(-len(shape), len(shape) - 1))
        more["n"] = draw(st.none() | st.integers(1, 11))
    return name, draw(layouts(x)), more


@hypothesis.settings(max_examples=150, deadline=None, derandomize=True, database=None,
                     suppress_health_check=[*hypothesis.HealthCheck])
@hypothesis.given(transforms())
def test_layouts_dtypes_and_lengths(case):
    name, (host, array), more = case

    def value(x):
        return run("function(x, **more)", {"function": getattr(np.fft, name), "x": x, "more": more})

    assert_same(value(array), value(host), (name, host.shape, host.strides, host.dtype, more))


@pytest.mark.parametrize("dtype", ["F", "D", "f", "d"])
def test_of_no_numbers_there_are_zeros(dtype):
    """NumPy 2 reads a number behind the end of an axis without elements for irfft and hfft."""
    ones = to_gpu(np.ones((4, 8), dtype))
    for result, shape in (
            (np.fft.irfft(ones[:, :0], 5), (4, 5)), (np.fft.irfft(ones[:0], 6, axis=0), (6, 8)),
            (np.fft.hfft(ones[:, 8:], 4, norm="ortho"), (4, 4)), (np.fft.irfft2(ones[:, :0], (3, 4)), (3, 4)),
            (np.fft.irfftn(ones[:0], (2, 9), axes=(1, 0)), (9, 2)), (np.fft.fft(ones[:, :0], 3), (4, 3)),
            (np.fft.irfft(ones[:0]), (0, 14)), (np.fft.irfft(ones[:, :0], 5, out=to_gpu(np.ones((4, 5)))), (4, 5))):
        assert result.shape == shape and not result.get().any()


def test_out():
    x, out = to_gpu(VARIABLES["c"]), to_gpu(np.zeros((4, 6, 5), "D"))
    assert np.fft.fftn(x, out=out) is out
    assert_same(out, np.fft.fftn(VARIABLES["c"]), "fftn")
    with pytest.raises(ValueError, match=r"output array has shape \(4, 6, 5\), the result \(4, 6, 3\)"):
        np.fft.rfft(to_gpu(REAL), out=out)
    assert np.fft.fft(x, 5, -1, None, out) is out


def test_who_served_can_be_asked():
    np.fft.rfft(to_gpu(REAL))
    assert libraries.last() == ("cufftXtExec" if libraries.found()["cufft"][0] == "/" else "numpy.fft.rfft")
