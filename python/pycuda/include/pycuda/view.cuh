/* What a user's kernel sees of an array that does not lie as one stretch of memory, in
   place of a pointer to its first element: x[k] is its element k in C order. */
#ifndef PYCUDA_VIEW_CUH
#define PYCUDA_VIEW_CUH

/* Of a parameter that is referred to where it is: NVIDIA's compilers copy it else. */
#ifdef __clang__
#define PYCUDA_IN_PLACE
#else
#define PYCUDA_IN_PLACE __grid_constant__
#endif

namespace pycuda
{

/* Axis 0 is the slowest; strides in bytes. */
struct layout {
    int axes;
    long long length[6], stride[6];
};

template <class T> struct view {
    T *first;
    const layout &how;
    long long moved;

    PYCUDA_DEVICE T &operator[](long long k) const
    {
        long long at = 0;
        k += moved;
#pragma unroll 1
        for (int d = how.axes - 1; d > 0; d--) {
            long long next = k / how.length[d];
            at += (k - next * how.length[d]) * how.stride[d];
            k = next;
        }
        return *(T *)((const char *)first + at + k * how.stride[0]);
    }
    PYCUDA_DEVICE T &operator*() const { return (*this)[0]; }
    PYCUDA_DEVICE view operator+(long long k) const { return {first, how, moved + k}; }
    PYCUDA_DEVICE view operator-(long long k) const { return {first, how, moved - k}; }
};

template <class T> PYCUDA_DEVICE view<T> view_of(T *first, const layout &how)
{
    return {first, how, 0};
}

} // namespace pycuda

#endif
