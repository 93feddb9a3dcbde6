/* Textures as kernels read them: coordinates to texels to values, for objects and for
   references. All branches are on the record, which is the same for all threads, so
   that what a thread computes is straight-line code ending in gathers. Filtering has
   the weights that the CUDA guide documents, of 8 bits after the point. No mipmaps; a
   cube map is filtered within its faces. */
#ifndef HOSTCC_TEXTURE_H
#define HOSTCC_TEXTURE_H

#include "hostcc/texture_record.h"

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum {
    cudaTextureType1D = 1,
    cudaTextureType2D = 2,
    cudaTextureType3D = 3,
    cudaTextureTypeCubemap = 0xc,
    cudaTextureType1DLayered = 0xf1,
    cudaTextureType2DLayered = 0xf2,
    cudaTextureTypeCubemapLayered = 0xfc
};

struct textureReference {
    cudaTextureObject_t object; /* written by the driver when something is bound */
};
template <class T, int dimensions = cudaTextureType1D,
          cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : textureReference {
    texture() = default;
    __device__ texture(const texture &); /* as an argument: what it is bound to */
};

/* Under --check: what a kernel takes for a texture or surface, and where it
   accesses a surface. */
#ifdef __HOSTCC_CHECK__
extern "C" __device__ void __hostcc_object_used(const void *record,
                                                unsigned is_surface);
extern "C" __device__ void __hostcc_place_used(const void *at, unsigned bytes,
                                               unsigned is_write);
#else
#define __hostcc_object_used(record, is_surface)
#define __hostcc_place_used(at, bytes, is_write)
#endif

__HC_DEVICE const __hc_texture *__hc_texture_of(cudaTextureObject_t object)
{
    const __hc_texture *t = (const __hc_texture *)object;
    __hostcc_object_used(t, 0);
    return t;
}

/* -- Types of texels: channels, and a channel's CUarray_format -- */

template <class T> struct __hc_texel;
template <int n> struct __hc_floats;
#define __HC_TEXEL(T, C, N, FORMAT)             \
    template <> struct __hc_texel<T> {          \
        typedef C channel;                      \
        typedef __hc_floats<N>::type floats;    \
        enum { channels = N, format = FORMAT }; \
    };
#define __HC_TEXELS(C, V, FORMAT)  \
    __HC_TEXEL(C, C, 1, FORMAT)    \
    __HC_TEXEL(V##1, C, 1, FORMAT) \
    __HC_TEXEL(V##2, C, 2, FORMAT) __HC_TEXEL(V##4, C, 4, FORMAT)
template <> struct __hc_floats<1> {
    typedef float type;
};
template <> struct __hc_floats<2> {
    typedef float2 type;
};
template <> struct __hc_floats<4> {
    typedef float4 type;
};
__HC_TEXELS(unsigned char, uchar, 1)
__HC_TEXELS(unsigned short, ushort, 2)
__HC_TEXELS(unsigned int, uint, 3)
__HC_TEXELS(signed char, char, 8)
__HC_TEXELS(short, short, 9)
__HC_TEXELS(int, int, 10)
__HC_TEXELS(float, float, 32)
__HC_TEXEL(char, char, 1, 8)
#undef __HC_TEXEL
#undef __HC_TEXELS

/* -- One texel -- */

struct __hc_words {
    unsigned word[4];
};

/* A channel's value: an integer of 32 bits or the bits of a float. Narrow channels are
   cut out of the aligned word they lie in: one gather does for all formats. */
__HC_DEVICE unsigned __hc_channel(const __hc_texture *t, size_t address)
{
    unsigned bits = *(const unsigned *)(address & ~(size_t)3) >> (address & 3) * 8;
    bits <<= t->spare_bits;
    bits =
        t->is_signed ? (unsigned)((int)bits >> t->spare_bits) : bits >> t->spare_bits;
    if (t->conversion == __HC_FROM_HALF)
        return __HC_BITS(unsigned, (float)__HC_BITS(_Float16, (unsigned short)bits));
    if (t->conversion == __HC_TO_UNIT) {
        float value = (t->is_signed ? (float)(int)bits : (float)bits) / t->unit;
        return __HC_BITS(unsigned, value < -1 ? -1.0f : value);
    }
    return bits;
}

__HC_DEVICE __hc_words __hc_channels(const __hc_texture *t, const char *texel)
{
    unsigned step = t->element / t->channels;
    size_t at = (size_t)texel;
    __hc_words r = {{__hc_channel(t, at), 0, 0, 0}};
    if (t->channels > 1)
        r.word[1] = __hc_channel(t, at + step);
    if (t->channels > 2) {
        r.word[2] = __hc_channel(t, at + 2 * step);
        r.word[3] = __hc_channel(t, at + 3 * step);
    }
    return r;
}

template <class T> __HC_DEVICE T __hc_texel_of(__hc_words words)
{
    typedef typename __hc_texel<T>::channel channel;
    struct {
        channel of[__hc_texel<T>::channels];
    } value;
    for (int c = 0; c < __hc_texel<T>::channels; c++)
        value.of[c] = __hc_texel<T>::format == 32
                          ? (channel)__HC_BITS(float, words.word[c])
                          : (channel)words.word[c];
    return __HC_BITS(T, value);
}

/* -- Places: a texel's number in one dimension, and whether there is one -- */

__HC_DEVICE int __hc_place(const __hc_texture *t, int d, int i, bool &inside)
{
    int n = t->extent[d];
    if (t->normalized && t->mode[d] == __HC_WRAP)
        i = i < 0 ? i + n : i >= n ? i - n : i;
    inside &= (t->mode[d] != __HC_BORDER) | ((unsigned)i < (unsigned)n);
    i = i < n ? i : n - 1;
    return i > 0 ? i : 0;
}

/* No number is negative, and none but a slice's bytes takes more than 32 bits: products
   of such numbers are one instruction. */
__HC_DEVICE const char *__hc_address(const __hc_texture *t, int x, int y, int z,
                                     bool inside, unsigned element)
{
    const char *texel = t->base + (long)z * (long)t->slice +
                        (size_t)(unsigned)y * (unsigned)t->pitch +
                        (size_t)(unsigned)x * element;
    return inside ? texel : (const char *)t->border;
}

/* A whole number within +-2^22, exactly: a conversion has to look after others. */
__HC_DEVICE int __hc_integer(float whole)
{
    return __HC_BITS(int, whole + 12582912.0f) - __HC_BITS(int, 12582912.0f);
}

/* A coordinate in texels: that of dimension d if it is not normalized. It comes rounded
   to a float, however the program computes it. */
__HC_DEVICE float __hc_coordinate(const __hc_texture *t, int d, float x)
{
#pragma clang fp contract(off)
    float n = t->size[d];
    if (t->normalized) {
        float whole = __builtin_floorf(x), part = x - whole;
        float back = whole != 2 * __builtin_floorf(whole / 2) ? 1 - part : part;
        x = t->mode[d] == __HC_WRAP ? part : t->mode[d] == __HC_MIRROR ? back : x;
        x *= n;
    }
    x = x < n + 2 ? x : n + 2;
    return x > -2 ? x : -2;
}

/* -- Fetches: `dimensions` coordinates, and a slice for layers and faces. Functions
   __hc_sample_... hostcc compiles once for vectors, and calls them
   (src/hostcc/front/fetches.c); where it is cold, the way around it comes first. -- */

/* A number below n, the last one in place of others: layers have no signs (PTX ISA,
   tex). */
__HC_DEVICE int __hc_below(int n, int i)
{
    i = (unsigned)i < (unsigned)n ? i : n - 1;
    return i > 0 ? i : 0;
}

template <int dimensions> __HC_DEVICE int __hc_whole(float whole)
{
    return dimensions > 1 ? __hc_integer(whole) : (int)whole;
}

/* Of coordinates in texels. */
template <class T, int dimensions>
__HC_DEVICE T __hc_fetch(const __hc_texture *t, float x, float y, float z, int slice)
{
    float at[3] = {x, y, z}, weight[3], sum[4] = {0, 0, 0, 0};
    bool linear = t->linear;
    int low[3], corner = linear ? (1 << dimensions) - 1 : 0;
    slice = __hc_below(t->extent[2], slice);
    for (int d = 0; d < dimensions; d++) {
        float place = at[d] - (linear ? 0.5f : 0.0f), whole = __builtin_floorf(place);
        low[d] = __hc_whole<dimensions>(whole);
        weight[d] = linear ? __builtin_floorf((place - whole) * 256 + 0.5f) / 256 : 0;
    }
#pragma clang loop unroll(disable)
    for (; corner >= 0; corner--) {
        int place[3] = {0, 0, slice};
        bool inside = true;
        float share = 1;
        for (int d = 0; d < dimensions; d++) {
            int high = corner >> d & 1;
            place[d] = __hc_place(t, d, low[d] + high, inside);
            share *= high ? weight[d] : 1 - weight[d];
        }
        if (t->direct == sizeof(T))
            return *(const T *)__hc_address(t, place[0], place[1], place[2], inside,
                                            sizeof(T));
        const char *texel =
            __hc_address(t, place[0], place[1], place[2], inside, t->element);
        __hc_words words = __hc_channels(t, texel);
        if (!linear)
            return __hc_texel_of<T>(words);
        for (int c = 0; c < __hc_texel<T>::channels; c++)
            sum[c] += share * __HC_BITS(float, words.word[c]);
    }
    return __hc_texel_of<T>(__HC_BITS(__hc_words, sum));
}

/* In any way. */
template <class T, int dimensions>
__HC_DEVICE T __hc_sample_any(const __hc_texture *t, float x, float y, float z,
                              int slice)
{
    return __hc_fetch<T, dimensions>(
        t, __hc_coordinate(t, 0, x), dimensions > 1 ? __hc_coordinate(t, 1, y) : 0,
        dimensions > 2 ? __hc_coordinate(t, 2, z) : 0, slice);
}

/* In the way that is quick: one texel, as it is. The caller reads t->direct: a fault of
   what is no texture has the line of the program that way. */
template <class T, int dimensions>
__HC_DEVICE T __hc_sample_quick(const __hc_texture *t, unsigned direct, float x,
                                float y, float z, int slice)
{
    if (direct != sizeof(T) || t->normalized)
        return __hc_sample_any<T, dimensions>(t, x, y, z, slice);
    float at[3] = {x, y, z};
    int place[3] = {0, 0, __hc_below(t->extent[2], slice)};
    bool inside = true;
    for (int d = 0; d < dimensions; d++) {
        float whole = __builtin_floorf(__hc_coordinate(t, d, at[d]));
        place[d] = __hc_place(t, d, __hc_whole<dimensions>(whole), inside);
    }
    return *(const T *)__hc_address(t, place[0], place[1], place[2], inside, sizeof(T));
}

template <class T, int dimensions>
__HC_DEVICE T __hc_sampled(const __hc_texture *t, float x, float y, float z, int slice)
{
    return __hc_sample_quick<T, dimensions>(t, t->direct, x, y, z, slice);
}

template <class T>
__attribute__((cold)) __HC_DEVICE T __hc_sample_linear(const __hc_texture *t, int x)
{
    bool inside = (unsigned)x < (unsigned)t->extent[0];
    return __hc_texel_of<T>(
        __hc_channels(t, __hc_address(t, x, 0, 0, inside, t->element)));
}

/* Linear memory has neither modes nor a pitch, and zeros around it. As an element of an
   array, a texel is as good as one of the program's own arrays: neighbours are one
   load. */
template <class T> __HC_DEVICE T __hc_fetch_linear(const __hc_texture *t, int x)
{
    if (t->direct == sizeof(T))
        return (unsigned)x < (unsigned)t->extent[0] ? ((const T *)t->base)[x] : T();
    return __hc_sample_linear<T>(t, x);
}

/* One channel of the four texels that a linear filter would take, from the lower left
 * one anticlockwise as CUDA has it: (0,1) (1,1) (1,0) (0,0). */
template <class T>
__HC_DEVICE T __hc_gather(const __hc_texture *t, float x, float y, int c)
{
    int i = __hc_integer(__builtin_floorf(x - 0.5f)),
        j = __hc_integer(__builtin_floorf(y - 0.5f));
    __hc_words r;
#pragma clang loop unroll(disable)
    for (int corner = 0; corner < 4; corner++) {
        bool inside = true;
        int right = __hc_place(t, 0, i + (corner == 1 || corner == 2), inside);
        int down = __hc_place(t, 1, j + (corner < 2), inside);
        __hc_words texel =
            __hc_channels(t, __hc_address(t, right, down, 0, inside, t->element));
        r.word[corner] = texel.word[c & 3];
    }
    return __hc_texel_of<T>(r);
}

/* The face is that of the longest axis; the others lead to a place on it. */
template <class T>
__HC_DEVICE T __hc_sample_cube(const __hc_texture *t, float size, float x, float y,
                               float z, int cube)
{
    float ax = __builtin_fabsf(x), ay = __builtin_fabsf(y), az = __builtin_fabsf(z);
    bool on_x = ax >= ay && ax >= az, on_y = !on_x && ay >= az;
    float major = on_x ? x : on_y ? y : z, length = on_x ? ax : on_y ? ay : az;
    float s = on_x ? (x < 0 ? z : -z) : on_y ? x : (z < 0 ? -x : x);
    float u = on_y ? (y < 0 ? -z : z) : -y;
    float half = 0.5f * size;
    int face = (on_x ? 0 : on_y ? 2 : 4) + (major < 0);
    return __hc_fetch<T, 2>(t, (s / length + 1) * half, (u / length + 1) * half, 0,
                            6 * __hc_below(t->extent[2] / 6, cube) + face);
}

/* -- CUDA's names: each for an object, for an object into a pointer, for a reference --
 */

/* The record of a reference. Its type goes along for the driver, which has to know what
   to take bound memory for. */
extern "C" __device__ __attribute__((const)) unsigned long long __hostcc_texture(
    const void *reference, unsigned format, unsigned channels, unsigned as_is);

template <class T, cudaTextureReadMode mode> struct __hc_read {
    typedef T type;
};
template <class T> struct __hc_read<T, cudaReadModeNormalizedFloat> {
    typedef typename __hc_texel<T>::floats type;
};

template <class T, cudaTextureReadMode mode>
__HC_DEVICE cudaTextureObject_t __hc_object_of(const textureReference &reference)
{
    return __hostcc_texture(&reference, __hc_texel<T>::format, __hc_texel<T>::channels,
                            mode == cudaReadModeElementType);
}
template <class T, int dimensions, cudaTextureReadMode mode>
__device__ inline __attribute__((always_inline))
texture<T, dimensions, mode>::texture(const texture &other)
    : textureReference{__hc_object_of<T, mode>(other)}
{
}

#define __HC_LIST(...) __VA_ARGS__
#define __HC_TEXTURE(name, dimensions, parameters, arguments, value)               \
    template <class T>                                                             \
    __HC_DEVICE T name(cudaTextureObject_t object, __HC_LIST parameters)           \
    {                                                                              \
        const __hc_texture *t = __hc_texture_of(object);                           \
        return value;                                                              \
    }                                                                              \
    template <class T>                                                             \
    __HC_DEVICE void name(T *to, cudaTextureObject_t object, __HC_LIST parameters) \
    {                                                                              \
        *to = name<T>(object, __HC_LIST arguments);                                \
    }                                                                              \
    template <class T, cudaTextureReadMode mode>                                   \
    __HC_DEVICE typename __hc_read<T, mode>::type name(                            \
        const texture<T, dimensions, mode> &reference, __HC_LIST parameters)       \
    {                                                                              \
        return name<typename __hc_read<T, mode>::type>(                            \
            __hc_object_of<T, mode>(reference), __HC_LIST arguments);              \
    }
#define __HC_X __hc_coordinate(t, 0, x)
#define __HC_Y __hc_coordinate(t, 1, y)

/* clang-format off */
__HC_TEXTURE(tex1Dfetch, cudaTextureType1D, (int x), (x), __hc_fetch_linear<T>(t, x))
__HC_TEXTURE(tex1D, cudaTextureType1D, (float x), (x), (__hc_sampled<T, 1>(t, x, 0, 0, 0)))
__HC_TEXTURE(tex2D, cudaTextureType2D, (float x, float y), (x, y),
             (__hc_sampled<T, 2>(t, x, y, 0, 0)))
__HC_TEXTURE(tex3D, cudaTextureType3D, (float x, float y, float z), (x, y, z),
             (__hc_sampled<T, 3>(t, x, y, z, 0)))
__HC_TEXTURE(tex1DLayered, cudaTextureType1DLayered, (float x, int layer), (x, layer),
             (__hc_sampled<T, 1>(t, x, 0, 0, layer)))
__HC_TEXTURE(tex2DLayered, cudaTextureType2DLayered, (float x, float y, int layer), (x, y, layer),
             (__hc_sampled<T, 2>(t, x, y, 0, layer)))
__HC_TEXTURE(texCubemap, cudaTextureTypeCubemap, (float x, float y, float z), (x, y, z),
             __hc_sample_cube<T>(t, t->size[0], x, y, z, 0))
__HC_TEXTURE(texCubemapLayered, cudaTextureTypeCubemapLayered,
             (float x, float y, float z, int layer), (x, y, z, layer),
             __hc_sample_cube<T>(t, t->size[0], x, y, z, layer))
/* clang-format on */

template <class T>
__HC_DEVICE T tex2Dgather(cudaTextureObject_t object, float x, float y, int channel = 0)
{
    const __hc_texture *t = __hc_texture_of(object);
    return __hc_gather<T>(t, __HC_X, __HC_Y, channel);
}
template <class T>
__HC_DEVICE void tex2Dgather(T *to, cudaTextureObject_t object, float x, float y,
                             int channel = 0)
{
    *to = tex2Dgather<T>(object, x, y, channel);
}
template <class T>
__HC_DEVICE T tex2Dgather(cudaTextureObject_t object, float x, float y, bool *resident,
                          int channel = 0)
{
    *resident = true;
    return tex2Dgather<T>(object, x, y, channel);
}

/* With a level of detail, or gradients that lead to one: textures have one level. */
/* clang-format off */
#define __HC_LEVELS(name, gradient, parameters, arguments)                               \
    template <class T>                                                                   \
    __HC_DEVICE T name##Lod(cudaTextureObject_t object, __HC_LIST parameters, float)     \
    {                                                                                    \
        return name<T>(object, __HC_LIST arguments);                                     \
    }                                                                                    \
    template <class T>                                                                   \
    __HC_DEVICE void name##Lod(T *to, cudaTextureObject_t object, __HC_LIST parameters, float) \
    {                                                                                    \
        *to = name<T>(object, __HC_LIST arguments);                                      \
    }                                                                                    \
    template <class T>                                                                   \
    __HC_DEVICE T name##Grad(cudaTextureObject_t object, __HC_LIST parameters, gradient, gradient) \
    {                                                                                    \
        return name<T>(object, __HC_LIST arguments);                                     \
    }                                                                                    \
    template <class T>                                                                   \
    __HC_DEVICE void name##Grad(T *to, cudaTextureObject_t object, __HC_LIST parameters, \
                                gradient, gradient)                                      \
    {                                                                                    \
        *to = name<T>(object, __HC_LIST arguments);                                      \
    }
__HC_LEVELS(tex1D, float, (float x), (x))
__HC_LEVELS(tex2D, float2, (float x, float y), (x, y))
__HC_LEVELS(tex3D, float4, (float x, float y, float z), (x, y, z))
__HC_LEVELS(tex1DLayered, float, (float x, int layer), (x, layer))
__HC_LEVELS(tex2DLayered, float2, (float x, float y, int layer), (x, y, layer))
__HC_LEVELS(texCubemap, float4, (float x, float y, float z), (x, y, z))
__HC_LEVELS(texCubemapLayered, float4, (float x, float y, float z, int layer), (x, y, z, layer))

/* Whether the texels are there, of textures whose memory is not all there: it always is. */
#define __HC_RESIDENT(name, parameters, arguments)                                       \
    template <class T>                                                                   \
    __HC_DEVICE T name(cudaTextureObject_t object, __HC_LIST parameters, bool *resident) \
    {                                                                                    \
        *resident = true;                                                                \
        return name<T>(object, __HC_LIST arguments);                                     \
    }
#define __HC_RESIDENT_LEVELS(name, gradient, parameters, arguments)                                 \
    __HC_RESIDENT(name, (__HC_LIST parameters), (__HC_LIST arguments))                              \
    __HC_RESIDENT(name##Lod, (__HC_LIST parameters, float l), (__HC_LIST arguments, l))             \
    __HC_RESIDENT(name##Grad, (__HC_LIST parameters, gradient u, gradient v), (__HC_LIST arguments, u, v))
__HC_RESIDENT_LEVELS(tex2D, float2, (float x, float y), (x, y))
__HC_RESIDENT_LEVELS(tex3D, float4, (float x, float y, float z), (x, y, z))
__HC_RESIDENT_LEVELS(tex2DLayered, float2, (float x, float y, int layer), (x, y, layer))
/* clang-format on */
#undef __HC_RESIDENT_LEVELS
#undef __HC_RESIDENT
#undef __HC_LEVELS
#undef __HC_TEXTURE
#undef __HC_X
#undef __HC_Y

#endif
