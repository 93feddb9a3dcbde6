/* Shared memory. Each kernel lays out the __shared__ variables that it uses one after
   the other; extern arrays all start after them, where the launch's dynamic shared
   memory is. What functions that are not inlined use, extern arrays too, has the same
   place for every kernel. LLVM sees variables in constant expressions, too: those are
   taken apart into instructions. */
#include "cfg.h"

#include <stdlib.h>

typedef struct {
    cc_unit *unit;
    builder b;
    cc_map *offsets; /* variable -> offset */
    unsigned used;
    bool only_static; /* first round: extern arrays wait until the rest is placed */
    bool has_extern;
} place;

static bool is_shared_variable(val v)
{
    return LLVMIsAGlobalVariable(v) && LLVMGetPointerAddressSpace(LLVMTypeOf(v)) == 3;
}

/* A constant made of others. */
static bool is_composed(val v)
{
    return LLVMIsAConstantExpr(v) || LLVMIsAConstantStruct(v) ||
           LLVMIsAConstantArray(v);
}

static bool mentions_shared(val v)
{
    if (is_shared_variable(v))
        return true;
    if (!is_composed(v))
        return false;
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(v); k++)
        if (mentions_shared(LLVMGetOperand(v, k)))
            return true;
    return false;
}

/* Notes every variable that v mentions; gives it the next place. */
static void claim(place *p, val v)
{
    if (is_shared_variable(v)) {
        bool dynamic = LLVMIsDeclaration(v);
        if (cc_map_get(p->offsets, v) >= 0 || dynamic == p->only_static)
            return;
        unsigned align = LLVMGetAlignment(v);
        unsigned natural =
            LLVMABIAlignmentOfType(p->unit->layout, LLVMGlobalGetValueType(v));
        align = dynamic ? 16 : align > natural ? align : natural;
        unsigned offset = (p->used + align - 1) / align * align;
        cc_map_put(p->offsets, v, offset);
        p->has_extern |= dynamic;
        p->used =
            dynamic ? p->used : offset + cc_sizeof(p->unit, LLVMGlobalGetValueType(v));
    } else if (is_composed(v)) {
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(v); k++)
            claim(p, LLVMGetOperand(v, k));
    }
}

static void claim_all(place *p, val f)
{
    CC_EACH_INST_OF(i, f)
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++)
            claim(p, LLVMGetOperand(i, k));
}

/* The constant as instructions at the builder, in address space 0. */
static val expand(place *p, val v)
{
    cc_unit *u = p->unit;
    if (is_shared_variable(v)) {
        val offset = cc_int(u->i32, (unsigned)cc_map_get(p->offsets, v));
        return cc_pure_helper(u, p->b, "hc.shared", u->ptr, 1, &offset);
    }
    if (!mentions_shared(v))
        return v;
    unsigned n = (unsigned)LLVMGetNumOperands(v);
    val *operand = cc_alloc((n + 1) * sizeof *operand);
    for (unsigned k = 0; k < n; k++)
        operand[k] = expand(p, LLVMGetOperand(v, k));
    if (!LLVMIsAConstantExpr(v)) {
        val whole = LLVMGetPoison(LLVMTypeOf(v));
        for (unsigned k = 0; k < n; k++)
            whole = LLVMBuildInsertValue(p->b, whole, operand[k], k, "");
        return whole;
    }
    LLVMOpcode op = LLVMGetConstOpcode(v);
    switch (op) {
    case LLVMAddrSpaceCast:
    case LLVMBitCast:
        return operand[0];
    case LLVMGetElementPtr:
        return LLVMBuildGEP2(p->b, LLVMGetGEPSourceElementType(v), operand[0],
                             operand + 1, n - 1, "");
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMTrunc:
        return LLVMBuildCast(p->b, op, operand[0], LLVMTypeOf(v), "");
    case LLVMAdd:
    case LLVMSub:
    case LLVMXor:
        return LLVMBuildBinOp(p->b, op, operand[0], operand[1], "");
    default:
        cc_refuse("address of a __shared__ variable in a constant: %s",
                  LLVMPrintValueToString(v));
    }
}

static void rewrite(place *p, val f)
{
    CC_EACH_INST_OF(i, f)
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) {
            val v = LLVMGetOperand(i, k);
            if (!LLVMIsConstant(v) || !mentions_shared(v))
                continue;
            val before = LLVMIsAPHINode(i)
                             ? LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(i, k))
                             : i;
            LLVMPositionBuilderBefore(p->b, before);
            val r = expand(p, v);
            if (LLVMTypeOf(r) != LLVMTypeOf(v))
                r = LLVMBuildAddrSpaceCast(p->b, r, LLVMTypeOf(v), "");
            LLVMSetOperand(i, k, r);
        }
}

/* Of all functions that are not inlined. */
static void for_functions(place *p, void (*f)(place *, val))
{
    cc_unit *u = p->unit;
    for (val g = LLVMGetFirstFunction(u->module); g; g = LLVMGetNextFunction(g))
        if (!cc_is_kernel(u, g) && !LLVMIsDeclaration(g))
            f(p, g);
}

void cc_lower_shared(cc_unit *u)
{
    place common = {.unit = u, .offsets = cc_map_new(), .only_static = true};
    place *own = cc_alloc((u->nkernels + 1) * sizeof *own);
    unsigned most = 0;
    common.b = LLVMCreateBuilderInContext(u->context);
    for_functions(&common, claim_all);
    for (unsigned k = 0; k < u->nkernels; k++) {
        own[k] = common;
        own[k].offsets = cc_map_new();
        for (val g = LLVMGetFirstGlobal(u->module); g; g = LLVMGetNextGlobal(g))
            if (cc_map_get(common.offsets, g) >= 0)
                cc_map_put(own[k].offsets, g, (unsigned)cc_map_get(common.offsets, g));
        claim_all(&own[k], u->kernels[k].function);
        own[k].used = (own[k].used + 15) & ~15u;
        most = own[k].used > most ? own[k].used : most;
    }
    common.only_static = false;
    common.used = most;
    for_functions(&common, claim_all);
    for (unsigned k = 0; k < u->nkernels; k++) {
        own[k].used = common.has_extern ? most : own[k].used;
        own[k].only_static = false;
        claim_all(&own[k], u->kernels[k].function);
        u->kernels[k].shared_bytes = own[k].used;
        rewrite(&own[k], u->kernels[k].function);
    }
    for_functions(&common, rewrite);
}
