/* Calls of LLVM's intrinsics, for all lanes at once. */
#include "hostcc/vector/vector.h"
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
