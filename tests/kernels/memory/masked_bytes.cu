/* Stores of 1 and 2 bytes by some threads of a row: to several arrays under one condition, with what they read in
   between, of values that differ and that do not, beside bytes that threads of other blocks write.

   block   1 31 64 255
   let     n = 4099
   vary    chance = 0, 3, 50, 97, 100
   let     i = arange(n)
   in      x = ints(0, 99, n + 1, u1)
   let     yes = x[1:] < chance
   inout   b = ints(-99, 99, n, i1)
   inout   h = ints(-99, 99, n + 1, i2)
   inout   e = ints(-99, 99, n).astype(float16)
   inout   mark = zeros(n, u1)
   out     seen = empty(n, i4)
   call    several(x, b, h, e, mark, seen, n, chance)
   expect  b = where(yes, 7, b)
   expect  h[1:] = where(yes, 300 + i % 1000, h[1:])
   expect  e = where(yes, e + 1, e)
   expect  mark = where(yes, 1, 0)
   expect  seen = where(yes, 7 + h[1:].astype(i4), -1)

   inout   own = zeros(2 * n, u1)
   call    beside(x, own, n, chance)
   expect  own.reshape(n, 2)[:, 0] = where(yes, 5, 0)
   expect  own.reshape(n, 2)[:, 1] = where(yes, 0, 6)

   inout   list = zeros(n, i2)
   call    backwards(x, list, n, chance)
   expect  list = where(yes, i - 50, 0).astype(i2)[::-1]
*/
#include <cuda_fp16.h>

extern "C" __global__ void several(const unsigned char *x, signed char *b, short *h, half *e, unsigned char *mark, int *seen,
                                   int n, int chance)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        seen[i] = -1;
        if (x[i + 1] < chance) {
            int before = h[i + 1];
            b[i] = 7;
            h[i + 1] = 300 + i % 1000;
            mark[i] = 1;
            seen[i] = b[i] + before;
            e[i] = e[i] + half(1);
        }
    }
}

/* Odd bytes and even ones. */
extern "C" __global__ void beside(const unsigned char *x, unsigned char *own, int n, int chance)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (x[i + 1] < chance)
        own[2 * i] = 5;
    else
        own[2 * i + 1] = 6;
}

extern "C" __global__ void backwards(const unsigned char *x, short *list, int n, int chance)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i + 1] < chance)
        list[n - 1 - i] = i - 50;
}
