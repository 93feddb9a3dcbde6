/* Atomic operations. On shared memory they need not be atomic, since one thread of the
   machine runs the whole block; and many lanes adding to one place are added up first.
   */
#include "hostcc/vector/vector.h"
#include "hostcc/ir/addresses.h"

static const struct {
    const char *reduce;  /* LLVM's reduction over lanes, or NULL */
    const char *combine; /* intrinsic that combines two values, or NULL: opcode */
    LLVMOpcode opcode;
} atomic_rows[] = {
    [LLVMAtomicRMWBinOpAdd] = {"llvm.vector.reduce.add", NULL, LLVMAdd},
    [LLVMAtomicRMWBinOpSub] = {NULL, NULL, LLVMSub},
    [LLVMAtomicRMWBinOpAnd] = {"llvm.vector.reduce.and", NULL, LLVMAnd},
    [LLVMAtomicRMWBinOpOr] = {"llvm.vector.reduce.or", NULL, LLVMOr},
    [LLVMAtomicRMWBinOpXor] = {"llvm.vector.reduce.xor", NULL, LLVMXor},
    [LLVMAtomicRMWBinOpMax] = {"llvm.vector.reduce.smax", "llvm.smax", 0},
    [LLVMAtomicRMWBinOpMin] = {"llvm.vector.reduce.smin", "llvm.smin", 0},
    [LLVMAtomicRMWBinOpUMax] = {"llvm.vector.reduce.umax", "llvm.umax", 0},
    [LLVMAtomicRMWBinOpUMin] = {"llvm.vector.reduce.umin", "llvm.umin", 0},
    [LLVMAtomicRMWBinOpFAdd] = {NULL, NULL, LLVMFAdd},
    [LLVMAtomicRMWBinOpFSub] = {NULL, NULL, LLVMFSub},
};

static bool is_known(LLVMAtomicRMWBinOp op)
{
    return op == LLVMAtomicRMWBinOpXchg ||
           (op < sizeof atomic_rows / sizeof *atomic_rows &&
            (atomic_rows[op].opcode || atomic_rows[op].combine));
}

/* No other thread of the machine sees it: shared memory. */
static bool is_alone(cc_value i)
{
    return LLVMIsAAtomicRMWInst(i) && is_known(LLVMGetAtomicRMWBinOp(i)) &&
           cc_is_shared(LLVMGetOperand(i, 0)) && !LLVMGetVolatile(i);
}

static cc_value shared_update(cc_vec *e, cc_value i, cc_value pointer, cc_value v)
{
    cc_type t = LLVMTypeOf(v);
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(i);
    cc_value old = LLVMBuildLoad2(e->b, t, pointer, ""), next = v;
    if (op != LLVMAtomicRMWBinOpXchg && atomic_rows[op].combine) {
        cc_value args[] = {old, v};
        next = cc_intrinsic(e, atomic_rows[op].combine, &t, 1, args, 2);
    } else if (op != LLVMAtomicRMWBinOpXchg) {
        next = LLVMBuildBinOp(e->b, atomic_rows[op].opcode, old, v, "");
    }
    LLVMSetAlignment(old, LLVMGetAlignment(i));
    LLVMSetAlignment(LLVMBuildStore(e->b, next, pointer), LLVMGetAlignment(i));
    return old;
}

static cc_value shared_lane(cc_vec *e, cc_value i, cc_value *operand, unsigned n,
                            void *data)
{
    (void)n;
    (void)data;
    return shared_update(e, i, operand[0], operand[1]);
}

#define MOST 16 /* in a function: more are not worth the time to compile */

/* While all lanes run: in straight code, one after the other, as their addresses may be
   one. */
static bool shared_apart(cc_vec *e, cc_value i)
{
    if (e->mask || e->width == 1 || cc_same(e, i) || e->unit->options->level == 0 ||
        e->apart++ >= MOST)
        return false;
    cc_value all = LLVMGetPoison(cc_wide(e, LLVMTypeOf(i)));
    for (unsigned l = 0; l < e->width; l++) {
        cc_value pointer = cc_lane_scalar(e, i, LLVMGetOperand(i, 0), l),
                 v = cc_lane_scalar(e, i, LLVMGetOperand(i, 1), l),
                 old = shared_update(e, i, pointer, v);
        if (LLVMGetFirstUse(i))
            all = LLVMBuildInsertElement(e->b, all, old, cc_int(e->unit->i64, l), "");
    }
    cc_define(e, i, NULL, all);
    return true;
}

/* Many lanes, one address, the old value is not used: lanes are reduced, then one
   operation is done. The first lane's value stands in for lanes that do not run
   wherever repeating it changes nothing. */
static cc_value reduced(cc_vec *e, int op, cc_value v)
{
    const char *reduce = atomic_rows[op].reduce;
    cc_value lanes = cc_lanes(e, v);
    cc_type t = LLVMTypeOf(lanes);
    if (e->mask) {
        cc_value neutral = LLVMConstNull(t);
        if (op == LLVMAtomicRMWBinOpAnd)
            neutral = LLVMConstAllOnes(t);
        if (strstr(reduce, "max") || strstr(reduce, "min")) {
            cc_value first = LLVMBuildExtractElement(e->b, lanes, cc_first_lane(e), "");
            neutral = cc_splat(e, first);
        }
        lanes = cc_blend(e, e->mask, lanes, neutral);
    }
    return cc_intrinsic(e, reduce, &t, 1, &lanes, 1);
}

void cc_atomic(cc_vec *e, cc_value i)
{
    cc_value p = LLVMGetOperand(i, 0);
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(i);
    cc_count_access(e, i, p, cc_sizeof(e->unit, LLVMTypeOf(i)));
    if (!is_known(op) || op == LLVMAtomicRMWBinOpXchg || !atomic_rows[op].reduce ||
        LLVMGetFirstUse(i) || !cc_same(e, p) || e->width == 1) {
        if (!is_alone(i))
            cc_lane_by_lane(e, i);
        else if (!shared_apart(e, i))
            cc_each_lane(e, i, shared_lane, NULL);
        return;
    }
    cc_value one = reduced(e, (int)op, LLVMGetOperand(i, 1)), pointer = cc_scalar(e, p);
    if (is_alone(i))
        shared_update(e, i, pointer, one);
    else
        LLVMBuildAtomicRMW(e->b, op, pointer, one, LLVMGetOrdering(i), 0);
}
