/* Functions that are not inlined write what others read, in global, shared and local memory.

   block  64
   out    x = empty(64, i4)
   out    y = empty(64, i4)
   call   f(x, y, 1)
   expect y = 2 * (63 - arange(64)) + 5
*/
struct shape {
    __device__ virtual void put(int *to, int v) = 0;
    __device__ virtual int get(const int *from) = 0;
};

struct plain : shape {
    __device__ void put(int *to, int v) override { *to = v; }
    __device__ int get(const int *from) override { return *from; }
};

struct twice : shape {
    __device__ void put(int *to, int v) override { *to = 2 * v; }
    __device__ int get(const int *from) override { return *from; }
};

__device__ int deep(const int *x, int depth)
{
    int here[4] = {depth, 1, 2, 3};
    if (depth == 0)
        return *x + here[0];
    return deep(x, depth - 1) + (here[depth & 3] > 100);
}

__device__ unsigned count;

__device__ void note(unsigned *counter)
{
    atomicAdd(counter, 1);
    __threadfence_block();
}

__device__ void (*const notes[])(unsigned *) = {note, note};

extern "C" __global__ void f(int *x, int *y, int which)
{
    __shared__ int s[64];
    __shared__ unsigned counter;
    plain a;
    twice b;
    shape *one = which ? (shape *)&b : &a;
    int t = threadIdx.x, mine = 0;
    if (t == 0)
        counter = 0;
    __syncthreads();
    notes[which](&counter);
    one->put(s + t, t);
    one->put(&mine, 1);
    __syncthreads();
    one->put(x + t, 0);
    x[t] = deep(s + 63 - t, 3);
    y[t] = one->get(x + t) + (counter == 64) + one->get(&mine) + 2 * (x[t] >= 0);
}
