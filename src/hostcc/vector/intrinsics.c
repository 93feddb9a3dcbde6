/* LLVM's intrinsics: which have a vector form, how their names are overloaded, which
   say nothing to us. One row each. */
#include "hostcc/vector/vector.h"

#include <stdlib.h>

typedef struct {
    const char *name;     /* up to the overloads */
    const char *overload; /* types that name it: r result, 0 1 arguments; NULL: "r" */
    unsigned scalars;     /* bit mask of arguments that stay scalar constants */
} row;

static const row rows[] = {
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
    {"llvm.smin."},
    {"llvm.smax."},
    {"llvm.umin."},
    {"llvm.umax."},
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
    {"llvm.usub.sat."},
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

val cc_intrinsic(cc_vec *e, const char *name, const type *overload, unsigned n,
                 val *args, unsigned nargs)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    if (!id)
        cc_refuse("this LLVM has no '%s'", name);
    val f = LLVMGetIntrinsicDeclaration(e->unit->module, id, (type *)overload, n);
    type t = LLVMIntrinsicGetType(e->unit->context, id, (type *)overload, n);
    return LLVMBuildCall2(e->b, t, f, args, nargs, "");
}

/* A call of an intrinsic in the table, for all lanes or once. */
static void table_call(cc_vec *e, val i, const row *r)
{
    bool wide = !cc_same(e, i);
    unsigned n = cc_nargs(i), noverload = 0;
    val args[4];
    type overload[2];
    for (unsigned k = 0; k < n && k < 4; k++) {
        val v = LLVMGetOperand(i, k);
        args[k] = wide && !(r->scalars >> k & 1) ? cc_lanes(e, v) : cc_scalar(e, v);
    }
    for (const char *o = r->overload ? r->overload : "r"; *o; o++) {
        type result = LLVMTypeOf(i);
        overload[noverload++] = *o != 'r' ? LLVMTypeOf(args[*o - '0'])
                                : wide    ? cc_wide(e, result)
                                          : result;
    }
    char *name = cc_format("%s", r->name);
    name[strlen(name) - 1] = 0;
    val v = cc_intrinsic(e, name, overload, noverload, args, n);
    if (LLVMCanValueUseFastMathFlags(i) && LLVMCanValueUseFastMathFlags(v))
        LLVMSetFastMathFlags(v, LLVMGetFastMathFlags(i));
    cc_define(e, i, wide ? NULL : v, wide ? v : NULL);
}

static const row *find_row(const char *name)
{
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
        if (cc_prefixed(name, rows[k].name))
            return &rows[k];
    return NULL;
}

static bool is_ignored(const char *name)
{
    for (unsigned k = 0; k < sizeof ignored / sizeof *ignored; k++)
        if (cc_prefixed(name, ignored[k]))
            return true;
    return false;
}

/* Harmless where no lane runs. */
bool cc_intrinsic_is_pure(const char *name)
{
    return find_row(name) || is_ignored(name) || cc_prefixed(name, CC_REGISTER);
}

/* An LLVM intrinsic of any kind but the special registers. */
void cc_intrinsic_call(cc_vec *e, val i)
{
    const char *name = cc_callee(i);
    const row *r = find_row(name);
    if (r)
        table_call(e, i, r);
    else if (!is_ignored(name))
        cc_lane_by_lane(e, i, NULL);
}
