/* What sort_buckets.cuh moves in place of elements: codes of as many bits, from which
   elements come back bit for bit, and which are compared as they are where that gives
   NumPy's order. Keys (sort_order.cuh) take several times as many instructions for
   floating-point numbers, and tell neither zeros nor NaNs apart. */
#ifndef PYCUDA_SORT_CODES_CUH
#define PYCUDA_SORT_CODES_CUH

#include "sort_order.cuh"

namespace pycuda
{

/* is_key: codes are keys. is_ordered: but for elements of equal keys, zeros and NaNs:
   codes of zeros are two neighbours, `zero`, an even number, and the next; those of
   NaNs are above `most`. Neither: elements themselves, whose keys order them. */
template <class Order> struct sort_code {
    typedef typename Order::element E;
    enum { is_ordered = 0, is_key = 0 };
    static PYCUDA_DEVICE E of(E x) { return x; }
    static PYCUDA_DEVICE E element(E code) { return code; }
};
/* Keys that are their own inverse. */
template <class Order> struct key_code {
    typedef typename Order::element E;
    enum { is_ordered = 1, is_key = 1 };
    static PYCUDA_DEVICE E of(E x) { return Order::key(x); }
    static PYCUDA_DEVICE E element(E code) { return Order::key(code); }
};
template <class W> struct sort_code<unsigned_order<W>> : key_code<unsigned_order<W>> {
};
template <class W> struct sort_code<signed_order<W>> : key_code<signed_order<W>> {
};
template <class W>
struct sort_code<descending<unsigned_order<W>>>
    : key_code<descending<unsigned_order<W>>> {
};
template <class W> struct sort_code<descending<signed_order<W>>> {
    enum { is_ordered = 1, is_key = 1 };
    static PYCUDA_DEVICE W of(W x) { return ~signed_order<W>::key(x); }
    static PYCUDA_DEVICE W element(W code) { return signed_order<W>::key(~code); }
};

/* Negative NaNs are below all numbers at first, and by the difference, which wraps
   around, above. */
template <class W, W infinity, bool falls> struct float_code {
    enum { is_ordered = 1, is_key = 0, bits = 8 * sizeof(W) };
    static constexpr W sign = W(1) << (bits - 1);
    static constexpr W least = ~(infinity | sign), most = (infinity | sign) - least;
    static constexpr W zero = falls ? most - (sign - least) : sign - 1 - least;
    static PYCUDA_DEVICE W of(W x)
    {
        W code = (x ^ ((0 - (x >> (bits - 1))) | sign)) - least;
        return falls ? most - code : code;
    }
    static PYCUDA_DEVICE W element(W code)
    {
        W x = (falls ? most - code : code) + least;
        return x ^ (((x >> (bits - 1)) - 1) | sign);
    }
};
template <class W, W infinity>
struct sort_code<float_order<W, infinity>> : float_code<W, infinity, false> {
};
template <class W, W infinity>
struct sort_code<descending<float_order<W, infinity>>> : float_code<W, infinity, true> {
};

/* By what codes are sorted: themselves, or the keys behind. */
template <class Order> struct by_code {
    typedef typename Order::element E;
    static PYCUDA_DEVICE E of(E code) { return code; }
};
template <class Order> struct by_key {
    typedef typename Order::element E;
    static PYCUDA_DEVICE E of(E code)
    {
        return Order::key(sort_code<Order>::element(code));
    }
};
/* For finding buckets. */
template <class Order>
PYCUDA_DEVICE typename Order::element rank_of(typename Order::element code)
{
    if constexpr (sort_code<Order>::is_ordered)
        return code;
    else
        return Order::key(code);
}

} // namespace pycuda

#endif
