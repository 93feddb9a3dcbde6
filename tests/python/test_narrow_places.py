"""Places in integers too narrow for the length of the axis, on the host and on the device."""

import numpy as np
import pytest

from pycuda.gpuarray import to_gpu

pytestmark = pytest.mark.usefixtures("context")

X = np.arange(600).reshape(2, 300)
ROWS = [-1, 5, 100], [-128, 127, 0]
CASES = {
    "x[i]": lambda x, i: x[1][i],
    "x[:, i]": lambda x, i: x[:, i],
    "x[j, i]": lambda x, i: x[i % 2, i],
    "x[None, 1, i]": lambda x, i: x[None, 1, i],
    "take": np.take,
    "take along an axis": lambda x, i: np.take(x, i, axis=1),
    "take wrapped": lambda x, i: np.take(x, i, mode="wrap"),
    "take clipped": lambda x, i: np.take(x, i, axis=1, mode="clip"),
    "delete": lambda x, i: np.delete(x[0], i),
    "x[:, i] = 7": lambda x, i: x.__setitem__((slice(None), i), 7) or x,
    "put": lambda x, i: np.put(x, i, 7) or x,
    "put wrapped": lambda x, i: np.put(x, i, 7, mode="wrap") or x,
    "add.at": lambda x, i: np.add.at(x[1], i, 3) or x,
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("kind", ["b", "B", "h", "Q"])
def test_length_that_the_dtype_does_not_hold(case, kind):
    for row in ROWS:
        places = np.abs(row).astype(kind) if kind in "BQ" else np.array(row, kind)
        if kind == "Q" and "put" in case:
            continue  # NumPy refuses these
        want = CASES[case](X.copy(), places)
        for given in (places, to_gpu(places)):
            if case == "delete" and given is not places:
                continue
            found = CASES[case](to_gpu(X), given)
            assert found.dtype == want.dtype
            assert np.array_equal(found.get(), want), (case, kind, row, type(given))
