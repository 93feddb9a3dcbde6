"""
Sparse matrices and conjugate gradients
=======================================

A membrane over an L-shaped frame, pulled down by its weight: Poisson's equation on a grid of twelve thousand points. The matrix has
five numbers a row and lives on the device as a :class:`pycuda.sparse.CSRMatrix`; so does everything in the iteration.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.linalg import spsolve

import pycuda.autoinit
from pycuda import gpuarray
from pycuda.elementwise import ElementwiseKernel
from pycuda.sparse import CSRMatrix, cg

n = 128
inside = np.zeros((n, n), bool)
inside[1:-1, 1:-1] = True
inside[: n // 2, n // 2:] = False
number = np.full((n, n), -1)
number[inside] = np.arange(inside.sum())

# %%
# Each point is tied to its four neighbours, or to the frame.

here = number[inside]
rows, columns, values = [here], [here], [np.full(here.size, 4.0)]
for axis in (0, 1):
    for shift in (1, -1):
        there = np.roll(number, shift, axis)[inside]
        rows.append(here[there >= 0])
        columns.append(there[there >= 0])
        values.append(np.full((there >= 0).sum(), -1.0))
host = coo_matrix((np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))).tocsr()
matrix = CSRMatrix(host)
weight = gpuarray.zeros(here.size, np.float64) + 1e-3
print(f"{host.shape[0]} unknowns, {host.nnz} numbers in the matrix")

# %%
# ``@`` is the product. Against SciPy's:

x = np.random.default_rng(6).random(here.size)
np.testing.assert_allclose((matrix @ gpuarray.to_gpu(x)).get(), host @ x, rtol=1e-12, atol=1e-12)

# %%
# ``solve`` tells the residual to a callback. A preconditioner is any function of a residual: this one is three steps of Jacobi's method
# with a damping of 0.8. It costs two products, and saves more.

steps = {"plain": [], "preconditioned": []}
damp = ElementwiseKernel("double *z, const double *r, const double *az", "z[i] += 0.2 * (r[i] - az[i])")


def jacobi(r):
    z = 0.2 * r
    for _ in range(2):
        damp(z, r, matrix @ z)
    return z


for name, precon in (("plain", None), ("preconditioned", jacobi)):
    solution, iterations = cg.solve(matrix, weight, precon=precon, tol=1e-10,
                                    callback=lambda k, residual, name=name: steps[name].append((k, residual)))
    print(f"{name}: {iterations} iterations")
    np.testing.assert_allclose(solution.get(), spsolve(host, weight.get()), rtol=1e-6)

figure, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
shape = np.full((n, n), np.nan)
shape[inside] = -solution.get()
axes[0].imshow(shape, cmap="viridis")
axes[0].contour(shape, 12, colors="white", linewidths=0.6)
axes[0].set_axis_off()
for name, told in steps.items():
    axes[1].semilogy(*np.transpose(told), label=name)
axes[1].set(xlabel="iteration", ylabel="norm of the residual")
axes[1].legend()
plt.show()
