/* Inline PTX that adds vectors, pairs and floats of 16 bits atomically: each element by
   itself. Whole numbers, so that sums are exact in any order.

   block  1 33 256
   let    n = 300
   in     k = ints(0, 3, n, i4)
   inout  two = zeros((4, 2), f4)
   inout  four = zeros((4, 4), f4)
   inout  halves = zeros((4, 2), f2)
   inout  half = zeros(4, f2)
   inout  atom = zeros((4, 2), f4)
   inout  bf = zeros((4, 2), u2)
   out    old = empty(n, f4)
   def    sums(w, t = f4): return bincount(k, w, 4).astype(t)
   def    upper(v): return (v.astype(f4).view(u4) >> 16).astype(u2)
   let    x = arange(n) % 3
   call   f(k, two, four, halves, half, atom, bf, old, i4(n))
   expect two = stack([sums(x), sums(x + 1)], 1)
   expect four = stack([sums(x), sums(x + 1), sums(x + 2), sums(-x)], 1)
   expect halves = stack([sums(x, f2), sums(-x, f2)], 1)
   expect half = sums(x, f2)
   expect atom = stack([sums(x + 1), sums(x)], 1)
   expect bf = stack([upper(sums(x > 1)), upper(sums(x > 0))], 1)
   expect all(old >= 0) and all(old < 3 * n)
*/
extern "C" __global__ void f(const int *k, float2 *two, float4 *four, unsigned *halves,
                             unsigned short *half, float2 *atom, unsigned *bf, float *old, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = i % 3, y = x + 1, z = x + 2, minus = -x, other;
    const unsigned short small[3] = {0, 0x3c00, 0x4000}, less[3] = {0, 0xbc00, 0xc000};
    unsigned pair = small[i % 3] | less[i % 3] << 16;
    unsigned more = (i % 3 > 1 ? 0x3f80 : 0) | (i % 3 > 0 ? 0x3f800000 : 0);
    asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" ::"l"(two + k[i]), "f"(x), "f"(y) : "memory");
    asm volatile("red.relaxed.gpu.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(four + k[i]), "f"(x),
                 "f"(y), "f"(z), "f"(minus)
                 : "memory");
    asm volatile("red.global.add.noftz.f16x2 [%0], %1;" ::"l"(halves + k[i]), "r"(pair) : "memory");
    asm volatile("red.global.add.noftz.f16 [%0], %1;" ::"l"(half + k[i]), "h"(small[i % 3]) : "memory");
    asm volatile("red.global.add.noftz.bf16x2 [%0], %1;" ::"l"(bf + k[i]), "r"(more) : "memory");
    asm volatile("atom.global.add.v2.f32 {%0, %1}, [%2], {%3, %4};"
                 : "=f"(old[i]), "=f"(other)
                 : "l"(atom + k[i]), "f"(y), "f"(x)
                 : "memory");
}
