/* threadIdx, blockIdx, blockDim and gridDim are variables of type const uint3 and const dim3: copied, bound
   and passed like others.

   block 1 33 16x16 4x3x2
   let grid = (3, 2, 1)
   let n = 6 * threads
   out copies = empty((n, 13), u4)
   call copied[grid, block](copies)
   def where(a, k): return a.reshape(6, bz, by, bx, 13)[..., k]
   def steps(a, axis): return np.broadcast_to(np.arange(a).reshape([-1 if k == axis else 1 for k in range(4)]), (6, bz, by, bx))
   expect where(copies, 0) = steps(bx, 3)
   expect where(copies, 1) = steps(by, 2)
   expect where(copies, 2) = steps(bz, 1)
   expect where(copies, 3) = steps(6, 0) % 3
   expect where(copies, 4) = steps(6, 0) // 3
   expect where(copies, 5) = threads
   expect where(copies, 6) = 6
   expect where(copies, 7) = steps(bx, 3) + 100 * (steps(6, 0) % 3)
   expect where(copies, 8) = 5 + steps(by, 2)
   expect where(copies, 9) = 13
   expect where(copies, 10) = steps(bz, 1) + 7
   expect where(copies, 11) = by
   expect where(copies, 12) = steps(bx, 3) + steps(6, 0) // 3 * bx
*/
template <class A, class B> struct same {
    static const bool value = false;
};
template <class A> struct same<A, A> {
    static const bool value = true;
};
static_assert(same<decltype(threadIdx), const uint3>::value, "");
static_assert(same<decltype(gridDim), const dim3>::value, "");
static_assert(same<decltype((blockIdx.x)), const unsigned &>::value, "");

template <class V> __device__ unsigned area(V v)
{
    return v.x * v.y * v.z;
}
__device__ unsigned number(uint3) { return 3; }
__device__ unsigned number(dim3) { return 10; }
__device__ __noinline__ unsigned through(const uint3 &v, unsigned uint3::*member)
{
    return v.*member;
}
__device__ unsigned converted(dim3 d) { return d.y; }

extern "C" __global__ void copied(unsigned *out)
{
    auto t = threadIdx;
    const auto b = blockIdx;
    auto [x, y, z] = threadIdx;
    unsigned place = ((b.y * 3 + b.x) * blockDim.z + z) * blockDim.y + y;
    out += 13 * (place * blockDim.x + x);
    static_assert(same<decltype(t), uint3>::value, "");
    out[0] = t.x;
    out[1] = through(threadIdx, &uint3::y);
    out[2] = [t = threadIdx] { return t.z; }();
    auto &r = blockIdx;
    out[3] = r.x;
    decltype(blockIdx) d = blockIdx;
    out[4] = d.y;
    out[5] = area(blockDim);
    out[6] = area(gridDim);
    out[7] = 0;
    for (unsigned k = 0; k < 2; k++)
        out[7] += (k ? blockIdx : threadIdx).x * (k ? 100 : 1);
    t.x = 5;
    out[8] = t.x + dim3(t).y;
    out[9] = number(threadIdx) + number(blockDim);
    uint3 u = {7, 7, 7};
    u = threadIdx;
    out[10] = u.z + 7;
    out[11] = converted(blockDim);
    auto by_reference = [&] { return threadIdx.x + b.y * blockDim.x; }; /* the host might call it, too */
    out[12] = by_reference();
}
