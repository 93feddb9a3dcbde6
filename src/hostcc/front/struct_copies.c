/* Copies of structures by way of a variable of the thread's, which LLVM keeps if it
   takes them for bytes:

       bytes<16> t = *from;       becomes   *to = *from;
       *to = t;

   Its pass for that makes memset of neighbouring stores, too, for which there is no
   vector code. And copies that two ways to a block do alike are done in the block: a
   library asks whether memory is shared, and does the same if it is not. */
#include "hostcc/front/front.h"
#include "hostcc/ir/addresses.h"
#include "hostcc/ir/pseudo.h"

enum { TO, FROM, LENGTH, IS_VOLATILE };

static bool is_copy(cc_value i)
{
    return i && LLVMIsACallInst(i) &&
           (cc_prefixed(cc_callee(i), "llvm.memcpy.") ||
            cc_prefixed(cc_callee(i), "llvm.memmove.")) &&
           LLVMIsAConstantInt(LLVMGetOperand(i, LENGTH)) &&
           !LLVMConstIntGetZExtValue(LLVMGetOperand(i, IS_VOLATILE));
}

static bool is_lifetime(cc_value i)
{
    return LLVMIsACallInst(i) && cc_prefixed(cc_callee(i), "llvm.lifetime.");
}

/* The copy into the variable that is right before the copy out of it; or NULL. */
static cc_value copy_before(cc_value out)
{
    cc_value i = out;
    do
        i = LLVMGetPreviousInstruction(i);
    while (i && is_lifetime(i));
    bool same = is_copy(i) && LLVMGetOperand(i, TO) == LLVMGetOperand(out, FROM) &&
                LLVMGetOperand(i, LENGTH) == LLVMGetOperand(out, LENGTH);
    return same ? i : NULL;
}

/* Whether the variable is only copied into, whole, and from there out at once. */
static bool is_between(cc_unit *u, cc_value variable)
{
    uint64_t bytes = cc_sizeof(u, LLVMGetAllocatedType(variable));
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        cc_value i = LLVMGetUser(use);
        if (is_lifetime(i))
            continue;
        if (!is_copy(i) ||
            LLVMConstIntGetZExtValue(LLVMGetOperand(i, LENGTH)) != bytes ||
            (LLVMGetOperand(i, FROM) == variable && !copy_before(i)))
            return false;
    }
    return true;
}

/* What the first copy reads may have ended before the second; now it lives on. */
static void keep_alive(cc_value in, cc_value out, cc_value variable)
{
    for (cc_value i = LLVMGetPreviousInstruction(out), before; i != in; i = before) {
        before = LLVMGetPreviousInstruction(i);
        if (cc_prefixed(cc_callee(i), "llvm.lifetime.end.") &&
            LLVMGetOperand(i, 1) != variable)
            LLVMInstructionEraseFromParent(i);
    }
}

static void forward(cc_unit *u, cc_builder b, cc_value variable)
{
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        cc_value out = LLVMGetUser(use), in;
        if (!is_copy(out) || LLVMGetOperand(out, FROM) != variable)
            continue;
        in = copy_before(out);
        keep_alive(in, out, variable);
        LLVMPositionBuilderBefore(b, out);
        cc_value copy =
            LLVMBuildMemMove(b, LLVMGetOperand(out, TO), cc_promised_alignment(out, TO),
                             LLVMGetOperand(in, FROM), cc_promised_alignment(in, FROM),
                             LLVMGetOperand(out, LENGTH));
        LLVMInstructionSetDebugLoc(copy, LLVMInstructionGetDebugLoc(out));
    }
    for (LLVMUseRef use; (use = LLVMGetFirstUse(variable));)
        LLVMInstructionEraseFromParent(LLVMGetUser(use));
    LLVMInstructionEraseFromParent(variable);
}

/* All variables of a block; behind one may be what goes with it. */
static void forward_all(cc_unit *u, cc_builder b, cc_block at)
{
    cc_value before = NULL, i = LLVMGetFirstInstruction(at);
    while (i) {
        if (LLVMIsAAllocaInst(i) && LLVMGetFirstUse(i) && is_between(u, i))
            forward(u, b, i);
        else
            before = i;
        i = before ? LLVMGetNextInstruction(before) : LLVMGetFirstInstruction(at);
    }
}

static bool copy_alike(cc_value a, cc_value b)
{
    return LLVMGetOperand(a, LENGTH) == LLVMGetOperand(b, LENGTH) &&
           cc_are_equal(LLVMGetOperand(a, TO), LLVMGetOperand(b, TO)) &&
           cc_are_equal(LLVMGetOperand(a, FROM), LLVMGetOperand(b, FROM));
}

/* Both ways to the block end in the same copy. */
static void copy_once(cc_builder b, cc_block to)
{
    cc_value copy[2], first = LLVMGetFirstInstruction(to), p[2];
    unsigned n = 0, align[2];
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(to)); use;
         use = LLVMGetNextUse(use)) {
        cc_value way = LLVMGetUser(use); /* or &&to */
        if (n == 2 || !LLVMIsAInstruction(way))
            return;
        copy[n] = cc_last_effect(LLVMGetInstructionParent(way), to);
        if (!is_copy(copy[n++]))
            return;
    }
    if (n < 2 || !copy_alike(copy[0], copy[1]))
        return;
    while (LLVMIsAPHINode(first))
        first = LLVMGetNextInstruction(first);
    LLVMPositionBuilderBefore(b, first);
    for (unsigned k = TO; k <= FROM; k++) {
        unsigned one = cc_promised_alignment(copy[0], k),
                 other = cc_promised_alignment(copy[1], k);
        p[k] =
            cc_compute_once(b, LLVMGetOperand(copy[0], k), LLVMGetOperand(copy[1], k));
        align[k] = one < other ? one : other;
    }
    cc_value all = LLVMBuildMemMove(b, p[TO], align[TO], p[FROM], align[FROM],
                                    LLVMGetOperand(copy[0], LENGTH));
    LLVMInstructionSetDebugLoc(all, LLVMInstructionGetDebugLoc(copy[0]));
    for (unsigned k = 0; k < 2; k++)
        LLVMInstructionEraseFromParent(copy[k]);
}

void cc_forward_copies(cc_unit *u)
{
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    if (u->options->level == 0 || u->options->checks)
        return; /* each access is the source's */
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f)) {
        CC_EACH_BLOCK(at, f)
            forward_all(u, b, at);
        CC_EACH_BLOCK(at, f)
            copy_once(b, at);
    }
}
