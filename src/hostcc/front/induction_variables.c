/* Loop counters in the form whose uniformity is seen best. A 32-bit thread number that
   was widened to 64 bits may have wrapped inside the vector: such a value has its lanes
   computed one by one (uniformity.h: inexact), which is cheap where it is made, but not
   once it is carried around a loop. So it is not:

       i = phi(zext a, zext b)           becomes   i = zext phi(a, b)
       i = phi(start, i + step)                    t = phi(0, t + step), i = start + t

   where `start` comes of a widening; t is the same in all lanes if step is. */
#include "hostcc/front/front.h"
#include "hostcc/ir/cfg.h"

typedef struct {
    cc_unit *unit;
    const cc_cfg *cfg;
    int loop;
    cc_builder b;
} counters;

static cc_block latch(const counters *c)
{
    return c->cfg->node[c->cfg->loop[c->loop].latch].ref;
}

/* The value of a phi of the loop's header on entry, or in the next iteration. */
static cc_value incoming(const counters *c, cc_value phi, bool next)
{
    return LLVMGetIncomingValue(phi,
                                (LLVMGetIncomingBlock(phi, 1) == latch(c)) == next);
}

static bool is_widening(cc_value v)
{
    return LLVMIsAZExtInst(v) || LLVMIsASExtInst(v);
}

/* Not negative: both extensions are the same. */
static bool fits_any(cc_value widening)
{
    return LLVMIsAZExtInst(widening) && LLVMGetNNeg(widening);
}

static bool comes_of_widening(cc_value v, unsigned depth)
{
    if (!LLVMIsAInstruction(v) || LLVMIsAPHINode(v) || LLVMIsALoadInst(v) || depth > 4)
        return false;
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(v); k++)
        if (comes_of_widening(LLVMGetOperand(v, k), depth + 1))
            return true;
    return is_widening(v);
}

static bool changes(const counters *c, cc_value v)
{
    return cc_loop_computes(c->cfg, c->loop, v);
}

/* A phi beside `like`, in the same loop. */
static cc_value new_phi(counters *c, cc_value like, cc_value first, cc_value next)
{
    LLVMPositionBuilderBefore(c->b, like);
    cc_value phi = LLVMBuildPhi(c->b, LLVMTypeOf(first), "");
    for (unsigned k = 0; k < 2; k++) {
        cc_block from = LLVMGetIncomingBlock(like, k);
        LLVMAddIncoming(phi, from == latch(c) ? &next : &first, &from, 1);
    }
    return phi;
}

/* Puts the builder where the phi's successor in code may stand. */
static void after_phis(counters *c, cc_value phi)
{
    while (LLVMIsAPHINode(phi))
        phi = LLVMGetNextInstruction(phi);
    LLVMPositionBuilderBefore(c->b, phi);
}

static bool widen_late(counters *c, cc_value phi)
{
    cc_value first = incoming(c, phi, false), next = incoming(c, phi, true);
    if (!is_widening(first) || !is_widening(next))
        return false;
    LLVMOpcode op = LLVMGetInstructionOpcode(fits_any(first) ? next : first);
    cc_value a = LLVMGetOperand(first, 0), b = LLVMGetOperand(next, 0), narrow = NULL;
    if (!(fits_any(first) || LLVMGetInstructionOpcode(first) == op) ||
        !(fits_any(next) || LLVMGetInstructionOpcode(next) == op) ||
        LLVMTypeOf(a) != LLVMTypeOf(b))
        return false;
    CC_EACH_INST(p, LLVMGetInstructionParent(phi)) {
        if (LLVMIsAPHINode(p) && incoming(c, p, false) == a &&
            incoming(c, p, true) == b)
            narrow = p;
    }
    if (!narrow)
        narrow = new_phi(c, phi, a, b);
    after_phis(c, phi);
    LLVMReplaceAllUsesWith(phi, LLVMBuildCast(c->b, op, narrow, LLVMTypeOf(phi), ""));
    LLVMInstructionEraseFromParent(phi);
    return true;
}

/* start + t for integers, start[t] for pointers: as `next` is made of the phi. */
static cc_value advance(counters *c, cc_value next, cc_value start, cc_value t)
{
    if (LLVMIsAGetElementPtrInst(next))
        return LLVMBuildGEP2(c->b, LLVMGetGEPSourceElementType(next), start, &t, 1, "");
    return LLVMBuildAdd(c->b, start, t, "");
}

static void split_start(counters *c, cc_value phi)
{
    cc_value start = incoming(c, phi, false), next = incoming(c, phi, true);
    bool address = LLVMIsAGetElementPtrInst(next) && LLVMGetNumOperands(next) == 2;
    bool sum = LLVMIsAInstruction(next) && LLVMGetInstructionOpcode(next) == LLVMAdd;
    if ((!address && !sum) || !changes(c, next) || !comes_of_widening(start, 0))
        return;
    unsigned at = sum && LLVMGetOperand(next, 1) == phi;
    cc_value step = LLVMGetOperand(next, !at);
    if (LLVMGetOperand(next, at) != phi || changes(c, step) ||
        !cc_is_int(LLVMTypeOf(step), 64))
        return;
    cc_value zero = cc_int(c->unit->i64, 0), t = new_phi(c, phi, zero, zero);
    after_phis(c, phi);
    LLVMReplaceAllUsesWith(phi, advance(c, next, start, t));
    LLVMPositionBuilderBefore(c->b, next);
    cc_value t_next = LLVMBuildAdd(c->b, t, step, "");
    LLVMSetOperand(t, LLVMGetIncomingBlock(t, 1) == latch(c), t_next);
    LLVMReplaceAllUsesWith(next, advance(c, next, start, t_next));
    LLVMInstructionEraseFromParent(phi);
    LLVMInstructionEraseFromParent(next);
}

void cc_induction_variables(cc_unit *u)
{
    counters c = {.unit = u, .b = LLVMCreateBuilderInContext(u->context)};
    for (unsigned k = 0; k < u->nkernels; k++) {
        c.cfg = cc_cfg_build(u->kernels[k].function);
        for (c.loop = 0; c.loop < (int)c.cfg->nloops; c.loop++)
            CC_EACH_INST(phi, c.cfg->node[c.cfg->loop[c.loop].header].ref) {
                if (!LLVMIsAPHINode(phi))
                    break;
                if (!widen_late(&c, phi))
                    split_start(&c, phi);
            }
    }
}
