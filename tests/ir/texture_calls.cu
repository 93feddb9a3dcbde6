/* fetches.c, vector_calls.c: several fetches of a kernel are calls of one function for all lanes, with the record passed once; what only some lanes fetch calls another with their mask. */
// RUN: %calls | filecheck %s
// RUN: %calls | filecheck %s --check-prefix=ONCE
extern "C" __global__ void k(float *y, const float *x, cudaTextureObject_t t)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (x[i] > 1)
        sum = tex2D<float>(t, x[i], 3);
    y[i] = sum + tex2D<float>(t, x[i] + 1, 2) + tex2D<float>(t, x[i] + 2, 1);
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK-DAG: call <16 x float> @{{.*}}__hc_sample_quick{{.*}}.masked(ptr {{.*}}, i32 {{.*}}, <16 x float> {{.*}}, float {{.*}}, i32 {{%[-.a-zA-Z0-9_]+}})
// CHECK-DAG: [[ONE:%[-.a-zA-Z0-9_]+]] = tail call <16 x float> @{{.*}}__hc_sample_quick{{.*}}.full(ptr
// CHECK-DAG: [[OTHER:%[-.a-zA-Z0-9_]+]] = tail call <16 x float> @{{.*}}__hc_sample_quick{{.*}}.full(ptr
// CHECK: {{^[}]$}}
// ONCE: define internal <16 x float> @{{.*}}__hc_sample_quick{{.*}}.full(
// ONCE-NOT: define {{.*}}__hc_sample_quick{{.*}}.full(
