/* Eight queens by backtracking with bit masks, a thread for each choice of the first two.

   let    n = 64
   out    y = empty(n, i4)
   def    count(k, cols, left, right):
              if k == 8: return 1
              s = 0
              for c in range(8):
                  b = 1 << c
                  if not (cols | left | right) & b:
                      s += count(k + 1, cols | b, (left | b) << 1, (right | b) >> 1)
              return s
   def    f(i):
              a, b = 1 << i // 8, 1 << i % 8
              if (a | a << 1 | a >> 1) & b: return 0
              return count(2, a | b, (a << 1 | b) << 1, (a >> 1 | b) >> 1)
   call   queens(y, n)
   expect y = [f(i) for i in range(n)]
   expect y.sum() = 92
*/
extern "C" __global__ void queens(int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned a = 1u << i / 8, b = 1u << i % 8;
    int found = 0;
    if (!((a | a << 1 | a >> 1) & b)) {
        unsigned cols[9], left[9], right[9], open[9];
        int k = 2;
        cols[2] = a | b;
        left[2] = (a << 1 | b) << 1;
        right[2] = (a >> 1 | b) >> 1;
        open[2] = ~(cols[2] | left[2] | right[2]) & 255;
        while (k >= 2) {
            if (!open[k]) {
                k--;
                continue;
            }
            unsigned bit = open[k] & -open[k];
            open[k] ^= bit;
            if (k == 7) {
                found++;
                continue;
            }
            cols[k + 1] = cols[k] | bit;
            left[k + 1] = (left[k] | bit) << 1;
            right[k + 1] = (right[k] | bit) >> 1;
            k++;
            open[k] = ~(cols[k] | left[k] | right[k]) & 255;
        }
    }
    y[i] = found;
}
