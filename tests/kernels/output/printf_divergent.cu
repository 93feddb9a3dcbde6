/* printf in a divergent loop with a break, one line per turn, and after an early return.

   block  1 32 40
   let    n = threads
   let    grid = 1
   in     x = ints(0, 5, n)
   call   count(x)
   prints [f"{t} turn {k}" for t in range(n) for k in range(x[t])] + [f"{t} none" for t in range(n) if x[t] == 0]
*/
#include <stdio.h>

extern "C" __global__ void count(const int *x)
{
    int t = threadIdx.x;
    if (x[t] == 0) {
        printf("%d none\n", t);
        return;
    }
    for (int k = 0;; k++) {
        if (k == x[t])
            break;
        printf("%d turn %d\n", t, k);
    }
}
