/* Loads from selected addresses. LLVM merges `c ? a[i] : b[0]` into one load from a
   selected address or index. Of arms that are each the same in all lanes or evenly
   spaced it makes an address that is anywhere, so a gather. Where that is so, the load
   becomes a branch around two loads again; lanes seldom diverge there. Runs on regions,
   after the last pass that would merge them once more. */
#include "hostcc/vector/vector.h"
#include "hostcc/ir/clone.h"
#include "hostcc/split/split.h"

#define MOST_LOADS 64 /* in a region */
#define MOST_STEPS 6  /* from the load back to the select */

/* The one operand that makes v vary from lane to lane, where v is made of it by adding
   and scaling; else their number. */
static unsigned only_varying(const cc_uniformity_info *s, cc_value v)
{
    unsigned found = 0, n = (unsigned)LLVMGetNumOperands(v), at = 0;
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    bool scales = op == LLVMMul || op == LLVMShl;
    if (!LLVMIsAGetElementPtrInst(v) && !LLVMIsACastInst(v) && op != LLVMAdd &&
        op != LLVMSub && !(scales && LLVMIsConstant(LLVMGetOperand(v, 1))))
        return n;
    for (unsigned k = 0; k < n; k++)
        if (cc_uniformity_of(s, LLVMGetOperand(v, k)).kind == CC_VARYING) {
            at = k;
            found++;
        }
    return found == 1 ? at : n;
}

/* The select that makes an address vary and whose arms do not both; or NULL. */
static cc_value find_select(const cc_uniformity_info *s, cc_value v, unsigned depth)
{
    if (!LLVMIsAInstruction(v) || depth > MOST_STEPS)
        return NULL;
    if (LLVMIsASelectInst(v))
        return cc_uniformity_of(s, v).kind == CC_VARYING &&
                       (cc_uniformity_of(s, LLVMGetOperand(v, 1)).kind == CC_AFFINE ||
                        cc_uniformity_of(s, LLVMGetOperand(v, 2)).kind == CC_AFFINE)
                   ? v
                   : NULL;
    unsigned at = only_varying(s, v);
    return at < (unsigned)LLVMGetNumOperands(v)
               ? find_select(s, LLVMGetOperand(v, at), depth + 1)
               : NULL;
}

/* The load, or a step on the way to its address, with one arm for the select. */
static cc_value with_arm(const cc_uniformity_info *s, cc_builder b, cc_value v,
                         unsigned arm)
{
    if (LLVMIsASelectInst(v))
        return LLVMGetOperand(v, arm);
    unsigned at = LLVMIsALoadInst(v) ? 0 : only_varying(s, v);
    cc_value from = with_arm(s, b, LLVMGetOperand(v, at), arm),
             copy = LLVMInstructionClone(v);
    LLVMSetOperand(copy, at, from);
    LLVMInsertIntoBuilder(b, copy);
    return copy;
}

static void branch(cc_unit *u, const cc_uniformity_info *s, cc_value load,
                   cc_value condition)
{
    cc_block head = cc_split_after(u, LLVMGetPreviousInstruction(load));
    cc_block tail = LLVMGetInstructionParent(load), arm[2];
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    cc_value each[2];
    for (unsigned k = 0; k < 2; k++) {
        arm[k] = LLVMInsertBasicBlockInContext(u->context, tail, "arm");
        LLVMPositionBuilderAtEnd(b, arm[k]);
        each[k] = with_arm(s, b, load, k + 1);
        LLVMBuildBr(b, tail);
    }
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(head));
    LLVMPositionBuilderAtEnd(b, head);
    LLVMBuildCondBr(b, condition, arm[0], arm[1]);
    LLVMPositionBuilderBefore(b, load);
    cc_value phi = LLVMBuildPhi(b, LLVMTypeOf(load), "");
    LLVMAddIncoming(phi, each, arm, 2);
    LLVMReplaceAllUsesWith(load, phi);
    LLVMInstructionEraseFromParent(load);
}

void cc_branch_to_loads(cc_unit *u, cc_value region, cc_uniformity_rules rules)
{
    const cc_uniformity_info *s = cc_uniformity_infer(cc_cfg_build(region), rules);
    for (unsigned k = 0, n = 0; k < s->count && n < MOST_LOADS; k++) {
        cc_value v = s->value[k], select = NULL;
        if (LLVMIsALoadInst(v) && !cc_is_ordered(v) && LLVMGetPreviousInstruction(v))
            select = find_select(s, cc_pointer_of(v), 0);
        if (select) {
            branch(u, s, v, LLVMGetOperand(select, 0));
            n++;
        }
    }
}
