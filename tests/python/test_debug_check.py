"""pycuda.debug.check and its reports, `python -m pycuda check`, and --cuda-check of the pytest plugin."""

import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import _native, debug, gpuarray
from pycuda.compiler import SourceModule
from pycuda.elementwise import ElementwiseKernel

pytestmark = pytest.mark.host

SCALE = """__global__ void scale(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        x[i] = 2 * i;
}"""


@pytest.fixture(autouse=True)
def clean():
    """No test sees the reports of another."""
    debug.clear_reports()
    yield
    debug.clear_reports()


def scale(x, n=1000, **options):
    SourceModule(SCALE, **options).get_function("scale")(x, np.int32(n), block=(128, 1, 1), grid=(-(-n // 128), 1))


def line(offset=0):
    frame = sys._getframe(1)
    return f"{frame.f_code.co_filename}:{frame.f_lineno + offset}"


def test_an_array_at_the_end_of_a_block(context):
    x = gpuarray.zeros(2050, np.float32)  # 8200 bytes of a block of 8704
    assert cuda.mem_get_address_range(int(x.gpudata))[0] < int(x.gpudata)
    with pytest.raises(debug.CheckError) as raised, debug.check("memory"):
        scale(x, 2050)
    error, = raised.value.reports
    assert (error.base, error.offset, error.size) == (int(x.gpudata), 8200, 8200)


def test_an_element_beyond_the_end(context):
    x, at = gpuarray.zeros(1000, np.float32), line()  # of a pool, in a block that is larger
    with pytest.raises(debug.CheckError) as raised, debug.check("memory"):
        scale(x)
    error, = raised.value.reports
    assert isinstance(raised.value, cuda.LogicError)
    assert (error.kind, error.fault, error.severity, error.count) == ("memory", "bounds", "error", 1)
    assert (error.access, error.bytes, error.space, error.state) == ("write", 4, "global", "live")
    assert (error.kernel, error.file, error.line) == ("scale", "kernel.cu", 5)
    assert (error.block, error.thread, error.other_thread) == ((7, 0, 0), (104, 0, 0), None)
    assert (error.grid, error.block_shape) == ((8, 1, 1), (128, 1, 1))
    assert (error.variable, error.base, error.offset, error.size) == ("x", int(x.gpudata), 4000, 4000)
    assert (error.address, error.allocated_at, error.freed_at) == (int(x.gpudata) + 4000, at, None)
    assert (error.dtype, error.shape) == ("float32", (1000,))
    assert f"element 1000 of x, an array of 1000 float32 allocated at {at}" in str(raised.value)
    assert str(error) == error.text == str(raised.value)
    assert debug.reports() == [error]


def test_the_context_goes_on(context):
    with debug.check("memory"):
        x = gpuarray.zeros(1000, np.float32)
        scale(x)
        with pytest.raises(debug.CheckError):
            context.synchronize()
        context.synchronize()  # once
        assert (x.get()[:896] == 2 * np.arange(896)).all()  # other blocks have done their work
        scale(x, 999)
        assert (x.get() == 2 * np.arange(1000)).all()
    scale(x[:999], 999)  # without a check, and within x
    assert len(debug.reports()) == 1
    debug.clear_reports()
    assert debug.reports() == []


def test_reports_of_one_line_are_counted(context):
    with debug.check("memory"):
        x = gpuarray.zeros(1000, np.float32)
        for launch in range(3):
            scale(x)
            with pytest.raises(debug.CheckError):
                context.synchronize()
            assert [report.count for report in debug.reports()] == [launch + 1]


def test_a_plain_call(context):
    x = gpuarray.zeros(1000, np.float32)
    checks = debug.check("memory,race", "init")
    try:
        assert repr(checks) == "<pycuda.debug.check memory,race,init>"
        inner = debug.check("sync", "order:7")
        assert _native._checks() == 24
        inner.stop()
        assert _native._checks() == 7
        scale(x, 999)
    finally:
        checks.stop()
    assert _native._checks() == 0


def test_all_kinds_by_default(context):
    with debug.check():
        assert _native._checks() == 15
    with debug.check("all"):
        assert _native._checks() == 15


def test_one_module_alone(context):
    x = gpuarray.GPUArray(1000, np.float32, gpudata=cuda.mem_alloc(4000))
    scale(x, check="memory")
    with pytest.raises(debug.CheckError):
        context.synchronize()
    with debug.check("memory"):
        scale(gpuarray.zeros(2000, np.float32)[:1000], check="")  # no check is built in


@pytest.mark.parametrize("words", ["memroy", "memory,", "memory,order", "order:x", "memory:1"])
def test_words(context, words):
    if words == "memory,":
        debug.check(words).stop()
        return
    with pytest.raises(ValueError, match="no kind of check: memory, race, init, sync, all, order:SEED"):
        debug.check(words)
    with pytest.raises(ValueError, match="no kind of check"):
        SourceModule(SCALE, check=words)


def test_kernels_made_to_measure(context):
    """Those that there are already are made anew under check, and those without come back."""
    shift = ElementwiseKernel("float *x, float *y", "y[i + 1] = x[i]", "shift")
    x, y = (gpuarray.zeros(1000, np.float32, allocator=cuda.mem_alloc) for _ in range(2))
    room = gpuarray.zeros(2000, np.float32)
    shift(x, room[:1000])
    total = x + y
    for _ in range(2):
        with debug.check("memory"):
            shift(x, y)
            with pytest.raises(debug.CheckError, match="beyond y"):
                context.synchronize()
            assert (x + y == total).get().all()
        shift(x, room[:1000])
        context.synchronize()
    assert {report.kernel for report in debug.reports()} == {"shift"}


def test_freed_memory(context):
    with debug.check("memory"):
        x, at = cuda.mem_alloc(4000), line()
        address = int(x)
        x.free()
        freed = line(-1)
        scale(np.uintp(address), 100)
        with pytest.raises(debug.CheckError) as raised:
            context.synchronize()
    error = raised.value.reports[0]
    assert (error.fault, error.state) == ("freed", "freed")
    assert (error.allocated_at, error.freed_at) == (at, freed)
    assert f"allocated at {at}, freed at {freed}" in str(raised.value)


def test_several_errors(context):
    f = SourceModule("""__global__ void f(float *x)
    {
        if (blockIdx.x == 0)
            x[10] = 1;
        else
            x[-1] = 1;
    }""", check="memory").get_function("f")
    f(cuda.mem_alloc(40), block=(1, 1, 1), grid=(2, 1))
    with pytest.raises(debug.CheckError, match=r"\(and 1 more, in .reports\)") as raised:
        context.synchronize()
    assert sorted(report.line for report in raised.value.reports) == [4, 6]


PROGRAM = """
import sys
import numpy as np
import pycuda.autoinit
from pycuda import gpuarray
from pycuda.compiler import SourceModule
n = int(sys.argv[1])
x = gpuarray.zeros(1000, np.float32)
SourceModule('''SCALE''').get_function("scale")(x, np.int32(n), block=(128, 1, 1), grid=(8, 1))
if sys.argv[2:] == ["get"]:
    x.get()
elif sys.argv[2:]:
    sys.exit(int(sys.argv[2]))
""".replace("SCALE", SCALE)


def run(tmp_path, *words, **environment):
    (tmp_path / "program.py").write_text(PROGRAM)
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False, cwd=tmp_path,
                          env=os.environ | {"PYCUDA_DRIVER": "host"} | environment)
    return done.returncode, done.stderr


BEYOND = "element 1000 of x, an array of 1000 float32 allocated at program.py:8"


@pytest.mark.parametrize(("n", "end", "status"), [
    (999, [], 0), (999, ["3"], 3), (1000, [], 86), (1000, ["0"], 86), (1000, ["3"], 3), (1000, ["get"], 86)])
def test_the_command(tmp_path, n, end, status):
    found, said = run(tmp_path, "-m", "pycuda", "check", "--kinds", "memory", "--json", "found.json", "program.py", str(n), *end)
    reports = json.loads((tmp_path / "found.json").read_text())["reports"]
    assert found == status, said
    assert (BEYOND in said) == (n == 1000) == (len(reports) == 1)
    assert f"checked memory: {int(n == 1000)} errors, 0 warnings" in said
    if n == 1000:
        assert reports[0]["line"] == 5 and reports[0]["thread"] == [104, 0, 0]
        assert reports[0]["allocated_at"] == "program.py:8"


def test_the_command_says_what_is_wrong(tmp_path):
    assert run(tmp_path, "-m", "pycuda", "check", "gone.py") == (1, "python -m pycuda check: no such file: gone.py\n")
    status, said = run(tmp_path, "-m", "pycuda", "check", "--kinds", "memroy", "program.py")
    assert status == 1 and "'memroy' is no kind of check" in said


def test_by_the_environment(tmp_path):
    status, said = run(tmp_path, "program.py", "1000", "get", HOSTCUDA_CHECK="memory", HOSTCUDA_CHECK_REPORT="found.json")
    report, = json.loads((tmp_path / "found.json").read_text())["reports"]
    assert status == 1 and "CheckError" in said and report["text"] in said
    assert report["allocated_at"].endswith("program.py:8")
    assert run(tmp_path, "program.py", "999", "get", HOSTCUDA_CHECK="memory", HOSTCUDA_CHECK_REPORT="none.json") == (0, "")
    assert json.loads((tmp_path / "none.json").read_text()) == {"reports": []}


SUITE = '''
import numpy as np
import pytest
from pycuda import driver, gpuarray
from pycuda.compiler import SourceModule

def scale(n):
    x = gpuarray.zeros(1000, np.float32)
    SourceModule("""SCALE""").get_function("scale")(x, np.int32(n), block=(128, 1, 1), grid=(8, 1))
    return x

def test_right(cuda_context):
    scale(999).get()

def test_wrong(cuda_context):
    scale(1000)

def test_wrong_and_hears_of_it(cuda_context):
    scale(1000).get()

def test_wrong_and_fails(cuda_context):
    scale(1000)
    assert False, "for another reason"

def test_whose_context_is_lost(cuda_context):
    SourceModule("__global__ void f() { __trap(); }").get_function("f")(block=(1, 1, 1))
    with pytest.raises(driver.LaunchError):
        driver.Context.synchronize()

def test_after(cuda_context):
    assert scale(999).get()[3] == 6
'''.replace("SCALE", SCALE)


def test_the_plugin(tmp_path):
    (tmp_path / "test_suite.py").write_text(SUITE)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rf", tmp_path]
    environment = os.environ | {"PYCUDA_DRIVER": "host"}
    plain = subprocess.run(command, capture_output=True, text=True, check=False, env=environment).stdout
    assert "1 failed, 5 passed" in plain
    said = subprocess.run([*command, "--cuda-check=memory"], capture_output=True, text=True, check=False,
                          env=environment).stdout
    assert "3 failed, 3 passed" in said
    failed = set(re.findall(r"FAILED .*::(\w+)", said))
    assert failed == {"test_wrong", "test_wrong_and_hears_of_it", "test_wrong_and_fails"}
    assert said.count("element 1000 of x, an array of 1000 float32 allocated at") >= 3
    assert "for another reason" in said
    wrong = subprocess.run([*command, "--cuda-check=memroy"], capture_output=True, text=True, check=False, env=environment)
    assert wrong.returncode == 4 and "--cuda-check: 'memroy' is no kind of check" in wrong.stderr


def test_a_gpu_refuses(fake_driver, run_python):
    done = run_python("""if True:
        from pycuda import debug, driver
        from pycuda.compiler import compile
        driver.init()
        for refused in (lambda: debug.check("race"), lambda: compile("", check="race")):
            try:
                refused()
            except driver.LogicError as error:
                assert "compute-sanitizer --tool racecheck python program.py" in str(error), error
                assert "PYCUDA_DRIVER=host" in str(error)
            else:
                raise AssertionError
        """, PYCUDA_DRIVER=fake_driver)
    assert done.returncode == 0, done.stderr
