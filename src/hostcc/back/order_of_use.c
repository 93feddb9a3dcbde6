/* Straight code in the order of its results. A block of a known size (known_block.c)
   takes a step for all of its vectors, then the next. Each step needs all cells of
   shared memory (shared_registers.c); where these are more than registers hold, they
   went to the stack and back in each. So what only computes moves to where it is first
   needed: all steps to the first vector's result, then those to the next's, whose
   operands are still in registers.

   Loads and what has effects stay in their order. */
#include "hostcc/back/back.h"
#include "hostcc/ir/cfg.h"
#include "hostcc/ir/intrinsic_table.h"

typedef struct {
    unsigned node; /* where it goes or stays: all uses are reached from there */
    bool moves, placed;
} place;

#define NO_NODE (~0u)

typedef struct {
    const cc_cfg *cfg;
    cc_builder b;
    cc_map *number; /* of a place, by its instruction */
    place *place;
} order;

static bool only_computes(cc_value i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMGetElementPtr:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMSelect:
    case LLVMFNeg:
    case LLVMFreeze:
    case LLVMShuffleVector:
    case LLVMInsertElement:
    case LLVMExtractElement:
        return true;
    case LLVMCall:
        return cc_intrinsic_find(cc_callee(i));
    default:
        return LLVMIsABinaryOperator(i) || LLVMIsACastInst(i);
    }
}

static place *place_of(const order *o, cc_value v)
{
    int number = LLVMIsAInstruction(v) ? cc_map_get(o->number, v) : -1;
    return number < 0 ? NULL : &o->place[number];
}

static unsigned both(const cc_cfg *g, unsigned a, unsigned b)
{
    if (a == NO_NODE)
        return b;
    while (a != b) {
        if (a > b)
            a = g->node[a].idom;
        else
            b = g->node[b].idom;
    }
    return a;
}

/* Where all uses are reached from, whose places have been found. */
static unsigned common_node(const order *o, cc_value i)
{
    unsigned node = NO_NODE;
    for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use)) {
        cc_value user = LLVMGetUser(use);
        if (!LLVMIsAPHINode(user)) {
            node = both(o->cfg, node, place_of(o, user)->node);
            continue;
        }
        for (unsigned k = 0; k < LLVMCountIncoming(user); k++)
            if (LLVMGetIncomingValue(user, k) == i)
                node = both(o->cfg, node,
                            cc_cfg_node(o->cfg, LLVMGetIncomingBlock(user, k)));
    }
    return node;
}

static void find_places(order *o)
{
    unsigned n = 0;
    CC_EACH_INST_OF(i, o->cfg->function)
        n++;
    o->place = cc_alloc(n * sizeof *o->place);
    n = 0;
    for (unsigned k = o->cfg->n; k-- > 0;)
        for (cc_value i = o->cfg->node[k].terminator; i;
             i = LLVMGetPreviousInstruction(i)) {
            place p = {.node = k};
            p.moves = only_computes(i) && LLVMGetFirstUse(i);
            if (p.moves)
                p.node = common_node(o, i);
            o->place[n] = p;
            cc_map_put(o->number, i, n++);
        }
}

/* Moves what the user computes with in front of it, or to the end of the block from
   where others use it, too. */
static void place_operands(order *o, cc_value user, unsigned node)
{
    for (int k = 0; k < LLVMGetNumOperands(user); k++) {
        cc_value v = LLVMGetOperand(user, (unsigned)k);
        place *p = place_of(o, v);
        if (!p || !p->moves || p->placed)
            continue;
        p->placed = true;
        LLVMInstructionRemoveFromParent(v);
        LLVMPositionBuilderBefore(
            o->b, p->node == node ? user : o->cfg->node[p->node].terminator);
        LLVMSetCurrentDebugLocation2(o->b, NULL); /* v has its own */
        LLVMInsertIntoBuilder(o->b, v);
        place_operands(o, v, p->node);
    }
}

void cc_order_by_use(cc_unit *u, const cc_cfg *g)
{
    order o = {g, LLVMCreateBuilderInContext(u->context), cc_map_new(), NULL};
    find_places(&o);
    for (unsigned k = 0; k < g->n; k++)
        CC_EACH_INST(i, g->node[k].ref) {
            const place *p = place_of(&o, i);
            if (!p->moves)
                place_operands(&o, i, k);
        }
}
