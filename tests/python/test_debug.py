"""python -m pycuda.debug: the program runs as it would, and its kernels are compiled for a debugger."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import sys
import beside
import pycuda.autoinit, pycuda.driver as cuda
from pycuda.compiler import SourceModule
SourceModule("__global__ void f() { }")
print(__name__, sys.argv[1:], beside.VALUE, cuda.CUDA_DEBUGGING)
sys.exit(3)
"""


def debug(*words):
    return subprocess.run([sys.executable, "-m", "pycuda.debug", *words], cwd="/", env=os.environ,
                          capture_output=True, text=True, check=False)


def test_program(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "beside.py").write_text("VALUE = 5")
    done = debug(str(tmp_path / "program.py"), "-a", "b")
    kept, printed = done.stdout.splitlines()
    assert printed == "__main__ ['-a', 'b'] 5 True" and (done.returncode, done.stderr) == (3, "")
    folder = kept.removeprefix("*** compiler output in ")
    assert folder.startswith(str(tmp_path)) and "kernel.cu" in os.listdir(folder)


@pytest.mark.parametrize("words, message", [
    ([], "which program?"), (["/nope.py", "x"], "no such file: /nope.py")])
def test_no_program(words, message):
    done = debug(*words)
    assert (done.returncode, done.stdout) == (1, "") and done.stderr == (
        f"pycuda.debug: {message}\nusage: python -m pycuda.debug SCRIPT ARGUMENTS...\n")
