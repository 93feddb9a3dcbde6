/* Local arrays in which all threads have the same, and some that only seem so: as volatile ones, which are left as they
   are.

   block  1 32 33 16x5 100
   vary   n = 4, 13
   in     x = ints(0, 12, 200, u4)
   let    m = 2 * threads
   out    y = empty((8, m), u4)
   out    z = empty((8, m), u4)
   call   plain0[2](x, y, n, m)
   call   plain1[2](x, y, n, m)
   call   plain2[2](x, y, n, m)
   call   plain3[2](x, y, n, m)
   call   plain4[2](x, y, n, m)
   call   plain5[2](x, y, n, m)
   call   plain6[2](x, y, n, m)
   call   plain7[2](x, y, n, m)
   call   exact0[2](x, z, n, m)
   call   exact1[2](x, z, n, m)
   call   exact2[2](x, z, n, m)
   call   exact3[2](x, z, n, m)
   call   exact4[2](x, z, n, m)
   call   exact5[2](x, z, n, m)
   call   exact6[2](x, z, n, m)
   call   exact7[2](x, z, n, m)
   expect (y[:, 0] == z[:, 0]).all()
   expect (y == z).all()
*/
/* All the same: of bytes and words, filled and copied, in loops that all go around as often. */
template <class T> __device__ unsigned alike(const unsigned *x, int n, int)
{
    T own[16] = {}, other[16];
    for (int j = 0; j < n; j++) {
        own[x[j]] += x[j + 1] * 5;
        if (own[j] & 1)
            own[j + 1] = j;
    }
    for (int j = 0; j < 16; j++)
        other[j] = own[(j + n) % 16];
    for (int j = 0; j < n; j++)
        other[x[j]] ^= other[x[j + 1]];
    return other[n / 2] + 3 * other[1];
}

/* What is read by other places than were written. */
template <class T> __device__ unsigned looked_up(const unsigned *x, int n, int t)
{
    T own[16] = {1, 2, 3};
    own[n] = x[n];
    return own[t % 16] + own[x[2]];
}

/* Stored by some alone, in front of what all store. */
template <class T> __device__ unsigned parted(const unsigned *x, int n, int t)
{
    T own[16] = {1, 2, 3};
    if (x[t % 100] > 6)
        own[n] = 8;
    own[x[1]] += 4;
    return own[x[2]] + own[n] * 16 + own[x[1]] * 256;
}

/* Stored at the head of a loop that threads leave one by one, and behind it. */
template <class T> __device__ unsigned left_behind(const unsigned *x, int n, int t)
{
    T own[16] = {};
    for (int j = 0; j < n; j++) {
        own[x[j]] = j + 1;
        if (x[t % 100 + j] == 7)
            break;
    }
    own[x[20]] += 100;
    return own[x[1]] + own[x[2]] * 16 + own[x[20]] * 256;
}

/* Stored where some have left for good. */
template <class T> __device__ unsigned returned(const unsigned *x, int n, int t)
{
    T own[16] = {};
    own[x[3]] = n;
    if (x[t % 100] > 6)
        return own[n];
    for (int j = 0; j < n; j++)
        own[x[j]] += j;
    return own[x[1]];
}

/* One of another that differs. */
template <class T> __device__ unsigned of_other(const unsigned *x, int n, int t)
{
    T first[16] = {}, second[16] = {}, third[16] = {};
    third[x[1]] = 9;
    second[n + 1] = third[n] + 1;
    for (int j = 0; j < n; j++) {
        second[x[j]] += first[j];
        first[x[j + 1]] = second[j] + (j == 2 ? t : 0);
        third[x[j + 2]] += 2;
    }
    return second[x[1]] + 100 * third[x[2]];
}

/* Of a thread's own number of turns inside turns that are all threads'. */
template <class T> __device__ unsigned turns(const unsigned *x, int n, int t)
{
    T own[16] = {};
    unsigned sum = 0;
    for (int j = 0; j < n; j++) {
        own[x[j]] += j;
        for (unsigned k = 0; k < x[t % 100]; k++)
            sum += own[k] + own[x[k]];
    }
    return sum;
}

/* One pointer to two of them. */
template <class T> __device__ unsigned either(const unsigned *x, int n, int t)
{
    T first[16] = {}, second[16] = {};
    first[x[1]] = n;
    T *p = x[t % 100] > 6 ? first : second;
    p[x[2]] += 3;
    return first[x[2]] + 16 * second[x[2]] + 256 * first[x[1]];
}

#define KERNELS(k, f) \
    extern "C" __global__ void plain##k(const unsigned *x, unsigned *y, int n, int m) { run(f<unsigned>, k); } \
    extern "C" __global__ void exact##k(const unsigned *x, unsigned *y, int n, int m) { run(f<volatile unsigned>, k); }
#define run(f, k) \
    int t = threadIdx.x + blockDim.x * threadIdx.y; \
    y[k * m + blockIdx.x * blockDim.x * blockDim.y + t] = f(x, n, t)
KERNELS(0, alike)
KERNELS(1, looked_up)
KERNELS(2, parted)
KERNELS(3, left_behind)
KERNELS(4, returned)
KERNELS(5, of_other)
KERNELS(6, turns)
KERNELS(7, either)
