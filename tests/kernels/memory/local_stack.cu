/* An explicit stack in local memory: depth-first walk of a heap-ordered tree, pruned by data.

   let    n = 128
   let    m = 63
   in     tree = ints(0, 99, m)
   in     limit = ints(0, 99, n)
   out    y = empty((n, 2), i4)
   def    f(t, k=0):
              if k >= m or tree[k] > t: return 0, 0
              a, b = f(t, 2 * k + 1), f(t, 2 * k + 2)
              return a[0] + b[0] + 1, a[1] + b[1] + int(tree[k])
   call   walk(tree, limit, y, m, n)
   expect y = [f(int(t)) for t in limit]
*/
extern "C" __global__ void walk(const int *tree, const int *limit, int *y, int m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int stack[16], top = 0, count = 0, sum = 0;
    stack[top++] = 0;
    while (top) {
        int k = stack[--top];
        if (k >= m || tree[k] > limit[i])
            continue;
        count++;
        sum += tree[k];
        stack[top++] = 2 * k + 1;
        stack[top++] = 2 * k + 2;
    }
    y[2 * i] = count;
    y[2 * i + 1] = sum;
}
