/* Whole structures loaded, changed by value in a function, swapped and stored.

   let    n = 200
   let    pair = dtype([("a", i4), ("b", f4), ("c", u1, 4)])
   def    make(k):
              p = zeros(n, pair)
              p["a"], p["b"], p["c"] = arange(n) * k, floats(n), ints(0, 255, (n, 4), u1)
              return p
   inout  p = make(1)
   inout  q = make(-3)
   call   swap(p, q, n)
   expect p["a"] = where(q["a"] < p["a"] - 80, q["a"], p["a"]) + 1
   expect q["a"] = where(q["a"] < p["a"] - 80, p["a"], q["a"]) + 1
   expect p["c"] = where((q["a"] < p["a"] - 80)[:, None], q["c"], p["c"])[:, ::-1]
   expect q["c"] = where((q["a"] < p["a"] - 80)[:, None], p["c"], q["c"])[:, ::-1]
*/
struct record {
    int a;
    float b;
    unsigned char c[4];
};

__device__ record turn(record r)
{
    record t = r;
    t.a++;
    for (int k = 0; k < 4; k++)
        t.c[k] = r.c[3 - k];
    return t;
}

extern "C" __global__ void swap(record *p, record *q, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    record a = p[i], b = q[i];
    if (b.a < a.a - 80) {
        record t = a;
        a = b;
        b = t;
    }
    p[i] = turn(a);
    q[i] = turn(b);
}
