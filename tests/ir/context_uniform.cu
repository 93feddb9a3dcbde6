/* state_machine.c: a value that is the same in all lanes takes one place in a vector's context, not one a lane. */
// RUN: %regions | filecheck %s
extern "C" __global__ void k(float *y, const float *x, const double *z)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    double same = z[blockIdx.x];
    float own = x[t];
    s[255 - t] = own;
    __syncthreads();
    y[t] = s[t] * same + own;
}
// CHECK-LABEL: define i32 @k.region.0(
// CHECK-DAG: @hc.slot(i32 {{[0-9]+}}, i32 0, i32 8, i1 false)
// CHECK-DAG: @hc.slot(i32 {{[0-9]+}}, i32 4, i32 64, i1 false)
// CHECK: ret i32 1
// CHECK-LABEL: define i32 @k.region.1(
// CHECK-DAG: @hc.slot(i32 {{[0-9]+}}, i32 0, i32 8, i1 false)
// CHECK-DAG: @hc.slot(i32 {{[0-9]+}}, i32 4, i32 64, i1 false)
