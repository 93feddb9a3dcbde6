/* Two conditions, one behind the other, as in `x < n && row < rows`: LLVM leaves a
   branch around the second and a phi. All lanes may compute both, and what waits at a
   barrier computes the condition again, where a phi would be saved lane by lane. */
#include "hostcc/split/split.h"

#define MOST_MOVED 8 /* instructions, to make one condition of two */

static bool is_short(cc_block arm)
{
    unsigned n = 0;
    CC_EACH_INST(i, arm) {
        if (LLVMIsATerminatorInst(i))
            return true;
        if (!cc_is_pure(i) || ++n > MOST_MOVED)
            return false;
    }
    return false;
}

/* Whether both ways of a varying branch are computed at no risk, for a condition. */
static bool makes_condition(const cc_cfg *g, unsigned at)
{
    const cc_node *node = &g->node[at];
    unsigned join = cc_join_of_arms(g, at);
    bool found = false;
    if (!node->varying_branch || join == g->n || g->node[join].npred != 2 ||
        node->succ[0] == node->succ[1])
        return false;
    for (unsigned k = 0; k < 2; k++)
        if (node->succ[k] != join && !is_short(g->node[node->succ[k]].ref))
            return false;
    CC_EACH_INST(i, g->node[join].ref)
        found |= LLVMIsAPHINode(i) && cc_is_int(LLVMTypeOf(i), 1);
    return found;
}

/* Moves both ways in front of the branch; phis become selects. */
static void make_one(cc_unit *u, const cc_cfg *g, unsigned at)
{
    const cc_node *node = &g->node[at];
    unsigned join = cc_join_of_arms(g, at);
    cc_value end = node->terminator, c = LLVMGetCondition(end);
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderBefore(b, end);
    for (unsigned k = 0; k < 2; k++) {
        CC_EACH_INST(i, g->node[node->succ[k]].ref) {
            if (node->succ[k] == join || LLVMIsATerminatorInst(i))
                break;
            LLVMInstructionRemoveFromParent(i);
            LLVMInsertIntoBuilder(b, i);
        }
    }
    CC_EACH_INST(phi, g->node[join].ref) {
        cc_value way[2] = {NULL, NULL};
        if (!LLVMIsAPHINode(phi))
            break;
        for (unsigned k = 0; k < 2; k++) {
            unsigned from = node->succ[k] == join ? at : node->succ[k];
            for (unsigned j = 0; j < 2; j++)
                if (LLVMGetIncomingBlock(phi, j) == g->node[from].ref)
                    way[k] = LLVMGetIncomingValue(phi, j);
        }
        LLVMReplaceAllUsesWith(phi, LLVMBuildSelect(b, c, way[0], way[1], ""));
        LLVMInstructionEraseFromParent(phi);
    }
    LLVMBuildBr(b, g->node[join].ref);
    LLVMInstructionEraseFromParent(end);
    for (unsigned k = 0; k < 2; k++)
        if (node->succ[k] != join)
            LLVMDeleteBasicBlock(g->node[node->succ[k]].ref);
}

static bool has_conditions_of_two(cc_value region)
{
    CC_EACH_BLOCK(at, region) {
        cc_value phi = LLVMGetFirstInstruction(at);
        for (; LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
            if (cc_is_int(LLVMTypeOf(phi), 1))
                return true;
    }
    return false;
}

void cc_join_conditions(cc_unit *u, cc_value region, cc_uniformity_rules rules)
{
    if (!has_conditions_of_two(region))
        return;
    cc_cfg *g = cc_cfg_build(region);
    cc_uniformity_infer(g, rules);
    for (unsigned i = 0; i < g->n; i++)
        if (makes_condition(g, i))
            make_one(u, g, i);
}
