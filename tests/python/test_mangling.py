"""get_function("f<float>"): instances of templates by the names that sources give them."""

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import gpuarray
from pycuda.compiler import SourceModule

SOURCE = """
template <class T> __global__ void f(T *x) { *x = sizeof(T); }
template __global__ void f(float *);
template __global__ void f(double *);
template __global__ void f(unsigned long long *);
template <class T, int n> __global__ void g(T *x) { *x = n; }
template __global__ void g<int, 3>(int *);
template __global__ void g<int, -3>(int *);
template <bool b> __global__ void h(int *x) { *x = b; }
template __global__ void h<true>(int *);
template __global__ void h<false>(int *);
struct S { int a; };
namespace one { namespace two { template <class T> __global__ void k(int *x) { *x = 7; } } }
template __global__ void one::two::k<const float *>(int *);
template __global__ void one::two::k<S>(int *);
template <class T> __global__ void o(T *x) { *x = 1; }
template <class T> __global__ void o(T *x, int) { *x = 2; }
template __global__ void o(float *);
template __global__ void o(float *, int);
"""

INSTANCES = [("f<float>", "f", 4), (" f < double > ", "d", 8), ("f<unsigned long long>", "Q", 8), ("g<int, 3>", "i", 3),
             ("g<int,-3>", "i", -3), ("h<true>", "i", 1), ("h<false>", "i", 0), ("one::two::k<const float *>", "i", 7),
             ("one::two::k<S>", "i", 7)]


@pytest.fixture
def module(context):
    return SourceModule(SOURCE, no_extern_c=True)


def test_instances(module):
    for name, dtype, expected in INSTANCES:
        x = gpuarray.zeros(1, dtype)
        module.get_function(name)(x, block=(1, 1, 1))
        assert x.get() == np.array(expected, dtype), name
    assert module.get_function("f<float>").name == "_Z1fIfEvPT_"  # Itanium C++ ABI


@pytest.mark.parametrize("name", ["f<int>", "f<", "f<>", "f<f<int>>", "o<float>", "g<int>", "two::k<S>", "(<float>", "f<float"])
def test_what_is_not_there(module, name):
    """Or is there twice: the message lists both."""
    with pytest.raises(cuda.LogicError, match="no kernel .* in the module, which has .*a template is compiled where"):
        module.get_function(name)


def test_static_ones_are_named_as_others(context):
    """By nvcc and here: C++ would have a letter more in the names."""
    module = SourceModule("""
        static __global__ void f(int *x) { *x = 1; }
        namespace inner { static __global__ void g(int *x) { *x = 2; } }
        template <int n> static __global__ void h(int *x) { *x = n; }
        template <int n> int host(int *x) { h<n><<<1, 1>>>(x); return 0; }
        static int used = host<3>(nullptr);
        namespace { __device__ int hidden; }
        static __device__ int seen = 4;
        __global__ void Lk(int *x) { *x = seen + hidden; }""", no_extern_c=True)
    x = gpuarray.zeros(1, "i")
    for name, wanted in [("_Z1fPi", 1), ("_ZN5inner1gEPi", 2), ("_Z1hILi3EEvPi", 3), ("h<3>", 3), ("_Z2LkPi", 4)]:
        module.get_function(name)(x, block=(1, 1, 1))
        assert x.get() == wanted, name
    assert module.get_global("seen")[1] == 4
