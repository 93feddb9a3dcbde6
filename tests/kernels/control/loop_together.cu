/* Loops that all threads which enter them go around as often, entered by one thread, by some, or by others at each turn of
   a loop around: what threads that are not in it hold stays theirs.

   vary   n = 0, 1, 7
   let    i = arange(threads)
   in     x = ints(-9, 9, (7, 2 * threads))
   out    sums = empty((3, 2 * threads), i4)
   let    y = x[:n].reshape(n, 2, threads)
   call   some[2](x, sums, n)
   expect sums[0].reshape(2, threads) = where(i == 0, y.sum(axis=(0, 2))[:, None], -1)
   expect sums[1].reshape(2, threads) = where(i % 3 == 1, y.clip(0).sum(0), 50)
   def    pair(k): return (0, 1) if k == 0 else (pair(k - 1)[1], sum(pair(k - 1)))
   expect sums[2].reshape(2, threads) = where(i % 5 < 2, 100 * pair(n)[0] + pair(n)[1], where(i % 5 == 2, -3, -2)) + zeros((2, 1), i4)

   in     length = ints(0, 9, threads)
   out    total = empty(threads, i8)
   out    last = empty(threads, i4)
   call   turns[1](x, length, total, last, n)
   def    turn(t, k): return x[:n, t] @ (arange(n) + k)
   expect total = [sum([turn(t, k) if (t + k) % 2 else 1000 for k in range(length[t])]) for t in i]
   expect last = [max([k * n for k in range(length[t]) if (t + k) % 2], default=-1) for t in i]
*/
extern "C" __global__ void some(const int *x, int *sums, int n)
{
    int t = threadIdx.x, all = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + t;
    int sum = -1;
    if (t == 0) {
        sum = 0;
        for (int k = 0; k < n; k++)
            for (unsigned j = 0; j < blockDim.x; j++)
                sum += x[k * all + i + j];
    }
    sums[i] = sum;

    int positive = 50;
    if (t % 3 == 1) {
        positive = 0;
        for (int k = 0; k < n; k++) {
            if (x[k * all + i] < 0)
                continue;
            positive += x[k * all + i];
        }
    }
    sums[all + i] = positive;

    int a = t % 5 == 2 ? -3 : -2, b = 0;
    if (t % 5 < 2) {
        a = 0, b = 1;
        for (int k = 0; k < n; k++) {
            int next = a + b;
            a = b;
            b = next;
        }
        a = 100 * a + b;
    }
    sums[2 * all + i] = a;
}

/* Threads leave the loop around one by one, and enter the one inside at every other turn. */
extern "C" __global__ void turns(const int *x, const int *length, long long *total, int *last, int n)
{
    int t = threadIdx.x, at = -1;
    long long sum = 0;
    for (int k = 0; k < length[t]; k++) {
        if ((t + k) % 2 == 0) {
            sum += 1000;
            continue;
        }
        int j = 0, inner = 0;
        for (; j < n; j++)
            inner += x[j * 2 * blockDim.x + t] * (j + k);
        sum += inner;
        at = k * j;
    }
    total[t] = sum;
    last[t] = at;
}
