/* Structures with padding, halves of rows and nothing at all are copied, in any length.

   block  32
   out    x = empty((32, 8), i4)
   out    y = empty((32, 8), i4)
   out    z = empty(32, i4)
   call   f(x, y, z, 16, 0)
   expect z = arange(32) + 7
*/
struct record {
    char c;
    int v[6];
    char d;
};

extern "C" __global__ void f(record *x, record *y, int *z, int bytes, int none)
{
    __shared__ record s[32];
    __shared__ int row[32][4];
    int t = threadIdx.x, local[8];
    x[t].c = 1;
    for (int k = 0; k < 6; k++)
        x[t].v[k] = t;
    x[t].d = 2;
    memcpy(y + t, x + t, sizeof(record));
    memcpy(s + t, y + t, 2 * bytes);
    __syncthreads();
    memset(row[t], 0, bytes);
    memcpy(row[t], s[31 - t].v, bytes);
    memcpy(nullptr, s, none);
    memmove(row[t] + 1, row[t], bytes - 4);
    memcpy(local, row[t], bytes);
    z[t] = 31 - local[3] + s[31 - t].c + s[t].d + 4;
}
