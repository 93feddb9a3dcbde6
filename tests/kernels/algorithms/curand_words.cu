/* <curand_kernel.h>: words for a seed, subsequence and offset, and after skips, as NVIDIA's give them on a GPU.

   slow
   block  1
   let    seed = 0xdeadbeefcafebabe
   let    subsequences = array([0, 0, 0, 77, 77, 77, 1 << 40, 1 << 40, 1 << 40], u8)
   let    offsets = array([0, 5, 1000000007] * 3, u8)
   out    x = empty((9, 3), u4)
   out    m = empty((9, 3), u4)
   out    p = empty((9, 3), u4)
   out    ux = empty(9, f4)
   out    um = empty(9, f4)
   out    up = empty(9, f4)
   in     s = subsequences
   in     o = offsets
   call   xorwow[1, 9](x, ux, u8(seed), s, o)
   call   mrg32k3a[1, 9](m, um, u8(seed), s, o)
   call   philox[1, 9](p, up, u8(seed), s, o)
   expect x = [[148309941, 655497755, 1273739873], [3080275886, 2454221651, 3163730904],
               [278648701, 3813979317, 606392486], [2059658882, 1686144989, 2609829570],
               [321618512, 3388947496, 1528814050], [4156041210, 3467963652, 656230474],
               [1712002962, 522901614, 3919954031], [1921488391, 195336866, 119000836],
               [502801633, 1995784645, 115823080]]
   expect m = [[650602386, 1028627409, 3898282197], [996516614, 2971357747, 3679174122],
               [1839941511, 4097073521, 4017866290], [970528706, 1454440041, 87690380],
               [3928636350, 2694769583, 3333988816], [1933077580, 3621889892, 184461345],
               [1397604395, 2411513417, 565203100], [2981059077, 1946480232, 4027154874],
               [3108194673, 522716612, 2534170726]]
   expect p = [[3280382903, 3412562057, 1670084015], [3501596885, 999290258, 3795395852],
               [687337135, 3349299802, 3518397626], [1668712395, 423574378, 2579835189],
               [2737271297, 1727129553, 2550745454], [1642233517, 4258854734, 3467137722],
               [435535683, 640956339, 2396216444], [3848070889, 1728675958, 283040917],
               [3150808836, 3681263060, 3342868977]]
   expect ux = array([0.771937788, 0.526006341, 0.585781157, 0.604313731, 0.644343913, 0.620545805,
                      0.476649165, 0.648759782, 0.470035553], f4)
   expect um = array([0.893378258, 0.0342124887, 0.773824215, 0.638680398, 0.871338308, 0.372960091,
                      0.864815354, 0.93805337, 0.893996894], f4)
   expect up = array([0.608653069, 0.0112204626, 0.489221275, 0.260362536, 0.898636878, 0.805112422,
                      0.662978768, 0.763595283, 0.691993833], f4)
   out    skipped = empty((2, 6), u4)
   call   skips[1, 1](skipped, 0, u8(69343957))
   call   skips[1, 1](skipped, 1, u8(4808584372417849))
   expect skipped = [[173590759, 1176082584, 3253368615, 2920504924, 4039057955, 675888202],
                     [330032257, 2585388574, 3217757281, 4088608166, 1908945475, 2425735886]]
*/
#include <curand_kernel.h>

typedef unsigned long long u64;

#define KERNEL(name, S)                                                                          \
    extern "C" __global__ void name(unsigned *x, float *uniform, u64 seed, const u64 *subsequence, \
                                    const u64 *offset)                                           \
    {                                                                                            \
        S s;                                                                                     \
        int i = threadIdx.x;                                                                     \
        curand_init(seed, subsequence[i], offset[i], &s);                                        \
        for (int k = 0; k < 3; k++)                                                              \
            x[3 * i + k] = curand(&s);                                                           \
        uniform[i] = curand_uniform(&s);                                                         \
    }
KERNEL(xorwow, curandState)
KERNEL(mrg32k3a, curandStateMRG32k3a_t)
KERNEL(philox, curandStatePhilox4_32_10_t)

template <class S> __device__ void skip(unsigned *x, u64 n)
{
    S s;
    curand_init(5, 1, 2, &s);
    skipahead(n, &s);
    x[0] = curand(&s);
    skipahead_sequence(n, &s);
    x[1] = curand(&s);
}
extern "C" __global__ void skips(unsigned *x, int row, u64 n)
{
    x += 6 * row;
    skip<curandState_t>(x, n);
    skip<curandStateMRG32k3a_t>(x + 2, n);
    skip<curandStatePhilox4_32_10_t>(x + 4, n);
}
