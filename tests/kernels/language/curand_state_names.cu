/* The states of CURAND's generators are structs of their names: in declarations in front of the header, in elaborated
   types, in unions and in the names of kernels.

   block  32
   let    n = threads
   in     v32 = u4(1) << arange(31, -1, -1).astype(u4)
   in     v64 = u8(1) << arange(63, -1, -1).astype(u8)
   out    x = empty(n, u8)
   out    y = empty(n, u8)
   def    words(bits): return array([int(f"{i ^ i >> 1:0{bits}b}"[::-1], 2) for i in range(n)], u8)
   call   _Z5drawsI18curandStateSobol32jEvPT_PT0_Py(np.uint64(0), v32, x)
   expect x = words(32)
   call   _Z5drawsI27curandStateScrambledSobol64yEvPT_PT0_Py(np.uint64(0), v64, y)
   expect y = words(64) ^ u8(5)
*/
struct curandStateSobol32;
struct curandStateScrambledSobol64;
__device__ unsigned long long next(struct curandStateSobol32 *state);
#include <curand_kernel.h>

__device__ unsigned long long next(struct curandStateSobol32 *state) { return curand(state); }
__device__ unsigned long long next(struct curandStateScrambledSobol64 *state) { return curand(state); }
__device__ void begin(curandStateSobol32_t *s, unsigned *v, unsigned i) { curand_init(v, i, s); }
__device__ void begin(curandStateScrambledSobol64_t *s, unsigned long long *v, unsigned i)
{
    curand_init(v, 5, i, s);
}
template <class State, class Word>
__global__ void draws(State *, Word *vectors, unsigned long long *x)
{
    union {
        State state;
        unsigned words[4];
    } both;
    begin(&both.state, vectors, threadIdx.x);
    x[threadIdx.x] = next(&both.state);
}
template __global__ void draws(curandStateSobol32_t *, unsigned *, unsigned long long *);
template __global__ void draws(curandStateScrambledSobol64_t *, unsigned long long *, unsigned long long *);
