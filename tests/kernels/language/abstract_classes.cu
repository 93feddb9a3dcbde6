/* Objects with virtual functions, made by one kernel, used by another, dropped by a third.

   vary   n = 1, 300
   in     x = ints(-99, 99, n)
   out    y = empty(n, i4)
   inout  gone = zeros(1, i4)
   call   make[1, 3]()
   call   use(x, y, n)
   call   drop[1, 1](gone)
   def    steps(x): return where(x % 3 == 0, (x * 2 + 7) * 2, where(x % 3 == 1, x + 7, x * 2))
   expect y = steps(x)
   expect gone = 3 * 10 + 1
*/
struct operation {
    __device__ operation(int *log = nullptr) : log(log) {}
    __device__ virtual int apply(int x) const = 0;
    __device__ virtual ~operation()
    {
        if (log)
            *log += 10;
    }
    int *log;
};
struct twice : operation {
    __device__ int apply(int x) const override { return x * 2; }
};
struct plus : operation {
    int term;
    __device__ plus(int term) : term(term) {}
    __device__ int apply(int x) const override { return x + term; }
    __device__ ~plus() override
    {
        if (log)
            *log += 1;
    }
};
struct chain : operation {
    operation **first;
    int n;
    __device__ chain(operation **first, int n) : first(first), n(n) {}
    __device__ int apply(int x) const override
    {
        x = 2 * x;
        for (int i = 0; i < n; i++)
            x = first[i]->apply(x);
        return x;
    }
};
__device__ operation *operations[3];

extern "C" __global__ void make()
{
    switch (threadIdx.x) {
    case 0: operations[2] = new twice; break;
    case 1: operations[1] = new plus(7); break;
    case 2: operations[0] = new chain(operations + 1, 2); break;
    }
}

extern "C" __global__ void use(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = operations[(x[i] % 3 + 3) % 3]->apply(x[i]);
}

extern "C" __global__ void drop(int *gone)
{
    for (int i = 0; i < 3; i++) {
        operations[i]->log = gone;
        delete operations[i];
    }
}
