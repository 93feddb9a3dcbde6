/* Bit-fields that share their unit of 24, 40, 48 or 56 bits with no other member: read and written in global, shared and
   local memory, their neighbours as they were.

   block  1 7 32 40 256
   let    n = 2 * threads
   inout  a = ints(0, 255, (n, 4), u1)
   inout  b = ints(0, 255, (n, 8), u1)
   inout  c = ints(0, 255, (n, 8), u1)
   inout  d = ints(0, 255, (n, 16), u1)
   inout  e = ints(0, 255, (n, 8), u1)
   out    y = empty((n, 6), i8)
   def    field(bytes, at, bits): return (bytes.copy().view(u8)[:, at // 64] >> u8(at % 64)) & u8(2**bits - 1)
   def    signed(v, bits): return where(v >> u8(bits - 1), v.astype(i8) - 2**bits, v.astype(i8))
   def    put(bytes, at, bits, v): w = bytes.copy().view(u8); w[:, at // 64] &= u8(2**64 - 1 - ((2**bits - 1) << at % 64)); w[:, at // 64] |= v.astype(u8) << u8(at % 64); return w.view(u1)
   let    i = arange(n)
   let    a8 = hstack([a, zeros((n, 4), u1)])
   let    other = i // threads * threads + threads - 1 - i % threads
   call   fields[2](a, b, c, d, e, y)
   expect y[:, 0] = field(a8, 0, 20)
   expect y[:, 1] = field(b, 0, 40)
   expect y[:, 2] = signed(field(c, 0, 50), 50)
   expect y[:, 3] = signed(field(d, 64, 43), 43)
   expect y[:, 4] = field(e, 16, 41)[other]
   expect y[:, 5] = ((5 * i + 2) % 2**18 + (i * 2**20 + 1) % 2**33) * 100 + 7
   expect a = put(a8, 0, 20, 1000 + i)[:, :4]
   expect b = where((i % 3 == 0)[:, None], b, put(b, 0, 40, i * 2**30 % 2**40))
   expect c = put(c, 0, 50, (-i) % 2**50)
   expect d = put(put(d, 64, 43, i * 3 % 2**43), 107, 1, (i + 1) % 2)
   expect e = put(e, 16, 41, field(e, 16, 41)[other] ^ u8(1))
*/
struct A {
    unsigned v : 20;
    unsigned char after;
};
struct B {
    unsigned long long v : 40;
    short after;
};
struct C {
    long long v : 50;
    unsigned char after;
};
struct D {
    int x, y;
    long long v : 43;
    bool flag : 1;
    short after;
};
struct E {
    short before;
    unsigned long long v : 41;
};
struct L {
    unsigned v : 18;
    unsigned char after;
    unsigned long long w : 33;
    unsigned char last;
};

extern "C" __global__ void fields(A *a, B *b, C *c, D *d, E *e, long long *y)
{
    __shared__ E s[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    long long *r = y + 6 * i;
    r[0] = a[i].v;
    a[i].v = 1000 + i;
    r[1] = b[i].v;
    if (i % 3)
        b[i].v = i * (1ll << 30);
    r[2] = c[i].v;
    c[i].v = -i;
    r[3] = d[i].v;
    d[i].v = 3 * i;
    d[i].flag = i % 2 == 0;
    s[t] = e[i];
    L l[3];
    for (int k = 0; k < 3; k++)
        l[k].after = l[k].last = 7;
    l[i % 3].v = 5 * i + 2;
    l[i % 3].w = i * (1ll << 20) + 1;
    __syncthreads();
    E other = s[blockDim.x - 1 - t];
    r[4] = other.v;
    e[i].v = other.v ^ 1;
    r[5] = (l[i % 3].v + l[i % 3].w) * 100 + (l[i % 3].after & l[(i + 1) % 3].last);
}
