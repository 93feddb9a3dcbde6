/* Surfaces: bytes of a CUDA array at a place that is given in bytes along the first
   dimension. A place outside is a fault, unless the boundary mode says otherwise. */
#ifndef HOSTCC_SURFACE_H
#define HOSTCC_SURFACE_H

#include "hostcc/texture.h"

enum cudaSurfaceBoundaryMode {
    cudaBoundaryModeZero,
    cudaBoundaryModeClamp,
    cudaBoundaryModeTrap
};
enum {
    cudaSurfaceType1D = 1,
    cudaSurfaceType2D = 2,
    cudaSurfaceType3D = 3,
    cudaSurfaceTypeCubemap = 0xc,
    cudaSurfaceType1DLayered = 0xf1,
    cudaSurfaceType2DLayered = 0xf2,
    cudaSurfaceTypeCubemapLayered = 0xfc
};

struct surfaceReference {
    cudaSurfaceObject_t object;
};
template <class T, int dimensions = cudaSurfaceType1D>
struct __attribute__((device_builtin_surface_type)) surface : surfaceReference {
    surface() = default;
    __device__ surface(const surface &other) : surfaceReference{other.object} {}
};

/* An object or a reference. */
struct __hc_surface {
    const __hc_texture *record;
    __device__ __hc_surface(cudaSurfaceObject_t object)
        : record((const __hc_texture *)object)
    {
    }
    template <int dimensions>
    __device__ __hc_surface(const surface<void, dimensions> &reference)
        : record((const __hc_texture *)reference.object)
    {
    }
};

/* Where sizeof(T) bytes lie; NULL: nowhere, and that is no fault. */
template <class T>
__HC_DEVICE T *__hc_surface_at(const __hc_texture *t, int x, int y, int z,
                               cudaSurfaceBoundaryMode mode)
{
    int last[3] = {t->extent[0] * (int)t->element - (int)sizeof(T), t->extent[1] - 1,
                   t->extent[2] - 1};
    int place[3] = {x, y, z};
    bool inside = true;
    for (int d = 0; d < 3; d++) {
        int nearest = place[d] < last[d] ? place[d] : last[d];
        nearest = nearest > 0 ? nearest : 0;
        inside = inside && nearest == place[d];
        place[d] = nearest;
    }
    char *at = t->base + (long)place[2] * (long)t->slice +
               (long)place[1] * (long)t->pitch + place[0];
    char *outside = mode == cudaBoundaryModeZero ? 0 : (char *)sizeof(T); /* faults */
    return (T *)(inside || mode == cudaBoundaryModeClamp ? at : outside);
}

template <class T>
__HC_DEVICE T __hc_surface_read(__hc_surface s, int x, int y, int z,
                                cudaSurfaceBoundaryMode mode)
{
    __hostcc_object_used(s.record, 1);
    const T *at = __hc_surface_at<T>(s.record, x, y, z, mode);
    T value = {};
    if (mode != cudaBoundaryModeZero) {
        __hostcc_place_used(at, sizeof(T), 0);
    }
    if (mode != cudaBoundaryModeZero || at)
        value = *at;
    return value;
}

template <class T>
__HC_DEVICE void __hc_surface_write(T value, __hc_surface s, int x, int y, int z,
                                    cudaSurfaceBoundaryMode mode)
{
    __hostcc_object_used(s.record, 1);
    T *at = __hc_surface_at<T>(s.record, x, y, z, mode);
    if (mode != cudaBoundaryModeZero) {
        __hostcc_place_used(at, sizeof(T), 1);
    }
    if (mode != cudaBoundaryModeZero || at)
        *at = value;
}

#define __HC_SURFACE(name, parameters, ...)                                           \
    template <class T>                                                                \
    __HC_DEVICE T name##read(__hc_surface s, __HC_LIST parameters,                    \
                             cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)     \
    {                                                                                 \
        return __hc_surface_read<T>(s, __VA_ARGS__, mode);                            \
    }                                                                                 \
    template <class T>                                                                \
    __HC_DEVICE void name##read(T *to, __hc_surface s, __HC_LIST parameters,          \
                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)  \
    {                                                                                 \
        *to = __hc_surface_read<T>(s, __VA_ARGS__, mode);                             \
    }                                                                                 \
    template <class T>                                                                \
    __HC_DEVICE void name##write(T value, __hc_surface s, __HC_LIST parameters,       \
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
    {                                                                                 \
        __hc_surface_write<T>(value, s, __VA_ARGS__, mode);                           \
    }
__HC_SURFACE(surf1D, (int x), x, 0, 0)
__HC_SURFACE(surf2D, (int x, int y), x, y, 0)
__HC_SURFACE(surf3D, (int x, int y, int z), x, y, z)
__HC_SURFACE(surf1DLayered, (int x, int layer), x, 0, layer)
__HC_SURFACE(surf2DLayered, (int x, int y, int layer), x, y, layer)
__HC_SURFACE(surfCubemap, (int x, int y, int face), x, y, face)
__HC_SURFACE(surfCubemapLayered, (int x, int y, int face), x, y, face)
#undef __HC_SURFACE

#endif
