/* PTX's rarer instructions on bits and bytes. */
#ifndef HOSTCC_PTX_BITS_H
#define HOSTCC_PTX_BITS_H

/* Of the bytes 0 to 7 of a and b four from byte c on, forwards or backwards. */
__HC_DEVICE u32 ptx_forwards(u32 a, u32 b, u32 c)
{
    return __funnelshift_r(a, b, 8 * c);
}
__HC_DEVICE u32 ptx_backwards(u32 a, u32 b, u32 c)
{
    return __byte_perm(a, b, (0x5670 + 0x1111 * c) & 0x7777);
}
#define ptx_prmt_f4e(T, d, a, b, c) d = ptx_forwards(a, b, (c) & 3)
#define ptx_prmt_b4e(T, d, a, b, c) d = ptx_backwards(a, b, (c) & 3)
#define PTX_ONE_OF(c, x0, x1, x2, x3) \
    (((c) & 3) == 0 ? x0 : ((c) & 3) == 1 ? x1 : ((c) & 3) == 2 ? x2 : x3)
#define PTX_BYTES(a, b, selector) __byte_perm(as<u32>(a), as<u32>(b), selector)
#define ptx_prmt_rc8(T, d, a, b, c) d = PTX_BYTES(a, b, 0x1111 * ((c) & 3))
#define ptx_prmt_rc16(T, d, a, b, c) \
    d = PTX_BYTES(a, b, PTX_ONE_OF(c, 0x1010, 0x3232, 0x1010, 0x3232))
#define ptx_prmt_ecl(T, d, a, b, c) \
    d = PTX_BYTES(a, b, PTX_ONE_OF(c, 0x3210, 0x3211, 0x3222, 0x3333))
#define ptx_prmt_ecr(T, d, a, b, c) \
    d = PTX_BYTES(a, b, PTX_ONE_OF(c, 0x0000, 0x1110, 0x2210, 0x3210))

/* How far the highest bit that counts is from the top; all bits: there is none. */
template <class T> __HC_DEVICE u32 ptx_distance(T a)
{
    a = a < 0 ? ~a : a;
    return a ? ptx_zeros(a) : ~0u;
}
#define ptx_bfind_shiftamt(T, d, a) d = ptx_distance(as<T>(a))
#define ptx_fns(T, d, mask, base, n) d = __fns(mask, base, (s32)(n))
#define ptx_bmsk_wrap(T, d, a, b) d = ptx_left(ptx_ones<u32>((b) & 31), (a) & 31)

/* The low n bits; signed ones with their sign. */
template <class T> __HC_DEVICE T ptx_extended(T a, u32 n)
{
    return n ? ptx_field(a, 0, n) : 0;
}
#define ptx_szext_clamp(T, d, a, b) put<T>(d, ptx_extended(as<T>(a), b))
#define ptx_szext_wrap(T, d, a, b) put<T>(d, ptx_extended(as<T>(a), (b) & 31))

/* A function of three, and whether any bit of it is set and / or the predicate. */
#define PTX_LOP3(op, T, d, p, a, b, c, e, q) \
    ptx_both(d, p, ptx_look_up(a, b, c, e), ptx_look_up(a, b, c, e) != 0 op(bool)(q))
#define ptx_lop3_or(...) PTX_LOP3(|, __VA_ARGS__)
#define ptx_lop3_and(...) PTX_LOP3(&, __VA_ARGS__)

/* a and b as the nearest numbers of so many bits, b in the lowest ones; above them
   what c has in its lowest ones. */
template <s32 least, u32 bits> __HC_DEVICE u32 ptx_packed(s32 a, s32 b, u32 c)
{
    const s32 most = least + (s32)ptx_ones<u32>(bits);
    a = __builtin_elementwise_min(__builtin_elementwise_max(a, least), most);
    b = __builtin_elementwise_min(__builtin_elementwise_max(b, least), most);
    return ptx_left(c, 2 * bits) | (a & ptx_ones<u32>(bits)) << bits |
           (b & ptx_ones<u32>(bits));
}
#define PTX_FIELD_u16 0, 16
#define PTX_FIELD_s16 -32768, 16
#define PTX_FIELD_u8 0, 8
#define PTX_FIELD_s8 -128, 8
#define PTX_FIELD_u4 0, 4
#define PTX_FIELD_s4 -8, 4
#define PTX_FIELD_u2 0, 2
#define PTX_FIELD_s2 -2, 2
#define PTX_PACK_5(T, A, d, a, b) PTX_PACK_7(T, A, b32, d, a, b, 0)
#define PTX_PACK_7(T, A, C, d, a, b, c) \
    d = ptx_packed<PTX_FIELD_##T>(as<A>(a), as<A>(b), c)
#define ptx_cvt_pack_sat(...) \
    PTX_PICK(__VA_ARGS__, , PTX_PACK_7, , PTX_PACK_5, )(__VA_ARGS__)

#endif
