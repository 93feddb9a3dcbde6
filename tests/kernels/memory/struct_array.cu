/* An array of structures with members of several sizes and an array inside.

   let    n = 300
   let    layout = dtype([("id", i2), ("mass", f4), ("at", f8, 3), ("tag", i1, 5), ("next", i4)], align=True)
   def    make():
              p = zeros(n, layout)
              p["id"] = ints(-99, 99, n, i2)
              p["mass"], p["at"] = floats(n), floats((n, 3), f8)
              p["tag"] = ints(-9, 9, (n, 5), i1)
              p["next"] = rng.permutation(n)
              return p
   inout  p = make()
   out    y = empty(n, f8)
   call   step(p, y, n)
   expect p["id"] = p["id"] + 1
   near   1e-6 p["mass"] = p["mass"] * f4(0.5)
   expect p["at"] = p["at"] + array([0, 1, 0])
   expect p["tag"] = where(arange(5) == abs(p["id"][:, None]) % 5, 42, p["tag"])
   expect p["next"] = p["next"]
   near   1e-12 y = p["at"].sum(1)
*/
struct particle {
    short id;
    float mass;
    double at[3];
    signed char tag[5];
    int next;
};

extern "C" __global__ void step(particle *p, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    particle *me = &p[i];
    y[i] = me->at[0] + me->at[1] + me->at[2];
    me->tag[(me->id < 0 ? -me->id : me->id) % 5] = 42;
    me->id++;
    me->mass *= 0.5f;
    me->at[1] += 1;
}
