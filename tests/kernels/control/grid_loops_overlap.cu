/* Loops over the grid that read what the same thread wrote a few iterations before, by pointers into one array: each thread's
   iterations stay in order. And arrays that meet without overlapping, or are the same.

   block  1 32 33 256
   vary   grid = 1, 2, 200
   vary   behind = 1, 3
   let    step = grid * threads
   let    n = 6 * step + 5
   let    apart = behind * step
   let    end = n + apart
   in     x = ints(-99, 99, n)
   inout  chain = ints(-9, 9, end)
   inout  other = ints(-9, 9, end)
   inout  down = ints(-9, 9, end)
   inout  same = ints(-9, 9, n)
   inout  three = ints(-9, 9, 3 * n)
   inout  wide = ints(-9, 9, 2 * end)
   def    times(f, v, k): return v if k == 0 else f(times(f, v, k - 1))
   def    follow(v, f): return concatenate([times(f, v[:apart], k) for k in range(end // apart + 1)])[:end]
   call   add(chain + 4 * apart, chain, 1, n)
   call   add_at(other, apart, 2, n)
   call   add(down, down + 4 * apart, 3, n)
   call   add(same, same, 4, n)
   call   sum(three + 4 * n, three, three + 8 * n, n)
   call   halves(wide + 8 * apart, wide, n)
   expect chain = follow(chain, lambda v: v + 1)
   expect other = follow(other, lambda v: v + 2)
   expect down = concatenate([down[apart:] + 3, down[n:]])
   expect same = same + 4
   expect three = concatenate([three[:n], three[:n] + three[2 * n:], three[2 * n:]])
   expect wide.reshape(-1, 2)[:, 0] = follow(wide.reshape(-1, 2)[:, 0], lambda v: v * 2)
   expect wide.reshape(-1, 2)[:, 1] = wide.reshape(-1, 2)[:, 1]
*/
extern "C" __global__ void add(int *y, const int *x, int a, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = x[i] + a;
}

extern "C" __global__ void add_at(int *y, int apart, int a, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i + apart] = y[i] + a;
}

extern "C" __global__ void sum(int *z, const int *x, const int *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        z[i] = x[i] + y[i];
}

extern "C" __global__ void halves(int2 *y, const int2 *x, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i].x = x[i].x * 2;
}
