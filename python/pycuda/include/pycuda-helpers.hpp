/* Textures and surfaces of numbers that hardware has no texels for: double and complex
   numbers are read and written as integers of the same bits. PyCUDA's names, which
   begin with fp_tex and fp_surf; places in surfaces are counted in numbers, not in
   bytes.

   Texture references, which all of this is about, are gone from CUDA 12 on: GPUs find
   the types here and nothing else, the host device all. */
#ifndef PYCUDA_HELPERS_HPP
#define PYCUDA_HELPERS_HPP

#include "pycuda-complex.hpp"
#include "pycuda/letters_aside.cuh"

extern "C++" { /* SourceModule may have written extern "C" around it */

typedef float fp_tex_float;
typedef int2 fp_tex_double;
typedef uint2 fp_tex_cfloat;
typedef int4 fp_tex_cdouble;

#ifdef __HOSTCC__

namespace pycuda
{

/* What a texel of type T stands for. */
template <class T> struct texel {
    typedef T type;
    static __device__ T value(T bits) { return bits; }
};
template <> struct texel<fp_tex_double> {
    typedef double type;
    static __device__ double value(int2 bits)
    {
        return __hiloint2double(bits.y, bits.x);
    }
};
template <> struct texel<fp_tex_cfloat> {
    typedef complex<float> type;
    static __device__ complex<float> value(uint2 bits)
    {
        return complex<float>(__uint_as_float(bits.x), __uint_as_float(bits.y));
    }
};
template <> struct texel<fp_tex_cdouble> {
    typedef complex<double> type;
    static __device__ complex<double> value(int4 bits)
    {
        return complex<double>(__hiloint2double(bits.y, bits.x),
                               __hiloint2double(bits.w, bits.z));
    }
};

} // namespace pycuda

#define PYCUDA_LIST(...) __VA_ARGS__
#define PYCUDA_FP_TEXTURE(name, dimensions, parameters, arguments)        \
    template <class T, enum cudaTextureReadMode mode>                     \
    __device__ __forceinline__ typename pycuda::texel<T>::type fp_##name( \
        const texture<T, dimensions, mode> &tex, PYCUDA_LIST parameters)  \
    {                                                                     \
        return pycuda::texel<T>::value(name(tex, PYCUDA_LIST arguments)); \
    }
PYCUDA_FP_TEXTURE(tex1Dfetch, cudaTextureType1D, (int i), (i))
PYCUDA_FP_TEXTURE(tex2D, cudaTextureType2D, (int i, int j), (i, j))
PYCUDA_FP_TEXTURE(tex2DLayered, cudaTextureType2DLayered, (float i, float j, int layer),
                  (i, j, layer))
PYCUDA_FP_TEXTURE(tex3D, cudaTextureType3D, (int i, int j, int k), (i, j, k))
#undef PYCUDA_FP_TEXTURE

#define PYCUDA_FP_SURFACE(name, dimensions, parameters, arguments)                     \
    template <class T>                                                                 \
    __device__ __forceinline__ void fp_##name##read(                                   \
        T *to, const surface<void, dimensions> &surf, int i, PYCUDA_LIST parameters,   \
        enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                      \
    {                                                                                  \
        name##read(to, surf, i *(int)sizeof(T), PYCUDA_LIST arguments, mode);          \
    }                                                                                  \
    template <class T>                                                                 \
    __device__ __forceinline__ void fp_##name##write(                                  \
        T value, const surface<void, dimensions> &surf, int i, PYCUDA_LIST parameters, \
        enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                      \
    {                                                                                  \
        name##write(value, surf, i *(int)sizeof(T), PYCUDA_LIST arguments, mode);      \
    }
PYCUDA_FP_SURFACE(surf2DLayered, cudaSurfaceType2DLayered, (int j, int layer),
                  (j, layer))
PYCUDA_FP_SURFACE(surf3D, cudaSurfaceType3D, (int j, int k), (j, k))
#undef PYCUDA_FP_SURFACE
#undef PYCUDA_LIST

/* Programs say with this that they use a type of their own; all types are there. */
#define PYCUDA_GENERATE_FP_TEX_FUNCS(TYPE)

#endif

} /* extern "C++" */

#include "pycuda/letters_back.cuh"

#endif
