"""Linear systems by conjugate gradients (Hestenes and Stiefel, J. Res. NBS 49, 1952).

All of an iteration stays on the device. Only every eighth asks how far it is, since the answer
makes the host wait; an iteration after the solution has been reached changes nothing.
"""

import functools

import numpy as np

from pycuda import gpuarray
from pycuda.elementwise import ElementwiseKernel
from pycuda.reduction import ReductionKernel
from pycuda.tools import dtype_to_ctype

_ITERATIONS_UNCHECKED = 8


class ConvergenceError(RuntimeError):
    """The residual did not become as small as asked."""


@functools.cache
def _kernels(dtype):
    """(inner product, step along the direction, next direction)."""
    c = dtype_to_ctype(dtype)
    first = "pycuda::conj(x[i])" if dtype.kind == "c" else "x[i]"
    return (
        ReductionKernel(dtype, "0", "a + b", f"{first} * y[i]", f"{c} *x, {c} *y", "cg_inner"),
        ElementwiseKernel(
            f"{c} *x, {c} *r, {c} *p, {c} *q, {c} *rz, {c} *pq",
            f"{c} a = pq[0] == {c}(0) ? {c}(0) : rz[0] / pq[0]; x[i] += a * p[i]; r[i] -= a * q[i];",
            "cg_step"),
        ElementwiseKernel(
            f"{c} *p, {c} *z, {c} *now, {c} *before",
            f"p[i] = z[i] + (before[0] == {c}(0) ? {c}(0) : now[0] / before[0]) * p[i]",
            "cg_direction"))


def solve(a, b, x=None, precon=None, tol=1e-7, max_iterations=None, callback=None):
    """(x, iterations) with |b - a @ x| <= tol |b|, for a Hermitian, positive definite matrix.

    a: a CSRMatrix, a GPUArray or what else has `shape`, `dtype` and a product `a @ x`. b: a GPUArray.
    x: where to start, not changed; zeros by default. precon: what is called with a residual and
    gives an approximate solution for it, by a Hermitian, positive definite map, too.
    max_iterations: by default 3 n + 500. callback: called with the number of iterations and the
    norm of the residual, each eighth time. ConvergenceError: tol is not reached.
    """
    if a.shape != 2 * b.shape:
        raise ValueError(f"expected a square matrix and a vector, got {a.shape} and {b.shape}")
    dtype = np.result_type(a.dtype, b.dtype)
    inner, step, turn = _kernels(dtype)
    b = b.astype(dtype)
    x = gpuarray.zeros(b.shape, dtype) if x is None else x.astype(dtype)
    r = b - a @ x
    z = precon(r) if precon else r
    p, rz = z.copy(), inner(r, z)
    wanted = tol * np.sqrt(abs(inner(b, b).get()))
    most = 3 * b.size + 500 if max_iterations is None else max_iterations
    for iteration in range(most + 1):
        if iteration % _ITERATIONS_UNCHECKED == 0 or iteration == most:
            norm = np.sqrt(abs(inner(r, r).get()))
            if callback:
                callback(iteration, float(norm))
            if norm <= wanted:
                return x, iteration
            if not np.isfinite(norm) or iteration == most:
                break
        q = a @ p
        step(x, r, p, q, rz, inner(p, q))
        z = precon(r) if precon else r
        rz, before = inner(r, z), rz
        turn(p, z, rz, before)
    raise ConvergenceError(f"after {iteration} iterations the residual is {norm:.3g}, not {wanted:.3g}: "
                           "is the matrix Hermitian and positive definite?")


def solve_pkt_with_cg(pkt_spmv, b, precon=None, x=None, tol=1e-7, max_iterations=None, debug=False,
                      pagelocked_allocator=None):
    """(x, iterations, residuals looked at) of ``solve``; debug: print them. pagelocked_allocator is
    ignored."""
    seen = []

    def look(iteration, norm):
        seen.append(norm)
        if debug:
            print(f"iteration {iteration}: residual {norm:.6g}")

    return *solve(pkt_spmv, b, x, precon, tol, max_iterations, look), len(seen)
