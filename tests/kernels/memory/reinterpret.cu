/* The same bytes seen as words, bytes, floats: casts of pointers, unions, memcpy.

   let    n = 220
   in     x = ints(0, 2**32 - 1, n, u4)
   out    bytes = empty(4 * n, u1)
   out    y = empty((n, 3), u4)
   let    b = x.view(u1).reshape(n, 4)
   call   views(x, bytes, y, n)
   expect bytes = b[:, ::-1].reshape(-1)
   expect y = stack([(f4(1) + arange(n, dtype=f4)).view(u4), b[:, 1] * u4(256) + b[:, 2], x >> u4(16)], 1)
*/
union word {
    unsigned all;
    unsigned char byte[4];
    unsigned short half[2];
};

extern "C" __global__ void views(const unsigned *x, unsigned char *bytes, unsigned *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const unsigned char *b = (const unsigned char *)(x + i);
    for (int k = 0; k < 4; k++)
        bytes[4 * i + k] = b[3 - k];
    float f = 1.0f + i;
    memcpy(&y[3 * i], &f, sizeof f);
    word w;
    w.all = x[i];
    y[3 * i + 1] = w.byte[1] * 256 + w.byte[2];
    y[3 * i + 2] = w.half[1];
}
