/* Stacks of small dense matrices, row by row, each of which a block factors in its own
   memory: systems of equations, determinants, Cholesky's triangles, QR. A block is of
   `width` x `height` threads, a power of two up to a warp and at least a warp in all.
   outcomes: of a call, not 0 if some operand has NaN or infinities, whose matrices are
   left; then an int for each matrix, 0 or what failed. */
#ifndef PYCUDA_SMALL_MATRICES_CUH
#define PYCUDA_SMALL_MATRICES_CUH

#include "factors.cuh"

namespace pycuda
{

/* -- Elements ---------------------------------------------------------------------- */

template <class T> struct parts_of {
    typedef T real;
    enum { digits = sizeof(T) == 4 ? 24 : 53 };
};
PYCUDA_DEVICE float real_part(float x) { return x; }
PYCUDA_DEVICE double real_part(double x) { return x; }
PYCUDA_DEVICE float square(float x) { return x * x; }
PYCUDA_DEVICE double square(double x) { return x * x; }
/* As large as the absolute value, or a bit more. */
PYCUDA_DEVICE float about(float x) { return ::fabs(x); }
PYCUDA_DEVICE double about(double x) { return ::fabs(x); }
PYCUDA_DEVICE float across(float x, int lanes)
{
    return __shfl_xor_sync(~0u, x, lanes);
}
PYCUDA_DEVICE double across(double x, int lanes)
{
    return __shfl_xor_sync(~0u, x, lanes);
}
#ifdef PYCUDA_COMPLEX_HPP
template <class R> struct parts_of<complex<R>> {
    typedef R real;
    enum { digits = parts_of<R>::digits };
};
template <class R> PYCUDA_DEVICE R real_part(complex<R> z) { return z.real(); }
template <class R> PYCUDA_DEVICE R square(complex<R> z)
{
    return z.real() * z.real() + z.imag() * z.imag();
}
template <class R> PYCUDA_DEVICE R about(complex<R> z)
{
    return ::fabs(z.real()) + ::fabs(z.imag());
}
template <class R> PYCUDA_DEVICE complex<R> across(complex<R> z, int lanes)
{
    return complex<R>(across(z.real(), lanes), across(z.imag(), lanes));
}
#endif

/* The sum over the threads of a row of the block, each of which gets it. */
template <class T> PYCUDA_DEVICE T sum_of_row(T x)
{
    for (int lanes = blockDim.x / 2; lanes; lanes /= 2)
        x = x + across(x, lanes);
    return x;
}

/* -- Blocks and their memory ------------------------------------------------------- */

struct thread_of_block {
    int x, y, width, height, all, number;
    PYCUDA_DEVICE thread_of_block()
        : x(threadIdx.x), y(threadIdx.y), width(blockDim.x), height(blockDim.y),
          all(blockDim.x * blockDim.y), number(threadIdx.y * blockDim.x + threadIdx.x)
    {
    }
};

/* Takes arrays off the block's memory, those of larger elements first. */
struct memory_of_block {
    char *next;
    PYCUDA_DEVICE memory_of_block()
    {
        extern __shared__ __align__(16) char memory[];
        next = memory;
    }
    template <class T> PYCUDA_DEVICE T *take(int count)
    {
        T *first = (T *)next;
        next += count * sizeof(T);
        return first;
    }
};

/* Rows of it are an odd number of elements apart, so that columns lie in all banks. */
PYCUDA_DEVICE int pitch_of(int columns) { return columns | 1; }

template <class T> PYCUDA_DEVICE bool is_finite(T x)
{
    return about(x) - about(x) == 0;
}

/* Whether all elements are finite, to all threads; else the call is told. */
PYCUDA_DEVICE bool expect_finite(bool is_it, int *outcomes)
{
    bool some = __syncthreads_or(!is_it);
    if (some && threadIdx.x + threadIdx.y == 0)
        outcomes[0] = 1;
    return !some;
}

/* Copies a matrix to the block's memory; waits for all threads. */
template <class T>
PYCUDA_DEVICE bool load(T *to, int pitch, const T *from, int rows, int columns,
                        int *outcomes)
{
    thread_of_block t;
    bool is_it = true;
    for (int i = t.y; i < rows; i += t.height)
        for (int j = t.x; j < columns; j += t.width) {
            T x = from[(long long)i * columns + j];
            is_it = is_it && is_finite(x);
            to[i * pitch + j] = x;
        }
    return expect_finite(is_it, outcomes);
}

/* Powers of two, by which a matrix becomes one whose largest element is about 1, so
   that squares are in range, and back. Each is a product of two: of the smallest
   numbers it is none itself. */
template <class R> struct scaling {
    R in, in_too, out, out_too;

    template <class T>
    PYCUDA_DEVICE scaling(const T *a, int pitch, int rows, int columns)
    {
        R most = 0;
        for (int i = threadIdx.x; i < rows; i += blockDim.x)
            for (int j = 0; j < columns; j++)
                most = ::fmax(most, about(a[i * pitch + j]));
        for (int lanes = blockDim.x / 2; lanes; lanes /= 2)
            most = ::fmax(most, across(most, lanes));
        int exponent = most > 0 ? ::ilogb(most) : 0, half = exponent / 2;
        in = ::ldexp(R(1), -half), in_too = ::ldexp(R(1), half - exponent);
        out = ::ldexp(R(1), half), out_too = ::ldexp(R(1), exponent - half);
        __syncthreads();
    }
    template <class T> PYCUDA_DEVICE T to(T x) const { return x * in * in_too; }
    template <class T> PYCUDA_DEVICE T back(T x) const { return x * out * out_too; }
};

/* The square of a length that counts as none in a scaled matrix: parts of what is less
   would not be in range. */
template <class R> PYCUDA_DEVICE R nothing()
{
    return sizeof(R) == 4 ? R(1e-31) : R(1e-280);
}

/* -- Triangles by elimination ------------------------------------------------------ */

template <class T> struct elimination {
    typedef typename parts_of<T>::real R;
    T *a, *pivots; /* n rows, `pitch` apart; 2 */
    int *order, *best;
    int n, pitch, failed; /* the first column without a pivot, from 1 */
    bool is_odd;

    PYCUDA_DEVICE elimination(memory_of_block &memory, int size)
        : n(size), pitch(pitch_of(size)), failed(0), is_odd(false)
    {
        a = memory.take<T>(n * pitch);
        pivots = memory.take<T>(2);
    }
    PYCUDA_DEVICE void take_order(memory_of_block &memory)
    {
        order = memory.take<int>(n);
        best = memory.take<int>(1);
    }

    /* By the first warp. */
    PYCUDA_DEVICE void find_pivot(int k, int lane)
    {
        R most = -1;
        int at = k;
        for (int i = k + lane; i < n; i += 32) {
            R size = about(a[i * pitch + k]);
            if (size > most)
                most = size, at = i;
        }
        for (int lanes = 16; lanes; lanes /= 2) {
            R size = across(most, lanes);
            int other = __shfl_xor_sync(~0u, at, lanes);
            if (size > most || (size == most && other < at))
                most = size, at = other;
        }
        if (lane)
            return;
        *best = at;
        pivots[0] = a[at * pitch + k];
        pivots[1] = a[k * pitch + k];
        int other = order[k];
        order[k] = order[at];
        order[at] = other;
    }

    /* a becomes L, whose diagonal is 1, below U; row i is what was row order[i]. */
    PYCUDA_DEVICE void run()
    {
        thread_of_block t;
        for (int i = t.number; i < n; i += t.all)
            order[i] = i;
        __syncthreads();
        for (int k = 0; k < n; k++) {
            if (t.number < 32)
                find_pivot(k, t.number);
            __syncthreads();
            int at = *best;
            T pivot = pivots[0], top = pivots[1];
            is_odd = is_odd != (at != k);
            if (about(pivot) == 0) {
                failed = failed ? failed : k + 1;
                __syncthreads();
                continue;
            }
            for (int j = t.number; at != k && j < n; j += t.all)
                if (j != k) {
                    T other = a[k * pitch + j];
                    a[k * pitch + j] = a[at * pitch + j];
                    a[at * pitch + j] = other;
                }
            for (int i = k + 1 + t.number; i < n; i += t.all)
                a[i * pitch + k] = (i == at ? top : a[i * pitch + k]) / pivot;
            if (t.number == 0)
                a[k * pitch + k] = pivot;
            __syncthreads();
            for (int i = k + 1 + t.y; i < n; i += t.height) {
                T factor = a[i * pitch + k];
                for (int j = k + 1 + t.x; j < n; j += t.width)
                    a[i * pitch + j] -= factor * a[k * pitch + j];
            }
            __syncthreads();
        }
    }

    /* The columns of b, `wide` of them, become solutions; but for divisions by the
       diagonal of U. */
    PYCUDA_DEVICE void substitute(T *b, int ldb, int wide)
    {
        thread_of_block t;
        int shift = 0; /* a row of threads has a power of two of columns */
        while (1 << shift < wide && 1 << shift < t.width)
            shift++;
        int x = t.number & ((1 << shift) - 1), y = t.number >> shift;
        int width = 1 << shift, height = t.all >> shift;
        for (int j = 0; j < n; j++) {
            for (int c = x; c < wide; c += width) {
                T factor = b[j * ldb + c];
                for (int i = j + 1 + y; i < n; i += height)
                    b[i * ldb + c] -= a[i * pitch + j] * factor;
            }
            __syncthreads();
        }
        for (int j = n; j--;) {
            T pivot = a[j * pitch + j];
            for (int c = x; c < wide; c += width) {
                T factor = b[j * ldb + c] / pivot;
                for (int i = y; i < j; i += height)
                    b[i * ldb + c] -= a[i * pitch + j] * factor;
            }
            __syncthreads();
        }
    }
};

/* x = a^-1 b of stacks of n x n and n x k; b: NULL, the unit matrix. `wide` columns of
   b are in the block's memory at a time; blocks of one matrix take turns. */
template <class T>
PYCUDA_DEVICE void solve_small(const T *a, const T *b, int n, int k, int wide, T *x,
                               int *outcomes)
{
    thread_of_block t;
    memory_of_block memory;
    elimination<T> lu(memory, n);
    int ldb = pitch_of(wide);
    T *part = memory.take<T>(n * ldb);
    lu.take_order(memory);
    long long matrix = blockIdx.x;
    if (!load(lu.a, lu.pitch, a + matrix * n * n, n, n, outcomes))
        return;
    lu.run();
    if (t.number == 0)
        outcomes[1 + matrix] = lu.failed;
    for (int first = wide * blockIdx.y; first < k; first += wide * gridDim.y) {
        int columns = k - first < wide ? k - first : wide;
        bool is_it = true;
        for (int i = t.y; i < n; i += t.height)
            for (int c = t.x; c < columns; c += t.width) {
                long long row = lu.order[i];
                T one = b ? b[(matrix * n + row) * k + first + c]
                          : T(typename parts_of<T>::real(row == first + c));
                is_it = is_it && is_finite(one);
                part[i * ldb + c] = one;
            }
        if (!expect_finite(is_it, outcomes) || lu.failed)
            return;
        lu.substitute(part, ldb, columns);
        for (int i = t.y; i < n; i += t.height)
            for (int c = t.x; c < columns; c += t.width)
                x[(matrix * n + i) * k + first + c] =
                    part[i * ldb + c] / lu.a[i * lu.pitch + i];
        __syncthreads();
    }
}

/* Signs of determinants, logarithms of their absolute values, and determinants. W is
   double, or complex of it. */
template <class W, class T, class R>
PYCUDA_DEVICE void determinant_small(const T *a, int n, T *signs, R *logarithms,
                                     T *determinants, int *outcomes)
{
    memory_of_block memory;
    elimination<T> lu(memory, n);
    lu.take_order(memory);
    long long matrix = blockIdx.x;
    if (!load(lu.a, lu.pitch, a + matrix * n * n, n, n, outcomes))
        return;
    lu.run();
    int lane = thread_of_block().number;
    if (lane >= 32)
        return;
    W sign = W(1.0);
    double logarithm = 0, size;
    for (int i = lane; i < n && !lu.failed; i += 32) {
        sign = sign * take_sign(convert<W>(lu.a[i * lu.pitch + i]), size);
        logarithm += ::log(size);
    }
    for (int lanes = 16; lanes; lanes /= 2) {
        sign = sign * across(sign, lanes);
        logarithm += across(logarithm, lanes);
    }
    if (lane)
        return;
    sign = lu.failed ? W(0.0) : lu.is_odd ? -sign : sign;
    logarithm = lu.failed ? ::log(0.0) : logarithm;
    signs[matrix] = convert<T>(sign);
    logarithms[matrix] = convert<R>(logarithm);
    determinants[matrix] = convert<T>(W(sign * ::exp(logarithm)));
}

/* -- Cholesky's triangles ---------------------------------------------------------- */

/* The lower one of a a^H = b, or the upper one of a^H a, of the triangle of b that is
   of that kind. */
template <bool is_upper, class T>
PYCUDA_DEVICE void cholesky_small(const T *a, int n, T *to, int *outcomes)
{
    typedef typename parts_of<T>::real R;
    thread_of_block t;
    memory_of_block memory;
    int pitch = pitch_of(n);
    T *lower = memory.take<T>(n * pitch);
    R *diagonal = memory.take<R>(n);
    long long matrix = blockIdx.x;
    if (!load(lower, pitch, a + matrix * n * n, n, n, outcomes))
        return;
    /* Of the upper triangle the rows are columns of the lower one, conjugates. */
#define PYCUDA_AT(i, j) lower[is_upper ? (j) * pitch + (i) : (i) * pitch + (j)]
    int failed = 0;
    for (int k = 0; k < n && !failed; k++) {
        R pivot = real_part(PYCUDA_AT(k, k));
        failed = pivot > 0 ? 0 : k + 1;
        R root = ::sqrt(pivot);
        if (t.number == 0)
            diagonal[k] = root;
        for (int i = k + 1 + t.number; i < n; i += t.all)
            PYCUDA_AT(i, k) = PYCUDA_AT(i, k) / root;
        __syncthreads();
        for (int i = k + 1 + t.y; i < n; i += t.height)
            for (int j = k + 1 + t.x; j < n; j += t.width)
                if (is_upper ? i <= j : j <= i) {
                    T x = lower[is_upper ? k * pitch + i : i * pitch + k];
                    T y = lower[is_upper ? k * pitch + j : j * pitch + k];
                    lower[i * pitch + j] -=
                        is_upper ? conjugate(x) * y : x * conjugate(y);
                }
        __syncthreads();
    }
#undef PYCUDA_AT
    if (t.number == 0)
        outcomes[1 + matrix] = failed;
    for (int i = t.y; i < n; i += t.height)
        for (int j = t.x; j < n; j += t.width)
            to[(matrix * n + i) * n + j] = i == j                ? T(diagonal[i])
                                           : (j > i) == is_upper ? lower[i * pitch + j]
                                                                 : T(R(0));
}

/* -- Reflections ------------------------------------------------------------------- */

template <class T> struct reflections {
    typedef typename parts_of<T>::real R;
    T *a, *tau, *factor; /* m rows; of each column; 1 */
    int m, n, pitch, least;

    PYCUDA_DEVICE reflections(memory_of_block &memory, int rows, int columns, int most)
        : m(rows), n(columns), pitch(pitch_of(most)),
          least(rows < columns ? rows : columns)
    {
        a = memory.take<T>(m * pitch);
        tau = memory.take<T>(least);
        factor = memory.take<T>(1);
    }

    /* Columns after k become (1 - tau v v^H) of them, or of the conjugate of tau. */
    PYCUDA_DEVICE void apply(int k, int columns, T by)
    {
        thread_of_block t;
        for (int first = k + 1; first < columns; first += t.height) {
            int j = first + t.y;
            T sum = T(R(0));
            for (int i = k + 1 + t.x; j < columns && i < m; i += t.width)
                sum += conjugate(a[i * pitch + k]) * a[i * pitch + j];
            if (j < columns && t.x == 0)
                sum += a[k * pitch + j];
            sum = sum_of_row(sum) * by;
            for (int i = k + 1 + t.x; j < columns && i < m; i += t.width)
                a[i * pitch + j] -= sum * a[i * pitch + k];
            if (j < columns && t.x == 0)
                a[k * pitch + j] -= sum;
        }
    }

    /* By the first row of threads, while others of its warp follow. */
    PYCUDA_DEVICE void make(int k)
    {
        thread_of_block t;
        R below = 0;
        for (int i = k + 1 + t.x; i < m; i += t.width)
            below += square(a[i * pitch + k]);
        below = sum_of_row(below);
        if (t.number)
            return;
        T alpha = a[k * pitch + k];
        R length = ::sqrt(square(alpha) + below);
        bool is_plain = (below == 0 && about(alpha) == ::fabs(real_part(alpha))) ||
                        square(alpha) + below <= nothing<R>();
        R beta = real_part(alpha) > 0 ? -length : length;
        tau[k] = is_plain ? T(R(0)) : (T(beta) - alpha) / beta;
        *factor = is_plain ? T(R(0)) : T(R(1)) / (alpha - T(beta));
        if (!is_plain)
            a[k * pitch + k] = T(beta);
    }

    /* a becomes R, and below its diagonal what is reflected along. */
    PYCUDA_DEVICE void run()
    {
        thread_of_block t;
        for (int k = 0; k < least; k++) {
            if (t.number < 32)
                make(k);
            __syncthreads();
            for (int i = k + 1 + t.number; i < m; i += t.all)
                a[i * pitch + k] = a[i * pitch + k] * *factor;
            __syncthreads();
            apply(k, n, conjugate(tau[k]));
            __syncthreads();
        }
    }

    /* a becomes the first columns of the product of the reflections. */
    PYCUDA_DEVICE void multiply(int columns)
    {
        thread_of_block t;
        for (int i = t.y; i < m; i += t.height)
            for (int j = least + t.x; j < columns; j += t.width)
                a[i * pitch + j] = T(R(i == j));
        __syncthreads();
        for (int k = least; k--;) {
            apply(k, columns, tau[k]);
            __syncthreads();
            for (int i = t.number; i < m; i += t.all) {
                T x = i < k    ? T(R(0))
                      : i == k ? T(R(1)) - tau[k]
                               : -(tau[k] * a[i * pitch + k]);
                a[i * pitch + k] = x;
            }
            __syncthreads();
        }
    }
};

/* q, m x k, and r, k x n, whose product is a; q: or NULL. */
template <class T>
PYCUDA_DEVICE void qr_small(const T *a, int m, int n, int k, T *q, T *r, int *outcomes)
{
    typedef typename parts_of<T>::real R;
    thread_of_block t;
    memory_of_block memory;
    reflections<T> h(memory, m, n, q && k > n ? k : n);
    long long matrix = blockIdx.x;
    if (!load(h.a, h.pitch, a + matrix * m * n, m, n, outcomes))
        return;
    scaling<R> scale(h.a, h.pitch, m, n);
    for (int i = t.y; i < m; i += t.height)
        for (int j = t.x; j < n; j += t.width)
            h.a[i * h.pitch + j] = scale.to(h.a[i * h.pitch + j]);
    __syncthreads();
    h.run();
    for (int i = t.y; i < k; i += t.height)
        for (int j = t.x; j < n; j += t.width)
            r[(matrix * k + i) * n + j] =
                j < i ? T(R(0)) : scale.back(h.a[i * h.pitch + j]);
    if (!q)
        return;
    __syncthreads();
    h.multiply(k);
    for (int i = t.y; i < m; i += t.height)
        for (int j = t.x; j < k; j += t.width)
            q[(matrix * m + i) * k + j] = h.a[i * h.pitch + j];
}

} // namespace pycuda

#endif
