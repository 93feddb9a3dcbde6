/* ldmatrix, stmatrix's twin by hand, movmatrix: matrices of 8 x 8 words of 16 bits from rows in
   shared memory that lanes give the addresses of.

   block  32 64
   let    w = threads // 32
   in     x = ints(0, 65535, (w, 4, 8, 8), u2)
   out    y = empty((w, 6, 32, 2), u2)
   let    t = x.swapaxes(2, 3)
   def    words(m): return m.reshape(w, -1, 32, 2)
   call   f(x, y)
   expect y[:, :4] = concatenate([words(x[:, 3:]), words(t[:, 1:2]), words(x[:, 2:3]), words(t[:, :1])], 1)
   expect y[:, 4] = words(t[:, 2:3])[:, 0]
   expect y[:, 5] = words(x[:, 2:3])[:, 0]
*/
extern "C" __global__ void f(const uint4 *x, unsigned *y)
{
    __shared__ uint4 rows[2][32];
    int w = threadIdx.x / 32, l = threadIdx.x % 32;
    rows[w][l] = x[threadIdx.x];
    __syncwarp();
    unsigned at = (unsigned)__cvta_generic_to_shared(&rows[w][l]), two = (unsigned)__cvta_generic_to_shared(&rows[w][8 + l % 8]);
    unsigned r[4], s[4], one, moved, back;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(s[0]), "=r"(s[1]) : "r"(at));
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared::cta.b16 {%0}, [%1];" : "=r"(one) : "r"(two));
    asm("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(moved) : "r"(r[2]));
    asm("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(back) : "r"(moved));
    y += w * 192 + l;
    y[0] = r[3];
    y[32] = one == s[1] ? one : 0;
    y[64] = r[2];
    y[96] = s[0];
    y[128] = moved;
    y[160] = back;
}
