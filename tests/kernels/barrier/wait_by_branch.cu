/* Threads wait for neighbours with smaller keys: how a volatile word compares decides by way of branches alone whether they go round again.

   block  1 32 64 256
   vary   n = 8, 300
   let    grid = 1
   let    key = rng.permutation(n).astype(i4)
   in     keys = key
   inout  turn = zeros(n, i4)
   call   settle(keys, turn, n)
   expect (turn > 0).all()
   expect all(turn[i] > turn[j] for i in range(n) for j in range(max(i - 2, 0), min(i + 3, n)) if key[j] < key[i])
*/
extern "C" __global__ void settle(const int *keys, volatile int *turn, int n)
{
    bool again;
    do {
        again = false;
        for (int i = threadIdx.x; i < n; i += blockDim.x) {
            if (turn[i])
                continue;
            int last = 0, j = max(i - 2, 0), end = min(i + 3, n);
            for (; j < end; j++) {
                if (keys[j] >= keys[i])
                    continue;
                int other = turn[j];
                if (!other)
                    break;
                last = max(last, other);
            }
            if (j < end)
                again = true;
            else
                turn[i] = last + 1;
        }
    } while (again);
}
