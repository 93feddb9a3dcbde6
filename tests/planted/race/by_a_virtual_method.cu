/* A virtual method adds to a sum of the block that all threads share.

   block  32
   out    y = empty(32, i4)
   call   f(y, 2)
   expect y = 2
   report race: space == "shared" and access == "write"
*/
struct counter {
    int *sum;
    __device__ counter(int *sum) : sum(sum) {}
    __device__ virtual void add(int x) = 0;
};

struct plain : counter {
    __device__ plain(int *sum) : counter(sum) {}
    __device__ void add(int x) override
    {
        *sum = x;
    }
};

struct by_one : counter {
    __device__ by_one(int *sum) : counter(sum) {}
    __device__ void add(int x) override
    {
#ifdef RIGHT
        if (threadIdx.x == 0)
            *sum = x;
#else
        *sum = x + threadIdx.x; // FAULT
#endif
    }
};

extern "C" __global__ void f(int *y, int x)
{
    __shared__ int sum;
    plain a(&sum);
    by_one b(&sum);
    counter *c = x > 1 ? (counter *)&b : &a;
    c->add(x);
    __syncthreads();
    y[threadIdx.x] = sum;
}
