/* lone_vector.c: a kernel with a shared array of 16 or 17 elements a row is also made as one function for blocks that are
   one vector: no state, no context in memory. Not where lanes may leave one by one, nor where rows look otherwise. */
// RUN: %vectors | filecheck --check-prefix=CALL %s
// RUN: %optimize | filecheck %s
extern "C" __global__ void k(float *y, const float *x, int n)
{
    __shared__ float s[17][17];
    int t = threadIdx.x;
    float own = x[t] * x[t + 1];
    for (int r = 0; r < 16; r++)
        s[r][t] = x[16 * r + t];
    __syncthreads();
    for (int d = 0; d < n; d++) {
        if (t < 15 && d < 16)
            s[t + 1][d] += s[t][d] + own;
        __syncthreads();
    }
    for (int r = 0; r < 16; r++)
        y[16 * r + t] = s[r][t] + own;
}
extern "C" __global__ void leaves(float *y, const float *x, int n)
{
    __shared__ float s[17][17];
    int t = threadIdx.x;
    if (t >= n)
        return;
    s[t][0] = x[t];
    __syncthreads();
    y[t] = s[n - 1 - t][0];
}
extern "C" __global__ void wide(float *y, const float *x, int n)
{
    __shared__ float s[256];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = s[n - threadIdx.x];
}
// CALL-LABEL: define internal i32 @k.lone(
// CALL: call i32 @k.region.0.full
// CALL: switch i32
// CALL: {{^[}]$}}
// CALL-LABEL: define internal i32 @k.pass.0.0(
// CALL: icmp eq i32 {{.*}}, 16
// CALL: br i1 {{.*}}, label %code, label %passes
// CALL: call i32 @k.lone(
// CALL-NOT: define internal i32 @leaves.lone(
// CALL-NOT: define internal i32 @wide.lone(
// CHECK-LABEL: define internal i32 @k.lone(
// CHECK-NOT: getelementptr inbounds i8, ptr %1, i64 24
// CHECK: load <16 x float>
// CHECK-NOT: getelementptr inbounds i8, ptr %1, i64 24
// CHECK: {{^[}]$}}
