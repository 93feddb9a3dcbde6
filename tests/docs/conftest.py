"""The site as `make docs` left it."""

import pathlib

import pytest

ROOT = pathlib.Path(__file__).parents[2]
SITE = ROOT / "build/docs"


@pytest.fixture(scope="session")
def site():
    assert (SITE / "index.html").is_file(), "no site in build/docs: make docs builds it"
    return SITE
