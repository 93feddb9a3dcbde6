"""Fusion: inside of ``with gpuarray.lazy():`` chains of element-wise operations become one kernel.

An operation there makes its result, an ordinary array, and a step that says how to compute it, and
leaves the memory unwritten (src/array/lazy.c asks `_record`). Before any device address is used, be
it to copy or to change an operand in place, and before any kernel or graph is launched, `_write_pending`
writes all results that are still alive, oldest first. A result that nobody holds any more has become part of the expressions
that use it and is never written. The kernels round after each operation, as single ones do.
"""

import functools
import threading
import weakref

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
_waiting = {}  # id of an array: its _Result, oldest first
_is_settling = False


class _Step:
    """An operation, and its operands: steps, arrays, and scalars of NumPy's, of the types that the
    operation takes. form: its name, its code, and the dtypes of the result and the operands."""

    __slots__ = ("array", "context", "form", "operands", "size")

    def __init__(self, form, operands):
        self.form, self.context = form, _native.Context.get_current()
        self.operands = [_waiting[id(x)].step if id(x) in _waiting else x for x in operands]
        self.array = None  # the result, once it has been written
        self.size = 1  # operations, those used twice counted twice
        for operand in self.operands:
            if type(operand) is _Step and operand.array is None:
                self.size += operand.size

    def is_long(self):
        return self.size > _MOST_STEPS and len(_Program(self)) > _MOST_STEPS

    def reads(self, array):
        return any(isinstance(operand, _native.GPUArray) and _native._overlap(operand, array)
                   for operand in _Program(self).operands)


class _Result(weakref.ref):
    """To an array that waits."""

    __slots__ = ("place", "step")


def _record(form, out, operands, is_given):
    """Whether the operation was taken over. is_given: `out` has been there before; it is written at
    once, since it may be a view that nobody keeps."""
    with _lock:
        if _is_settling or not getattr(_open, "count", 0) or form[0] not in _FUSABLE:
            return False
        step = _Step(form, operands)
        if step.is_long() or len(_waiting) >= _MOST_WAITING or (
                is_given and _is_entangled(step, out)):
            _write_pending()
            step = _Step(form, operands)
        if is_given:
            _waiting.pop(id(out), None)
            _write(step, out)
        else:
            result = _waiting[id(out)] = _Result(out, lambda gone: _waiting.pop(gone.place, None))
            result.place, result.step = id(out), step
            _native._on_address(_write_pending)
        return True


def _is_entangled(step, out):
    """Whether something waits that step reads from memory, or that reads or is what it writes."""
    for result in list(_waiting.values()):
        array = result()
        if array is not None and (step.reads(array) or (array is not out and (
                result.step.reads(out) or _native._overlap(array, out)))):
            return True
    return False


def _write_pending():
    """Writes what waits."""
    with _lock:
        while _waiting and not _is_settling:
            result = _waiting.pop(next(iter(_waiting)))
            array = result()
            if array is not None:
                _write(result.step, array)
                result.step.array = array  # for those that come after
        if not _waiting:
            _native._on_address(None)


def _write(step, out):
    global _is_settling
    is_elsewhere = step.context is not _native.Context.get_current()
    _is_settling = True
    try:
        if is_elsewhere:
            step.context.push()
        program = _Program(step)
        _kernel(tuple(program.parts))(out, *program.operands)
    finally:
        _is_settling = False
        if is_elsewhere:
            _native.Context.pop()


class _Program:
    """A step and the unwritten ones behind it. Parts: the letter of an array's dtype, a scalar's class,
    or a step's form and the places of the parts that it takes. operands: those arrays and scalars."""

    def __init__(self, step):
        self.parts, self.operands, self.places = [], [], {}
        self.place(step)

    def __len__(self):
        return len(self.parts) - len(self.operands)

    def place(self, operand):
        is_step = type(operand) is _Step
        if is_step and operand.array is not None:
            operand, is_step = operand.array, False
        at = self.places.get(id(operand))
        if at is None:
            if is_step:
                part = operand.form, *map(self.place, operand.operands)
            else:
                self.operands.append(operand)
                part = operand.dtype.char if isinstance(operand, _native.GPUArray) else type(operand)
            at = self.places[id(operand)] = len(self.parts)
            self.parts.append(part)
        return at


def _ctype(dtype):
    return dtype_to_ctype(dtype).replace("long", "long long")  # as single operations have it


@functools.cache
def _kernel(program):
    """What computes the parts of a _Program; arguments: the result, the operands."""
    arguments, lines, names = [], [], []
    for k, part in enumerate(program):
        names.append(f"v{k}")
        if isinstance(part, tuple):
            _, code, dtypes = part[0]
            z, *inputs = map(_ctype, dtypes)
            taken = " ".join(f"{ctype} {letter} = pycuda::convert<{ctype}>({names[at]});"
                             for letter, ctype, at in zip("abc", inputs, part[1:], strict=False))
            lines.append(f"{z} v{k}; {{ {z} &z = v{k}; {taken} {code}; }}")
        elif isinstance(part, str):
            arguments.append(VectorArg(part, names[k]))
            names[k] += "[i]"
        else:
            arguments.append(ScalarArg(part, names[k]))
    return ElementwiseKernel([VectorArg(dtypes[0], "out"), *arguments],
                             "\n".join([*lines, f"out[i] = {names[-1]}"]), "fused",
                             options=["-fmad=false"])


class lazy:
    """with gpuarray.lazy(): z = a * x + b * y - c computes z in one kernel, when z is needed.

    Inside, for this thread, element-wise operations on arrays of one shape and order wait; other
    operations do not, and what they take is written first. Results are the same, bit for bit, but for
    the sign of a NaN. At the end everything is written. May be nested. Fused are operators and
    comparisons, where, maximum and minimum and their kin, sqrt and rounding, of booleans, integers,
    float32 and float64.

    Whatever reaches memory, by whatever name, finds it as it would without: a launch writes what
    waits first, and operations on memory that others see (NumPy's views, DLPack, other libraries,
    managed memory, memory that somebody else allocated) do not wait.
    """

    def __enter__(self):
        global _open_anywhere
        with _lock:
            _open.count = getattr(_open, "count", 0) + 1
            _open_anywhere += 1
            _native._on_operation(_record)

    def __exit__(self, *_):
        global _open_anywhere
        with _lock:
            _open.count -= 1
            _open_anywhere -= 1
            if not _open_anywhere:
                _native._on_operation(None)
            if not _open.count:
                _write_pending()
