/* A switch over 0..7 with fall-through, an empty case and a default in the middle.

   let    n = 512
   in     x = ints(-3, 12, n)
   out    y = empty(n, i4)
   def    f(v):
              r = 0
              if v == 0: return 10
              if v in (1, 2):
                  r += 5 if v == 1 else 0
                  return r + 20
              if v == 4: r = 40
              if v in (4, 5): return r + 50
              if v == 6: return 0
              return -v
   call   choose(x, y, n)
   expect y = [f(int(v)) for v in x]
*/
extern "C" __global__ void choose(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int r = 0;
    switch (x[i]) {
    case 0:
        r = 10;
        break;
    case 1:
        r += 5;
    case 2:
        r += 20;
        break;
    default:
        r = -x[i];
        break;
    case 4:
        r = 40;
    case 5:
        r += 50;
    case 6:
        break;
    }
    y[i] = r;
}
