"""Which of NumPy's functions arrays on the device are refused by. numpy_names.txt: those that CuPy documents to have
(docs.cupy.dev, comparison table) and that take arrays."""

import inspect
import pathlib

import numpy as np
import pytest

from pycuda import _function_table, _native
from pycuda.gpuarray import to_gpu

HERE = pathlib.Path(__file__).parent
NAMES = (HERE / "numpy_names.txt").read_text().split()
MOST_REFUSED = 15

# Of what NumPy has beyond those; each is in docs/differences.md.
REFUSED = {"busday_count", "busday_offset", "datetime_as_string", "is_busday", "isnat"}


def takes_arrays(function):
    """Whether NumPy asks arrays' classes for what it does."""
    return isinstance(function, np.ufunc) or (hasattr(function, "_implementation") and not isinstance(function, type))


def is_refused(name):
    function = getattr(np, name)
    if not isinstance(function, np.ufunc):
        return function not in _function_table.FUNCTIONS and _function_table.imported(function) is None
    if function.signature is not None:
        return False  # products, which test_numpy_compositions.py calls
    name = {"degrees": "rad2deg", "radians": "deg2rad"}.get(function.__name__, function.__name__)
    try:
        _native._code(name)
    except NotImplementedError:
        return True
    return False


def test_the_list_is_sorted():
    assert NAMES == sorted(set(NAMES)) and len(NAMES) > 290


def test_what_cupy_has_is_there():
    refused = [name for name in NAMES if hasattr(np, name) and takes_arrays(getattr(np, name)) and is_refused(name)]
    assert refused == []
    assert len(refused) <= MOST_REFUSED


def test_what_is_refused_is_documented():
    refused = {name for name in dir(np) if takes_arrays(getattr(np, name)) and is_refused(name)}
    assert refused == {name for name in REFUSED if hasattr(np, name)}
    text = (HERE.parents[1] / "docs/differences.md").read_text()
    assert all(f"`numpy.{name}`" in text for name in REFUSED)


@pytest.mark.usefixtures("context")
def test_refused_names_say_so():
    x = to_gpu(np.arange(3))
    for name in REFUSED - {"isnat"}:
        with pytest.raises(NotImplementedError, match=f"numpy.{name} is not available for GPU arrays"):
            getattr(np, name)(x, *[0] * (name == "busday_offset"), **{"enddates": x} if name == "busday_count" else {})
    with pytest.raises(NotImplementedError, match="numpy.isnat has no form for GPU arrays"):
        np.isnat(x)


def parameters(function):
    try:
        return list(inspect.signature(function).parameters.values())
    except ValueError:  # of C
        return None


def test_keywords_are_numpys():
    """All but the first parameter, the array, and `where`'s pair have NumPy's names."""
    missing = {}
    for name in dir(np):
        function = getattr(np, name)
        if isinstance(function, np.ufunc) or not takes_arrays(function) or is_refused(name):
            continue
        ours, theirs = parameters(_function_table.FUNCTIONS[function]), parameters(function)
        if ours is None or theirs is None or name in ("where", "einsum"):
            continue
        if all(any(p.kind == kind for p in ours) for kind in (inspect.Parameter.VAR_POSITIONAL,
                                                              inspect.Parameter.VAR_KEYWORD)):
            continue
        named = {p.name for p in ours}
        lost = [p.name for p in theirs[1:] if p.name not in named]
        if lost:
            missing[name] = lost
    assert missing == {}


@pytest.mark.usefixtures("context")
def test_files_and_text(tmp_path):
    a = np.arange(6, dtype="f").reshape(2, 3)
    x = to_gpu(a)
    assert np.array2string(x) == np.array2string(a) and np.array_str(x) == np.array_str(a)
    assert np.array_repr(x) == np.array_repr(a)
    np.save(tmp_path / "one.npy", x)
    np.savez(tmp_path / "some.npz", x, other=x + 1)
    np.savez_compressed(tmp_path / "small.npz", x=x)
    np.savetxt(tmp_path / "text", x, "%g")
    assert np.array_equal(np.load(tmp_path / "one.npy"), a)
    with np.load(tmp_path / "some.npz") as file:
        assert np.array_equal(file["arr_0"], a) and np.array_equal(file["other"], a + 1)
    with np.load(tmp_path / "small.npz") as file:
        assert np.array_equal(file["x"], a)
    assert np.array_equal(np.loadtxt(tmp_path / "text"), a)
