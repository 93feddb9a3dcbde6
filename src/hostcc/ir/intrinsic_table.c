/* LLVM's intrinsics: which have a vector form, how their names are overloaded, which
   say nothing to us. One row each. */
#include "hostcc/ir/intrinsic_table.h"

static const cc_intrinsic_row rows[] = {
    {"llvm.fabs."},
    {"llvm.sqrt."},
    {"llvm.fma."},
    {"llvm.floor."},
    {"llvm.ceil."},
    {"llvm.trunc."},
    {"llvm.rint."},
    {"llvm.nearbyint."},
    {"llvm.round."},
    {"llvm.roundeven."},
    {"llvm.copysign."},
    {"llvm.minnum."},
    {"llvm.maxnum."},
    {"llvm.abs.", .scalars = 1 << 1},
    {"llvm.smin.", .order = LLVMIntSLT},
    {"llvm.smax.", .order = LLVMIntSGT},
    {"llvm.umin.", .order = LLVMIntULT},
    {"llvm.umax.", .order = LLVMIntUGT},
    {"llvm.scmp.", "r0"},
    {"llvm.ucmp.", "r0"},
    {"llvm.ctpop."},
    {"llvm.ctlz.", .scalars = 1 << 1},
    {"llvm.cttz.", .scalars = 1 << 1},
    {"llvm.bswap."},
    {"llvm.bitreverse."},
    {"llvm.fshl."},
    {"llvm.fshr."},
    {"llvm.sadd.sat."},
    {"llvm.uadd.sat."},
    {"llvm.ssub.sat."},
    {"llvm.usub.sat.", .order = LLVMIntUGT},
    {"llvm.sadd.with.overflow.", "0"},
    {"llvm.uadd.with.overflow.", "0"},
    {"llvm.ssub.with.overflow.", "0"},
    {"llvm.usub.with.overflow.", "0"},
    {"llvm.smul.with.overflow.", "0"},
    {"llvm.umul.with.overflow.", "0"},
    {"llvm.ldexp.", "r1"},
    {"llvm.is.fpclass.", "0", 1 << 1},
};

/* Hints: nothing is lost without them. */
static const char *const ignored[] = {
    "llvm.lifetime.",  "llvm.dbg.",
    "llvm.assume",     "llvm.experimental.noalias",
    "llvm.donothing",  "llvm.sideeffect",
    "llvm.invariant.", "llvm.prefetch",
    "llvm.stacksave",  "llvm.stackrestore",
};

const cc_intrinsic_row *cc_intrinsic_find(const char *name)
{
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
        if (cc_prefixed(name, rows[k].name))
            return &rows[k];
    return NULL;
}

LLVMIntPredicate cc_intrinsic_order(cc_value i)
{
    const cc_intrinsic_row *row =
        LLVMIsACallInst(i) ? cc_intrinsic_find(cc_callee(i)) : NULL;
    return row ? row->order : 0;
}

bool cc_intrinsic_is_hint(const char *name)
{
    for (unsigned k = 0; k < sizeof ignored / sizeof *ignored; k++)
        if (cc_prefixed(name, ignored[k]))
            return true;
    return false;
}

/* Harmless where no lane runs. */
bool cc_intrinsic_is_pure(const char *name)
{
    return cc_intrinsic_find(name) || cc_intrinsic_is_hint(name) ||
           cc_prefixed(name, CC_REGISTER);
}

bool cc_is_fill_or_copy(cc_value i)
{
    const char *name = LLVMIsACallInst(i) ? cc_callee(i) : "";
    return (cc_prefixed(name, "llvm.memset.") || cc_prefixed(name, "llvm.memcpy.")) &&
           !LLVMConstIntGetZExtValue(LLVMGetOperand(i, 3)); /* volatile */
}
