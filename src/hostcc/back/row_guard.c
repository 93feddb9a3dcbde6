/* Row guards: the comparison at a kernel's start that ends the threads behind the data,
   as `if (i < n)` does where i counts with threadIdx.x. How many threads of a row come
   before its end follows of the row's first one; their vectors run full code in which
   the comparison is true, all others masked code. So nobody asks vector by vector. */
#include "hostcc/back/back.h"
#include "hostcc/ir/intrinsic_table.h"
#include "hostcc/ir/pseudo.h"

#include <stddef.h>

/* -- Finding it -- */

static bool is_const(cc_value v, uint64_t n)
{
    return LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) == n;
}

/* Whether what threads do in the block is seen by nobody but them. */
static bool is_pure(cc_block at)
{
    CC_EACH_INST(i, at) {
        LLVMOpcode op = LLVMGetInstructionOpcode(i);
        if (op == LLVMStore || op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg ||
            op == LLVMFence || (op == LLVMLoad && cc_is_ordered(i)) ||
            (op == LLVMCall && !*cc_register(i) && !cc_intrinsic_is_pure(cc_callee(i))))
            return false;
    }
    return true;
}

/* Whether threads that come to the block end without doing anything. They may also turn
   in a loop without an end. */
static bool only_returns(cc_block at)
{
    unsigned left = LLVMCountBasicBlocks(LLVMGetBasicBlockParent(at));
    for (; left > 0 && is_pure(at); left--) {
        cc_value end = LLVMGetBasicBlockTerminator(at);
        if (!LLVMIsABranchInst(end) || LLVMIsConditional(end))
            return LLVMIsAReturnInst(end);
        at = LLVMGetSuccessor(end, 0);
    }
    return false;
}

/* An order of integers as bits: LLVM counts UGT UGE ULT ULE, then the signed ones. */
enum { OR_EQUAL = 1, LESS = 2, SIGNED = 4 };

typedef struct {
    cc_unit *unit;
    const cc_kernel *kernel;
    cc_row_guard *guard;
} search;

static bool is_guard(search *s, cc_value test, bool wanted)
{
    LLVMIntPredicate p = LLVMGetICmpPredicate(test);
    cc_value first = LLVMGetOperand(test, 0), end = LLVMGetOperand(test, 1);
    unsigned order = p - LLVMIntUGT;
    int64_t a, b;
    if (p < LLVMIntUGT || cc_kind(LLVMTypeOf(first)) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(LLVMTypeOf(first)) < 32 || !cc_growth_in_row(first, &a) ||
        !cc_growth_in_row(end, &b))
        return false;
    if (b) {
        cc_value swap = first;
        first = end;
        end = swap;
        order ^= LESS;
    }
    order ^= wanted ? 0 : LESS | OR_EQUAL;
    if (!(order & LESS) || !((a == 1 && b == 0) || (a == 0 && b == 1)))
        return false;
    *s->guard = (cc_row_guard){
        s->kernel,       test, first, end, cc_int(s->unit->i1, wanted), order & SIGNED,
        order & OR_EQUAL};
    return true;
}

/* A guard among the comparisons that must hold, or must not, for the condition to be
   as wanted. */
static bool find_in(search *s, cc_value condition, bool wanted)
{
    cc_type i1 = s->unit->i1;
    if (!LLVMIsAInstruction(condition) || LLVMTypeOf(condition) != i1)
        return false;
    cc_value a = LLVMGetOperand(condition, 0), b = LLVMGetNumOperands(condition) > 1
                                                       ? LLVMGetOperand(condition, 1)
                                                       : NULL;
    switch (LLVMGetInstructionOpcode(condition)) {
    case LLVMICmp:
        return is_guard(s, condition, wanted);
    case LLVMAnd:
        return wanted && (find_in(s, a, true) || find_in(s, b, true));
    case LLVMOr:
        return !wanted && (find_in(s, a, false) || find_in(s, b, false));
    case LLVMXor:
        return is_const(b, 1) && find_in(s, a, !wanted);
    case LLVMSelect:
        if (wanted && is_const(LLVMGetOperand(condition, 2), 0))
            return find_in(s, a, true) || find_in(s, b, true);
        if (!wanted && is_const(b, 1))
            return find_in(s, a, false) ||
                   find_in(s, LLVMGetOperand(condition, 2), false);
        return false;
    default:
        return false;
    }
}

bool cc_find_row_guard(cc_unit *u, const cc_kernel *k, cc_value region,
                       cc_row_guard *guard)
{
    const cc_options *o = u->options;
    if (o->level == 0 || o->checks || o->coverage)
        return false; /* checks and counters of lines tell of threads that it ends */
    search s = {u, k, guard};
    cc_block at = LLVMGetEntryBasicBlock(region);
    for (unsigned n = 0; n < LLVMCountBasicBlocks(region); n++) {
        cc_value end = LLVMGetBasicBlockTerminator(at);
        if (!LLVMIsABranchInst(end) || !is_pure(at))
            return false;
        unsigned on = 0;
        if (LLVMIsConditional(end)) {
            on = only_returns(LLVMGetSuccessor(end, 0));
            if (!on && !only_returns(LLVMGetSuccessor(end, 1)))
                return false;
            if (find_in(&s, LLVMGetCondition(end), !on))
                return true;
        }
        at = LLVMGetSuccessor(end, on);
    }
    return false;
}

/* -- Rows -- */

/* first, first + 1, ... do not wrap around before they come to the end; how many there
   are up to an end that they may be equal to perhaps does. */
cc_value cc_row_guard_threads(cc_unit *u, const cc_row_guard *g, const cc_thread_row *r,
                              cc_value *wraps)
{
    cc_value first = cc_of_row(u, g->kernel, r, g->first),
             end = cc_of_row(u, g->kernel, r, g->end);
    cc_type t = LLVMTypeOf(first);
    cc_value row = LLVMBuildZExt(r->b, r->block_dim[0], t, ""), n, some, all, behind;
    LLVMIntPredicate before = LLVMIntUGT + (LESS | (g->is_signed ? SIGNED : 0) |
                                            (g->or_equal ? OR_EQUAL : 0));
    cc_value one = cc_int(t, g->or_equal);
    n = LLVMBuildSub(r->b, end, first, "");
    all = LLVMBuildICmp(r->b, LLVMIntUGE, n, LLVMBuildSub(r->b, row, one, ""), "");
    n = LLVMBuildSelect(r->b, all, row, LLVMBuildAdd(r->b, n, one, ""), "");
    some = LLVMBuildICmp(r->b, before, first, end, "");
    behind = LLVMBuildAdd(r->b, first, row, "");
    *wraps =
        LLVMBuildICmp(r->b, g->is_signed ? LLVMIntSLT : LLVMIntULT, behind, first, "");
    return LLVMBuildTrunc(r->b, LLVMBuildSelect(r->b, some, n, cc_int(t, 0), ""),
                          u->i32, "");
}
