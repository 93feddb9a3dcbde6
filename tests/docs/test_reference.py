"""The reference has every public name, and the examples in it are right."""

import ast
import doctest
import pathlib
import re
import zlib

import pytest

ROOT = pathlib.Path(__file__).parents[2]
SHELL = """
import numpy as np
import pycuda.autoinit
from pycuda import array_api, cumath, curandom, driver, gpuarray, tools
from pycuda.compiler import DynamicModule, SourceModule
from pycuda.elementwise import ElementwiseKernel
from pycuda.reduction import ReductionKernel
from pycuda.scan import ExclusiveScanKernel, InclusiveScanKernel
from pycuda.sparse import CSRMatrix, cg
"""
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
    text = re.sub("(?m)^", ">>> ", SHELL.strip()) + "\n\n" + re.sub(r"(?m)^== .* ==$", "", path.read_text())
    case = doctest.DocTestParser().get_doctest(text, {}, path.name, str(path), 0)
    assert len(case.examples) > 150
    said = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(case, out=said.append)
    assert not said, "".join(said)


def test_the_page_says_what_the_shell_began_with():
    assert SHELL.strip() in (ROOT / "docs/reference/index.md").read_text()


def stubs():
    """The public classes, functions and methods that the stubs declare: this package's own names, too."""
    for path in [*(ROOT / "python/pycuda").glob("*.pyi"), *(ROOT / "python/pycuda/array_api").glob("*.pyi")]:
        if path.stem == "__main__":
            continue
        module = ".".join(path.relative_to(ROOT / "python").with_suffix("").parts).removesuffix(".__init__")
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_"):
                yield f"{module}.{node.name}"
                yield from (f"{module}.{node.name}.{inner.name}" for inner in getattr(node, "body", ())
                            if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("_")
                            and isinstance(node, ast.ClassDef))


def test_every_name_of_the_stubs_is_there(documented):
    names = set(stubs())
    assert len(names) > 500
    assert not sorted(names - set(documented))
