/* vectorize.c: of a large region, full code walks each stretch within stretches under masks a few times, not once for each branch
   around it. The quotient is code of full code, of two branches around it, and of what is left. */
// RUN: %vectors | filecheck %s
// CHECK: define internal i32 @nested.region.0.full(
// CHECK-COUNT-4: fdiv
// CHECK-NOT: fdiv
// CHECK: define internal i32 @nested.region.0.masked(
template <int depth> __device__ float inside(const float *x, float v)
{
    if constexpr (depth == 0)
        return x[0] / v;
    else if (v < x[depth]) {
#pragma unroll
        for (int k = 1; k <= 100; k++)
            v = v * v - k * depth;
        v = inside<depth - 1>(x, v) - depth;
    }
    return v;
}
extern "C" __global__ void nested(float *x) { x[threadIdx.x + 100] = inside<10>(x, x[threadIdx.x + 100]); }
