"""Products that sum along axes: einsum, tensordot, kron, cross, vecdot, matvec and vecmat, under NumPy's names and
with its parameters. All become products of (stacks of) matrices of transposed views, or element-wise
products where nothing is summed, so that no temporary is larger than an operand or a result."""

import math
import operator
import string

import numpy as np

from pycuda import _native
from pycuda._creation import axis_of, on_device, stack
from pycuda._native import GPUArray
from pycuda._reductions import finish, matmul

_LETTERS = string.ascii_letters


def _rows_times(a, b):
    """The product of two matrices, or of two stacks of them, of one dtype: by elements where one is summed."""
    return np.multiply(a, b) if a.shape[-1] == 1 else matmul(a, b)


def _summed_axes(a, b, axes):
    """The axes to sum over, of each of the two."""
    if not hasattr(axes, "__len__"):
        count = operator.index(axes)
        if not 0 <= count <= min(a.ndim, b.ndim):
            raise ValueError(f"tensordot: {count} axes of arrays with {a.ndim} and {b.ndim}")
        return [*range(a.ndim - count, a.ndim)], [*range(count)]
    if len(axes) != 2:
        raise ValueError(f"tensordot: axes is a number or a pair of sequences, got {axes!r:.60}")
    pair = [[axis_of(axis, x.ndim) for axis in (own if hasattr(own, "__len__") else (own,))]
            for own, x in zip(axes, (a, b), strict=True)]
    if len(pair[0]) != len(pair[1]) or any(len({*own}) < len(own) for own in pair):
        raise ValueError(f"tensordot: {axes[0]} and {axes[1]} are not as many axes, each once")
    return pair


def tensordot(a, b, axes=2):
    """Products of a and b summed along pairs of axes: the last `axes` of a with the first of b, or those that two
    sequences name. The result has the other axes of a, then those of b. ValueError for axes that do not fit."""
    a, b = on_device(a), on_device(b)
    ours, theirs = _summed_axes(a, b, axes)
    if [a.shape[i] for i in ours] != [b.shape[k] for k in theirs]:
        raise ValueError(f"tensordot: shapes {a.shape} and {b.shape} do not agree along axes {ours} and {theirs}")
    free_a = [i for i in range(a.ndim) if i not in ours]
    free_b = [i for i in range(b.ndim) if i not in theirs]
    shape = [*(a.shape[i] for i in free_a), *(b.shape[i] for i in free_b)]
    length = math.prod(a.shape[i] for i in ours)
    left = a.transpose([*free_a, *ours]).reshape(math.prod(a.shape[i] for i in free_a), length)
    right = b.transpose([*theirs, *free_b]).reshape(length, math.prod(b.shape[i] for i in free_b))
    return _rows_times(left, right).reshape(shape)


def kron(a, b):
    """Kronecker's product: a with each element replaced by its product with b."""
    a, b = on_device(a), on_device(b)
    ndim = max(a.ndim, b.ndim)
    first, second = ((1,) * (ndim - x.ndim) + x.shape for x in (a, b))
    spread_a = a.reshape([n for length in first for n in (length, 1)])
    spread_b = b.reshape([n for length in second for n in (1, length)])
    return np.multiply(spread_a, spread_b).copy(order="C").reshape([n * m for n, m in zip(first, second, strict=True)])


def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """The vector products of vectors of three elements, or of two, whose third is zero then: along the axes `axisa`
    and `axisb`, the result along `axisc`, or all along `axis`. Of two vectors of two elements: the third element
    of the result alone, without an axis. ValueError for other lengths."""
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = on_device(a), on_device(b)
    a, b = (np.moveaxis(x, axis_of(one, x.ndim), -1) for x, one in ((a, axisa), (b, axisb)))
    if a.shape[-1] not in (2, 3) or b.shape[-1] not in (2, 3):
        raise ValueError(f"cross: vectors have two or three elements, got {a.shape[-1]} and {b.shape[-1]}")
    one, two = ([x[..., i] for i in range(x.shape[-1])] for x in (a, b))
    if len(one) == len(two) == 2:
        return one[0] * two[1] - one[1] * two[0]
    axisc = axis_of(axisc, len(np.broadcast_shapes(a.shape[:-1], b.shape[:-1])) + 1)

    def part(i, k):
        """one[i] * two[k] - one[k] * two[i], where elements that are not there are zero."""
        plus, minus = ((x[i], y[k]) if i < len(x) and k < len(y) else None for x, y in ((one, two), (two, one)))
        if plus and minus:
            return plus[0] * plus[1] - minus[0] * minus[1]
        return plus[0] * plus[1] if plus else -(minus[0] * minus[1])

    return stack([part(1, 2), part(2, 0), part(0, 1)], axisc)


# -- Ufuncs of vectors and matrices ----------------------------------------------------------------


def vecdot(x1, x2, axis=-1, keepdims=False):
    """numpy.vecdot: the sums along an axis of the conjugate of x1 times x2."""
    x1, x2 = on_device(x1), on_device(x2)
    x1, x2 = (np.moveaxis(x, axis_of(axis, x.ndim), -1) for x in (x1, x2))
    _expect_length("vecdot", x1.shape[-1], x2.shape[-1], x1, x2)
    result = matmul(x1.conj()[..., None, :], x2[..., :, None])
    result = result.reshape(result.shape[:-1] if keepdims else result.shape[:-2])
    return np.moveaxis(result, -1, axis) if keepdims else result


def matvec(x1, x2):
    """numpy.matvec: products of matrices and vectors."""
    x1, x2 = on_device(x1), on_device(x2)
    _expect_axes("matvec", x1, 2)
    _expect_axes("matvec", x2, 1)
    _expect_length("matvec", x1.shape[-1], x2.shape[-1], x1, x2)
    return matmul(x1, x2[..., None])[..., 0]


def vecmat(x1, x2):
    """numpy.vecmat: products of conjugate vectors and matrices."""
    x1, x2 = on_device(x1), on_device(x2)
    _expect_axes("vecmat", x1, 1)
    _expect_axes("vecmat", x2, 2)
    _expect_length("vecmat", x1.shape[-1], x2.shape[-2], x1, x2)
    return matmul(x1.conj()[..., None, :], x2)[..., 0, :]


def _expect_axes(name, x, count):
    if x.ndim < count:
        raise ValueError(f"{name}: expected at least {count} axes, got shape {x.shape}")


def _expect_length(name, one, other, x1, x2):
    if one != other:
        raise ValueError(f"{name}: shapes {x1.shape} and {x2.shape} do not fit: {one} is not {other}")


# -- Sums of products by subscripts ----------------------------------------------------------------

# A term is a list of labels, one for each axis: letters, and for the axes of an ellipsis numbers, -1 for the last.


def _text_of(subscripts):
    """A list of integers and an ellipsis, NumPy's other form of subscripts, as text."""
    letters = []
    for one in subscripts:
        if one is Ellipsis:
            letters.append("...")
            continue
        try:
            letters.append(_LETTERS[operator.index(one)])
        except (TypeError, IndexError):
            raise (TypeError if not isinstance(one, (int, np.integer)) else ValueError)(
                f"einsum: subscripts are integers from 0 to 51 or Ellipsis, got {one!r}") from None
    return "".join(letters)


def _arranged(operands):
    """(subscripts, operands) of either form of arguments."""
    if not operands:
        raise ValueError("must specify the einstein sum subscripts string and at least one operand, or at least "
                         "one operand and its corresponding subscripts list")
    if isinstance(operands[0], str):
        return operands[0].replace(" ", ""), list(operands[1:])
    count = len(operands) // 2
    subscripts = ",".join(map(_text_of, operands[1:2 * count:2]))
    if len(operands) % 2:
        subscripts += "->" + _text_of(operands[-1])
    return subscripts, list(operands[:2 * count:2])


def _labels(text, extra):
    """The labels of a term; extra: how many axes its ellipsis has."""
    before, dots, after = text.partition("...")
    if not set(before + after) <= set(_LETTERS):
        wrong = next(c for c in before + after if c not in _LETTERS)
        raise ValueError(f"einstein sum subscripts string contains an invalid subscript {wrong!r}"
                         if wrong != "." else "einstein sum subscripts string contains a '.' that is not part of an "
                         "ellipsis ('...')")
    return [*before, *(range(-extra, 0) if dots else ()), *after]


def _parsed(subscripts, shapes):
    """(the terms, the result's labels) of subscripts for operands of those shapes."""
    left, arrow, right = subscripts.partition("->")
    texts = left.split(",")
    if len(texts) != len(shapes):
        raise ValueError(f"einstein sum subscripts {subscripts!r} name {len(texts)} operands, {len(shapes)} are given")
    terms = []
    for text, shape in zip(texts, shapes, strict=True):
        extra = len(shape) - len(text.replace("...", ""))
        if extra < 0 or (extra and "..." not in text):
            raise ValueError(f"einstein sum subscripts {text!r} do not fit an operand of {len(shape)} axes")
        terms.append(_labels(text, extra))
    widest = max((-label for term in terms for label in term if isinstance(label, int)), default=0)
    if arrow:
        result = _labels(right, widest)
        known = {label for term in terms for label in term}
        if len(set(result)) < len(result):
            raise ValueError(f"einstein sum subscripts string includes an output subscript twice: {right!r}")
        if not set(result) <= known:
            raise ValueError(f"einstein sum subscripts string included output subscripts which never appeared in an "
                             f"input: {right!r}")
        if widest and "..." not in right:
            raise ValueError("output has the wrong number of dimensions: broadcast axes of an ellipsis have to be "
                             "part of the output")
    else:
        letters = [c for c in left if c in _LETTERS]
        result = [*range(-widest, 0), *sorted(c for c in set(letters) if letters.count(c) == 1)]
    return terms, result


def _lengths(terms, shapes):
    """The length of each label; of axes of length one those of others count."""
    lengths = {}
    for term, shape in zip(terms, shapes, strict=True):
        for label, n in zip(term, shape, strict=True):
            known = lengths.get(label, 1)
            if known != n and 1 not in (known, n):
                raise ValueError(f"operands could not be broadcast together: lengths {known} and {n} of the label "
                                 f"{label if isinstance(label, str) else '...'}")
            lengths[label] = n if known == 1 else known
    return lengths


def _diagonal(a, term, lengths):
    """(a view with each label once, in the order of first appearance; its labels). Axes that are broadcast are left
    out."""
    shape, strides = {}, {}
    for label, n, stride in zip(term, a.shape, a.strides, strict=True):
        if n == 1 and lengths[label] != 1:
            continue
        shape[label] = n
        strides[label] = strides.get(label, 0) + stride
    if len(shape) == a.ndim:
        return a, term
    return _native._look(a, tuple(shape.values()), tuple(strides.values())), list(shape)


def _summed(a, term, kept, dtype):
    """The sum over the labels that are not kept."""
    axes = tuple(i for i, label in enumerate(term) if label not in kept)
    if not axes:
        return a, term
    result = np.any(a, axis=axes) if dtype == bool else a.sum(axes, dtype)
    return result, [label for label in term if label in kept]


def _ordered(a, term, labels):
    """A view with axes for all the labels, of length one where the term lacks them."""
    axes = [term.index(label) for label in labels if label in term]
    return a.transpose(axes)[tuple(slice(None) if label in term else None for label in labels)]


def _pair(one, two, kept, result, dtype):
    """The product of two operands, (array, labels) each, summed over what is not kept; result: the labels in the
    order in which they would be best."""
    (a, of_a), (b, of_b) = one, two
    both = set(of_a) & set(of_b)
    summed = [label for label in of_a if label in both and label not in kept]
    if not summed:
        labels = [label for label in result if label in of_a or label in of_b]
        labels += [label for label in dict.fromkeys(of_a + of_b) if label not in labels]
        return np.multiply(_ordered(a, of_a, labels), _ordered(b, of_b, labels), dtype=dtype, casting="unsafe"), labels
    batch = [label for label in of_a if label in both and label in kept]
    free_a = [label for label in of_a if label not in both]
    free_b = [label for label in of_b if label not in both]
    sizes = dict(zip(of_a + of_b, a.shape + b.shape, strict=True))
    counts = [[sizes[label] for label in labels] for labels in (batch, free_a, summed, free_b)]
    left = a.transpose([of_a.index(label) for label in batch + free_a + summed])
    right = b.transpose([of_b.index(label) for label in batch + summed + free_b])
    left = left.reshape([*counts[0], math.prod(counts[1]), math.prod(counts[2])])
    right = right.reshape([*counts[0], math.prod(counts[2]), math.prod(counts[3])])
    product = matmul(left.astype(dtype, copy=False), right.astype(dtype, copy=False))
    return product.reshape(counts[0] + counts[1] + counts[3]), batch + free_a + free_b


def _stand_ins(operands):
    """Arrays of the host of those shapes and dtypes, without memory."""
    return [np.broadcast_to(np.zeros((), a.dtype), a.shape) for a in operands]


def _path(subscripts, operands, optimize):
    """In which order to take pairs, as numpy.einsum_path says it; what it leaves together is taken in order."""
    if len(operands) < 3:
        return [tuple(range(len(operands)))]
    optimize = "greedy" if optimize is False or optimize is True else optimize
    return np.einsum_path(subscripts, *_stand_ins(operands), optimize=optimize)[0][1:]


def einsum(*operands, out=None, optimize=False, dtype=None, order="K", casting="safe"):
    """Sums of products that subscripts describe, as text before the operands or as lists behind each: "ij,jk->ik" is
    the product of matrices. `optimize` chooses the order in which pairs of several operands are multiplied, as
    numpy.einsum_path does; products of three and more always go by pairs. Of one operand of which nothing is
    summed: a view. ValueError for subscripts that do not fit; TypeError where `casting` does not allow dtypes."""
    subscripts, operands = _arranged(operands)
    operands = [on_device(a) for a in operands]
    shapes = [a.shape for a in operands]
    terms, result = _parsed(subscripts, shapes)
    lengths = _lengths(terms, shapes)
    kind = np.result_type(*(a.dtype for a in operands)) if dtype is None else np.dtype(dtype)
    for a in operands:
        if not np.can_cast(a.dtype, kind, casting):
            raise TypeError(f"einsum: cannot convert an operand of {a.dtype} to {kind} under the casting rule "
                            f"'{casting}'")
    if order not in ("K", "C", "F", "A"):
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
    waiting = [_diagonal(a, term, lengths) for a, term in zip(operands, terms, strict=True)]
    for step in _path(subscripts, operands, optimize):
        parts = [waiting[i] for i in step]
        waiting = [one for i, one in enumerate(waiting) if i not in step]
        while len(parts) > 1:
            others = set(result).union(*(labels for _, labels in waiting + parts[2:]))
            kept = [others | set(parts[1][1]), others | set(parts[0][1])]
            one, two = (_summed(*part, keep, kind) for part, keep in zip(parts[:2], kept, strict=True))
            parts[:2] = [_pair(one, two, others, result, kind)]
        waiting.append(parts[0])
    while len(waiting) > 1:  # what an explicit path left over
        others = set(result).union(*(labels for _, labels in waiting[2:]))
        one, two = (_summed(*part, others | set(other), kind) for part, (_, other) in
                    zip(waiting[:2], waiting[1::-1], strict=True))
        waiting[:2] = [_pair(one, two, others, result, kind)]
    value, labels = _summed(*waiting[0], set(result), kind)
    value = _ordered(value, labels, result)
    return _finished(value, [lengths[label] for label in result], kind, len(operands) > 1, out, order, casting)


def _finished(value, shape, dtype, is_new, out, order, casting):
    if list(value.shape) != shape:  # axes that no operand had in full
        value = np.broadcast_to(value, shape)
    if out is not None:
        if not isinstance(out, GPUArray):
            raise TypeError(f"einsum: out has to be a GPUArray, got {type(out).__name__}")
        if not np.can_cast(dtype, out.dtype, casting):
            raise TypeError(f"einsum: cannot write a result of {dtype} to {out.dtype} under the casting rule "
                            f"'{casting}'")
        return finish(value.astype(out.dtype, copy=False), [], True, out)
    value = value.astype(dtype, copy=False)
    has_order = {"K": True, "A": True, "C": value.flags.c_contiguous, "F": value.flags.f_contiguous}[order]
    return value if has_order else value.copy(order=order)


def einsum_path(*operands, optimize="greedy", einsum_call=False):
    """The order in which einsum() multiplies operands, and a text about it; nothing is computed."""
    subscripts, operands = _arranged(operands)
    return np.einsum_path(subscripts, *_stand_ins([on_device(a) for a in operands]), optimize=optimize)
