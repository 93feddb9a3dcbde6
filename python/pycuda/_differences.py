"""Differences and sums along axes, under NumPy's names and with its parameters: diff, ediff1d, gradient, trapezoid,
unwrap, cumulative_sum and cumulative_prod."""

import numpy as np

from pycuda import _native
from pycuda._creation import axis_of, concatenate, on_device
from pycuda._functions import broadcast_to
from pycuda._native import GPUArray
from pycuda._reductions import accumulate, accumulated_axis, finish


def _part(axis, start, stop=None, step=None):
    """An index of that part of an axis."""
    return (slice(None),) * axis + (slice(start, stop, step),)


def _joined(a, axis, prepend, append):
    """The array between what is to stand before and behind it."""
    parts = []
    for one in (prepend, a, append):
        if one is None or one is np._NoValue:
            continue
        one = on_device(one)
        if one.ndim == 0:
            one = broadcast_to(one, [1 if i == axis else n for i, n in enumerate(a.shape)])
        parts.append(one)
    return parts[0] if len(parts) == 1 else concatenate(parts, axis)


def diff(a, n=1, axis=-1, prepend=None, append=None):
    """The differences of neighbours along an axis, `n` times over; of booleans, whether they differ. prepend, append:
    values or arrays that stand before and behind `a` first."""
    if n == 0:
        return a
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n!r}")
    if a.ndim == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    axis = axis_of(axis, a.ndim)
    a = _joined(a, axis, prepend, append)
    for _ in range(n):
        after, before = a[_part(axis, 1)], a[_part(axis, None, -1)]
        a = after != before if a.dtype == bool else after - before
    return a


def ediff1d(ary, to_end=None, to_begin=None):
    """The differences of neighbours of all elements in C order, between `to_begin` and `to_end`. TypeError for what
    the dtype of `ary` cannot hold."""
    ary = on_device(ary).ravel()
    parts = [ary[1:] - ary[:-1] if ary.size else ary]
    for place, one in ((0, to_begin), (len(parts) + 1, to_end)):
        if one is not None:
            one = on_device(one)
            if not np.can_cast(one.dtype, ary.dtype, "same_kind"):
                raise TypeError(f"dtype of `{'to_end' if place else 'to_begin'}` must be compatible with input `ary` "
                                "under the `same_kind` rule.")
            parts.insert(place, one.ravel().astype(ary.dtype, copy=False))
    return concatenate(parts)


def _spacing(given, length):
    """A number, or an array on the device of the distances of points along an axis."""
    given = on_device(given) if np.ndim(given) else given
    if np.ndim(given) == 0:
        return float(given.get()) if isinstance(given, GPUArray) else given
    if given.ndim != 1:
        raise ValueError("distances must be either scalars or 1d")
    if len(given) != length:
        raise ValueError("when 1d, distances must match the length of the corresponding dimension")
    steps = diff(given.astype(np.float64) if given.dtype.kind in "biu" else given)
    if steps.size and bool((steps == steps[0]).all().get()):
        return steps[0].get()[()]
    return steps


def _slope(f, h, axis, edge_order, result):
    """Writes the derivatives along an axis: second order inside, at the ends as asked for."""
    def at(*places):
        return (f[_part(axis, p, p + 1 or None)] for p in places)

    if np.ndim(h) == 0:
        result[_part(axis, 1, -1)] = (f[_part(axis, 2)] - f[_part(axis, None, -2)]) / (2 * h)
        ends = [h, h], [h, h]
    else:
        shape = [-1 if i == axis else 1 for i in range(f.ndim)]
        before, after = h[:-1].reshape(shape), h[1:].reshape(shape)
        inside = (f[_part(axis, None, -2)] * (-after / (before * (before + after)))
                  + f[_part(axis, 1, -1)] * ((after - before) / (before * after)))
        result[_part(axis, 1, -1)] = inside + f[_part(axis, 2)] * (before / (after * (before + after)))
        few = h[:2].get().tolist(), h[-2:].get().tolist()[::-1]
        ends = few
    for (first, second, third), steps, place, sign in (((0, 1, 2), ends[0], slice(0, 1), 1),
                                                        ((-1, -2, -3), ends[1], slice(-1, None), -1)):
        where = (slice(None),) * axis + (place,)
        one = np.asarray(steps[0])[()]
        if edge_order == 1:
            low, high = at(*((first, second) if sign > 0 else (second, first)))
            result[where] = (high - low) / one
            continue
        p, q = steps[0], steps[1]
        x, y, z = at(first, second, third)
        result[where] = (x * (-sign * (2 * p + q) / (p * (p + q))) + y * (sign * (p + q) / (p * q))
                         - z * (sign * p / (q * (p + q))))


def gradient(f, *varargs, axis=None, edge_order=1):
    """Derivatives by central differences along all axes, or those that `axis` names: a tuple of arrays, or one array
    for one axis. varargs: the distance of points, one for each axis, or arrays of their places. edge_order: 1 or
    2, the order of the differences at both ends. ValueError for too few elements."""
    f = on_device(f)
    axes = list(range(f.ndim)) if axis is None else \
        [axis_of(one, f.ndim) for one in (axis if isinstance(axis, tuple) else (axis,))]
    if len(set(axes)) < len(axes):
        raise ValueError("repeated axis")
    if len(varargs) not in (0, 1, len(axes)) or (len(varargs) == 1 != len(axes) and np.ndim(varargs[0])):
        raise TypeError("invalid number of arguments") if len(varargs) != 1 else \
            ValueError("distances must be scalars unless there is one for each axis")
    steps = [1.0] * len(axes) if not varargs else list(varargs) * (len(axes) if len(varargs) == 1 else 1)
    steps = [_spacing(step, f.shape[one]) for step, one in zip(steps, axes, strict=True)]
    if edge_order > 2:
        raise ValueError("'edge_order' greater than 2 not supported")
    if f.dtype.kind in "iu":
        f = f.astype(np.float64)
    results = []
    for one, h in zip(axes, steps, strict=True):
        if f.shape[one] < edge_order + 1:
            raise ValueError("Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) "
                             "elements are required.")
        result = _native.empty_like(f, np.float64 if f.dtype == bool else f.dtype)
        _slope(f, h, one, edge_order, result)
        results.append(result)
    return results[0] if len(axes) == 1 else tuple(results)


def trapezoid(y, x=None, dx=1.0, axis=-1):
    """The integral along an axis by the trapezoidal rule. x: the places of the points, along the axis or in the shape
    of y; without it they are `dx` apart."""
    y = on_device(y)
    axis = axis_of(axis, y.ndim)
    if x is not None:
        x = on_device(x)
        dx = diff(x).reshape([-1 if i == axis else 1 for i in range(y.ndim)]) if x.ndim == 1 else diff(x, axis=axis)
    between = (y[_part(axis, 1)] + y[_part(axis, None, -1)]) * dx / 2.0
    return between.sum(axis)


trapz = trapezoid  # before NumPy 2


def unwrap(p, discont=None, axis=-1, *, period=2 * np.pi):
    """Angles along an axis with multiples of `period` added where neighbours are farther apart than `discont`, by
    default half of a period."""
    p = on_device(p)
    axis = axis_of(axis, p.ndim)
    step = diff(p, axis=axis)
    discont = period / 2 if discont is None else discont
    dtype = np.result_type(step.dtype, period)
    high, rest = (period / 2, 0) if dtype.kind != "i" and dtype.kind != "u" else divmod(period, 2)
    wrapped = (step + high) % period - high
    if rest == 0:  # both ends of the range are as far
        wrapped = _native.where((wrapped == -high) & (step > 0), high, wrapped)
    change = _native.where(abs(step) < discont, step.dtype.type(0), wrapped - step)
    result = p.astype(dtype)
    result[_part(axis, 1)] = p[_part(axis, 1)] + change.cumsum(axis)
    return result


def _cumulative(ufunc, neutral):
    def function(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
        x = on_device(x)
        x = x[None] if x.ndim == 0 else x
        if axis is None and x.ndim > 1:
            raise ValueError("For arrays which have more than one dimension ``axis`` argument is required.")
        axis = accumulated_axis(0 if axis is None else axis, x.ndim)
        result = accumulate(ufunc, x, axis, dtype, None if include_initial else out)
        if include_initial:
            shape = [1 if i == axis else n for i, n in enumerate(x.shape)]
            result = finish(concatenate([_native.full(shape, neutral, result.dtype), result], axis), [], True, out)
        return result
    function.__doc__ = f"numpy.{ufunc}.accumulate along an axis, behind {neutral} if the initial value is included."
    function.__name__ = {"add": "cumulative_sum", "multiply": "cumulative_prod"}[ufunc]
    return function


cumulative_sum, cumulative_prod = _cumulative("add", 0), _cumulative("multiply", 1)
