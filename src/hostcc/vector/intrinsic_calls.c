/* Calls of LLVM's intrinsics, for all lanes at once; those of the processor's own. */
#include "hostcc/vector/vector.h"
#include "hostcc/front/front.h"
#include "hostcc/ir/intrinsic_table.h"

/* A call of an intrinsic in the table, for all lanes or once. */
static void table_call(cc_vec *e, cc_value i, const cc_intrinsic_row *r)
{
    bool wide = !cc_same(e, i);
    unsigned n = cc_nargs(i), noverload = 0;
    cc_value args[4];
    cc_type overload[2];
    for (unsigned k = 0; k < n && k < 4; k++) {
        cc_value v = LLVMGetOperand(i, k);
        args[k] = wide && !(r->scalars >> k & 1) ? cc_lanes(e, v) : cc_scalar(e, v);
    }
    for (const char *o = r->overload ? r->overload : "r"; *o; o++) {
        cc_type result = LLVMTypeOf(i);
        overload[noverload++] = *o != 'r' ? LLVMTypeOf(args[*o - '0'])
                                : wide    ? cc_wide(e, result)
                                          : result;
    }
    char *name = cc_format("%s", r->name);
    name[strlen(name) - 1] = 0;
    cc_value v = cc_intrinsic(e, name, overload, noverload, args, n);
    if (LLVMCanValueUseFastMathFlags(i) && LLVMCanValueUseFastMathFlags(v))
        LLVMSetFastMathFlags(v, LLVMGetFastMathFlags(i));
    cc_define(e, i, wide ? NULL : v, wide ? v : NULL);
}

bool cc_intrinsic_call(cc_vec *e, cc_value i)
{
    const char *name = cc_callee(i);
    const cc_intrinsic_row *r = cc_intrinsic_find(name);
    if (r)
        table_call(e, i, r);
    return r || cc_intrinsic_is_hint(name);
}

/* -- Products of halves -- */

/* The instruction, and of how many bits. */
static const struct {
    unsigned bits;
    const char *intrinsic;
} products[] = {{512, "llvm.x86.avx512.pmaddw.d.512"},
                {256, "llvm.x86.avx2.pmadd.wd"},
                {128, "llvm.x86.sse2.pmadd.wd"}};

/* n lanes of v from `at` on, as twice as many numbers of 16 bits. */
static cc_value halves(cc_vec *e, cc_value v, unsigned at, unsigned n)
{
    unsigned from[HC_LANES];
    cc_type i16 = LLVMInt16TypeInContext(e->unit->context);
    for (unsigned l = 0; l < n; l++)
        from[l] = at + l;
    return LLVMBuildBitCast(e->b, cc_permute(e, v, v, from, n),
                            LLVMVectorType(i16, 2 * n), "");
}

static cc_value products_of_lanes(cc_vec *e, cc_value a, cc_value b)
{
    cc_value part[HC_LANES];
    for (unsigned k = 0; k < sizeof products / sizeof *products; k++) {
        unsigned bits = products[k].bits, n = bits / 32;
        const char *name = products[k].intrinsic;
        if (bits > e->unit->vector_bits || n > e->width ||
            !LLVMLookupIntrinsicID(name, strlen(name)))
            continue;
        for (unsigned at = 0; at < e->width; at += n) {
            cc_value args[] = {halves(e, a, at, n), halves(e, b, at, n)};
            part[at / n] = cc_intrinsic(e, name, NULL, 0, args, 2);
        }
        return cc_concatenate(e, part, e->width / n);
    }
    return cc_products_of_halves(e->b, a, b, cc_splat(e, cc_int(e->unit->i32, 16)));
}

cc_value cc_emit_products(cc_vec *e, cc_value i)
{
    cc_value a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
    if (cc_same(e, i))
        return cc_products_of_halves(e->b, cc_scalar(e, a), cc_scalar(e, b),
                                     cc_int(e->unit->i32, 16));
    cc_define(e, i, NULL, products_of_lanes(e, cc_lanes(e, a), cc_lanes(e, b)));
    return NULL;
}
