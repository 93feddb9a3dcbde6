/* Memory checks of local variables, which come before all optimization: LLVM drops an
   access that is beyond a variable of the thread, since it may do what it likes then.
   A check is told the distance from the start of the variable, not its address, so
   variables still become registers; and it goes where that distance turns out to be a
   constant that is right (check_accesses.c), or where all that a loop counts through
   are right: a check of each turn keeps LLVM from unrolling the loop, and the variable
   from becoming registers. */
#include "hostcc/check/check.h"
#include "hostcc/front/front.h"
#include "hostcc/ir/addresses.h"
#include "hostcc/ir/pseudo.h"

typedef struct {
    cc_unit *unit;
    cc_builder b;
    cc_value offset;
} sum;

static bool add_part(void *data, cc_value index, uint64_t scale)
{
    sum *s = data;
    cc_type i64 = s->unit->i64;
    cc_value part = cc_int(i64, scale);
    if (index)
        part =
            LLVMBuildMul(s->b, LLVMBuildIntCast2(s->b, index, i64, true, ""), part, "");
    s->offset = LLVMBuildAdd(s->b, s->offset, part, "");
    return true;
}

/* The local variable that a pointer was computed from, with nothing but indices. */
static cc_value variable_of(cc_value p)
{
    while (LLVMIsAGetElementPtrInst(p) || LLVMIsAAddrSpaceCastInst(p))
        p = LLVMGetOperand(p, 0);
    return LLVMIsAAllocaInst(p) && LLVMIsAConstantInt(LLVMGetOperand(p, 0)) ? p : NULL;
}

static void add_parts(sum *s, cc_value p)
{
    if (LLVMIsAAllocaInst(p))
        return;
    add_parts(s, LLVMGetOperand(p, 0));
    if (LLVMIsAGetElementPtrInst(p))
        cc_address_parts(s->unit, p, add_part, s);
}

static void check_access(cc_unit *u, cc_builder b, const cc_access *a)
{
    cc_value variable = variable_of(a->pointer);
    if (!variable || a->length)
        return;
    LLVMPositionBuilderBefore(b, a->at);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(a->at));
    sum s = {u, b, cc_int(u->i64, 0)};
    add_parts(&s, a->pointer);
    uint64_t size = cc_sizeof(u, LLVMGetAllocatedType(variable)) *
                    LLVMConstIntGetZExtValue(LLVMGetOperand(variable, 0));
    if (!a->source) /* else one of the two is left */
        cc_mark_checked(u, a->at);
    if (!cc_is_always_right(a, s.offset, size))
        cc_check_distance(u, b, a,
                          (cc_variable){variable, CC_FN_CHECK_LOCAL, HC_SPACE_LOCAL,
                                        size, LLVMGetAlignment(variable)},
                          s.offset);
}

/* -- Checks that are always right -- */

/* (whether the check that follows is right, its distance): of which LLVM finds out all
   that it can. No stage sees it. */
#define FITS "hc.fits"

static cc_value distance_of(cc_value i)
{
    return cc_function_of(i) == CC_FN_CHECK_LOCAL ? LLVMGetOperand(i, 0) : NULL;
}

static cc_value declare_fits(cc_unit *u)
{
    cc_type args[] = {LLVMInt1TypeInContext(u->context), u->i64};
    return LLVMAddFunction(u->module, FITS, LLVMFunctionType(u->none, args, 2, false));
}

/* In front of a check. Where it has to look at the alignment, it stays. */
static void ask(cc_unit *u, cc_builder b, cc_value fits, cc_value check)
{
    uint64_t demand = LLVMConstIntGetZExtValue(LLVMGetOperand(check, 2));
    uint64_t size = LLVMConstIntGetZExtValue(LLVMGetOperand(check, 1));
    cc_value args[2] = {NULL, distance_of(check)};
    if (CC_DEMAND_SHIFT(demand) || size < CC_DEMAND_BYTES(demand))
        return;
    LLVMPositionBuilderBefore(b, check);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(check));
    cc_value last = cc_int(u->i64, size - CC_DEMAND_BYTES(demand));
    args[0] = LLVMBuildICmp(b, LLVMIntULE, args[1], last, "");
    LLVMBuildCall2(b, LLVMGlobalGetValueType(fits), fits, args, 2, "");
}

/* Whether a call of `fits` says that the check is right that follows, and which. */
static cc_value right_check(cc_value call)
{
    cc_value is_right = LLVMGetOperand(call, 0), i = call;
    if (!LLVMIsAConstantInt(is_right) || !LLVMConstIntGetZExtValue(is_right))
        return NULL;
    do
        i = LLVMGetNextInstruction(i);
    while (i && !LLVMIsACallInst(i));
    return i && distance_of(i) == LLVMGetOperand(call, 1) ? i : NULL;
}

static void drop_right_checks(cc_unit *u, cc_builder b)
{
    cc_value fits = declare_fits(u);
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        CC_EACH_INST_OF(i, f)
            if (distance_of(i))
                ask(u, b, fits, i);
    if (LLVMGetFirstUse(fits))
        cc_passes(u, "function(early-cse,simplifycfg,"
                     "loop(loop-rotate,indvars),correlated-propagation,"
                     "early-cse)");
    for (LLVMUseRef use; (use = LLVMGetFirstUse(fits));) {
        cc_value call = LLVMGetUser(use), check = right_check(call);
        if (check)
            LLVMInstructionEraseFromParent(check);
        LLVMInstructionEraseFromParent(call);
    }
    LLVMDeleteFunction(fits);
}

void cc_check_locals(cc_unit *u)
{
    if (!(u->options->checks & HC_CHECK_MEMORY))
        return;
    cc_passes(u, "always-inline,globaldce,function(mem2reg)");
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f)) {
        if (cc_is_of_vectors(f)) /* of the library; its variables must go */
            continue;
        CC_EACH_INST_OF(i, f) {
            cc_access a;
            for (bool more = cc_find_access(u, i, &a); more; more = cc_next_access(&a))
                check_access(u, b, &a);
        }
    }
    if (u->options->level > 0)
        drop_right_checks(u, b);
    LLVMDisposeBuilder(b);
}
