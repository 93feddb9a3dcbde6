/* One step of a breadth-first search, launched four times: the next frontier grows by tickets.

   let    n = 300
   let    degree = ints(0, 4, n)
   in     start = append(0, cumsum(degree)).astype(i4)
   in     to = ints(0, n - 1, 2000)
   inout  level = where(arange(n) == 0, 0, -1).astype(i4)
   inout  queue = zeros((2, n), i4)
   inout  size = array([1, 0, 0, 0, 0], i4)
   def    levels():
              r, now = [-1] * n, [0]
              r[0] = 0
              for k in range(4):
                  now = list({int(t) for v in now for t in to[start[v]:start[v + 1]] if r[t] < 0})
                  for t in now: r[t] = k + 1
              return r
   call   step(start, to, level, queue, size, 0, n)
   call   step(start, to, level, queue, size, 1, n)
   call   step(start, to, level, queue, size, 2, n)
   call   step(start, to, level, queue, size, 3, n)
   expect level = levels()
   expect size = [levels().count(k) for k in range(5)]
*/
extern "C" __global__ void step(const int *start, const int *to, int *level, int *queue, int *size,
                                int round, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int *now = queue + round % 2 * n;
    int *next = queue + (round + 1) % 2 * n;
    if (i >= size[round])
        return;
    int v = now[i];
    for (int k = start[v]; k < start[v + 1]; k++)
        if (atomicCAS(&level[to[k]], -1, round + 1) == -1)
            next[atomicAdd(&size[round + 1], 1)] = to[k];
}
