"""The reference has every public name, and the examples in it are right."""

import doctest
import pathlib
import re
import zlib

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).parents[2]
ROW = re.compile(r"([\w.]+) ([\w.]+)", re.ASCII)


@pytest.fixture(scope="module")
def documented(site):
    """Name -> page of what the reference describes, read from the inventory for other sites."""
    head, _, rest = (site / "objects.inv").read_bytes().partition(b"zlib.\n")
    assert b"version 2" in head
    rows = re.findall(r"(?m)^(\S+) py:\w+ -?\d+ (\S+?)(?:#\S*)? ", zlib.decompress(rest).decode())
    return dict(rows)


def surface():
    """The public names of PyCUDA that this package has."""
    for line in (ROOT / "tests/python/surface_names.txt").read_text().splitlines():
        row = ROW.match(line)
        if row and not line.startswith("#") and not any(
                part.startswith("_") and part != "__call__" for part in ".".join(row.groups()).split(".")):
            yield (row[1] if row[1] == "pycuda" else f"pycuda.{row[1]}"), row[2]


def test_every_public_name_is_there(site, documented):
    names = list(surface())
    assert len(names) > 450
    missing = []
    for module, name in names:
        full = f"{module}.{name}"
        if full in documented or full == "pycuda.driver.np":
            continue
        owner, _, member = full.rpartition(".")  # members of enumerations stand in the text of their class
        if not (owner in documented and f">{member}</span>" in (site / documented[owner]).read_text()):
            missing.append(full)
    assert not missing


def test_examples(documented):
    """Typed in, one shell for all; each stands below a name that is there."""
    path = ROOT / "docs/reference/examples.txt"
    headings = re.findall(r"(?m)^== (.*) ==$", path.read_text())
    assert len(headings) == len(set(headings))
    assert not [name for name in headings if name not in documented]
    import pycuda.autoinit  # noqa: F401
    from pycuda import gpuarray
    text = re.sub(r"(?m)^== .* ==$", "", path.read_text())
    case = doctest.DocTestParser().get_doctest(text, {"np": np, "gpuarray": gpuarray}, path.name, str(path), 0)
    assert case.examples
    said = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(case, out=said.append)
    assert not said, "".join(said)
