/* unit.c, state_machine.c: the lanes of a vector are those of the widest registers; of two where they have 256 bits. */
// RUN: %vectors --cpu=x86-64-v2 | filecheck --check-prefix=SSE %s
// RUN: %vectors --cpu=x86-64-v3 | filecheck --check-prefix=AVX %s
// RUN: %vectors --cpu=x86-64-v4 | filecheck --check-prefix=AVX512 %s
extern "C" __global__ void k(double *y, const double *x)
{
    y[threadIdx.x] = x[threadIdx.x];
}
// SSE: load <4 x double>
// SSE: attributes {{.*}}"prefer-vector-width"="128" {{.*}}"target-cpu"="x86-64-v2"
// AVX: load <16 x double>
// AVX: attributes {{.*}}"prefer-vector-width"="256" {{.*}}"target-cpu"="x86-64-v3"
// AVX512: load <16 x double>
// AVX512: attributes {{.*}}"prefer-vector-width"="512" {{.*}}"target-cpu"="x86-64-v4"
