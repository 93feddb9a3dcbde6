"""The first hour of a user: README's ten lines typed into a shell and into Jupyter, then a mistake of each kind, after
which the session goes on, then a look at what there is. The tutorial is typed in by tests/docs."""

import pathlib
import re
import subprocess
import sys

import nbclient
import nbformat
import pytest

README = (pathlib.Path(__file__).parents[2] / "README.md").read_text()
TEN_LINES = re.search(r"## Ten lines\n\n```python\n(.*?)```", README, re.DOTALL)[1]
SHOWN = re.sub(r"^    ", "", re.search(r"```\n\n((?:    .*\n)+)", README.partition("## Ten lines")[2])[1], flags=re.MULTILINE)

# What is typed, and what is said of it; the next line works as if nothing had been.
MISTAKES = [
    ("saxpy(y, np.float32(0.5), x)", "must specify block size: block=(threads, 1, 1)"),
    ("saxpy(y, 0.5, block=(256, 1, 1))", "takes 3 arguments"),
    ("saxpy(y, np.float32(0.5), x.get(), block=(256, 1, 1))", "wrap host arrays in driver.In, Out or InOut"),
    ("saxpy(y, np.float32(0.5), x[::2], block=(256, 1, 1))", "copy() has none"),
    ("saxpy(y, np.float32(0.5), x, block=(4096, 1, 1))", "x must be 1 to 1024"),
    ("module.get_function('saxby')", "no kernel 'saxby' in the module, which has saxpy"),
    ("SourceModule('__global__ void f(float *x) { *x = y; }')", "y"),
    ("SourceModule('template <class T> __global__ void f(T *x) {}')", "no_extern_c=True compiles templates"),
    ("SourceModule('#include <thrust/complex.h>')", "Thrust, CUB and libcu++ are in the package nvidia-cuda-cccl"),
    ("x + np.ones(1024)", "gpuarray.to_gpu() brings an array to the device"),
    ("np.asarray(x)", "use .get(), or allow it"),
    ("x[:5] + x[:4]", "could not be broadcast together with shapes (5,) (4,)"),
    ("gpuarray.empty(1 << 50, np.float32)", "out of memory"),
]
GOES_ON = "print(gpuarray.sum(y).get())"


def test_readme_was_found():
    assert len(TEN_LINES.splitlines()) > 10 and SHOWN.splitlines()[1:] == ["float32", "262912.0"]


def test_shell():
    """Prompts and exceptions go to stderr, values to stdout."""
    lines = [TEN_LINES, *(f"{typed}\n{GOES_ON}\n" for typed, _ in MISTAKES)]
    done = subprocess.run([sys.executable, "-i", "-q"], input="\n".join(lines), capture_output=True, text=True, check=False)
    assert done.stdout == SHOWN + "262912.0\n" * len(MISTAKES), done.stderr
    said = done.stderr.split("Traceback (most recent call last)")[1:]
    assert len(said) == len(MISTAKES)
    for text, (typed, expected) in zip(said, MISTAKES, strict=True):
        assert expected in text, typed


def test_help(run_python):
    """What help() and print() say of what one has in one's hands; names are those that users import."""
    done = run_python(f"{TEN_LINES}\nhelp(saxpy.prepare); help(module.get_function); help(gpuarray.sum); help(x.astype)\n"
                      "print(saxpy, module, pycuda.autoinit.device, pycuda.autoinit.context, x.gpudata, sep='\\n')")
    said = re.sub("pycuda: no usable GPU .*\n", "", done.stderr)  # where nothing says that none is wanted
    assert (done.returncode, said) == (0, "") and "_driver" not in done.stdout
    assert all(name in done.stdout for name in ("prepare(", "get_function(", "sum(", "astype("))
    assert re.search("saxpy.*\n.*SourceModule.*\n.*Device.*\n.*Context.*\n.*Allocation of 4096 bytes", done.stdout)


@pytest.fixture(scope="module")
def cells():
    typed = [TEN_LINES, *(cell for mistake, _ in MISTAKES for cell in (mistake, GOES_ON)), "x", "pycuda.autoinit.device"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in typed])
    nbclient.NotebookClient(notebook, timeout=600, allow_errors=True, kernel_name="python3").execute()
    return [cell.outputs for cell in notebook.cells]


def test_jupyter(cells):
    first, *rest, array, device = cells
    assert "".join(output.text for output in first) == SHOWN
    for (typed, expected), said, after in zip(MISTAKES, rest[::2], rest[1::2], strict=True):
        text = "\n".join(line for output in said for line in output.get("traceback", []))
        assert expected in re.sub(r"\x1b\[[0-9;]*m", "", text), typed
        assert "".join(output.text for output in after) == "262912.0\n", typed  # in one piece or more
    assert "(1024,)" in array[0].data["text/html"] and "multiprocessors" in device[0].data["text/html"]
