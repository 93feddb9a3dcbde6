/* fetches.c: the one fetch of a kernel is inlined as far as it is quick: one texel as it is. */
// RUN: %calls | filecheck %s
extern "C" __global__ void k(float *y, const float *x, cudaTextureObject_t t)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = tex2D<float>(t, x[i], 3);
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK-NOT: __hc_sample_quick
// CHECK-DAG: call <16 x float> @{{.*}}__hc_sample_any{{.*}}.full(
// CHECK-DAG: call <16 x float> @llvm.masked.gather
// CHECK: {{^[}]$}}
