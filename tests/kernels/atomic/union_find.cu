/* Connected components: roots hooked by atomicMin, paths followed by racing threads.

   let    n = 400
   let    m = 330
   in     edge = ints(0, n - 1, (m, 2))
   inout  parent = arange(n, dtype=i4)
   def    roots():
              p = list(range(n))
              for _ in range(n):
                  q = list(p)
                  for a, b in edge.tolist():
                      low = min(p[a], p[b])
                      p[a] = p[b] = low
                  if p == q: return p
   call   join[cdiv(m, threads)](edge, parent, m)
   call   flatten(parent, n)
   expect parent = roots()
*/
__device__ int root(volatile int *parent, int v)
{
    while (parent[v] != v)
        v = parent[v];
    return v;
}

extern "C" __global__ void join(const int *edge, int *parent, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m)
        return;
    int a = edge[2 * i], b = edge[2 * i + 1];
    for (;;) {
        a = root(parent, a);
        b = root(parent, b);
        if (a == b)
            return;
        int high = max(a, b), low = min(a, b);
        int old = atomicMin(&parent[high], low);
        if (old == high)
            return;
        a = old;
        b = low;
    }
}

extern "C" __global__ void flatten(volatile int *parent, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        parent[i] = root(parent, i);
}
