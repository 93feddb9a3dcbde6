/* Uniformity: an optimistic fixed point over data flow and control flow. A value
   starts unknown and only ever gets worse (unknown, affine, varying). Branches on
   varying conditions make threads diverge; where their paths join again a phi is
   varying, and so is a value that leaves a loop which threads leave in different
   iterations. The graph must be in LCSSA form for the latter. The same rules tell what
   is alike in all threads of a block; of memory, which may change from one vector to
   the next, nothing is known then. */
#include "hostcc/ir/uniformity.h"
#include "hostcc/ir/intrinsic_table.h"
#include "hostcc/ir/pseudo.h"

#include <stdlib.h>

#define MAX_ALIGN (1u << 30)

static const cc_uniformity unknown = {CC_UNKNOWN, false, MAX_ALIGN, 0};
static const cc_uniformity varying = {CC_VARYING, true, 1, 0};
static const cc_uniformity uniform = {CC_AFFINE, false, 1, 0};

static cc_uniformity affine(int64_t stride, unsigned align, bool inexact)
{
    return (cc_uniformity){CC_AFFINE, inexact && stride, align ? align : 1, stride};
}

static unsigned low_bit(uint64_t v)
{
    v &= -v;
    return v == 0 || v > MAX_ALIGN ? MAX_ALIGN : (unsigned)v;
}

static unsigned min_align(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

cc_uniformity cc_uniformity_of(const cc_uniformity_info *s, cc_value v)
{
    int i = cc_map_get(s->numbers, v);
    if (i >= 0)
        return s->of[i];
    if (LLVMIsAConstantInt(v) && LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64)
        return affine(0, low_bit(LLVMConstIntGetZExtValue(v)), false);
    return uniform;
}

static bool constant(cc_value v, int64_t *out)
{
    if (!LLVMIsAConstantInt(v) || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64)
        return false;
    *out = LLVMConstIntGetSExtValue(v);
    return true;
}

/* -- Rules for single instructions -- */

static cc_uniformity join(cc_uniformity a, cc_uniformity b)
{
    if (a.kind == CC_UNKNOWN)
        return b;
    if (b.kind == CC_UNKNOWN)
        return a;
    if (a.kind == CC_VARYING || b.kind == CC_VARYING || a.stride != b.stride)
        return varying;
    return affine(a.stride, min_align(a.align, b.align), a.inexact || b.inexact);
}

/* Lane l is base + l with no carry out of the low bits: upper bits are the base's. */
static bool is_aligned_lane(const cc_uniformity_info *s, cc_uniformity a)
{
    return a.kind == CC_AFFINE && a.stride == 1 && !a.inexact &&
           a.align >= s->rules.width;
}

/* Of an operation on two values: one switch over LLVM's opcodes. */
static cc_uniformity binary(const cc_uniformity_info *s, cc_value i)
{
    cc_value x = LLVMGetOperand(i, 0), y = LLVMGetOperand(i, 1);
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    cc_uniformity a = cc_uniformity_of(s, x), b = cc_uniformity_of(s, y);
    int64_t c;
    if (a.kind == CC_UNKNOWN || b.kind == CC_UNKNOWN)
        return unknown;
    if (a.kind == CC_VARYING || b.kind == CC_VARYING)
        return varying;
    bool both = cc_uniform(a) && cc_uniform(b), inexact = a.inexact || b.inexact;
    if (op == LLVMOr && LLVMGetIsDisjoint(i))
        op = LLVMAdd;
    switch (op) {
    case LLVMAdd:
        return affine(a.stride + b.stride, min_align(a.align, b.align), inexact);
    case LLVMSub:
        return affine(a.stride - b.stride, min_align(a.align, b.align), inexact);
    case LLVMMul:
        if (constant(x, &c))
            return affine(b.stride * c, b.align, inexact);
        if (constant(y, &c))
            return affine(a.stride * c, a.align, inexact);
        return both ? affine(0, a.align > b.align ? a.align : b.align, false) : varying;
    case LLVMShl:
        if (constant(y, &c) && c >= 0 && c < 32) {
            uint64_t align = (uint64_t)a.align << c;
            return affine((int64_t)((uint64_t)a.stride << c),
                          align > MAX_ALIGN ? MAX_ALIGN : (unsigned)align, inexact);
        }
        break;
    case LLVMLShr:
    case LLVMAShr:
    case LLVMUDiv:
        if (constant(y, &c) && is_aligned_lane(s, a) && (op == LLVMUDiv || c < 32)) {
            uint64_t by = op == LLVMUDiv ? (uint64_t)c : 1ull << c;
            if (by && by % s->rules.width == 0)
                return uniform;
        }
        break;
    case LLVMAnd:
        if (constant(y, &c) && is_aligned_lane(s, a)) {
            uint64_t low = s->rules.width - 1;
            if (((uint64_t)c & low) == low)
                return affine(1, s->rules.width, false);
            if (((uint64_t)c & low) == 0)
                return uniform;
        }
        break;
    case LLVMXor: /* with all bits that differ from lane to lane: c - x */
        if (constant(y, &c) &&
            (c == -1 || (is_aligned_lane(s, a) && (~c & (s->rules.width - 1)) == 0)))
            return affine(-a.stride, 1, inexact);
        break;
    case LLVMOr: /* no common bits with the lane's: an addition */
        if (constant(y, &c) && is_aligned_lane(s, a) && c % s->rules.width == 0)
            return affine(1, s->rules.width, false);
        break;
    default:
        break;
    }
    return both ? uniform : varying;
}

static cc_uniformity compare(const cc_uniformity_info *s, cc_value i)
{
    cc_value x = LLVMGetOperand(i, 0), y = LLVMGetOperand(i, 1);
    cc_uniformity a = cc_uniformity_of(s, x), b = cc_uniformity_of(s, y);
    int64_t c;
    if (a.kind == CC_UNKNOWN || b.kind == CC_UNKNOWN)
        return unknown;
    if (cc_uniform(a) && cc_uniform(b))
        return uniform;
    LLVMIntPredicate p = LLVMGetICmpPredicate(i);
    bool order = p != LLVMIntEQ && p != LLVMIntNE;
    if (!order)
        return a.kind == CC_AFFINE && b.kind == CC_AFFINE && a.stride == b.stride &&
                       !a.inexact && !b.inexact
                   ? uniform
                   : varying;
    /* tid < 32: decided by the upper bits, which are the same in all lanes. x <= c is x
     * < c + 1. */
    bool plus_one =
        p == LLVMIntULE || p == LLVMIntSLE || p == LLVMIntUGT || p == LLVMIntSGT;
    if (constant(y, &c) && is_aligned_lane(s, a) &&
        (c + plus_one) % s->rules.width == 0)
        return uniform;
    return varying;
}

static cc_uniformity widen(const cc_uniformity_info *s, cc_value i)
{
    cc_uniformity a = cc_uniformity_of(s, LLVMGetOperand(i, 0));
    if (a.kind != CC_AFFINE || cc_uniform(a))
        return a;
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if (op == LLVMTrunc)
        return LLVMGetIntTypeWidth(LLVMTypeOf(i)) < 16 ? varying : a;
    /* Below 32 bits neighbours on both sides of the wrap-around are good addresses. */
    if (LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(i, 0))) < 32 &&
        !is_aligned_lane(s, a))
        return varying;
    bool counts = LLVMGetOperand(i, 0) == s->rules.counter &&
                  (op == LLVMSExt) == s->rules.counter_is_signed;
    /* None of the lanes that run is negative: from a negative base they only count up
       to it. */
    bool positive = op == LLVMZExt && LLVMGetNNeg(i) && !a.inexact && a.stride > 0 &&
                    a.stride <= INT16_MAX;
    return affine(a.stride, a.align, !is_aligned_lane(s, a) && !counts && !positive);
}

static cc_uniformity address(const cc_uniformity_info *s, cc_value i)
{
    cc_uniformity a = cc_uniformity_of(s, LLVMGetOperand(i, 0));
    cc_type t = LLVMGetGEPSourceElementType(i);
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(
        LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(i))));
    for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(i); k++) {
        cc_value index = LLVMGetOperand(i, k);
        cc_uniformity b = cc_uniformity_of(s, index);
        uint64_t scale = 0;
        if (k > 1 && cc_kind(t) == LLVMStructTypeKind) {
            t = LLVMStructGetTypeAtIndex(t, (unsigned)LLVMConstIntGetZExtValue(index));
            continue;
        }
        if (k > 1)
            t = LLVMGetElementType(t);
        scale = LLVMABISizeOfType(layout, t);
        if (a.kind == CC_UNKNOWN || b.kind == CC_UNKNOWN)
            return unknown;
        if (a.kind == CC_VARYING || b.kind == CC_VARYING)
            return varying;
        /* An index narrower than a pointer is sign-extended on the way. */
        bool narrow =
            LLVMGetIntTypeWidth(LLVMTypeOf(index)) < 64 && !is_aligned_lane(s, b);
        a = affine(a.stride + b.stride * (int64_t)scale, 1,
                   a.inexact || b.inexact || (narrow && b.stride));
    }
    return a;
}

static bool all_uniform(const cc_uniformity_info *s, cc_value i, unsigned n, bool *wait)
{
    bool all = true;
    for (unsigned k = 0; k < n; k++) {
        cc_uniformity a = cc_uniformity_of(s, LLVMGetOperand(i, k));
        *wait |= a.kind == CC_UNKNOWN;
        all &= cc_uniform(a);
    }
    return all;
}

/* Whether all lanes of a warp read the same one. */
static bool reads_one_lane(const cc_uniformity_info *s, cc_value shuffle)
{
    int64_t width;
    return cc_uniform(cc_uniformity_of(s, LLVMGetOperand(shuffle, 2))) &&
           constant(LLVMGetOperand(shuffle, 3), &width) && width == 32;
}

/* Where vectors are compared that run one after the other. */
static cc_uniformity call_in_block(const cc_uniformity_info *s, cc_value i)
{
    unsigned dim;
    bool wait = false, all = all_uniform(s, i, cc_nargs(i), &wait);
    cc_register_id r = cc_register_of(i, &dim);
    if (*cc_register(i))
        return r == CC_NTID || r == CC_CTAID || r == CC_NCTAID ? uniform : varying;
    if (cc_function_of(i) == CC_FN_BARRIER_VALUE)
        return uniform;
    if (!cc_intrinsic_is_pure(cc_callee(i)))
        return varying;
    return wait ? unknown : all ? uniform : varying;
}

/* Functions without a row: LLVM's intrinsics and what is compiled for vectors are as
   their arguments, others varying. */
static cc_uniformity call(const cc_uniformity_info *s, cc_value i)
{
    unsigned dim;
    bool wait = false, all = all_uniform(s, i, cc_nargs(i), &wait);
    cc_function_id f = cc_function_of(i);
    cc_result result = cc_functions[f].result;
    if (s->rules.of_block)
        return call_in_block(s, i);
    if (*cc_register(i)) {
        if (cc_register_of(i, &dim) != CC_TID)
            return uniform;
        return s->rules.linear ? varying
               : dim           ? uniform
                               : affine(1, s->rules.width, false);
    }
    if (f == CC_FN_NONE && (cc_prefixed(cc_callee(i), "llvm.") || cc_is_vector_call(i)))
        result = CC_RESULT_AS_ARGUMENTS;
    switch (result) {
    case CC_RESULT_UNIFORM:
        return uniform;
    case CC_RESULT_LANE:
        return affine(1, s->rules.width, false);
    case CC_RESULT_SLOT:
        return affine(LLVMConstIntGetSExtValue(LLVMGetOperand(i, 1)), 8, false);
    case CC_RESULT_VARYING:
        return wait ? unknown : varying;
    case CC_RESULT_AS_ARGUMENTS:
        break;
    case CC_RESULT_AS_MASK:
        all = cc_uniform(cc_uniformity_of(s, LLVMGetOperand(i, 0)));
        break;
    case CC_RESULT_AS_SOURCE:
        all = reads_one_lane(s, i);
        break;
    }
    return wait ? unknown : all ? uniform : varying;
}

static cc_uniformity phi(const cc_uniformity_info *s, cc_value i)
{
    const cc_node *node =
        &s->cfg->node[cc_cfg_node(s->cfg, LLVMGetInstructionParent(i))];
    cc_uniformity all = unknown;
    cc_value only = NULL;
    bool differ = false;
    for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
        cc_value v = LLVMGetIncomingValue(i, k);
        cc_block from = LLVMGetIncomingBlock(i, k);
        if (LLVMIsUndef(v) || cc_map_get(s->cfg->numbers, from) < 0)
            continue;
        differ |= only && v != only;
        only = v;
        all = join(all, cc_uniformity_of(s, v));
        /* A value that leaves a loop which threads leave one by one. */
        int inside = s->cfg->node[cc_cfg_node(s->cfg, from)].loop;
        for (int l = inside; l >= 0; l = s->cfg->loop[l].parent) {
            unsigned at = cc_cfg_node(s->cfg, LLVMGetInstructionParent(i));
            if (cc_loop_contains(s->cfg, l, at))
                break;
            cc_value def = LLVMIsAInstruction(v);
            if (s->cfg->loop[l].divergent && def &&
                cc_loop_contains(s->cfg, l,
                                 cc_cfg_node(s->cfg, LLVMGetInstructionParent(def))))
                return varying;
        }
    }
    return node->join && differ ? varying : all;
}

static cc_uniformity infer(const cc_uniformity_info *s, cc_value i)
{
    unsigned n = (unsigned)LLVMGetNumOperands(i);
    bool wait = false, all;
    cc_uniformity a, b;
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    switch (op) {
    case LLVMPHI:
        return phi(s, i);
    case LLVMCall:
        return call(s, i);
    case LLVMGetElementPtr:
        return address(s, i);
    case LLVMICmp:
        return compare(s, i);
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
        return widen(s, i);
    case LLVMFreeze:
    case LLVMAddrSpaceCast:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
        return cc_uniformity_of(s, LLVMGetOperand(i, 0));
    case LLVMLoad:
        a = cc_uniformity_of(s, LLVMGetOperand(i, 0));
        if (a.kind == CC_UNKNOWN)
            return unknown;
        return cc_uniform(a) && !cc_is_ordered(i) && !s->rules.of_block ? uniform
                                                                        : varying;
    case LLVMAlloca: /* every thread has its own, wherever that will be */
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return varying;
    case LLVMSelect:
        a = cc_uniformity_of(s, LLVMGetOperand(i, 1));
        b = cc_uniformity_of(s, LLVMGetOperand(i, 2));
        if (cc_uniformity_of(s, LLVMGetOperand(i, 0)).kind == CC_UNKNOWN)
            return unknown;
        return cc_uniform(cc_uniformity_of(s, LLVMGetOperand(i, 0))) ? join(a, b)
                                                                     : varying;
    default:
        break;
    }
    if (LLVMIsABinaryOperator(i))
        return binary(s, i);
    all = all_uniform(s, i, n, &wait);
    return wait ? unknown : all ? uniform : varying;
}

cc_uniformity cc_uniformity_if(cc_uniformity_info *s, cc_value v, cc_value from,
                               cc_uniformity as)
{
    int k = cc_map_get(s->numbers, from);
    if (k < 0)
        return cc_uniformity_of(s, v);
    cc_uniformity is = s->of[k];
    s->of[k] = as;
    cc_uniformity result = infer(s, v);
    s->of[k] = is;
    return result;
}

/* -- Control flow -- */

/* Threads diverge at the branch of node `at`. Each successor is a colour, and so is
   each way out of a loop that threads now leave one by one. A node reached in two
   colours is a join and a new colour. Back edges carry no colour: threads that stay in
   a loop meet at its latch at the latest. */
static void diverge(cc_cfg *g, unsigned at)
{
    const cc_node *node = &g->node[at];
    unsigned stop = node->reconvergence;
    int left = cc_loop_left(g, at, stop);
    unsigned *colour =
        cc_alloc((g->n + 1) * sizeof *colour); /* 0: none, else node + 1 */
    bool *in = cc_alloc(g->n + 1);

    for (unsigned k = 0; k < node->nsucc; k++) {
        cc_cfg_reach(g, node->succ[k], stop, in);
        if (node->succ[k] > at)
            colour[node->succ[k]] = node->succ[k] + 1;
    }
    for (unsigned i = 0; left >= 0 && i < g->n; i++)
        for (unsigned k = 0; k < g->node[i].nsucc && cc_loop_contains(g, left, i);
             k++) {
            unsigned s = g->node[i].succ[k];
            if (cc_loop_contains(g, left, s))
                continue;
            g->node[s].join |= colour[s] != 0;
            colour[s] = s + 1;
        }
    for (unsigned i = 0; i < g->n; i++) {
        if (!colour[i] || i == stop)
            continue;
        for (unsigned k = 0; k < g->node[i].nsucc; k++) {
            unsigned s = g->node[i].succ[k];
            if (s <= i)
                continue;
            if (colour[s] && colour[s] != colour[i]) {
                g->node[s].join = true;
                colour[s] = s + 1;
            } else {
                colour[s] = colour[i];
            }
        }
    }
    for (unsigned i = 0; i < g->n; i++)
        g->node[i].divergent |= in[i];
    for (int l = g->node[at].loop; l >= 0; l = g->loop[l].parent)
        if (!cc_loop_contains(g, l, stop))
            g->loop[l].divergent = true;
}

/* -- The fixed point -- */

static void number_values(cc_uniformity_info *s)
{
    unsigned total = LLVMCountParams(s->cfg->function);
    for (unsigned i = 0; i < s->cfg->n; i++)
        CC_EACH_INST(v, s->cfg->node[i].ref)
            total++;
    s->value = cc_alloc((total + 1) * sizeof *s->value);
    s->of = cc_alloc((total + 1) * sizeof *s->of);
    s->numbers = cc_map_new();
    for (unsigned i = 0; i < s->cfg->n; i++)
        CC_EACH_INST(v, s->cfg->node[i].ref) {
            cc_map_put(s->numbers, v, s->count);
            s->of[s->count] = unknown;
            s->value[s->count++] = v;
        }
}

cc_uniformity_info *cc_uniformity_infer(cc_cfg *g, cc_uniformity_rules rules)
{
    cc_uniformity_info *s = cc_alloc(sizeof *s);
    s->cfg = g;
    s->rules = rules;
    number_values(s);
    for (unsigned i = 0; i < g->n; i++)
        g->node[i].varying_branch = g->node[i].join = g->node[i].divergent = false;
    for (unsigned l = 0; l < g->nloops; l++)
        g->loop[l].divergent = false;
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned k = 0; k < s->count; k++) {
            cc_uniformity now = infer(s, s->value[k]), old = s->of[k];
            if (now.kind == CC_UNKNOWN)
                continue;
            now = join(old, now);
            changed |= now.kind != old.kind || now.stride != old.stride ||
                       now.align != old.align || now.inexact != old.inexact;
            s->of[k] = now;
        }
        for (unsigned i = 0; i < g->n; i++) {
            cc_node *node = &g->node[i];
            if (node->varying_branch || node->nsucc < 2)
                continue;
            cc_uniformity c = cc_uniformity_of(s, LLVMGetCondition(node->terminator));
            if (c.kind == CC_UNKNOWN || cc_uniform(c))
                continue;
            node->varying_branch = changed = true;
            diverge(g, i);
        }
    }
    for (unsigned k = 0; k < s->count; k++) /* only reached through undefined values */
        if (s->of[k].kind == CC_UNKNOWN)
            s->of[k] = uniform;
    return s;
}
