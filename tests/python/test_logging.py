"""The logger "pycuda", and the line that tells of long compilations."""

import io
import logging
import sys
import time

import pytest

import pycuda.driver as cuda
from pycuda import _progress
from pycuda.compiler import SourceModule


@pytest.fixture
def log(caplog):
    caplog.set_level(logging.DEBUG, "pycuda")
    return lambda: [(record.levelname, record.getMessage()) for record in caplog.records if record.name == "pycuda"]


def test_compilations_and_modules(context, log, tmp_path):
    source = "template <class T> __device__ void g(T) {}\nextern \"C\" __global__ void __launch_bounds__(64) named (int *x) {}"
    for _ in range(2):
        SourceModule(source, no_extern_c=True, cache_dir=tmp_path)
    texts = [text for _, text in log()]
    assert len(texts) == 4
    compiler, _, rest = texts[0].partition(" compiled named in ")
    assert compiler in ("hostcc", "nvrtc", "nvcc") and 0 < float(rest.removesuffix(" s")) < 600
    assert texts[2].startswith("named was in the cache: ")
    assert texts[1] == texts[3] and texts[1].startswith("loaded a module of ")
    assert [level for level, _ in log()] == ["INFO", "DEBUG", "DEBUG", "DEBUG"]


def test_sources_that_do_not_compile(context, log):
    with pytest.raises(cuda.CompileError):
        SourceModule("__global__ void f(float *x) { y }")
    assert len(log()) == 1 and " did not compile f in " in log()[0][1]


def test_contexts_and_memory(log):
    cuda.init()
    context = cuda.Device(0).make_context()
    with pytest.raises(cuda.MemoryError):
        cuda.mem_alloc(1 << 50)
    context.pop()
    first, second = (text for _, text in log())
    assert first.startswith("context 0x") and first.endswith(" on device 0")
    assert second.startswith("out of memory in cuMemAlloc")


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress(monkeypatch):
    monkeypatch.setattr(_progress, "DELAY", 0.01)
    monkeypatch.setattr(sys, "stderr", Terminal())
    end = _progress.begin("hostcc", "f")
    while "hostcc compiles f: " not in sys.stderr.getvalue():
        time.sleep(0.01)
    end()
    assert sys.stderr.getvalue().endswith("\r\x1b[K")


@pytest.mark.parametrize("stream", [None, io.StringIO(), object()])
def test_no_progress_where_nobody_looks(stream, monkeypatch):
    monkeypatch.setattr(sys, "stderr", stream)
    assert _progress.begin("hostcc", "f") is None
