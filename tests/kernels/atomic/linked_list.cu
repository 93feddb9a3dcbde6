/* Push onto lists whose heads are exchanged atomically; a second kernel walks them.

   let    n = 1000
   in     x = ints(0, 19, n)
   inout  head = full(20, -1, i4)
   out    next = empty(n, i4)
   out    y = empty((20, 2), i4)
   call   push(x, head, next, n)
   call   walk[1, 20](head, next, y)
   expect y = [((x == k).sum(), nonzero(x == k)[0].sum()) for k in range(20)]
*/
extern "C" __global__ void push(const int *x, int *head, int *next, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        next[i] = atomicExch(&head[x[i]], i);
}

extern "C" __global__ void walk(const int *head, const int *next, int *y)
{
    int t = threadIdx.x, count = 0, sum = 0;
    for (int i = head[t]; i >= 0; i = next[i]) {
        count++;
        sum += i;
    }
    y[2 * t] = count;
    y[2 * t + 1] = sum;
}
