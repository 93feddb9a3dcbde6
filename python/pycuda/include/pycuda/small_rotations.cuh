/* Eigenvalues and singular values of stacks of small dense matrices by Jacobi's
   rotations, each matrix in the memory of a block as in small_matrices.cuh. Matrices
   are scaled by a power of two before; those that do not converge are told. */
#ifndef PYCUDA_SMALL_ROTATIONS_CUH
#define PYCUDA_SMALL_ROTATIONS_CUH

#include "small_matrices.cuh"

namespace pycuda
{

enum { most_sweeps = 40, did_not_converge = 1 };

/* The two of `count`, an even number, that play in a round of count - 1: each meets
   each other once. */
struct match {
    int p, q;
    PYCUDA_DEVICE match(int round, int number, int count)
    {
        int one = round + number, other = round - number;
        one = number == 0 ? count - 1 : one < count - 1 ? one : one - (count - 1);
        other = other < 0 ? other + count - 1 : other;
        p = one < other ? one : other;
        q = one < other ? other : one;
    }
};

/* Of columns x and y whose product is `ab` and whose squares are `aa` and `bb`: they
   become c x - s y and s_back x + c_back y, which are orthogonal. */
template <class T> struct rotation {
    typedef typename parts_of<T>::real R;
    R c, s;
    T turned_c, turned_s;
    PYCUDA_DEVICE rotation() : c(1), s(0), turned_c(R(1)), turned_s(R(0)) {}
    PYCUDA_DEVICE rotation(R aa, R bb, T ab)
    {
        R size = absolute(ab), zeta = (bb - aa) / (2 * size);
        bool is_far = ::fabs(zeta) > R(1e9); /* its square may be out of range */
        R t = is_far ? 1 / (2 * zeta)
                     : ::copysign(1 / (::fabs(zeta) + ::sqrt(1 + zeta * zeta)), zeta);
        T phase = conjugate(ab) / size;
        c = ::rsqrt(1 + t * t);
        s = c * t;
        turned_c = phase * c;
        turned_s = phase * s;
    }
    PYCUDA_DEVICE void apply(T &x, T &y) const
    {
        T one = x, other = y;
        x = one * c - other * turned_s;
        y = one * s + other * turned_c;
    }
    /* The same of rows, by conjugates. */
    PYCUDA_DEVICE void apply_back(T &x, T &y) const
    {
        T one = x, other = y;
        x = one * c - other * conjugate(turned_s);
        y = one * s + other * conjugate(turned_c);
    }
};

/* How many come before number j: the larger, or the smaller ones, and of equal ones
   those before it. */
template <bool is_falling, class R>
PYCUDA_DEVICE int place_of(const R *values, int count, int j)
{
    int place = 0;
    R mine = values[j];
    for (int i = 0; i < count; i++) {
        R other = values[i];
        place += (is_falling ? other > mine : other < mine) || (other == mine && i < j);
    }
    return place;
}

/* -- Eigenvalues ------------------------------------------------------------------- */

template <class T> struct turn_of_pair {
    rotation<T> by;
    int p, q; /* which */
};

/* Turns each pair of rows and columns of a Hermitian matrix, so that what they have in
   common is 0, and of columns of v, if there are any; whether there was one to turn. */
template <class T>
PYCUDA_DEVICE bool sweep_eigen(T *m, T *v, int pitch, int n, turn_of_pair<T> *turns)
{
    typedef typename parts_of<T>::real R;
    thread_of_block t;
    const R least = ::ldexp(R(1), -parts_of<T>::digits);
    int half = (n + 1) / 2;
    bool mine = false;
    for (int round = 0; round < 2 * half - 1; round++) {
        for (int k = t.number; k < half; k += t.all) {
            match pair(round, k, 2 * half);
            turn_of_pair<T> turn;
            turn.p = pair.p, turn.q = pair.q;
            T ab = m[pair.p * pitch + pair.q];
            if (about(ab) > least) {
                mine = true;
                turn.by = rotation<T>(real_part(m[pair.p * pitch + pair.p]),
                                      real_part(m[pair.q * pitch + pair.q]), ab);
            }
            turns[k] = turn;
        }
        __syncthreads();
        for (int i = t.y; i < half; i += t.height) {
            turn_of_pair<T> down = turns[i];
            for (int j = t.x; j < half; j += t.width) {
                turn_of_pair<T> along = turns[j];
                T pp = m[down.p * pitch + along.p], pq = m[down.p * pitch + along.q];
                T qp = m[down.q * pitch + along.p], qq = m[down.q * pitch + along.q];
                along.by.apply(pp, pq);
                along.by.apply(qp, qq);
                down.by.apply_back(pp, qp);
                down.by.apply_back(pq, qq);
                if (i == j && down.by.s != 0) /* rounding would come again and again */
                    pq = qp = T(R(0));
                m[down.p * pitch + along.p] = pp, m[down.p * pitch + along.q] = pq;
                m[down.q * pitch + along.p] = qp, m[down.q * pitch + along.q] = qq;
            }
        }
        for (int j = t.x; v && j < half; j += t.width) {
            turn_of_pair<T> along = turns[j];
            for (int i = t.y; i < n; i += t.height)
                along.by.apply(v[i * pitch + along.p], v[i * pitch + along.q]);
        }
        __syncthreads();
    }
    return __syncthreads_or(mine);
}

/* Of Hermitian matrices, whose lower or upper triangle is read; vectors: columns, or
   NULL. */
template <bool is_upper, class T, class R>
PYCUDA_DEVICE void eigen_small(const T *a, int n, R *values, T *vectors, int *outcomes)
{
    thread_of_block t;
    memory_of_block memory;
    int half = (n + 1) / 2,
        pitch = pitch_of(2 * half); /* perhaps with a row of zeros */
    T *m = memory.take<T>(2 * half * pitch);
    T *v = vectors ? memory.take<T>(n * pitch) : 0;
    turn_of_pair<T> *turns = memory.take<turn_of_pair<T>>(half);
    R *found = memory.take<R>(n);
    long long matrix = blockIdx.x;
    if (!load(m, pitch, a + matrix * n * n, n, n, outcomes))
        return;
    for (int i = t.y; i < n; i += t.height)
        for (int j = t.x; j < i; j += t.width)
            if (is_upper)
                m[i * pitch + j] = conjugate(m[j * pitch + i]);
            else
                m[j * pitch + i] = conjugate(m[i * pitch + j]);
    __syncthreads();
    scaling<R> scale(m, pitch, n, n);
    for (int i = t.y; i < 2 * half; i += t.height)
        for (int j = t.x; j < 2 * half; j += t.width) {
            T x = i < n && j < n ? scale.to(m[i * pitch + j]) : T(R(0));
            m[i * pitch + j] = i == j ? T(real_part(x)) : x;
            if (vectors && i < n)
                v[i * pitch + j] = T(R(i == j));
        }
    __syncthreads();
    bool turned = true;
    for (int sweep = 0; turned && sweep < most_sweeps; sweep++)
        turned = sweep_eigen(m, v, pitch, n, turns);
    for (int j = t.number; j < n; j += t.all)
        found[j] = real_part(m[j * pitch + j]);
    if (t.number == 0 && turned)
        outcomes[1 + matrix] = did_not_converge;
    __syncthreads();
    for (int j = t.number; j < n; j += t.all)
        values[matrix * n + place_of<false>(found, n, j)] = scale.back(found[j]);
    for (int j = t.x; vectors && j < n; j += t.width) {
        int place = place_of<false>(found, n, j);
        for (int i = t.y; i < n; i += t.height)
            vectors[(matrix * n + i) * n + place] = v[i * pitch + j];
    }
}

/* -- Singular values --------------------------------------------------------------- */

/* Of matrices with no fewer rows than columns; columns lie one after the other. */
template <class T> struct singular {
    typedef typename parts_of<T>::real R;
    T *u, *v, *work; /* k columns of m, n of n, or none; k */
    R *lengths;      /* n */
    int *place;      /* column k of the result is in column place[k] of u */
    int m, n, k, ldu, ldv;

    /* Makes columns orthogonal: 0, or what failed. */
    PYCUDA_DEVICE int run()
    {
        thread_of_block t;
        int half = (n + 1) / 2;
        const R least =
            ::ldexp(R(1), 1 - parts_of<T>::digits) * ::sqrt(R(m > 4 ? m : 4));
        bool turned = true;
        for (int sweep = 0; turned && sweep < most_sweeps; sweep++) {
            bool mine = false;
            for (int round = 0; round < 2 * half - 1; round++) {
                for (int first = 0; first < half; first += t.height) {
                    int number = first + t.y;
                    match pair(round, number < half ? number : 0, 2 * half);
                    mine |= turn(pair, number < half && pair.q < n, least);
                }
                __syncthreads();
            }
            turned = __syncthreads_or(mine);
        }
        return turned ? did_not_converge : 0;
    }

    /* By a row of threads; whether there was something to turn. */
    PYCUDA_DEVICE bool turn(match pair, bool is_one, R least)
    {
        thread_of_block t;
        T *x = u + pair.p * ldu, *y = u + pair.q * ldu;
        R aa = 0, bb = 0;
        T ab = T(R(0));
        for (int i = t.x; is_one && i < m; i += t.width) {
            aa += square(x[i]);
            bb += square(y[i]);
            ab += conjugate(x[i]) * y[i];
        }
        aa = sum_of_row(aa), bb = sum_of_row(bb), ab = sum_of_row(ab);
        if (!is_one || aa <= nothing<R>() || bb <= nothing<R>() ||
            !(absolute(ab) > least * ::sqrt(aa) * ::sqrt(bb)))
            return false;
        rotation<T> turn(aa, bb, ab);
        for (int i = t.x; i < m; i += t.width)
            turn.apply(x[i], y[i]);
        for (int i = t.x; v && i < n; i += t.width)
            turn.apply(v[pair.p * ldv + i], v[pair.q * ldv + i]);
        return true;
    }

    /* Lengths of columns, and which comes where; how many are more than nothing. */
    PYCUDA_DEVICE int measure()
    {
        thread_of_block t;
        for (int first = 0; first < n; first += t.height) {
            int j = first + t.y;
            R sum = 0;
            for (int i = t.x; j < n && i < m; i += t.width)
                sum += square(u[j * ldu + i]);
            sum = sum_of_row(sum);
            if (j < n && t.x == 0)
                lengths[j] = ::sqrt(sum);
        }
        __syncthreads();
        for (int j = t.number; j < k; j += t.all)
            place[j < n ? place_of<true>(lengths, n, j) : j] = j;
        __syncthreads();
        R none = lengths[place[0]] * 2 * ::sqrt(nothing<R>());
        int rank = 0;
        for (int j = 0; j < n; j++)
            rank += lengths[j] > none;
        return rank;
    }

    PYCUDA_DEVICE void normalise(int rank)
    {
        thread_of_block t;
        for (int j = t.y; j < rank; j += t.height)
            for (int i = t.x; i < m; i += t.width)
                u[place[j] * ldu + i] = u[place[j] * ldu + i] / lengths[place[j]];
        __syncthreads();
    }

    /* Column number `rank`, of the unit vector that is farthest from those before it.
     */
    PYCUDA_DEVICE void complete(int rank)
    {
        thread_of_block t;
        T *x = u + place[rank] * ldu;
        for (int i = t.number; i < m; i += t.all) {
            R cover = 0;
            for (int j = 0; j < rank; j++)
                cover += square(u[place[j] * ldu + i]);
            x[i] = T(cover);
        }
        __syncthreads();
        int best = 0;
        for (int i = 1; i < m; i++)
            best = real_part(x[i]) < real_part(x[best]) ? i : best;
        __syncthreads();
        for (int i = t.number; i < m; i += t.all)
            x[i] = T(R(i == best));
        __syncthreads();
        for (int twice = 0; twice < 2; twice++) {
            for (int first = 0; first < rank; first += t.height) {
                int j = first + t.y;
                T sum = T(R(0));
                for (int i = t.x; j < rank && i < m; i += t.width)
                    sum += conjugate(u[place[j] * ldu + i]) * x[i];
                sum = sum_of_row(sum);
                if (j < rank && t.x == 0)
                    work[j] = sum;
            }
            __syncthreads();
            for (int i = t.number; i < m; i += t.all) {
                T rest = x[i];
                for (int j = 0; j < rank; j++)
                    rest -= work[j] * u[place[j] * ldu + i];
                x[i] = rest;
            }
            __syncthreads();
        }
        R sum = 0;
        for (int i = t.x; i < m; i += t.width)
            sum += square(x[i]);
        sum = ::sqrt(sum_of_row(sum));
        __syncthreads();
        for (int i = t.number; i < m; i += t.all)
            x[i] = x[i] / sum;
        __syncthreads();
    }
};

/* Values, falling, and u, m x k, and vh, n x n, or both NULL; is_wide: a is n x m, and
   its conjugate transpose is computed with: of it u is n x n and vh k x m. */
template <bool is_wide, class T, class R>
PYCUDA_DEVICE void svd_small(const T *a, int m, int n, int k, T *u, R *values, T *vh,
                             int *outcomes)
{
    thread_of_block t;
    memory_of_block memory;
    singular<T> s;
    s.m = m, s.n = n, s.k = u ? k : n, s.ldu = pitch_of(m), s.ldv = pitch_of(n);
    s.u = memory.take<T>(s.ldu * s.k);
    s.v = u ? memory.take<T>(s.ldv * n) : 0;
    s.work = memory.take<T>(s.k);
    s.lengths = memory.take<R>((n + 3) / 4 * 4); /* wide loads may pass the end */
    s.place = memory.take<int>(s.k);
    long long matrix = blockIdx.x;
    a += matrix * m * n;
    bool is_it = true;
    for (int i = t.y; i < (is_wide ? n : m); i += t.height)
        for (int j = t.x; j < (is_wide ? m : n); j += t.width) {
            T x = a[(long long)i * (is_wide ? m : n) + j];
            is_it = is_it && is_finite(x);
            s.u[is_wide ? i * s.ldu + j : j * s.ldu + i] = is_wide ? conjugate(x) : x;
        }
    for (int i = t.y; u && i < n; i += t.height)
        for (int j = t.x; j < n; j += t.width)
            s.v[i * s.ldv + j] = T(R(i == j));
    if (!expect_finite(is_it, outcomes))
        return;
    scaling<R> scale(s.u, s.ldu, n, m);
    for (int i = t.y; i < n; i += t.height)
        for (int j = t.x; j < m; j += t.width)
            s.u[i * s.ldu + j] = scale.to(s.u[i * s.ldu + j]);
    __syncthreads();
    int failed = s.run();
    if (t.number == 0 && failed)
        outcomes[1 + matrix] = failed;
    int rank = s.measure();
    for (int j = t.number; j < n; j += t.all)
        values[matrix * n + j] = scale.back(s.lengths[s.place[j]]);
    if (!u)
        return;
    s.normalise(rank);
    for (; rank < k; rank++)
        s.complete(rank);
    T *left = is_wide ? vh + matrix * k * m : u + matrix * m * k;
    T *right = is_wide ? u + matrix * n * n : vh + matrix * n * n;
    for (int i = t.number; i < m * k; i += t.all) {
        int row = i / (is_wide ? m : k), column = i - row * (is_wide ? m : k);
        left[i] = is_wide ? conjugate(s.u[s.place[row] * s.ldu + column])
                          : s.u[s.place[column] * s.ldu + row];
    }
    for (int i = t.number; i < n * n; i += t.all) {
        int row = i / n, column = i - row * n;
        right[i] = is_wide ? s.v[s.place[column] * s.ldv + row]
                           : conjugate(s.v[s.place[row] * s.ldv + column]);
    }
}

} // namespace pycuda

#endif
