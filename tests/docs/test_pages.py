"""The code on the pages runs, page by page, in a process for each: blocks of Python in order, one name space for all.

A block that begins with a comment ``# not run: ...`` says why it is not; one with ``# needs torch`` runs where that is. In front of output that a page shows (a plain
block right after the code, introduced by nothing) the text is compared.
"""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys

import nbclient
import nbformat
import pytest

ROOT = pathlib.Path(__file__).parents[2]
PAGES = sorted(path for path in (ROOT / "docs").rglob("*.md") if "```python" in path.read_text())
CELL = re.compile(r"^```ipython\n(.*?)^```\n(?:\n```text output\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```(python|text output)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARK = "-- end of block --"


def is_run(code):
    needed = re.match(r"# needs (\w+)\n", code)
    return not code.startswith("# not run: ") and (not needed or importlib.util.find_spec(needed[1]) is not None)


def program(text):
    """(source of all blocks, what each has to print or None)."""
    sources, expected, runs = [], [], False
    for kind, code in BLOCK.findall(text):
        if kind == "python":
            runs = is_run(code)
            sources += [code] * runs
            expected += [None] * runs
        elif runs:
            expected[-1] = code
    return sources, expected


def run(sources, folder):
    """What each block prints, in one process."""
    driver = ("import sys\n"
              f"names = {{'__name__': '__main__'}}\nfor number, source in enumerate({sources!r}, 1):\n"
              "    exec(compile(source, f'block {number}', 'exec'), names)\n"
              f"    print({MARK!r}, flush=True)\n")
    done = subprocess.run([sys.executable, "-c", driver], check=False, cwd=folder, capture_output=True, text=True,
                          env=os.environ | {"PYCUDA_DRIVER": "host", "MPLBACKEND": "agg"}, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout.split(MARK + "\n")[:-1]


def alike(shown, printed):
    """Whether a text is what a page shows, where ... stands for anything."""
    pattern = ".*?".join(re.escape(part) for part in shown.strip().split("..."))
    return re.fullmatch(pattern, printed.strip(), re.DOTALL)


def test_differences_are_found(tmp_path):
    sources, expected = program("```python\nprint(1 + 1)\n```\n\n```text output\n2\n```\n"
                                "```python\n# not run: never\n1 / 0\n```\n"
                                "```python\n# needs no_such_module\n1 / 0\n```\n\n```text output\n3\n```\n"
                                "```python\n# needs numpy\nx = 3\n```\n")
    assert run(sources, tmp_path) == ["2\n", ""] and expected == ["2\n", None]
    assert alike("a ... c\n", "a b c\n") and not alike("a", "b")
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        run(["1 / 0"], tmp_path)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_page(path, tmp_path):
    sources, expected = program(path.read_text())
    printed = run(sources, tmp_path)
    for number, (shown, text) in enumerate(zip(expected, printed, strict=True), 1):
        assert shown is None or alike(shown, text), f"block {number} prints:\n{text}"


def test_cells(tmp_path):
    """The page about Jupyter, cell by cell in one kernel."""
    cells = CELL.findall((ROOT / "docs/howto/jupyter.md").read_text())
    assert len(cells) > 3 and sum(bool(shown) for _, shown in cells) > 1
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source, _ in cells])
    nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute(
        env=os.environ | {"PYCUDA_DRIVER": "host"})
    for cell, (source, shown) in zip(notebook.cells, cells, strict=True):
        said = "".join(output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.outputs)
        assert not shown or alike(shown, said), f"{source}\nprints:\n{said}"
