/* Full code of a region for vectors in which some of its comparisons are known. What
   follows of these at once is known, too: conditions that they are part of, and numbers
   made of those, as the 1 or 0 of `x[x < last ? t + 1 : t]`. */
#include "hostcc/back/back.h"
#include "hostcc/ir/clone.h"
#include "hostcc/split/split.h"
#include "hostcc/vector/vector.h"

/* What i is if an operand of it is a constant; NULL: itself. */
static cc_value simpler(cc_value i)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    cc_value first = LLVMGetNumOperands(i) > 0 ? LLVMGetOperand(i, 0) : NULL;
    bool known = first && LLVMIsAConstantInt(first);
    if ((op == LLVMSExt || op == LLVMZExt) && known)
        return cc_int(LLVMTypeOf(i), op == LLVMSExt
                                         ? (uint64_t)LLVMConstIntGetSExtValue(first)
                                         : LLVMConstIntGetZExtValue(first));
    if (op == LLVMSelect && known)
        return LLVMGetOperand(i, LLVMConstIntGetZExtValue(first) ? 1 : 2);
    if ((op != LLVMAnd && op != LLVMOr) || !cc_is_int(LLVMTypeOf(i), 1))
        return NULL;
    cc_value second = LLVMGetOperand(i, 1), constant = known ? first : second;
    if (!LLVMIsAConstantInt(constant))
        return NULL;
    bool decides = LLVMIsNull(constant) == (op == LLVMAnd);
    return decides ? constant : known ? second : first;
}

cc_value cc_decided_code(cc_unit *u, cc_kernel *k, unsigned state, const char *suffix,
                         cc_decision *decide, const void *data)
{
    cc_value *region = &k->layout[0].region[state], all = *region;
    *region = cc_copy_from(u, LLVMGetEntryBasicBlock(all),
                           cc_format("%s.%s", cc_name(all), suffix),
                           cc_int(u->i32, HC_EXITED));
    CC_EACH_INST_OF(i, *region) {
        bool result;
        cc_value is = decide(i, data, &result) ? cc_int(u->i1, result) : simpler(i);
        if (!is)
            continue;
        LLVMReplaceAllUsesWith(i, is);
        LLVMInstructionEraseFromParent(i);
    }
    cc_value full =
        cc_vectorize(u, k, 0, state, false, (cc_uniformity_rules){.width = k->width});
    LLVMDeleteFunction(*region);
    *region = all;
    return full;
}

bool cc_goes_together(const cc_layout *l, unsigned state, const cc_value *full)
{
    unsigned next = l->states[state].next;
    return cc_only_result(l->region[next ? next : state]) != HC_MIXED ||
           (l->together && cc_ends_together(full[state]));
}

bool cc_may_decide(const cc_unit *u, const cc_layout *l, unsigned state)
{
    return u->options->level > 0 && !u->options->checks && !u->coverage &&
           l->nstates > 1 && !l->states[state].fused;
}
