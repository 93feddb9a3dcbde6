"""C names of dtypes: the registry of :mod:`pycuda.tools`, and registries of one's own."""

import platform

import numpy as np

from pycuda.tools import (  # noqa: F401
    DTYPE_TO_NAME,
    NAME_TO_DTYPE,
    TYPE_REGISTRY,
    DTypeRegistry,
    TypeNameNotKnown,
    get_or_register_dtype,
    parse_c_arg_backend,
    register_dtype,
)
from pycuda.tools import base_dtype_to_ctype as dtype_to_ctype  # noqa: F401


def _fill(registry, table):
    for dtype, names in table:
        registry.get_or_register_dtype(names.split(","), dtype)


def fill_registry_with_c_types(registry, respect_windows, include_bool=True):
    """Register C's arithmetic types; respect_windows: `long` has 32 bits where Windows runs.

    >>> registry = DTypeRegistry()
    >>> fill_registry_with_c_types(registry, respect_windows=False)
    >>> registry.dtype_to_ctype(np.uint8)
    'unsigned char'
    """
    if include_bool:
        _fill(registry, [(np.bool_, "bool")])
    narrow = respect_windows and platform.system() == "Windows"
    _fill(registry, [
        (np.int8, "signed char,char"),
        (np.uint8, "unsigned char"),
        (np.int16, "short,signed short,signed short int,short signed int"),
        (np.uint16, "unsigned short,unsigned short int,short unsigned int"),
        (np.int32, "int,signed int"),
        (np.uint32, "unsigned,unsigned int"),
        (np.int32 if narrow else np.int64, "long,long int,signed long int,long signed int"),
        (np.uint32 if narrow else np.uint64, "unsigned long,unsigned long int,long unsigned int"),
        (np.float32, "float"),
        (np.float64, "double"),
    ])
    if narrow:
        _fill(registry, [(np.int64, "long long"), (np.uint64, "unsigned long long")])


def fill_registry_with_opencl_c_types(registry):
    """Register OpenCL C's scalar types."""
    _fill(registry, [
        (np.int8, "char,signed char"), (np.uint8, "uchar,unsigned char"),
        (np.int16, "short,signed short"), (np.uint16, "ushort,unsigned short"),
        (np.int32, "int,signed int"), (np.uint32, "uint,unsigned,unsigned int"),
        (np.int64, "long,signed long"), (np.uint64, "ulong,unsigned long"),
        (np.float16, "half"), (np.float32, "float"), (np.float64, "double")])


def fill_registry_with_c99_stdint_types(registry):
    """Register the integers of <stdint.h>, and bool."""
    _fill(registry, [(np.bool_, "bool")] + [
        (np.dtype(f"{sign}int{bits}"), f"{sign}int{bits}_t")
        for bits in (8, 16, 32, 64) for sign in ("", "u")])


def fill_registry_with_c99_complex_types(registry):
    """Register the complex types of <complex.h>."""
    _fill(registry, [(np.complex64, "float complex"), (np.complex128, "double complex"),
                     (np.clongdouble, "long double complex")])
