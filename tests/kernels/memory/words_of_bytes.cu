/* Four or three neighbouring bytes or two halves that a thread reads: at any address, in any order, under conditions, with
   stores in between, and rows of more and of fewer of them.

   block   1 31 64 100 256
   let     n = 1003
   vary    chance = 0, 40, 100
   let     i = arange(n)
   in      x = ints(0, 99, n, u1)
   let     yes = x < chance
   in      at = rng.permutation(n).astype(i4)
   in      bytes = ints(0, 255, 4 * n + 8, u1)
   in      signs = ints(-128, 127, 4 * n + 8, i1)
   let     pixel = bytes[1 : 4 * n + 1].reshape(n, 4).astype(i4)
   let     sign = signs[3 : 4 * n + 3].reshape(n, 4).astype(i4)
   out     y = empty(n, i4)
   out     z = empty(n, i4)
   call    pixels(x, at, bytes, signs, y, z, n, chance)
   expect  y = where(yes, pixel[at] @ array([1, 300, 7000, 70000]), -1)
   expect  z = where(yes, sign[at] @ array([1, -300, 7000, -70000]), -1)

   out     y2 = empty(n, i4)
   call    straight(x, bytes, y2, n, chance)
   expect  y2 = where(yes, pixel @ array([70000, 7000, 300, 1]), -1)

   in      shorts = ints(-30000, 30000, 2 * n + 3, i2)
   in      halves = ints(-99, 99, 2 * n + 3).astype(float16)
   let     pair = shorts[1 : 2 * n + 1].reshape(n, 2).astype(i4)
   let     half = halves[3 : 2 * n + 3].reshape(n, 2).astype(i4)
   out     y3 = empty(n, i4)
   out     z3 = empty(n, i4)
   call    pairs(x, at, shorts, halves, y3, z3, n, chance)
   expect  y3 = where(yes, 2 * pair[at, 1] - pair[at, 0], -1)
   expect  z3 = where(yes, 200 * half[at, 1] + half[at, 0], -1)

   out     y4 = empty(n, i4)
   let     near = lib.stride_tricks.sliding_window_view(bytes, 7)[at].astype(i4)
   call    neighbours(at, bytes, y4, n)
   expect  y4 = near @ array([1, 20, 300, 4000, 300, 20, 1])

   inout   own = bytes[: 4 * n].copy()
   let     was = bytes[: 4 * n].reshape(n, 4)[at].astype(i4)
   out     y5 = empty(n, i4)
   call    written(x, at, own, y5, n, chance)
   expect  y5 = where(yes, was @ array([1, 0, 1000, 100000]) + 10 * ((was[:, 0] + 1) % 256), -1)

   in      colours = ints(0, 255, 3 * n + 7, u1)
   out     y6 = empty(n, i4)
   out     z6 = empty(n, i4)
   let     colour = colours[5 : 3 * n + 5].reshape(n, 3)[at].astype(i4)
   let     last = colours[3 * n + 4 : 3 * n + 7].astype(i4)
   call    threes(x, at, colours, y6, z6, n, chance)
   expect  y6 = where(yes, colour @ array([1, 300, 70000]), -1)
   expect  z6 = colour @ array([70000, 1, 300]) + last @ array([1, 2, 3])

   inout   drawn = colours[: 3 * n].copy()
   let     seen = colours[: 3 * n].reshape(n, 3)[at].astype(i4)
   out     y7 = empty(n, i4)
   call    drawn_over(at, drawn, y7, n)
   expect  y7 = seen @ array([1, 0, 1000]) + 10 * ((seen[:, 0] + 1) % 256)

   vary    length = 0, 1, 5, 64
   in      a = ints(0, 255, 16 * 64, u1)
   in      b = ints(-128, 127, 16 * 64, i1)
   out     sum = empty(n, i4)
   let     product = a.reshape(64, 16).astype(i4) * b.reshape(64, 16)
   call    products(a, b, sum, n, length)
   expect  sum = [product[k % 7 : length : 1 + k % 3].sum() for k in range(n)]
*/
#include <cuda_fp16.h>

extern "C" __global__ void pixels(const unsigned char *x, const int *at, const unsigned char *bytes, const signed char *signs,
                                  int *y, int *z, int n, int chance)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = z[i] = -1;
    if (x[i] < chance) {
        const unsigned char *p = bytes + 1 + 4 * at[i];
        const signed char *q = signs + 3 + 4 * at[i];
        y[i] = p[0] + 300 * p[1] + 7000 * p[2] + 70000 * p[3];
        z[i] = q[0] - 300 * q[1] + 7000 * q[2] - 70000 * q[3];
    }
}

/* One after the other, the last byte first. */
extern "C" __global__ void straight(const unsigned char *x, const unsigned char *bytes, int *y, int n, int chance)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = -1;
    if (x[i] < chance) {
        int sum = bytes[4 * i + 4];
        sum += 300 * bytes[4 * i + 3];
        sum += 7000 * bytes[4 * i + 2];
        y[i] = sum + 70000 * bytes[4 * i + 1];
    }
}

extern "C" __global__ void pairs(const unsigned char *x, const int *at, const short *shorts, const half *halves, int *y, int *z,
                                 int n, int chance)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = z[i] = -1;
    if (x[i] < chance) {
        int k = 2 * at[i];
        y[i] = 2 * shorts[k + 2] - shorts[k + 1];
        z[i] = 200 * (int)halves[k + 4] + (int)halves[k + 3];
    }
}

extern "C" __global__ void neighbours(const int *at, const unsigned char *bytes, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const unsigned char *p = bytes + at[i] + 3;
        y[i] = 4000 * p[0] + 300 * (p[-1] + p[1]) + 20 * (p[-2] + p[2]) + p[-3] + p[3];
    }
}

/* The second byte is another when it is read. */
extern "C" __global__ void written(const unsigned char *x, const int *at, unsigned char *own, int *y, int n, int chance)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = -1;
    if (x[i] < chance) {
        unsigned char *p = own + 4 * at[i];
        int first = p[0];
        p[1] = first + 1;
        y[i] = first + 10 * p[1] + 1000 * p[2] + 100000 * p[3];
    }
}

/* The last ones end with the array. */
extern "C" __global__ void threes(const unsigned char *x, const int *at, const unsigned char *colours, int *y, int *z, int n,
                                  int chance)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const unsigned char *p = colours + 5 + 3 * at[i], *last = colours + 3 * (n + (at[i] >> 20)) + 4;
    y[i] = -1;
    z[i] = p[1] + 300 * p[2] + 70000 * p[0] + 3 * last[2] + last[0] + 2 * last[1];
    if (x[i] < chance)
        y[i] = p[0] + 300 * p[1] + 70000 * p[2];
}

/* The second byte is another when it is read. */
extern "C" __global__ void drawn_over(const int *at, unsigned char *drawn, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned char *p = drawn + 3 * at[i];
    int first = p[0];
    p[1] = first + 1;
    y[i] = first + 10 * p[1] + 1000 * p[2];
}

/* In a loop that threads leave one after the other. */
extern "C" __global__ void products(const unsigned char *a, const signed char *b, int *sum, int n, int length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int all = 0;
    for (int k = i % 7; k < length; k += 1 + i % 3)
        for (int m = 0; m < 16; m += 4)
            all += a[16 * k + m] * b[16 * k + m] + a[16 * k + m + 1] * b[16 * k + m + 1] +
                   a[16 * k + m + 2] * b[16 * k + m + 2] + a[16 * k + m + 3] * b[16 * k + m + 3];
    sum[i] = all;
}
