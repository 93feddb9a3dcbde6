/* Barriers in device functions, called twice and from a loop; a method that synchronises.

   let    n = threads
   in     x = ints(-99, 99, n)
   out    y = empty(n, i4)
   let    grid = 1
   def    f():
              v = roll(roll(x, -1), -3)
              for k in range(3): v = roll(v, -k) + k
              return v + v.sum()
   call   calls(x, y)
   expect y = f()
*/
__device__ int rotate(int *s, int v, int by)
{
    int t = threadIdx.x;
    s[t] = v;
    __syncthreads();
    v = s[(t + by) % blockDim.x];
    __syncthreads();
    return v;
}

struct adder {
    int *s;
    __device__ int total(int v)
    {
        s[threadIdx.x] = v;
        __syncthreads();
        int sum = 0;
        for (int k = 0; k < blockDim.x; k++)
            sum += s[k];
        __syncthreads();
        return sum;
    }
};

extern "C" __global__ void calls(const int *x, int *y)
{
    __shared__ int s[1024];
    int t = threadIdx.x;
    int v = rotate(s, x[t], 1);
    v = rotate(s, v, 3);
    for (int k = 0; k < 3; k++)
        v = rotate(s, v, k) + k;
    adder a = {s};
    y[t] = v + a.total(v);
}
