/* Shared memory. Each kernel lays out the __shared__ variables that it uses one after
   the other; extern arrays all start after them, where the launch's dynamic shared
   memory is. Variables of functions that are not inlined, extern arrays too, have the
   same place in every kernel. */
#include "hostcc/front/front.h"
#include "hostcc/ir/map.h"
#include "hostcc/ir/pseudo.h"

#include <stdlib.h>

typedef struct {
    cc_unit *unit;
    cc_builder b;
    cc_map *offsets; /* variable -> offset */
    unsigned used;
    bool only_static; /* first round: extern arrays are placed after the rest */
    bool has_extern;
} place;

static bool is_shared_variable(cc_value v)
{
    return LLVMIsAGlobalVariable(v) && LLVMGetPointerAddressSpace(LLVMTypeOf(v)) == 3;
}

/* -- Addresses in constants -- */

static bool names_shared(cc_value constant)
{
    bool found = is_shared_variable(constant);
    if (!LLVMIsAGlobalValue(constant))
        for (int k = 0; k < LLVMGetNumOperands(constant) && !found; k++)
            found = names_shared(LLVMGetOperand(constant, (unsigned)k));
    return found;
}

static void store_parts(cc_builder b, cc_value constant, cc_value to)
{
    cc_type t = LLVMTypeOf(constant);
    if (!LLVMIsAConstantArray(constant) && !LLVMIsAConstantStruct(constant)) {
        LLVMBuildStore(b, constant, to);
        return;
    }
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(constant); k++) {
        cc_type i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(t));
        cc_value index[2] = {cc_int(i32, 0), cc_int(i32, k)};
        store_parts(b, LLVMGetOperand(constant, k),
                    LLVMBuildInBoundsGEP2(b, t, to, index, 2, ""));
    }
}

/* The uses in f of that constant become those of a local variable. */
static void make_local(cc_builder b, cc_value global, cc_value f)
{
    cc_value local = NULL, constant = LLVMGetInitializer(global);
    CC_EACH_INST_OF(i, f)
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) {
            if (LLVMGetOperand(i, k) != global)
                continue;
            if (!local) {
                LLVMPositionBuilderBefore(
                    b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
                local = LLVMBuildAlloca(b, LLVMTypeOf(constant), "");
                LLVMSetAlignment(local, LLVMGetAlignment(global));
                store_parts(b, constant, local);
            }
            LLVMSetOperand(i, k, local);
        }
}

/* clang takes `int *p[] = {a, b}` of shared a and b for a constant, and copies it. But
   a block knows where its shared memory is when it runs: functions write such tables.
 */
void cc_shared_tables(cc_unit *u)
{
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    for (cc_value g = LLVMGetFirstGlobal(u->module), next; g; g = next) {
        next = LLVMGetNextGlobal(g);
        if (!LLVMGetInitializer(g) || !names_shared(LLVMGetInitializer(g)))
            continue;
        cc_expand_constants(g);
        for (cc_value f = LLVMGetFirstFunction(u->module); f && LLVMIsGlobalConstant(g);
             f = LLVMGetNextFunction(f))
            make_local(b, g, f);
        if (!LLVMIsGlobalConstant(g) || LLVMGetFirstUse(g))
            cc_refuse("variable '%s' is initialized with the address of shared memory, "
                      "which is known to running blocks alone",
                      cc_name(g));
        LLVMDeleteGlobal(g);
    }
}

/* -- Indices -- */

/* Whether all that the pointer may be made from is a shared variable. */
static bool points_to_shared(cc_value v, cc_map *seen)
{
    bool all = true;
    if (is_shared_variable(v) || cc_map_get(seen, v) >= 0)
        return true;
    cc_map_put(seen, v, 1);
    if (LLVMIsAGetElementPtrInst(v) || LLVMIsAAddrSpaceCastInst(v))
        return points_to_shared(LLVMGetOperand(v, 0), seen);
    if (LLVMIsAConstantExpr(v) && (LLVMGetConstOpcode(v) == LLVMGetElementPtr ||
                                   LLVMGetConstOpcode(v) == LLVMAddrSpaceCast))
        return points_to_shared(LLVMGetOperand(v, 0), seen);
    if (LLVMIsASelectInst(v))
        return points_to_shared(LLVMGetOperand(v, 1), seen) &&
               points_to_shared(LLVMGetOperand(v, 2), seen);
    for (unsigned k = 0; LLVMIsAPHINode(v) && k < LLVMCountIncoming(v) && all; k++)
        all = points_to_shared(LLVMGetIncomingValue(v, k), seen);
    return LLVMIsAPHINode(v) && all;
}

/* Whether the index of 64 bits may be a number of 32 bits without a sign that has its
   highest bit, as LLVM writes it, or computed from one. */
static bool is_unsigned(cc_value index)
{
    if (LLVMIsAConstantInt(index))
        return LLVMConstIntGetSExtValue(index) > INT32_MAX;
    if (LLVMIsAZExtInst(index))
        return LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(index, 0))) == 32 &&
               !LLVMGetNNeg(index);
    if (!LLVMIsABinaryOperator(index))
        return false;
    unsigned k = LLVMIsAConstantInt(LLVMGetOperand(index, 0)) ? 1 : 0;
    if (!LLVMIsAConstantInt(LLVMGetOperand(index, 1 - k)))
        return false;
    switch (LLVMGetInstructionOpcode(index)) {
    case LLVMAnd:
        return LLVMConstIntGetZExtValue(LLVMGetOperand(index, 1 - k)) == UINT32_MAX;
    case LLVMXor:
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
        return is_unsigned(LLVMGetOperand(index, k));
    default:
        return false;
    }
}

static cc_value with_sign(cc_unit *u, cc_builder b, cc_value index)
{
    if (LLVMTypeOf(index) != u->i64 || !is_unsigned(index))
        return index;
    cc_value part = LLVMIsAZExtInst(index) ? LLVMGetOperand(index, 0)
                                           : LLVMBuildTrunc(b, index, u->i32, "");
    return LLVMBuildSExt(b, part, u->i64, "");
}

/* Whether a constant address made from that one is more than 2 GB behind it. */
static bool is_left_behind(cc_value constant)
{
    for (LLVMUseRef use = LLVMGetFirstUse(constant); use; use = LLVMGetNextUse(use)) {
        cc_value v = LLVMGetUser(use);
        bool found = LLVMIsAConstantExpr(v) && is_left_behind(v);
        for (unsigned k = 1;
             LLVMIsAConstantExpr(v) && !found && k < (unsigned)LLVMGetNumOperands(v);
             k++)
            found = LLVMIsAConstantInt(LLVMGetOperand(v, k)) &&
                    is_unsigned(LLVMGetOperand(v, k));
        if (found)
            return true;
    }
    return false;
}

/* On GPUs addresses of shared memory have 32 bits: p[~i] of an unsigned i is in front
   of p. So it is here, if p does not point to the start of a variable, in front of
   which there is nothing, as there is of a row or of a member. Of constants, LLVM has
   made the sum with where p points. */
void cc_wrap_shared_indices(cc_unit *u)
{
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    for (cc_value g = LLVMGetFirstGlobal(u->module); g; g = LLVMGetNextGlobal(g))
        if (is_shared_variable(g) && is_left_behind(g))
            cc_expand_constants(g);
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        CC_EACH_INST_OF(i, f) {
            cc_value p = LLVMIsAGetElementPtrInst(i) ? LLVMGetOperand(i, 0) : NULL;
            while (p && (LLVMIsAAddrSpaceCastInst(p) ||
                         (LLVMIsAConstantExpr(p) &&
                          LLVMGetConstOpcode(p) == LLVMAddrSpaceCast)))
                p = LLVMGetOperand(p, 0);
            if (!p || !points_to_shared(p, cc_map_new()))
                continue;
            LLVMPositionBuilderBefore(b, i);
            bool at_start = is_shared_variable(p);
            for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(i); k++) {
                cc_value index = LLVMGetOperand(i, k);
                if (!at_start || LLVMIsAConstantInt(index))
                    LLVMSetOperand(i, k, with_sign(u, b, index));
                at_start &= LLVMIsNull(index);
            }
        }
}

/* -- Places -- */

static void claim(place *p, cc_value v)
{
    bool dynamic = LLVMIsDeclaration(v);
    if (cc_map_get(p->offsets, v) >= 0 || dynamic == p->only_static)
        return;
    cc_type t = LLVMGlobalGetValueType(v);
    unsigned align = LLVMGetAlignment(v),
             natural = LLVMABIAlignmentOfType(p->unit->layout, t);
    align = dynamic ? 16 : align > natural ? align : natural;
    unsigned offset = (p->used + align - 1) / align * align;
    cc_map_put(p->offsets, v, offset);
    p->has_extern |= dynamic;
    p->used = dynamic ? p->used : offset + cc_sizeof(p->unit, t);
}

/* Gives every variable that the function uses the next place. */
static void claim_all(place *p, cc_value f)
{
    CC_EACH_INST_OF(i, f)
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++)
            if (is_shared_variable(LLVMGetOperand(i, k)))
                claim(p, LLVMGetOperand(i, k));
}

static void rewrite(place *p, cc_value f)
{
    cc_unit *u = p->unit;
    CC_EACH_INST_OF(i, f)
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) {
            cc_value v = LLVMGetOperand(i, k), before = i;
            if (!is_shared_variable(v))
                continue;
            if (LLVMIsAPHINode(i))
                before = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(i, k));
            LLVMPositionBuilderBefore(p->b, before);
            cc_value offset = cc_int(u->i32, (unsigned)cc_map_get(p->offsets, v));
            cc_value r = cc_call_function(u, p->b, CC_FN_SHARED_AT, u->ptr, &offset);
            if (LLVMIsAAddrSpaceCastInst(i)) {
                LLVMReplaceAllUsesWith(i, r);
                LLVMInstructionEraseFromParent(i);
                break;
            }
            r = LLVMBuildAddrSpaceCast(p->b, r, LLVMTypeOf(v), "");
            LLVMSetOperand(i, k, r);
        }
}

/* Of all functions that are not inlined. */
static void for_functions(place *p, void (*f)(place *, cc_value))
{
    cc_unit *u = p->unit;
    for (cc_value g = LLVMGetFirstFunction(u->module); g; g = LLVMGetNextFunction(g))
        if (!cc_is_kernel(u, g) && !LLVMIsDeclaration(g))
            f(p, g);
}

void cc_lower_shared(cc_unit *u)
{
    place common = {.unit = u, .offsets = cc_map_new(), .only_static = true};
    place *own = cc_alloc((u->nkernels + 1) * sizeof *own);
    unsigned most = 0;
    common.b = LLVMCreateBuilderInContext(u->context);
    for (cc_value g = LLVMGetFirstGlobal(u->module); g; g = LLVMGetNextGlobal(g))
        if (is_shared_variable(g))
            cc_expand_constants(g);
    for_functions(&common, claim_all);
    for (unsigned k = 0; k < u->nkernels; k++) {
        own[k] = common;
        own[k].offsets = cc_map_new();
        for (cc_value g = LLVMGetFirstGlobal(u->module); g; g = LLVMGetNextGlobal(g))
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
