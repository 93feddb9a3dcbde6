/* By what elements are sorted: a key of as many bytes, an unsigned number that grows as
   NumPy's order does. Keys are made of an element's bits whenever a digit is asked for
   and kept nowhere, so that -0.0 and 0.0 can have one key, and NaNs of any payload, and
   come out as they went in. Elements are unsigned words here, whatever their dtype: a
   source needs no header for numbers of 16 bits or complex ones. */
#ifndef PYCUDA_SORT_ORDER_CUH
#define PYCUDA_SORT_ORDER_CUH

#include "operations.cuh"

namespace pycuda
{

typedef unsigned long long word64;
struct __align__(16) two_words {
    word64 low, high;
};

/* Integers without a sign, and bool. turned: the key of the falling order. last: an
   element that none comes after, in the one order or the other. */
template <class W> struct unsigned_order {
    typedef W element;
    static PYCUDA_DEVICE W last(bool falls = false) { return falls ? 0 : W(~W(0)); }
    static PYCUDA_DEVICE W key(W x) { return x; }
    static PYCUDA_DEVICE W turned(W key) { return W(~key); }
};

template <class W> struct signed_order {
    typedef W element;
    static PYCUDA_DEVICE W last(bool falls = false)
    {
        return key(falls ? W(0) : W(~W(0)));
    }
    static PYCUDA_DEVICE W key(W x) { return W(x ^ W(W(1) << (8 * sizeof(W) - 1))); }
    static PYCUDA_DEVICE W turned(W key) { return W(~key); }
};

/* The part of a key that is a floating-point number's: its last three values are those
   of NaNs, which stay where they are. */
template <class W> PYCUDA_DEVICE W number_turned(W key)
{
    return key < W(~W(2)) ? W(~key) : key;
}

/* infinity: its bits; what is beyond is NaN, which comes last. */
template <class W, W infinity> struct float_order {
    typedef W element;
    static constexpr W sign = W(W(1) << (8 * sizeof(W) - 1));

    static PYCUDA_DEVICE W last(bool = false) { return W(~W(0)); }
    static PYCUDA_DEVICE bool is_nan(W x) { return W(x & W(~sign)) > infinity; }
    static PYCUDA_DEVICE W key(W x)
    {
        W key = x & sign ? W(~x) : W(x | sign);
        key = W(x & W(~sign)) == 0 ? sign : key;
        return is_nan(x) ? W(~W(0)) : key;
    }
    static PYCUDA_DEVICE W turned(W key) { return number_turned(key); }
};

/* Complex numbers: numbers, by real part and then by imaginary part; those with NaN for
   imaginary part, by real part; for real part, by imaginary part; for both. Three keys
   above that of infinity tell which. Whole: a number of twice the bits, or two. */
template <class W, W infinity> struct complex_keys {
    typedef float_order<W, infinity> part;

    static PYCUDA_DEVICE void of(W real, W imag, W *high, W *low)
    {
        bool a = part::is_nan(real), b = part::is_nan(imag);
        *high = a ? W(~W(0) - !b) : b ? W(~W(0) - 2) : part::key(real);
        *low = part::key(b && !a ? real : imag);
    }
};

struct complex64_order {
    typedef word64 element;
    static PYCUDA_DEVICE word64 last(bool = false) { return ~word64(0); }
    static PYCUDA_DEVICE word64 key(word64 x)
    {
        unsigned high, low;
        complex_keys<unsigned, 0x7f800000>::of(unsigned(x), unsigned(x >> 32), &high,
                                               &low);
        return word64(high) << 32 | low;
    }
    static PYCUDA_DEVICE word64 turned(word64 key)
    {
        return word64(number_turned(unsigned(key >> 32))) << 32 |
               number_turned(unsigned(key));
    }
};

struct complex128_order {
    typedef two_words element;
    static PYCUDA_DEVICE two_words last(bool = false)
    {
        return {~word64(0), ~word64(0)};
    }
    static PYCUDA_DEVICE two_words key(two_words x)
    {
        two_words key;
        complex_keys<word64, 0x7ff0000000000000>::of(x.low, x.high, &key.high, &key.low);
        return key;
    }
    static PYCUDA_DEVICE two_words turned(two_words key)
    {
        return {number_turned(key.low), number_turned(key.high)};
    }
};

/* From the greatest to the least; NaNs come last here, too, and equal elements stay in
   their order. */
template <class Order> struct descending {
    typedef typename Order::element element;
    static PYCUDA_DEVICE element last() { return Order::last(true); }
    static PYCUDA_DEVICE element key(element x) { return Order::turned(Order::key(x)); }
};

/* Byte number `place` of a key; 0 is the lowest. */
template <class W> PYCUDA_DEVICE unsigned byte_of(W key, unsigned place)
{
    return unsigned(key >> (8 * place & (8 * sizeof(W) - 1))) & 255;
}
PYCUDA_DEVICE unsigned byte_of(two_words key, unsigned place)
{
    return byte_of(place < 8 ? key.low : key.high, place);
}
template <class Order>
PYCUDA_DEVICE unsigned digit_of(typename Order::element x, unsigned place)
{
    return byte_of(Order::key(x), place);
}

template <class W> PYCUDA_DEVICE bool key_less(W a, W b) { return a < b; }
PYCUDA_DEVICE bool key_less(two_words a, two_words b)
{
    return a.high < b.high || (a.high == b.high && a.low < b.low);
}

/* What one pass over one digit, or all of them over one row, read and write. Places,
   which argsort asks for, are numbers I between passes and of 64 bits at last. */
template <class E, class I> struct sorted_pair {
    const E *from;
    const I *places_from; /* null: elements are where they were: 0, 1, 2 ... */
    E *to;
    I *places_to;      /* null, or */
    long long *result; /* what comes of the last pass, or null too: not asked for */
};

} // namespace pycuda

#endif
