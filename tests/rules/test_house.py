"""The rules of the house that a machine can hold: who may include whom, sizes, names, READMEs.

Run by ``make check``; reads the sources of the checkout, never the installed package.
"""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).parents[2]
SRC = ROOT / "src"
PACKAGE = ROOT / "python/pycuda"
ROOMS = sorted(path.name for path in SRC.iterdir() if path.is_dir())
C_FILES = sorted(path for path in SRC.rglob("*") if path.suffix in (".c", ".cpp", ".h", ".def"))

# Room -> rooms whose headers it may include, and "Python", "NumPy", "LLVM" where it sees those.
MAY_INCLUDE = {
    "cuda": set(),
    "abi": set(),
    "driver": {"cuda"},
    "hostcuda": {"cuda", "abi"},
    "hostcc": {"abi", "LLVM"},
    "compile": {"cuda", "driver", "abi", "Python"},
    "binding": {"cuda", "driver", "compile", "Python", "NumPy"},
    "kernels": {"cuda", "driver", "compile", "binding", "Python", "NumPy"},
    "array": {"cuda", "driver", "compile", "binding", "kernels", "Python", "NumPy"},
}
FOREIGN = {"Python.h": "Python", "structmember.h": "Python", "numpy/": "NumPy", "llvm": "LLVM",
           "clang/": "LLVM"}

# The only files through which a room sees a foreign library.
DOORS = {"LLVM": {"hostcc/ir/ir.h", "hostcc/front/clang.cpp"}, "NumPy": {"binding/numpy_api.h"},
         "Python": {"binding/native.h", "binding/object.h", "compile/compile.h"}}

MOST_LINES_OF_A_FILE = 800
MOST_LINES_OF_A_README = 100


def lines(path):
    return len(path.read_text().splitlines())


def room_of(path):
    return path.relative_to(SRC).parts[0]


def includes(path):
    return re.findall(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]', path.read_text(), re.MULTILINE)


def test_addresses_of_arrays_have_one_door():
    """ar_address() refuses memory that is gone; these two make arrays and compare them."""
    assert [path.name for path in sorted((SRC / "array").glob("*.c"))
            if "head.pointer" in path.read_text()] == ["gpuarray.c", "layout.c"]


def test_every_room_is_known():
    assert set(ROOMS) == set(MAY_INCLUDE)


@pytest.mark.parametrize("room", sorted(MAY_INCLUDE))
def test_includes_follow_the_direction_of_flow(room):
    wrong = []
    for path in (path for path in C_FILES if room_of(path) == room):
        for name in includes(path):
            seen = next((what for start, what in FOREIGN.items() if name.startswith(start)), None)
            if seen and str(path.relative_to(SRC)) not in DOORS[seen]:
                wrong.append(f"{path.name}: {name}, which is for {sorted(DOORS[seen])}")
            elif not seen and "/" in name and (SRC / name).is_file():
                seen = name.split("/")[0]
            if seen and seen != room and seen not in MAY_INCLUDE[room]:
                wrong.append(f"{path.name}: {name}, which {room} may not see")
    assert not wrong


def test_no_file_is_too_long():
    files = [path for folder in ("src", "python", "tests", "bench", "examples")
             for path in (ROOT / folder).rglob("*")
             if path.suffix in (".c", ".h", ".def", ".py", ".cu", ".cuh", ".hpp", ".cpp")]
    assert len(files) > 200
    assert not {str(path): lines(path) for path in files if lines(path) > MOST_LINES_OF_A_FILE}


def test_names_are_unique_and_say_something():
    sources = [path for path in C_FILES if path.suffix == ".c"]
    names = [path.stem for path in sources]
    assert not {name for name in names if names.count(name) > 1}
    junk = {"util", "utils", "common", "helper", "helpers", "misc", "stuff", "temp", "new"}
    assert not [path for path in C_FILES if junk & set(re.split(r"[_\d]+", path.stem))]


def test_c_files_open_with_what_and_why():
    for path in C_FILES:
        text = path.read_text()
        assert text.startswith("/* "), f"{path} does not open with a comment"
        assert text.index("*/") > 30, f"{path}: say what it is for"


@pytest.mark.parametrize("folder", [
    *(f"src/{room}" for room in ROOMS), "python/pycuda", "tests", "tests/kernels", "bench"])
def test_room_has_a_readme(folder):
    readme = ROOT / folder / "README.md"
    assert readme.is_file()
    assert 5 <= lines(readme) <= MOST_LINES_OF_A_README


def test_meson_knows_every_file():
    text = "\n".join(path.read_text() for path in ROOT.rglob("meson.build")
                     if "build" not in path.relative_to(ROOT).parts[:-1]
                     and ".venv" not in path.parts)
    files = [path.name for path in C_FILES if path.suffix == ".c"]
    files += [str(path.relative_to(PACKAGE)) for path in PACKAGE.rglob("*.py")]
    assert not [name for name in files if f"'{name}'" not in text]


def test_nothing_is_left_for_later():
    mark = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
    here = pathlib.Path(__file__)
    marked = [str(path) for folder in ("src", "python", "tests", "bench", "examples", "docs")
              for path in (ROOT / folder).rglob("*")
              if path.is_file() and path != here and "__pycache__" not in path.parts
              and mark.search(path.read_text(errors="replace"))]
    assert not marked


def test_every_difference_names_a_test_that_is_there():
    text = (ROOT / "docs/differences.md").read_text()
    named = re.findall(r"(test_\w+\.py)::(test_\w+)", text)
    assert len(named) > 40
    assert not [(file, name) for file, name in named
                if f"def {name}(" not in (ROOT / "tests/python" / file).read_text()]
    rows = [line for line in text.splitlines() if line.startswith("| ") and "---" not in line]
    assert not [row for row in rows if "test" not in row and "none: " not in row]
