/* Objects of classes with constructors and destructors, passed by value: functions change the caller's temporary.

   block  1 32 33 100
   let    n = 200
   in     x = ints(0, 3, n, u4)
   in     start = ints(0, 1000, n, u4)
   out    ways = empty((10, n), u4)
   out    mixed = empty(n, u4)
   call   objects(x, ways, n)
   call   copies(start, x, mixed, n)
   let    change = where(x % 2, 2, 4)
   expect ways[0] = 10 * (x + 4) + x
   expect ways[1] = 10 * (x + change) + x
   expect ways[2] = 10 * (x + change) + x
   expect ways[3] = 100 * (x + 6) + 10 * (x + 4) + x
   expect ways[4] = 100 * (x + 4) + 11 * x
   expect ways[5] = 100 * (x + 6) + 10 * (x + 4) + x
   expect ways[6] = 10 * (x + 5) + 9
   expect ways[7] = 110 * (x + 4) + x
   expect ways[8] = 10 * (x + 4) + x
   expect ways[9] = 110 * (x + 4) + x
   let    passed = 6 * start + 1 + where(x % 2, 0, x)
   let    result = 2 * passed + 1
   let    sum = 3 * start + result
   let    log = (4 * start ^ (6 * start + 1) ^ result) * 3 + passed
   expect mixed = wrap((log * 3 + result + sum) * 3 + sum, u4)
*/

/* Each object that is destroyed is a digit of *seen. */
struct thing {
    unsigned *seen, v;
    const thing *self; /* where it was constructed */
    __device__ thing(unsigned *seen, unsigned v) : seen(seen), v(v), self(this) {}
    __device__ thing(const thing &o) : seen(o.seen), v(o.v), self(this) {}
    __device__ ~thing()
    {
        *seen = *seen * 10 + v + (self == this ? 0 : 5000000);
    }
};

__device__ void four(thing t)
{
    t.v += 4;
}

__device__ void two(thing t)
{
    t.v += 2;
}

__device__ void again(thing t, int times)
{
    t.v += 4;
    if (times)
        again(t, times - 1);
    else
        t.v -= 2;
}

struct base {
    unsigned filler;
    __device__ virtual void go(thing t)
    {
        t.v += 4;
    }
};

struct other {
    unsigned filler;
    __device__ virtual unsigned way() const
    {
        return filler;
    }
};

struct derived : other, base { /* reached by a thunk */
    __device__ void go(thing t) override
    {
        t.v += 2;
    }
};

template <class F>
__device__ void call(F f)
{
    f();
}

struct holder {
    thing held;
    __device__ holder(thing t) : held(t)
    {
        t.v += 4;
    }
};

__device__ void converted(holder h)
{
    h.held.v += 6;
}

struct only_moved {
    unsigned *seen, v;
    __device__ only_moved(unsigned *seen, unsigned v) : seen(seen), v(v) {}
    only_moved(const only_moved &) = delete;
    __device__ only_moved(only_moved &&o) : seen(o.seen), v(o.v + 1)
    {
        o.v = 9;
    }
    __device__ ~only_moved()
    {
        *seen = *seen * 10 + v;
    }
};

__device__ void moved(only_moved t)
{
    t.v += 4;
}

template <class... T>
__device__ void all(T... t)
{
    int each[] = {(t.v += 4, 0)...};
    (void)each;
}

struct alignas(64) aligned : thing {
    unsigned more;
    __device__ aligned(unsigned *seen, unsigned v) : thing(seen, v), more(0) {}
};

__device__ void far(aligned t)
{
    t.v += (unsigned long long)&t % 64 ? 3 : 4;
}

__device__ thing back(thing t)
{
    t.v += 4;
    return t;
}

__device__ void go(int way, unsigned *seen, unsigned x)
{
    if (way == 6) {
        only_moved t(seen, x);
        return moved(static_cast<only_moved &&>(t));
    }
    if (way == 8) {
        aligned t(seen, x);
        return far(t);
    }
    thing t(seen, x);
    if (way == 0) {
        four(t);
    } else if (way == 1) {
        void (*f)(thing) = x % 2 ? two : four;
        f(t);
    } else if (way == 2) {
        base b;
        derived d;
        base *reached = x % 2 ? &d : &b;
        reached->go(t);
    } else if (way == 3) {
        again(t, 1);
    } else if (way == 4) {
        auto f = [t]() mutable { t.v += 4; };
        call(f);
    } else if (way == 5) {
        converted(t);
    } else if (way == 7) {
        all(t, t);
    } else {
        thing b = back(t);
    }
}

extern "C" __global__ void objects(const unsigned *x, unsigned *ways, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int way = 0; way < 10 && i < n; way++) {
        unsigned seen = 0;
        go(way, &seen, x[i]);
        ways[way * n + i] = seen;
    }
}

struct counted {
    unsigned *to, v;
    __device__ counted(unsigned *to, unsigned v) : to(to), v(v)
    {
        *to += v;
    }
    __device__ counted(const counted &o) : to(o.to), v(o.v * 2 + 1)
    {
        *to ^= v;
    }
    __device__ ~counted()
    {
        *to = *to * 3 + v;
    }
};

__device__ counted pass_on(counted c, unsigned x)
{
    if (x & 1)
        return c;
    c.v += x;
    return c;
}

extern "C" __global__ void copies(const unsigned *start, const unsigned *x, unsigned *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned log = start[i];
    {
        counted a(&log, start[i] * 3);
        {
            counted b = pass_on(a, x[i]);
            a.v += b.v;
        }
        log += a.v;
    }
    y[i] = log;
}
