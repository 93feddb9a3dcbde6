/* The name that PyCUDA programs include for helpers of textures and for complex numbers
   in device code. Texture references, which most of it served, are gone from CUDA. */
#ifndef PYCUDA_HELPERS_HPP
#define PYCUDA_HELPERS_HPP

#include "pycuda-complex.hpp"

typedef float fp_tex_float;
typedef int2 fp_tex_double;
typedef uint2 fp_tex_cfloat;
typedef int4 fp_tex_cdouble;

#endif
