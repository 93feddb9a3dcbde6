/* Lanes far apart in memory. A gather or scatter is one instruction, but not always a
   fast one: while all lanes run, a load or store a lane is three times as fast on AMD's
   processors, and takes three times as long on Intel's. Where the distance from lane to
   lane is known at run time, the addresses are scalars. Others stay an instruction
   while LLVM optimizes, and are taken apart after that, scatters always and gathers
   where gather_time.c finds them slow. */
#include "hostcc/vector/vector.h"

/* -- Evenly spaced -- */

/* The lanes of a value as first + step * lane, in its own type (pointers: step in
   bytes), where step is known only at run time. */
typedef struct {
    cc_value first, step; /* step: NULL if 0 */
} progression;

static bool find_progression(cc_vec *e, cc_value v, unsigned depth, progression *p);

/* Both operands; the instruction must not wrap if its result is widened. */
static bool find_binary(cc_vec *e, cc_value v, unsigned depth, progression *p)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    progression a, b;
    if ((op != LLVMAdd && op != LLVMSub && op != LLVMMul && op != LLVMShl) ||
        !find_progression(e, LLVMGetOperand(v, 0), depth, &a) ||
        !find_progression(e, LLVMGetOperand(v, 1), depth, &b))
        return false;
    cc_value zero = LLVMConstNull(LLVMTypeOf(v)), x = a.step ? a.step : zero;
    p->first = LLVMBuildBinOp(e->b, op, a.first, b.first, "");
    if (op == LLVMAdd || op == LLVMSub) {
        p->step = LLVMBuildBinOp(e->b, op, x, b.step ? b.step : zero, "");
        return true;
    }
    if (b.step && (a.step || op == LLVMShl))
        return false;
    p->step = b.step ? LLVMBuildMul(e->b, a.first, b.step, "")
                     : LLVMBuildBinOp(e->b, op, x, b.first, "");
    return true;
}

static bool never_wraps(cc_vec *e, cc_value v, bool is_signed)
{
    if (cc_uniformity_of(e->uniformity, v).kind == CC_AFFINE)
        return LLVMGetIntTypeWidth(LLVMTypeOf(v)) >= 32; /* as in uniformity.c */
    return LLVMIsABinaryOperator(v) && (is_signed ? LLVMGetNSW(v) : LLVMGetNUW(v)) &&
           never_wraps(e, LLVMGetOperand(v, 0), is_signed) &&
           never_wraps(e, LLVMGetOperand(v, 1), is_signed);
}

static bool find_progression(cc_vec *e, cc_value v, unsigned depth, progression *p)
{
    cc_uniformity s = cc_uniformity_of(e->uniformity, v);
    cc_type t = LLVMTypeOf(v);
    progression index;
    if (s.kind == CC_AFFINE) {
        if (!cc_is_at_hand(e, v))
            return false;
        cc_type number = cc_kind(t) == LLVMPointerTypeKind ? e->unit->i64 : t;
        p->first = cc_scalar(e, v);
        p->step = s.stride ? cc_int(number, (uint64_t)s.stride) : NULL;
        return true;
    }
    if (!LLVMIsAInstruction(v) || depth++ > 8)
        return false;
    if (LLVMIsABinaryOperator(v))
        return find_binary(e, v, depth, p);
    cc_value from = LLVMGetOperand(v, 0);
    if (LLVMIsASExtInst(v) || LLVMIsAZExtInst(v)) {
        if (!never_wraps(e, from, LLVMIsASExtInst(v) != NULL) ||
            !find_progression(e, from, depth, p))
            return false;
        p->first = LLVMBuildCast(e->b, LLVMGetInstructionOpcode(v), p->first, t, "");
        p->step = p->step ? LLVMBuildSExt(e->b, p->step, t, "") : NULL;
        return true;
    }
    if (!LLVMIsAGetElementPtrInst(v) || LLVMGetNumOperands(v) != 2 ||
        !cc_is_int(LLVMTypeOf(LLVMGetOperand(v, 1)), 64) ||
        !find_progression(e, from, depth, p) ||
        !find_progression(e, LLVMGetOperand(v, 1), depth, &index))
        return false;
    cc_type element = LLVMGetGEPSourceElementType(v);
    p->first = LLVMBuildGEP2(e->b, element, p->first, &index.first, 1, "");
    cc_value by = cc_int(e->unit->i64, cc_sizeof(e->unit, element));
    by = index.step ? LLVMBuildMul(e->b, index.step, by, "") : NULL;
    p->step = by && p->step ? LLVMBuildAdd(e->b, p->step, by, "") : by ? by : p->step;
    return true;
}

/* The address of each lane; false: not evenly spaced, or by a constant. */
static bool even_addresses(cc_vec *e, cc_value pointer, cc_value address[HC_LANES])
{
    progression p;
    cc_value ahead[4];
    if (e->mask || cc_uniformity_of(e->uniformity, pointer).kind == CC_AFFINE ||
        !find_progression(e, pointer, 0, &p) || !p.step)
        return false;
    for (unsigned k = 0; k < 4; k++)
        ahead[k] = LLVMBuildMul(e->b, p.step, cc_int(e->unit->i64, k + 1), "");
    address[0] = p.first;
    for (unsigned l = 1; l < e->width; l++) /* four by four */
        address[l] = LLVMBuildGEP2(e->b, e->unit->i8, address[(l - 1) / 4 * 4],
                                   &ahead[(l - 1) % 4], 1, "");
    return true;
}

static cc_value load_each(cc_builder b, cc_type wide, const cc_value *address,
                          unsigned align)
{
    cc_value all = LLVMGetPoison(wide);
    cc_type i64 = LLVMInt64TypeInContext(LLVMGetTypeContext(wide));
    for (unsigned l = 0; l < LLVMGetVectorSize(wide); l++) {
        cc_value one = LLVMBuildLoad2(b, LLVMGetElementType(wide), address[l], "");
        LLVMSetAlignment(one, align);
        all = LLVMBuildInsertElement(b, all, one, cc_int(i64, l), "");
    }
    return all;
}

static void store_each(cc_builder b, cc_value v, const cc_value *address,
                       unsigned align)
{
    cc_type i64 = LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(v)));
    for (unsigned l = 0; l < LLVMGetVectorSize(LLVMTypeOf(v)); l++) {
        cc_value one = LLVMBuildExtractElement(b, v, cc_int(i64, l), "");
        LLVMSetAlignment(LLVMBuildStore(b, one, address[l]), align);
    }
}

/* In full code an affine address is good in all lanes. */
static cc_value addresses(cc_vec *e, cc_value pointer)
{
    cc_uniformity s = cc_uniformity_of(e->uniformity, pointer);
    return e->mask || s.kind != CC_AFFINE
               ? cc_lanes(e, pointer)
               : cc_spread(e, cc_scalar(e, pointer), s.stride);
}

void cc_lane_addresses(cc_vec *e, cc_value pointer, cc_value address[HC_LANES])
{
    cc_uniformity s = cc_uniformity_of(e->uniformity, pointer);
    if (even_addresses(e, pointer, address))
        return;
    for (unsigned l = 0; l < e->width; l++) {
        cc_value lane = cc_int(e->unit->i64, l),
                 by = cc_int(e->unit->i64, l * (uint64_t)s.stride);
        address[l] =
            s.kind == CC_AFFINE
                ? LLVMBuildGEP2(e->b, e->unit->i8, cc_scalar(e, pointer), &by, 1, "")
                : LLVMBuildExtractElement(e->b, cc_lanes(e, pointer), lane, "");
    }
}

/* The word at a multiple of 4 that each address is in, and by how many bits it is
   shifted there. */
static cc_value gather_around(cc_vec *e, cc_value all, cc_value *shift)
{
    cc_builder b = e->b;
    cc_type i32 = LLVMVectorType(e->unit->i32, e->width);
    cc_value at = LLVMBuildPtrToInt(b, all, cc_wide(e, e->unit->i64), "");
    cc_value in_word = LLVMBuildAnd(b, at, cc_splat(e, cc_int(e->unit->i64, 3)), "");
    cc_value words = LLVMBuildNeg(b, in_word, "");
    words = LLVMBuildGEP2(b, e->unit->i8, all, &words, 1, "");
    *shift = LLVMBuildShl(b, LLVMBuildTrunc(b, in_word, i32, ""),
                          cc_splat(e, cc_int(e->unit->i32, 3)), "");
    cc_type overload[] = {i32, LLVMTypeOf(words)};
    cc_value args[] = {words, cc_int(e->unit->i32, 4), cc_mask(e), LLVMConstNull(i32)};
    return cc_intrinsic(e, "llvm.masked.gather", overload, 2, args, 4);
}

/* No processor gathers numbers below 32 bits, and LLVM makes a branch a lane of it. So
   whole words that contain them are gathered. */
static cc_value gather_narrow(cc_vec *e, cc_type t, cc_value pointer)
{
    cc_type numbers = LLVMIntTypeInContext(e->unit->context, 8 * cc_sizeof(e->unit, t));
    cc_value shift, v = gather_around(e, cc_lanes(e, pointer), &shift);
    v = LLVMBuildTrunc(e->b, LLVMBuildLShr(e->b, v, shift, ""), cc_wide(e, numbers),
                       "");
    return LLVMBuildBitCast(e->b, v, cc_wide(e, t), "");
}

cc_value cc_gather_three(cc_vec *e, cc_value pointer, int64_t from)
{
    cc_type i8 = e->unit->i8, wide = cc_wide(e, e->unit->i32);
    cc_value by = cc_int(e->unit->i64, (uint64_t)from), two = cc_int(e->unit->i64, 2);
    cc_value all = addresses(e, pointer), shift, unused;
    if (from)
        all = LLVMBuildGEP2(e->b, i8, all, &by, 1, "");
    cc_value low = gather_around(e, all, &shift);
    all = LLVMBuildGEP2(e->b, i8, all, &two, 1, "");
    cc_value args[] = {gather_around(e, all, &unused), low, shift};
    return cc_intrinsic(e, "llvm.fshr", &wide, 1, args, 3);
}

cc_value cc_gather(cc_vec *e, cc_type t, cc_value pointer, int64_t from, unsigned align)
{
    cc_value address[HC_LANES], by = cc_int(e->unit->i64, (uint64_t)from), all;
    cc_type overload[] = {cc_wide(e, t), cc_wide(e, e->unit->ptr)};
    if (even_addresses(e, pointer, address)) {
        for (unsigned l = 0; l < e->width && from; l++)
            address[l] = LLVMBuildGEP2(e->b, e->unit->i8, address[l], &by, 1, "");
        return load_each(e->b, overload[0], address, align);
    }
    if (e->mask && e->unit->vector_bits > 128 && cc_sizeof(e->unit, t) < 4 &&
        align >= cc_sizeof(e->unit, t))
        return gather_narrow(e, t, pointer);
    all = addresses(e, pointer);
    if (from)
        all = LLVMBuildGEP2(e->b, e->unit->i8, all, &by, 1, "");
    cc_value args[] = {all, cc_int(e->unit->i32, align), cc_mask(e),
                       LLVMConstNull(overload[0])};
    return cc_intrinsic(e, "llvm.masked.gather", overload, 2, args, 4);
}

void cc_scatter(cc_vec *e, cc_value v, cc_value pointer, unsigned align)
{
    cc_value address[HC_LANES];
    cc_type overload[] = {LLVMTypeOf(v), cc_wide(e, e->unit->ptr)};
    if (even_addresses(e, pointer, address)) {
        store_each(e->b, v, address, align);
        return;
    }
    cc_value args[] = {v, addresses(e, pointer), cc_int(e->unit->i32, align),
                       cc_mask(e)};
    cc_intrinsic(e, "llvm.masked.scatter", overload, 2, args, 4);
}

/* -- Taking apart -- */

#define MOST 16 /* in a function: larger ones are not worth the time to compile */

/* The operand that holds the addresses, if i is for all lanes; else -1. */
static int all_lanes(cc_value i)
{
    const char *name = cc_callee(i);
    int at = cc_prefixed(name, "llvm.masked.gather.")    ? 0
             : cc_prefixed(name, "llvm.masked.scatter.") ? 1
                                                         : -1;
    cc_value mask = at < 0 ? NULL : LLVMGetOperand(i, (unsigned)at + 2);
    return at >= 0 && mask == LLVMConstAllOnes(LLVMTypeOf(mask)) ? at : -1;
}

/* base[index[l]] where the addresses are made that way: the processor adds. */
static cc_value one_address(cc_builder b, cc_value all, cc_value lane)
{
    if (LLVMIsAGetElementPtrInst(all) && LLVMGetNumOperands(all) == 2 &&
        cc_kind(LLVMTypeOf(LLVMGetOperand(all, 0))) == LLVMPointerTypeKind) {
        cc_value index = LLVMBuildExtractElement(b, LLVMGetOperand(all, 1), lane, "");
        return LLVMBuildGEP2(b, LLVMGetGEPSourceElementType(all),
                             LLVMGetOperand(all, 0), &index, 1, "");
    }
    return LLVMBuildExtractElement(b, all, lane, "");
}

static void take_apart(cc_unit *u, cc_builder b, cc_value i, unsigned at)
{
    cc_value address[HC_LANES], all = LLVMGetOperand(i, at);
    unsigned align = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(i, at + 1));
    LLVMPositionBuilderBefore(b, i);
    for (unsigned l = 0; l < LLVMGetVectorSize(LLVMTypeOf(all)); l++)
        address[l] = one_address(b, all, cc_int(u->i64, l));
    if (at)
        store_each(b, LLVMGetOperand(i, 0), address, align);
    else
        LLVMReplaceAllUsesWith(i, load_each(b, LLVMTypeOf(i), address, align));
    LLVMInstructionEraseFromParent(i);
}

void cc_take_gathers_apart(cc_unit *u)
{
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f)) {
        unsigned n = 0;
        CC_EACH_INST_OF(i, f)
            n += all_lanes(i) >= 0;
        CC_EACH_INST_OF(i, f) {
            int at = n <= MOST ? all_lanes(i) : -1;
            if (at > 0 || (!at && !cc_gathers_are_fast(u)))
                take_apart(u, b, i, (unsigned)at);
        }
    }
}
