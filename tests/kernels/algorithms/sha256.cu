/* SHA-256 of messages of several blocks, schedule in a ring of 16 words.

   vary   n = 1, 77
   let    x = ints(0, 255, (n, 100), u1)
   in     m = x
   out    y = empty((n, 8), u4)
   def    md(x): import hashlib; return array([list(hashlib.sha256(r.tobytes()).digest()) for r in x], u1).view('>u4').astype(u4)
   call   sha(m, y, n)
   expect y = md(x)
*/
__constant__ unsigned K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
    0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2};
#define ROTR(x, n) __funnelshift_r(x, x, n)
__device__ __forceinline__ void transform(unsigned *h, const unsigned char *block)
{
    unsigned w[16], v[8];
#pragma unroll
    for (int i = 0; i < 16; i++)
        w[i] = __byte_perm(*(const unsigned *)(block + 4 * i), 0, 0x0123);
#pragma unroll
    for (int i = 0; i < 8; i++)
        v[i] = h[i];
#pragma unroll 16
    for (int i = 0; i < 64; i++) {
        if (i >= 16) {
            unsigned a = w[(i + 1) & 15], b = w[(i + 14) & 15];
            w[i & 15] += w[(i + 9) & 15] + (ROTR(a, 7) ^ ROTR(a, 18) ^ a >> 3) +
                         (ROTR(b, 17) ^ ROTR(b, 19) ^ b >> 10);
        }
        unsigned t1 = v[7] + (ROTR(v[4], 6) ^ ROTR(v[4], 11) ^ ROTR(v[4], 25)) +
                      (v[4] & v[5] ^ ~v[4] & v[6]) + K[i] + w[i & 15];
        unsigned t2 = (ROTR(v[0], 2) ^ ROTR(v[0], 13) ^ ROTR(v[0], 22)) +
                      (v[0] & v[1] ^ v[0] & v[2] ^ v[1] & v[2]);
        for (int j = 7; j; j--)
            v[j] = v[j - 1];
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        h[i] += v[i];
}
extern "C" __global__ void __launch_bounds__(1024)
    sha(const unsigned char *m, unsigned *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    unsigned char block[64];
    const int len = 100;
    for (int at = 0; at < len + 9; at += 64) {
        for (int j = 0; j < 64; j++) {
            int p = at + j;
            block[j] = p < len    ? m[len * i + p]
                       : p == len ? 0x80
                       : p >= 126 ? (len * 8) >> 8 * (127 - p) & 255
                                  : 0;
        }
        transform(h, block);
    }
    for (int j = 0; j < 8; j++)
        y[8 * i + j] = h[j];
}
