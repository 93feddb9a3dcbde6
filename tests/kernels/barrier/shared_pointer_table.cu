/* Local tables, structs and lists that begin with addresses of shared memory.

   block  64 31 256
   let    n = threads
   out    y = empty((4, n), i4)
   let    t = arange(n)
   let    grid = 1
   call   tables(y)
   expect y[0] = where(t % 2, -t, t)
   expect y[1] = where(t % 3 == 0, (t + 1) % n, where(t % 3 == 1, -((t + 1) % n), 7))
   expect y[2] = (t + 2) % n * 0
   expect y[3] = 100 + where(t % 2, -((t + 5) % n), (t + 5) % n)
*/
#include <initializer_list>

struct View {
    const int *first;
    int offset;
    const int *rows[2];
};

__shared__ int lucky;

static __device__ int at(View v, int i)
{
    return v.rows[threadIdx.x & 1][i] + v.offset;
}

extern "C" __global__ void tables(int *y)
{
    __shared__ int a[256], b[256];
    int *p[2] = {a, b};
    const int *const q[3] = {a + 1, &b[1], &lucky};
    int t = threadIdx.x, n = blockDim.x, sum = 0;
    a[t] = t;
    b[t] = -t;
    if (t == 0)
        lucky = 7;
    __syncthreads();
    y[t] = p[t & 1][t];
    y[n + t] = t % 3 == 2 ? *q[2] : q[t % 3][t == n - 1 ? -1 : t];
    for (const int *x : {a, b})
        sum += x[(t + 2) % n];
    y[2 * n + t] = sum;
    y[3 * n + t] = at({a, 100, {a, b}}, (t + 5) % n);
}
