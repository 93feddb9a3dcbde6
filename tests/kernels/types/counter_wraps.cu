/* Loop counters of 32 bits that wrap around among neighbouring threads, widened to 64 bits.

   let    n = 200
   vary   q = 2**32 - 20, 2**31 - 20, 2**32 - 220, 5
   let    grid = cdiv(n, threads)
   let    all = grid * threads
   let    first = (q + arange(n)) % 2**32
   let    laps = arange(3)[:, newaxis]
   def    signed(v): return v.astype(u8).astype(u4).view(i4).astype(i8)
   in     x = ints(-99, 99, 64)
   out    a = empty((3, n), i8)
   out    b = empty((3, n), i8)
   out    c = empty((3, n), i8)
   out    d = empty((3, n), i4)
   out    laps_done = empty(n, i4)
   call   counters(u4(q), n, a, b, c, d, x, laps_done)
   expect a = first + laps * all
   expect b = (first + laps * all) % 2**32
   expect c = signed(first + laps * all)
   expect d = x[(first + laps * all) % 64]
   expect laps_done = cdiv(120 - arange(n) % 50, all)
*/
typedef long long i64;

extern "C" __global__ void counters(unsigned q, int n, i64 *a, i64 *b, i64 *c, int *d, const int *x,
                                    int *laps_done)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    unsigned all = gridDim.x * blockDim.x, first = q + t;
    i64 wide = first;
    for (int lap = 0; lap < 3; lap++, wide += all) {
        a[lap * n + t] = wide;
        d[lap * n + t] = x[wide % 64];
    }
    unsigned narrow = first;
    for (int lap = 0; lap < 3; lap++, narrow += all)
        b[lap * n + t] = narrow;
    int negative = first;
    for (int lap = 0; lap < 3; lap++, negative += all)
        c[lap * n + t] = negative;
    int laps = 0;
    for (i64 i = first; i < (i64)first + 120 - t % 50; i += all)
        laps++;
    laps_done[t] = laps;
}
