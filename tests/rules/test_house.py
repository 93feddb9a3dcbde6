"""The rules of the house that a machine can hold: sizes, names, first words, READMEs. Who calls whom: test_layers.py.

Run by ``make check``; reads the sources of the checkout, never the installed package.
"""

import ast
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).parents[2]
SRC = ROOT / "src"
PACKAGE = ROOT / "python/pycuda"
ROOMS = sorted(path.name for path in SRC.iterdir() if path.is_dir())
C_FILES = sorted(path for path in SRC.rglob("*") if path.suffix in (".c", ".cpp", ".h", ".def"))

CODE = (".c", ".h", ".def", ".py", ".cu", ".cuh", ".hpp", ".cpp")
FILES = {folder: sorted(path for path in (ROOT / folder).rglob("*") if path.suffix in CODE)
         for folder in ("src", "python", "tests", "bench", "examples")}

MOST_LINES = dict.fromkeys(FILES, 600) | {"tests": 800}
MOST_LINES_OF_A_FUNCTION = 80
MOST_LINES_WITHOUT_A_REASON = 60  # which the comment above the function gives
MOST_LINES_OF_A_README = 100
MOST_STRCMPS = 3  # of one thing with words, in one function: a table says it better


def lines(path):
    return len(path.read_text().splitlines())


def test_addresses_of_arrays_have_one_door():
    """ar_address() refuses memory that is gone; these make arrays, give their memory out and compare them."""
    assert [path.name for path in sorted((SRC / "array").glob("*.c"))
            if "head.pointer" in path.read_text()] == ["array_type.c", "gpuarray.c", "layout.c"]


def functions(text):
    """(the comment above, the head and the body) of each function of a C file as clang-format lays it out."""
    rows = text.splitlines()
    for start, row in enumerate(rows):
        if row != "{":
            continue
        head = start
        while head and rows[head - 1] and rows[head - 1][-1] not in ";}/" and not rows[head - 1].startswith("#"):
            head -= 1
        above = head
        while above and rows[above - 1] and (rows[above - 1].endswith("*/") or above < head) and (
                not rows[above].startswith("/*")):
            above -= 1
        yield "\n".join(rows[above:head]), " ".join(rows[head:start]), rows[start:rows.index("}", start) + 1]


def name_of(head):
    return re.search(r"(\w+)\(", head)[1]


def c_functions():
    """(file, name, the comment above, lines) of each function of src."""
    for path in FILES["src"]:
        if path.suffix == ".c":
            for comment, head, body in functions(path.read_text()):
                yield path, name_of(head), comment, [head, *body]


def ladder(body):
    """The most comparisons of one thing with words."""
    asked = re.findall(r'\bstrn?cmp\(([^,()]+), "', "\n".join(body))
    return max((asked.count(what) for what in asked), default=0)


def test_functions_are_found():
    text = """int a;

/* Why
   so. */
static int f(int x,
             int y)
{
    return !strcmp(x, "a") || !strcmp(x, "b");
}

void g(void)
{
}
"""
    assert [(comment, name_of(head), len(body)) for comment, head, body in functions(text)] == [
        ("/* Why\n   so. */", "f", 3), ("", "g", 2)]
    assert ladder(next(functions(text))[2]) == 2


@pytest.mark.parametrize("folder", FILES)
def test_no_file_is_too_long(folder):
    assert FILES[folder]
    assert not {str(path): lines(path) for path in FILES[folder]
                if lines(path) > MOST_LINES[folder]}


def test_no_function_is_too_long():
    sizes = {(path.name, name): (len(body), comment) for path, name, comment, body in c_functions()}
    assert len(sizes) > 1500
    assert not [(key, size) for key, (size, comment) in sizes.items() if size > MOST_LINES_OF_A_FUNCTION]
    assert not [key for key, (size, comment) in sizes.items()
                if size > MOST_LINES_WITHOUT_A_REASON and not comment]


def test_no_ladder_of_words():
    assert not [(path.name, name) for path, name, _, body in c_functions()
                if ladder(body) > MOST_STRCMPS]


def test_names_are_unique_and_say_something():
    sources = [path for path in C_FILES if path.suffix == ".c"]
    names = [path.stem for path in sources]
    assert not {name for name in names if names.count(name) > 1}
    junk = {"util", "utils", "common", "helper", "helpers", "misc", "stuff", "temp", "new"}
    assert not [path for path in C_FILES if junk & set(re.split(r"[_\d]+", path.stem))]


def purpose(path):
    """What a file says of itself before anything else."""
    text = path.read_text()
    if path.suffix == ".py":
        return ast.get_docstring(ast.parse(text)) or ""
    comment = re.match(r"(?:#!.*\n)?(/\*.*?\*/|(?://.*\n)+)", text, re.DOTALL)
    return comment[0] if comment else ""


@pytest.mark.parametrize("folder", FILES)
def test_files_open_with_what_and_why(folder):
    assert not [str(path.relative_to(ROOT)) for path in FILES[folder]
                if len(purpose(path)) < 30 and path.stat().st_size
                and path.parent.name != "programs"]  # which others published as they are


@pytest.mark.parametrize("folder", [
    *(f"src/{room}" for room in ROOMS), "python/pycuda", "tests", "tests/kernels", "tests/planted", "bench"])
def test_room_has_a_readme(folder):
    readme = ROOT / folder / "README.md"
    assert readme.is_file()
    assert 5 <= lines(readme) <= MOST_LINES_OF_A_README


@pytest.mark.parametrize("room", ROOMS)
def test_a_readme_lists_every_file(room):
    """Of the sources, by the name or what stands before the dot."""
    text = (SRC / room / "README.md").read_text()
    assert not [path.name for path in C_FILES if path.is_relative_to(SRC / room) and path.suffix != ".h"
                and not re.search(rf"\b{path.stem}\b", text)]


def test_meson_asks_for_no_folder_of_this_machine():
    """It stops at an include directory that is not there."""
    assert not [path for folder in ("src", "python", "tests") for path in (ROOT / folder).rglob("meson.build")
                if "include_directories('/" in path.read_text()]


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
              and not path.is_relative_to(ROOT / "docs/gallery")  # which make docs fills
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
