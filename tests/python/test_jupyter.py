"""Notebooks, run without a browser."""

import nbclient
import nbformat
import pytest

KERNEL = """%%cuda --name module
#include <cstdio>
__constant__ float factor;
__global__ void scale(float *x)
{
    x[threadIdx.x] *= factor;
    if (threadIdx.x == 0)
        printf("one block\\n");
}"""
CALL = """import numpy as np, pycuda.driver as cuda
from pycuda import gpuarray
cuda.memcpy_htod(module.get_global("factor")[0], np.float32(3))
x = gpuarray.arange(4, dtype=np.float32)
scale(x, block=(4, 1, 1))
cuda.Context.synchronize()
print(x)"""
TEMPLATE = """%%cuda --no-extern-c -- -DSTEP=2
template <class T> __global__ void add(T *x) { x[threadIdx.x] += STEP; }
template __global__ void add(int *);"""
WRONG = """%%cuda
__global__ void wrong(float *x) { *x = undeclared; }"""


LATE = """%%cuda
#include <cstdio>
__global__ void late(int *x)
{
    for (int i = 0; i < 100000; i++)
        atomicAdd(x, 1);
    if (threadIdx.x + blockIdx.x == 0)
        printf("late\\n");
}
__global__ void wrong() { *(int *)8 = 1; }"""


def run(*cells):
    """The text that each cell writes; of one that fails, what IPython shows; HTML where there is some."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    client = nbclient.NotebookClient(notebook, timeout=600, allow_errors=True, kernel_name="python3")
    client.execute()
    return ["".join(output.get("text") or output.get("data", {}).get("text/html")
                    or output.get("data", {}).get("text/plain")
                    or "\n".join(output.get("traceback", [])) for output in cell.outputs)
            for cell in notebook.cells]


@pytest.fixture(scope="module")
def outputs():
    return run("%load_ext pycuda", KERNEL, CALL, TEMPLATE,
               "y = gpuarray.zeros(2, np.int32); add(y, block=(2, 1, 1)); y", WRONG, "%%cuda --nonsense\n;",
               LATE, "late(y, block=(32, 1, 1), grid=(600, 1))", "gpuarray.zeros((50_000_000,), np.int8)",
               "cuda.Device(0)", "wrong(block=(1, 1, 1))")


def test_kernels_become_variables(outputs, on_host):
    assert outputs[2].endswith("[0. 3. 6. 9.]\n")
    if on_host:  # a GPU's driver writes past Python
        assert outputs[2] == "one block\n[0. 3. 6. 9.]\n"


def test_templates_and_options(outputs):
    assert "[2 2]" in outputs[4]


def test_compile_errors_are_short(outputs):
    assert "kernel.cu" in outputs[5] and "undeclared" in outputs[5] and "CompileError" in outputs[5]
    assert "site-packages" not in outputs[5] and "[command" not in outputs[5]
    assert "sm_" not in outputs[5]


def test_usage(outputs):
    assert "nonsense" in outputs[6]


@pytest.mark.host  # a GPU's driver writes past Python
def test_printf_shows_below_the_cell_that_launched(outputs):
    assert outputs[8] == "late\n"


def test_html(outputs):
    for text in ("<th style=\"text-align: left\">shape</th>", "(50000000,)", "int8", "47.7 MiB",
                 "<pre>[0 0 0 ... 0 0 0]</pre>"):
        assert text in outputs[9]
    assert "multiprocessors" in outputs[10] and "compute capability" in outputs[10]


def test_faults_show_below_the_cell_that_launched(outputs, on_host):
    assert "illegal memory access" in outputs[11]
    assert "wrong" in outputs[11] or not on_host  # a GPU's driver does not name the kernel
