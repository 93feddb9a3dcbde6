/* Stores to one place at the ends of two ways that meet. In scalar code each way stores
   for itself at no cost. Here lanes go both ways, and each store is one under a mask,
   which costs 12 cycles on a Zen 3, so

       if (c) o[i] = sinf(x);            becomes   v = c ? sinf(x) : cosf(x);
       else o[i] = cosf(x);                        o[i] = v;

   and that is a store of all lanes. Of three ways with sinf, cosf and a product it took
   0.5 of the time. LLVM would also merge stores to different places, which are
   neighbours in each and scattered in what merges them. */
#include "hostcc/front/front.h"
#include "hostcc/ir/cfg.h"

typedef struct {
    cc_unit *unit;
    cc_builder b;
} stores;

static cc_value last_store(cc_block from, cc_block to)
{
    cc_value i = cc_last_effect(from, to);
    return i && LLVMIsAStoreInst(i) && !cc_is_ordered(i) ? i : NULL;
}

static bool store_alike(cc_value a, cc_value b)
{
    return LLVMTypeOf(LLVMGetOperand(a, 0)) == LLVMTypeOf(LLVMGetOperand(b, 0)) &&
           cc_are_equal(cc_pointer_of(a), cc_pointer_of(b));
}

/* The ways that lead to a block, which are branches. */
static unsigned ways(cc_block to)
{
    unsigned n = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(to)); use;
         use = LLVMGetNextUse(use))
        n++;
    return n;
}

/* Two different ways to a block that end in stores alike. */
static bool find_pair(cc_block to, cc_value store[2])
{
    cc_value all = LLVMBasicBlockAsValue(to);
    for (LLVMUseRef a = LLVMGetFirstUse(all); a; a = LLVMGetNextUse(a)) {
        cc_block one = LLVMGetInstructionParent(LLVMGetUser(a));
        if (!(store[0] = last_store(one, to)))
            continue;
        for (LLVMUseRef b = LLVMGetNextUse(a); b; b = LLVMGetNextUse(b)) {
            cc_block other = LLVMGetInstructionParent(LLVMGetUser(b));
            store[1] = last_store(other, to);
            if (store[1] && store_alike(store[0], store[1]))
                return true;
        }
    }
    return false;
}

/* A block where two ways to another meet before. */
static cc_block meet_before(stores *s, cc_block to, const cc_block way[2])
{
    cc_block join = LLVMInsertBasicBlockInContext(s->unit->context, to, "meet");
    LLVMPositionBuilderAtEnd(s->b, join);
    cc_value end = LLVMBuildBr(s->b, to);
    for (unsigned k = 0; k < 2; k++)
        LLVMSetSuccessor(LLVMGetBasicBlockTerminator(way[k]), 0, join);
    CC_EACH_INST(i, to) {
        if (!LLVMIsAPHINode(i))
            break;
        LLVMPositionBuilderBefore(s->b, end);
        cc_value here = LLVMBuildPhi(s->b, LLVMTypeOf(i), "");
        LLVMPositionBuilderBefore(s->b, i);
        cc_value there = LLVMBuildPhi(s->b, LLVMTypeOf(i), "");
        for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
            cc_value v = LLVMGetIncomingValue(i, k);
            cc_block from = LLVMGetIncomingBlock(i, k);
            bool before = from == way[0] || from == way[1];
            LLVMAddIncoming(before ? here : there, &v, &from, 1);
        }
        LLVMAddIncoming(there, &here, &join, 1);
        LLVMReplaceAllUsesWith(i, there);
        LLVMInstructionEraseFromParent(i);
    }
    return join;
}

/* Puts one store where the two ways meet, in front of all else. */
static void merge(stores *s, cc_block at, const cc_value store[2])
{
    cc_value v[2], first = LLVMGetFirstInstruction(at);
    cc_block from[2];
    unsigned align[2];
    for (unsigned k = 0; k < 2; k++) {
        v[k] = LLVMGetOperand(store[k], 0);
        from[k] = LLVMGetInstructionParent(store[k]);
        align[k] = LLVMGetAlignment(store[k]);
    }
    LLVMPositionBuilderBefore(s->b, first);
    cc_value value = v[0];
    if (v[0] != v[1]) {
        value = LLVMBuildPhi(s->b, LLVMTypeOf(v[0]), "");
        LLVMAddIncoming(value, v, from, 2);
    }
    while (LLVMIsAPHINode(first))
        first = LLVMGetNextInstruction(first);
    LLVMPositionBuilderBefore(s->b, first);
    cc_value to =
        cc_compute_once(s->b, cc_pointer_of(store[0]), cc_pointer_of(store[1]));
    cc_value one = LLVMBuildStore(s->b, value, to);
    LLVMSetAlignment(one, align[0] < align[1] ? align[0] : align[1]);
    LLVMInstructionSetDebugLoc(one, LLVMInstructionGetDebugLoc(store[0]));
    for (unsigned k = 0; k < 2; k++)
        LLVMInstructionEraseFromParent(store[k]);
}

static void merge_into(stores *s, cc_block to)
{
    cc_value store[2];
    while (find_pair(to, store)) {
        cc_block way[] = {LLVMGetInstructionParent(store[0]),
                          LLVMGetInstructionParent(store[1])};
        bool all = ways(to) == 2;
        cc_block at = all ? to : meet_before(s, to, way);
        merge(s, at, store);
        if (!all)
            merge_into(s, at); /* what they store before */
    }
}

void cc_merge_equal_stores(cc_unit *u)
{
    stores s = {u, LLVMCreateBuilderInContext(u->context)};
    if (u->options->level == 0 || u->options->checks)
        return; /* each access is the source's */
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        cc_cfg *g = cc_cfg_build(f);
        for (unsigned k = 0; k < g->n; k++) {
            int loop = g->node[k].loop;
            if (loop < 0 || g->loop[loop].header != k)
                merge_into(&s, g->node[k].ref);
        }
    }
}
