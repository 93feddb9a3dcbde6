"""Types of parameters where a GPU's driver tells sizes at most: out of PTX, and out of what NVRTC's
cubins carry. A driver that only records its launches stands in for the GPU's."""

import pathlib
import re

import pytest

STANDIN = pathlib.Path(__file__).with_name("compiler_standin.sh")

BEGIN = """
import ctypes, os, struct, tempfile
import numpy as np
import pycuda.autoinit, pycuda.driver as cuda
launched = (ctypes.c_char * 256).in_dll(ctypes.CDLL(os.environ["PYCUDA_DRIVER"]), "launched")

def ptx(text):
    return (".version 9.0\\n.target sm_90\\n\\n.visible .entry other(\\n\\t.param .b8 z\\n)\\n"
            ".visible .entry f" + text + "\\n{\\n\\tret;\\n}\\n").encode()

def show(function, *args):
    try:
        function(*args, block=(1, 1, 1))
        print(launched.raw.rstrip(bytes(1)).hex() or "zeros")
    except (TypeError, ValueError, OverflowError, NotImplementedError) as error:
        print(type(error).__name__, error)

def call(text, *args):
    show(cuda.module_from_buffer(ptx(text)).get_function("f"), *args)

class Pointer(cuda.PointerHolderBase):
    def get_pointer(self):
        return 0x1234

memory = cuda.mem_alloc(4)
"""

PREFIX = "TypeError invalid type on parameter #0 (0-based) of kernel 'f': expected "
OUT = "OverflowError invalid value on parameter #0 (0-based) of kernel 'f': "
ADDRESS = "009a78563412"
MAKES = "; numpy.float32(...) makes one"
TELL_NOTHING = "; the driver does not tell the parameter's type: pass a NumPy scalar"

# The declaration, a Python expression, what is launched or the error.
ROWS = [
    ("(\n\t.param .f32 f_param_0\n)", "1.5", "0000c03f"),
    ("(\n\t.param .f32 f_param_0\n)", "3", "00004040"),
    ("(\n\t.param .f32 f_param_0\n)", "1e300", OUT + "1e+300 does not fit float (4 bytes)"),
    ("(\n\t.param .f32 f_param_0\n)", "np.int32(1)", PREFIX + "float (4 bytes), got numpy.int32 (4 bytes)" + MAKES),
    ("(.param .f64 a)", "1.5", "000000000000f83f"),
    ("(.param .f64 a)", "memory", PREFIX + "double (8 bytes), got pycuda.driver.DeviceAllocation"),
    ("(.param .u32 a)", "7", "07"), ("(.param .u32 a)", "-2", "feffffff"),
    ("(.param .u32 a)", "(1 << 32) - 1", "ffffffff"), ("(.param .u32 a)", "True", "01"),
    ("(.param .s32 a)", "np.uint32(9)", "09"),
    ("(.param .u32 a)", "1 << 32", OUT + "4294967296 does not fit integer (4 bytes)"),
    ("(.param .u32 a)", "-(1 << 31) - 1", OUT + "-2147483649 does not fit integer (4 bytes)"),
    ("(.param .u32 a)", "1.0", PREFIX + "integer (4 bytes), got float"),
    ("(.param .u32 a)", "np.float32(1)", PREFIX + "integer (4 bytes), got numpy.float32 (4 bytes)"),
    ("(.param .u8 a)", "True", "01"), ("(.param .u8 a)", "-1", "ff"),
    ("(.param .u8 a)", "256", OUT + "256 does not fit integer (1 bytes)"),
    ("(.param .u64 a)", "memory", ADDRESS), ("(.param .u64 a)", "-1", "ff" * 8),
    ("(.param .u64 a)", "(1 << 64) - 1", "ff" * 8), ("(.param .u64 a)", "Pointer()", "3412"),
    ("(.param .u64 a)", "1 << 64", OUT + "18446744073709551616 does not fit integer or pointer (8 bytes)"),
    ("(.param .u64 a)", "-(1 << 63) - 1",
     OUT + "-9223372036854775809 does not fit integer or pointer (8 bytes)"),
    ("(.param .u64 a)", "1.0", PREFIX + "integer or pointer (8 bytes), got float"),
    ("(.param .u64 .ptr .global .align 4 a)", "memory", ADDRESS),
    ("(.param .u64 .ptr .align 1 a)", "np.zeros(2)",
     PREFIX + ("pointer (8 bytes), got numpy.ndarray of 2 float64 (16 bytes); wrap host arrays in "
               "driver.In, Out or InOut")),
    ("(.param .b32 a)", "1", PREFIX + "4 bytes, got int" + TELL_NOTHING),
    ("(.param .b32 a)", "np.float32(1)", "0000803f"),
    ("(.param .align 2 .b8 a[2])", "np.float16(1)", "003c"),
    ("(.param .align 4 .b8 a[8])", "np.complex64(1j)", "000000000000803f"),
    ("(.param .align 4 .b8 a[12])", "np.array([1, 2, 3], np.int32)", "010000000200000003"),
    ("(.param .f16x2 a)", "1.0", PREFIX.replace("expected ", "got float; pass a NumPy scalar")),
    ("()", "", "zeros"), ("", "", "zeros"), ("(\n\n)", "", "zeros"),
    ("(.param .f32 a, .param .u32 b)", "1.0",
     "TypeError kernel 'f' takes 2 arguments (float, integer), got 1"),
    # What is not understood is left to the driver, which here tells nothing.
    ("(.param .f32 a, .param .vector of_something_new)", "np.float32(1)", "0000803f"),
    ("(.param .vector of_something_new)", "np.arange(4, dtype='u1'), np.int32(7)", "0001020307"),
    ("(.param .vector of_something_new)", "*[np.zeros(300)] * 4", "ValueError too many bytes of kernel arguments"),
    ("(.param .f32 a, .param .vector of_something_new)", "1.0",
     PREFIX.replace("expected ", "got float; pass a NumPy scalar")),
]


def run(run_python, driver, code, **environment):
    done = run_python(BEGIN + code, PYCUDA_DRIVER=driver, **environment)
    assert (done.stderr, done.returncode) == ("", 0)
    return done.stdout.splitlines()


def test_types_of_ptx(run_python, fake_driver):
    code = "".join(f"call({text!r}, {values})\n" for text, values, _ in ROWS)
    assert run(run_python, fake_driver, code) == [expected for _, _, expected in ROWS]


def test_alignment(run_python, fake_driver):
    text = "(.param .u8 a,\n .param .align 16 .b8 b[32],\n .param .f32 c, .param .u64 .ptr .align 4 d)"
    code = f"call({text!r}, 1, np.full(32, 2, np.uint8), 1.0, memory)"
    launched, = run(run_python, fake_driver, code)
    assert re.fullmatch("01" + "." * 30 + "02" * 32 + "0000803f" + "." * 8 + ADDRESS, launched)


WIDE = "(.param .align 64 .b8 a[64],\n .param .u8 b, .param .f32 c)"


@pytest.mark.parametrize(("told", "expected"), [
    ("48:64 112:1 116:4", "." * 96 + "02" * 64 + "01......0000c03f"),  # as seen on an H200
    ("0:64 64:1 68:4", "02" * 64 + "01......0000c03f"),
    # Of other parameters than PTX: those of the driver.
    ("0:64 64:1", "TypeError kernel 'f' takes 2 arguments (64 bytes, 1 bytes), got 3"),
    ("0:64 64:1 68:8", PREFIX.replace("#0", "#2") + "8 bytes, got float" + TELL_NOTHING),
    ("0:64 64:1 68:4 72:4", "TypeError kernel 'f' takes 4 arguments (64 bytes, 1 bytes, 4 bytes, 4 bytes), got 3"),
    (None, ("NotImplementedError kernel 'f' has a parameter aligned to 64 bytes: where one of more than 16 lies is "
            "told by drivers of CUDA 12.4 and later; pass its address")),
])
def test_offsets_are_the_drivers(run_python, fake_driver, told, expected):
    """A GPU's counts an alignment of more than 16 from where it keeps the arguments, not from the first of them."""
    code = f"call({WIDE!r}, np.full(64, 2, np.uint8), np.uint8(1), 1.5)\n"
    environment = {"FAKE_SIZES": told} if told else {}
    said, = run(run_python, fake_driver, code, **environment)
    assert said == expected or re.fullmatch(expected, said)


def test_sizes_of_the_driver(run_python, fake_driver):
    """Where there is no PTX, sizes alone are known: a Python number might be either."""
    code = ("function = cuda.module_from_buffer(b'\\x7fELF' + bytes(60)).get_function('f')\n"
            "show(function, np.float32(1), np.int32(7))\nshow(function, np.int32(1), np.int32(7))\n"
            "show(function, 1.0, 7)\nshow(function, 1, 7)\n"
            "show(function, np.int64(1), 7)\n")
    wrong = PREFIX + "4 bytes, got "
    assert run(run_python, fake_driver, code, FAKE_SIZES="4 4") == [
        "0000803f07", "0100000007", wrong + "float" + TELL_NOTHING,
        wrong + "int" + TELL_NOTHING, wrong + "numpy.int64 (8 bytes)"]


SOURCES = {
    "a file": """
with tempfile.NamedTemporaryFile() as file:
    file.write(ptx("(.param .f32 a)")), file.flush()
    module = cuda.module_from_file(file.name)
""",
    "a linker": """
from pycuda.compiler import compile
linker = cuda.Linker()
linker.add_data(compile("// PTX .entry f(.param .f32 a)"), cuda.jit_input_type.CUBIN)
module = linker.link_module()
""",
    "a cubin of NVRTC": """
from pycuda.compiler import SourceModule
module = SourceModule("// PTX .entry f(.param .f32 a)").module
""",
    "a cubin of nvcc": """
from pycuda.compiler import SourceModule
module = SourceModule("// PTX .entry f(.param .f32 a)", nvcc=os.environ["STANDIN"]).module
""",
    "a cubin from the cache": """
from pycuda.compiler import SourceModule
SourceModule("// PTX .entry f(.param .f32 a)")
module = SourceModule("// PTX .entry f(.param .f32 a)").module
""",
}


@pytest.mark.parametrize("code", SOURCES.values(), ids=SOURCES)
def test_modules_from(run_python, fake_driver, fake_nvrtc, tmp_path, code):
    code += "show(module.get_function('f'), 1.0)\nmodule.get_function('f').prepare('f')\n"
    assert run(run_python, fake_driver, code, PYCUDA_NVRTC=fake_nvrtc,
               PYCUDA_CACHE_DIR=str(tmp_path), STANDIN=str(STANDIN),
               STANDIN_LOG=str(tmp_path / "log")) == ["0000803f"]


def test_prepare_against_ptx(run_python, fake_driver):
    code = """
function = cuda.module_from_buffer(ptx("(.param .u64 a, .param .u32 b, .param .f32 c)")).get_function("f")
for types in ("Pif", [np.intp, np.uint32, np.float32], "PIf", "Lff", "Pi"):
    try:
        print(function.prepare(types).arg_format)
    except TypeError as error:
        print(error)
"""
    assert run(run_python, fake_driver, code) == [
        "Pif", "lIf", "PIf",
        ("prepare: parameter #1 (0-based) of kernel 'f' (integer or pointer, integer, float) does not "
         "match the declaration 'Lff'"),
        ("prepare: kernel 'f' has 3 parameters (integer or pointer, integer, float), 'Pi' declares 2")]
