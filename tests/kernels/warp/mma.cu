/* mma.sync in shapes of 16 and 8 rows: half, bfloat16, tf32, bytes, fours, bits, double, and sums
   of half. Fragments are laid out as the PTX ISA's figures have them: of lane 4g + t, word w
   belongs to row g (A: g + 8 where w is odd), its elements to k = (4 * block + t) * elements on.

   block  32 64
   let    w = threads // 32
   let    g = arange(32) // 4
   let    t = arange(32) % 4
   in     a = ints(0, 2**32 - 1, (w, 32, 4), u4)
   in     b = ints(0, 2**32 - 1, (w, 32, 2), u4)
   in     c = ints(-300, 300, (w, 32, 4))
   in     small = ints(-8, 8, (w, 2, 32, 8)).astype(float16)
   in     wide = ints(-99, 99, (w, 2, 32, 8)).astype(f8)
   out    i = empty((w, 7, 32, 4), i4)
   out    s = empty((w, 4, 32, 4), f4)
   out    h = empty((w, 32, 4), float16)
   out    d = empty((w, 2, 32, 4), f8)
   def    left(x, words, parts, rows):
            m = zeros((w, 8 * rows, 4 * parts * words // rows))
            for k in range(words):
                for j in range(parts):
                    m[:, g + 8 * (k % rows), (4 * (k // rows) + t) * parts + j] = x[:, :, k * parts + j]
            return m
   def    right(x, words, parts): return left(x, words, parts, 1).swapaxes(1, 2)
   def    sums(m, rows): return stack([m[:, g + 8 * (r // 2), 2 * t + r % 2] for r in range(2 * rows)], 2)
   def    spread(x, rows):
            m = zeros((w, 8 * rows, 8))
            for r in range(2 * rows):
                m[:, g + 8 * (r // 2), 2 * t + r % 2] = x[:, :, r]
            return m
   def    product(x, y, words, parts, rows=2): return sums(left(x, words, parts, rows) @ right(y, words // rows, parts) + spread(c, rows), rows)
   def    bytes_of(x, type): return x.view(type).reshape(w, 32, -1)
   def    fours(x, sign): return ((x.view(u1)[..., None] >> array([0, 4], u1) & 15).reshape(w, 32, -1).astype(i8) ^ sign) - sign
   def    bits(x): return unpackbits(x.view(u1), axis=-1, bitorder="little").reshape(w, 32, -1)
   call   f(a, b, c, small, wide, i, s, h, d)
   expect s[:, 0] = product(small[:, 0], small[:, 1], 4, 2)
   expect s[:, 1] = product(small[:, 0], small[:, 1], 2, 2)
   expect s[:, 2] = product(small[:, 0], small[:, 1], 4, 2)
   expect s[:, 3] = product(small[:, 0], small[:, 1], 4, 1)
   expect h = product(small[:, 0], small[:, 1], 4, 2)
   expect i[:, 0] = product(bytes_of(a, i1), bytes_of(b, i1), 4, 4)
   expect i[:, 1] = product(bytes_of(a, u1), bytes_of(b, u1), 2, 4)
   expect i[:, 2] = product(bytes_of(a, i1), bytes_of(b, u1), 2, 4)
   expect i[:, 3, :, :2] = product(bytes_of(a, i1), bytes_of(b, i1), 1, 4, 1)
   expect i[:, 4] = product(fours(a, 8), fours(b, 8), 4, 8)
   expect i[:, 5] = product(fours(a, 0), fours(b, 0), 2, 8)
   expect i[:, 6] = product(bits(a), bits(b), 4, 32)
   expect d[:, 0] = product(wide[:, 0], wide[:, 1], 8, 1)
   expect d[:, 1, :, :2] = product(wide[:, 0], wide[:, 1], 1, 1, 1)
*/
#include <cuda_fp16.h>

#define MMA4(text, bound, r, A, B, C)                                                                                     \
    asm volatile("mma.sync.aligned." text " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"                   \
                 : "=" bound(r[0]), "=" bound(r[1]), "=" bound(r[2]), "=" bound(r[3])                                      \
                 : "r"(A[0]), "r"(A[1]), "r"(A[2]), "r"(A[3]), "r"(B[0]), "r"(B[1]), bound(C[0]), bound(C[1]), bound(C[2]), \
                   bound(C[3]))
#define MMA2(text, bound, r, A, B, C)                                                                        \
    asm volatile("mma.sync.aligned." text " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"                  \
                 : "=" bound(r[0]), "=" bound(r[1]), "=" bound(r[2]), "=" bound(r[3])                         \
                 : "r"(A[0]), "r"(A[1]), "r"(B[0]), bound(C[0]), bound(C[1]), bound(C[2]), bound(C[3]))

__device__ unsigned pair(half x, half y)
{
    return __half_as_ushort(x) | (unsigned)__half_as_ushort(y) << 16;
}
extern "C" __global__ void f(const unsigned *a, const unsigned *b, const int *c, const half *small, const double *wide, int *i,
                             float *s, unsigned *h, double *d)
{
    int w = threadIdx.x / 32, l = threadIdx.x % 32;
    a += (w * 32 + l) * 4, b += (w * 32 + l) * 2, c += (w * 32 + l) * 4;
    small += (w * 64 + l) * 8, wide += (w * 64 + l) * 8;
    i += (w * 7 * 32 + l) * 4, s += (w * 4 * 32 + l) * 4, h += (w * 32 + l) * 2, d += (w * 64 + l) * 4;
    unsigned A[4], B[2], T[4], U[2], F[4], G[2];
    float C[4] = {(float)c[0], (float)c[1], (float)c[2], (float)c[3]};
    for (int k = 0; k < 4; k++) {
        half x = small[2 * k], y = small[2 * k + 1];
        A[k] = pair(x, y);
        T[k] = __float_as_uint(__half2float(x)) >> 16 | (__float_as_uint(__half2float(y)) & 0xffff0000);
        F[k] = __float_as_uint(__half2float(small[k]));
    }
    for (int k = 0; k < 2; k++) {
        half x = small[256 + 2 * k], y = small[256 + 2 * k + 1];
        B[k] = pair(x, y);
        U[k] = __float_as_uint(__half2float(x)) >> 16 | (__float_as_uint(__half2float(y)) & 0xffff0000);
        G[k] = __float_as_uint(__half2float(small[256 + k]));
    }
    MMA4("m16n8k16.row.col.f32.f16.f16.f32", "f", s, A, B, C);
    s += 128;
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"
                 : "=f"(s[0]), "=f"(s[1]), "=f"(s[2]), "=f"(s[3])
                 : "r"(A[0]), "r"(A[1]), "r"(B[0]), "f"(C[0]), "f"(C[1]), "f"(C[2]), "f"(C[3]));
    s += 128;
    MMA4("m16n8k16.row.col.f32.bf16.bf16.f32", "f", s, T, U, C);
    s += 128;
    MMA4("m16n8k8.row.col.f32.tf32.tf32.f32", "f", s, F, G, C);
    unsigned H[2] = {pair(C[0], C[1]), pair(C[2], C[3])};
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%8,%9};"
                 : "=r"(h[0]), "=r"(h[1])
                 : "r"(A[0]), "r"(A[1]), "r"(A[2]), "r"(A[3]), "r"(B[0]), "r"(B[1]), "r"(H[0]), "r"(H[1]));
    MMA4("m16n8k32.row.col.s32.s8.s8.s32", "r", i, a, b, c);
    i += 128;
    MMA2("m16n8k16.row.col.s32.u8.u8.s32", "r", i, a, b, c);
    i += 128;
    MMA2("m16n8k16.row.col.satfinite.s32.s8.u8.s32", "r", i, a, b, c);
    i += 128;
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0,%1}, {%2}, {%3}, {%4,%5};"
                 : "=r"(i[0]), "=r"(i[1]) : "r"(a[0]), "r"(b[0]), "r"(c[0]), "r"(c[1]));
    i += 128;
    MMA4("m16n8k64.row.col.s32.s4.s4.s32", "r", i, a, b, c);
    i += 128;
    MMA2("m16n8k32.row.col.s32.u4.u4.s32", "r", i, a, b, c);
    i += 128;
    asm volatile("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
                 : "=r"(i[0]), "=r"(i[1]), "=r"(i[2]), "=r"(i[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
    double D[4] = {(double)c[0], (double)c[1], (double)c[2], (double)c[3]};
    const double *y = wide + 256;
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, "
                 "{%12,%13,%14,%15}, {%16,%17,%18,%19};"
                 : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])
                 : "d"(wide[0]), "d"(wide[1]), "d"(wide[2]), "d"(wide[3]), "d"(wide[4]), "d"(wide[5]), "d"(wide[6]), "d"(wide[7]),
                   "d"(y[0]), "d"(y[1]), "d"(y[2]), "d"(y[3]), "d"(D[0]), "d"(D[1]), "d"(D[2]), "d"(D[3]));
    d += 128;
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%4,%5};"
                 : "=d"(d[0]), "=d"(d[1]) : "d"(wide[0]), "d"(y[0]), "d"(D[0]), "d"(D[1]));
}
