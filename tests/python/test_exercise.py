"""exercise.py, which compute-sanitizer watches on a GPU, is right by itself."""

import pathlib
import runpy

import pytest

MODULE = runpy.run_path(str(pathlib.Path(__file__).parent / "exercise.py"), run_name="exercise")


@pytest.mark.parametrize("part", ["arrays", "reductions", "scans", "sorts", "random_numbers", "others"])
def test_part(context, part):
    assert MODULE[part]() is None
