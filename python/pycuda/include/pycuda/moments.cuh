/* Means and squared distances from them in one pass, as variances need: what is known
   of two groups of elements gives that of both, without differences of large sums, so
   that hardly a digit is lost however far from zero the mean is. */
#ifndef PYCUDA_MOMENTS_CUH
#define PYCUDA_MOMENTS_CUH

#include "operations.cuh"

namespace pycuda
{

/* Of n elements of type T, which is R or a complex number of it: their mean, and the
   sum of their squared distances from it (Chan, Golub and LeVeque, 1979). */
template <class T, class R> struct moments {
    R n;
    T mean;
    R squares;

    PYCUDA_DEVICE void start(T x)
    {
        n = 1;
        mean = x;
        squares = 0;
    }
    PYCUDA_DEVICE void join(const moments &b)
    {
        R both = n + b.n, ratio = b.n / both;
        T apart = b.mean - mean;
        squares += b.squares + norm(apart) * (n * ratio);
        mean += apart * ratio;
        n = both;
    }
    PYCUDA_DEVICE void join(T x)
    {
        moments b;
        b.start(x);
        join(b);
    }
    /* The squares: a NaN, if an element is one or infinite. */
    template <class C> PYCUDA_DEVICE explicit operator C() const
    {
        return convert<C>(squares + norm(mean - mean));
    }
};

} // namespace pycuda

#endif
