/* Structures copied by way of a variable, which may overlap with where they go, change in between, or go to several places; and
   alike on both ways of a branch.

   block  1 33 64
   let    n = threads * 2
   in     x = ints(0, 255, (n + 1, 16), u1)
   inout  y = x.copy()
   out    z = empty((n, 16), u1)
   out    w = empty((n, 16), u1)
   call   f(x, y, z, w, n)
   expect y = concatenate([x[:1], where((arange(n) % 3 == 0)[:, None], x[:n] ^ (arange(16) == 3), x[1:])])
   expect z = where((arange(n) % 2 == 0)[:, None], x[:n], x[1:])
   expect w = concatenate([x[:n, 4:], x[:n, :4]], 1)
*/
struct __align__(16) bytes {
    unsigned char b[16];
};

extern "C" __global__ void f(const bytes *x, bytes *y, bytes *z, bytes *w, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    bytes t = x[i + 1], s = x[i];
    if (i % 3 == 0) {
        t = s;
        t.b[3] ^= 1;
    }
    y[i + 1] = t;
    if (i % 2) {
        bytes between = x[i + 1];
        z[i] = between;
    } else {
        bytes between = x[i];
        z[i] = between;
    }
    /* from a place that overlaps with where it goes */
    w[i] = s;
    unsigned char *p = w[i].b;
    bytes turned;
    __builtin_memcpy(&turned, p, 16);
    unsigned first;
    __builtin_memcpy(&first, p, 4);
    struct part {
        unsigned char b[12];
    } rest;
    __builtin_memcpy(&rest, p + 4, 12);
    __builtin_memcpy(p, &rest, 12);
    __builtin_memcpy(p + 12, &first, 4);
}
