"""Which library computes what.

Linear algebra (``numpy.linalg``) and Fourier transforms (``numpy.fft``) of GPU arrays are computed by libraries.
On the host device that is NumPy, by LAPACK and pocketfft that it brings, on the memory of the arrays without a copy.
On a GPU transforms are computed by cuFFT where there is one, and linear algebra of matrices that hold no NaN or infinity by
kernels of this package, of stacks of four and more small ones, and cuSOLVER, of large ones, of float32 in that precision. The rest is
computed by NumPy on a copy of the arrays. Products of matrices (``@``, ``numpy.matmul``) of floating-point numbers are computed by
cuBLAS on a GPU where there is one, else by kernels of this package. Products of sparse matrices (``pycuda.sparse``) are computed by
kernels of this package, some with many columns by cuSPARSE. Nothing has to be installed.
"""

from _thread import _local  # threading.local: importing the rest takes a millisecond

from pycuda import _native

_thread = _local()


def _note(name):
    """What computed; it is kept for last()."""
    _thread.last = name


def last():
    """What computed the last function of linear algebra or Fourier transform that this thread asked for, or the last
    product of matrices by a library or of a sparse matrix, by the name that it has in its library: "numpy.linalg.solve", "cublasGemmEx"; or
    in this package: "pycuda_small_solve", "pycuda_csr_product". None: there was none."""
    return getattr(_thread, "last", None)


def found():
    """The libraries of NVIDIA's that this package can use, as a dict: the name, "cublas", "cufft", "cusolver", "cusparse" or "nccl", and the path
    of the one that is used, or why there is none. They are looked for and opened if that has not been done."""
    return _native._libraries_found()
