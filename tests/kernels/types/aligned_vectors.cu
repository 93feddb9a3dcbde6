/* CUDA 13's vectors of four 8-byte members, with both alignments, and their make_ functions.

   nvcc
   block  1
   let    grid = 1
   out    f = empty(8, f8)
   out    i = empty((4, 4), i8)
   out    u = empty((4, 4), u8)
   out    sizes = empty(4, i4)
   call   make(f, i, u)
   call   align(sizes)
   expect f = arange(8) + 0.5
   expect i = arange(16).reshape(4, 4) - 8
   expect u = arange(16, dtype=u8).reshape(4, 4) + uint64(2**63)
   expect sizes = [16, 32, 16, 32]
*/
extern "C" __global__ void make(double *f, long *i, unsigned long *u)
{
    const unsigned long high = 1ul << 63;
    *(double4_16a *)f = make_double4_16a(0.5, 1.5, 2.5, 3.5);
    *(double4_32a *)(f + 4) = make_double4_32a(4.5, 5.5, 6.5, 7.5);
    *(long4_16a *)i = make_long4_16a(-8, -7, -6, -5);
    *(long4_32a *)(i + 4) = make_long4_32a(-4, -3, -2, -1);
    *(longlong4_16a *)(i + 8) = make_longlong4_16a(0, 1, 2, 3);
    *(longlong4_32a *)(i + 12) = make_longlong4_32a(4, 5, 6, 7);
    *(ulong4_16a *)u = make_ulong4_16a(high, high + 1, high + 2, high + 3);
    *(ulong4_32a *)(u + 4) = make_ulong4_32a(high + 4, high + 5, high + 6, high + 7);
    *(ulonglong4_16a *)(u + 8) = make_ulonglong4_16a(high + 8, high + 9, high + 10, high + 11);
    *(ulonglong4_32a *)(u + 12) = make_ulonglong4_32a(high + 12, high + 13, high + 14, high + 15);
}
extern "C" __global__ void align(int *sizes)
{
    sizes[0] = alignof(double4_16a);
    sizes[1] = alignof(double4_32a);
    sizes[2] = alignof(ulong4_16a);
    sizes[3] = alignof(longlong4_32a);
}
