"""Fusion: inside of ``with gpuarray.lazy():`` chains of element-wise operations become one kernel.

An operation there makes its result, an ordinary array, and a step that says how to compute it, and
leaves the memory unwritten (src/array/lazy.c asks `_record`). Before any device address is used, be
it to copy, to launch a kernel or to change an operand in place, `_settle` writes all results that
are still alive, oldest first. A result that nobody holds any more has become part of the expressions
that use it and is never written. The kernels round after each operation, as single ones do.
"""

import contextlib
import functools
import threading
import weakref

import numpy as np

from pycuda import _native
from pycuda.elementwise import ElementwiseKernel
from pycuda.tools import ScalarArg, VectorArg, dtype_to_ctype

# Operations that round once at most. Others, as exp, are compiled with fused multiply-adds inside,
# and would give other last bits in a kernel without.
_FUSABLE = frozenset("""
    ADD SUBTRACT MULTIPLY DIVIDE NEGATIVE POSITIVE ABSOLUTE AND OR XOR INVERT LEFT_SHIFT RIGHT_SHIFT
    EQUAL NOT_EQUAL LESS LESS_EQUAL GREATER GREATER_EQUAL LOGICAL_AND LOGICAL_OR LOGICAL_XOR
    LOGICAL_NOT MAXIMUM MINIMUM FMAX FMIN COPYSIGN SQUARE RECIPROCAL SIGNBIT DEG2RAD RAD2DEG SIGN
    FABS FLOOR CEIL TRUNC RINT SQRT ISNAN ISINF ISFINITE WHERE IF_POSITIVE""".split())  # noqa: SIM905
_MOST_STEPS, _MOST_WAITING = 40, 100  # in a kernel; results, so that looking through them is quick

_lock = threading.RLock()  # held while what follows is looked at or changed
_open = threading.local()  # .count: how many lazy() this thread is in
_open_anywhere = 0
_waiting = {}  # id of an array: (weak reference to it, its step), oldest first
_is_settling = False


class _Step:
    """An operation, and its operands: steps, arrays, and scalars of NumPy's."""

    def __init__(self, code, operands, dtypes, dtype):
        self.code, self.dtypes, self.dtype = code, dtypes, dtype
        self.context = _native.Context.get_current()
        self.operands = [_operand(*pair) for pair in zip(operands, dtypes, strict=True)]
        self.array = None  # the result, once it has been written

    def steps(self):
        """This one and all unwritten ones behind it."""
        found, ahead = {}, [self]
        while ahead:
            step = ahead.pop()
            if id(step) not in found:
                found[id(step)] = step
                ahead += [operand for operand in step.operands
                          if isinstance(operand, _Step) and operand.array is None]
        return list(found.values())

    def reads(self, array):
        return any(isinstance(operand, _native.GPUArray) and _native._overlap(operand, array)
                   for step in self.steps() for operand in step.operands)


def _operand(operand, dtype):
    if not isinstance(operand, _native.GPUArray):
        return np.asarray(operand).astype(dtype)[()]
    waiting = _waiting.get(id(operand))
    return waiting[1] if waiting else operand


def _record(name, code, out, operands, dtypes, is_given):
    """Whether the operation was taken over. is_given: `out` has been there before; it is written at
    once, since it may be a view that nobody keeps."""
    with _lock:
        if _is_settling or name not in _FUSABLE or not getattr(_open, "count", 0):
            return False
        step = _Step(code, operands, dtypes, out.dtype)
        if (len(step.steps()) > _MOST_STEPS or len(_waiting) >= _MOST_WAITING
                or (is_given and _is_entangled(step, out))):
            _settle()
            step = _Step(code, operands, dtypes, out.dtype)
        if is_given:
            _waiting.pop(id(out), None)
            _write(step, out)
        else:
            forget = functools.partial(_waiting.pop, id(out), None)
            _waiting[id(out)] = weakref.ref(out, lambda _: forget()), step
            _native._on_address(_settle)
        return True


def _is_entangled(step, out):
    """Whether something waits that step reads from memory, or that reads or is what it writes."""
    for reference, other in list(_waiting.values()):
        array = reference()
        if array is not None and (step.reads(array) or (array is not out and (
                other.reads(out) or _native._overlap(array, out)))):
            return True
    return False


def _settle():
    """Writes what waits."""
    with _lock:
        while _waiting and not _is_settling:
            reference, step = _waiting.pop(next(iter(_waiting)))
            array = reference()
            if array is not None:
                _write(step, array)
                step.array = array  # for those that come after
        if not _waiting:
            _native._on_address(None)


def _write(step, out):
    global _is_settling
    is_elsewhere = step.context is not _native.Context.get_current()
    _is_settling = True
    try:
        if is_elsewhere:
            step.context.push()
        source = _Source(step, out)
        _kernel(tuple(source.arguments), "\n".join(source.lines))(*source.values)
    finally:
        _is_settling = False
        if is_elsewhere:
            _native.Context.pop()


def _ctype(dtype):
    return dtype_to_ctype(dtype).replace("long", "long long")  # as single operations have it


class _Source:
    """Arguments, their values, and code that computes a step."""

    def __init__(self, step, out):
        self.arguments, self.values = [(VectorArg, out.dtype, "out")], [out]
        self.names, self.lines = {}, []
        self.lines.append(f"out[i] = {self.name_of(step)};")

    def name_of(self, operand):
        if isinstance(operand, _Step) and operand.array is not None:
            operand = operand.array
        if id(operand) not in self.names:
            name = self.names[id(operand)] = f"v{len(self.names)}"
            if isinstance(operand, _Step):
                self.compute(operand, name)
            else:
                is_array = isinstance(operand, _native.GPUArray)
                self.arguments.append((VectorArg if is_array else ScalarArg, operand.dtype, name))
                self.values.append(operand)
                self.names[id(operand)] += "[i]" * is_array
        return self.names[id(operand)]

    def compute(self, step, name):
        inputs = " ".join(
            f"{_ctype(dtype)} {letter} = pycuda::convert<{_ctype(dtype)}>({self.name_of(part)});"
            for letter, dtype, part in zip("abc", step.dtypes, step.operands, strict=False))
        c = _ctype(step.dtype)
        self.lines.append(f"{c} {name}; {{ {c} &z = {name}; {inputs} {step.code}; }}")


@functools.cache
def _kernel(arguments, code):
    return ElementwiseKernel([kind(dtype, name) for kind, dtype, name in arguments], code, "fused",
                             options=["-fmad=false"])


@contextlib.contextmanager
def lazy():
    """with gpuarray.lazy(): z = a * x + b * y - c computes z in one kernel, when z is needed.

    Inside, for this thread, element-wise operations on arrays of one shape and order wait; other
    operations do not, and what they take is written first. Results are the same, bit for bit, but for
    the sign of a NaN. At the end everything is written. May be nested. Fused are operators and
    comparisons, where, maximum and minimum and their kin, sqrt and rounding, of booleans, integers,
    float32 and float64.

    Inside, reach memory by arrays, by `gpudata` or `ptr`, and not by an address that a kernel gets
    as a mere number, nor by a NumPy view that was made before: who writes there does not know what
    has to be computed first.
    """
    global _open_anywhere
    with _lock:
        _open.count = getattr(_open, "count", 0) + 1
        _open_anywhere += 1
        _native._on_operation(_record)
    try:
        yield
    finally:
        with _lock:
            _open.count -= 1
            _open_anywhere -= 1
            if not _open_anywhere:
                _native._on_operation(None)
            if not _open.count:
                _settle()
