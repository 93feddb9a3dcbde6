/* block_loops.c: a loop with one barrier is a loop of passes in the image: while all vectors come back to it, nobody is asked
   what runs next. Two barriers are two passes in turn, for which hostcuda is asked. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void one(float *y, const float *x)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        if (t < step)
            s[t] += s[t + step];
        __syncthreads();
    }
    y[t] = s[0];
}
extern "C" __global__ void two(float *y, const float *x, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = x[t];
    for (int k = 0; k < n; k++) {
        __syncthreads();
        float v = s[255 - t];
        __syncthreads();
        s[t] = v;
    }
    y[t] = s[t];
}
// CHECK-LABEL: define internal i32 @one.pass.0.2(
// CHECK: {{^}}again:
// CHECK: [[SAME:%[-.a-zA-Z0-9_]+]] = icmp eq i32 [[STATE:%[-.a-zA-Z0-9_]+]], 2
// CHECK: br i1 [[SAME]], label %again, label %passed
// CHECK: ret i32 [[STATE]]
// CHECK: {{^[}]$}}
// CHECK-LABEL: define internal i32 @two.pass.0.0(
// CHECK-NOT: label %again, label
// CHECK: define internal i32 @two.pass.0.2(
// CHECK-NOT: label %again, label
