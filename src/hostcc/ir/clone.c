/* Copies of functions, each of the blocks that one block leads to: LLVM-C copies single
   instructions only. Inlining could do it, but looks at all of a function for each part
   of it. */
#include "hostcc/ir/clone.h"
#include "hostcc/ir/map.h"

#include <stdlib.h>

/* Arguments, blocks and instructions beside their copies, in the order of their
   discovery. */
typedef struct {
    LLVMContextRef context;
    cc_value function, exit;
    cc_builder b, entry;
    unsigned n, room;
    cc_value *old, *copy;
    cc_map *numbers;
} copier;

static void pair(copier *c, cc_value old, cc_value copy)
{
    if (c->n == c->room) {
        c->room = 2 * c->room + 64;
        c->old = realloc(c->old, c->room * sizeof(cc_value));
        c->copy = realloc(c->copy, c->room * sizeof(cc_value));
        if (!c->old || !c->copy)
            cc_refuse("out of memory");
    }
    cc_map_put(c->numbers, old, c->n);
    c->old[c->n] = old;
    c->copy[c->n++] = copy;
}

static void copy_instruction(copier *c, cc_builder at, cc_value i)
{
    if (LLVMIsAPHINode(i)) {
        pair(c, i, LLVMBuildPhi(at, LLVMTypeOf(i), cc_name(i)));
        return;
    }
    cc_value copy = LLVMInstructionClone(i);
    LLVMInsertIntoBuilderWithName(at, copy, cc_name(i));
    pair(c, i, copy);
}

static cc_block find_block(copier *c, cc_block b)
{
    cc_value old = LLVMBasicBlockAsValue(b);
    int k = cc_map_get(c->numbers, old);
    if (k >= 0)
        return LLVMValueAsBasicBlock(c->copy[k]);
    cc_block copy = LLVMAppendBasicBlockInContext(c->context, c->function,
                                                  LLVMGetBasicBlockName(b));
    pair(c, old, LLVMBasicBlockAsValue(copy));
    return copy;
}

/* Stack slots are copied where they are used, into the entry. */
static void copy_block(copier *c, cc_block from, cc_block to)
{
    cc_value end = LLVMGetBasicBlockTerminator(from);
    LLVMPositionBuilderAtEnd(c->b, to);
    CC_EACH_INST(i, from) {
        if (c->exit && LLVMIsAReturnInst(i) && !LLVMGetNumOperands(i))
            LLVMBuildRet(c->b, c->exit);
        else if (!LLVMIsAAllocaInst(i))
            copy_instruction(c, c->b, i);
    }
    for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
        find_block(c, LLVMGetSuccessor(end, k));
}

static cc_value find_operand(copier *c, cc_value v)
{
    if (LLVMIsAAllocaInst(v) && cc_map_get(c->numbers, v) < 0)
        copy_instruction(c, c->entry, v);
    int k = cc_map_get(c->numbers, v);
    return k < 0 ? v : c->copy[k];
}

static void link_phi(copier *c, cc_value old, cc_value copy)
{
    for (unsigned j = 0; j < LLVMCountIncoming(old); j++) {
        cc_block from = LLVMGetIncomingBlock(old, j);
        if (cc_map_get(c->numbers, LLVMBasicBlockAsValue(from)) < 0)
            continue; /* not led to */
        cc_value v = find_operand(c, LLVMGetIncomingValue(old, j));
        from = find_block(c, from);
        LLVMAddIncoming(copy, &v, &from, 1);
    }
}

static void link_operands(copier *c, cc_value old, cc_value copy)
{
    for (unsigned j = 0; j < (unsigned)LLVMGetNumOperands(old); j++)
        LLVMSetOperand(copy, j, find_operand(c, LLVMGetOperand(old, j)));
}

cc_value cc_copy_from(cc_unit *u, cc_block start, const char *name, cc_value exit)
{
    cc_value from = LLVMGetBasicBlockParent(start);
    copier c = {.context = u->context, .exit = exit, .numbers = cc_map_new()};
    unsigned n = LLVMCountParams(from);
    cc_type *params = cc_alloc((n + 1) * sizeof *params);
    LLVMGetParamTypes(LLVMGlobalGetValueType(from), params);
    cc_type result = exit ? LLVMTypeOf(exit) : u->none;
    c.function =
        LLVMAddFunction(u->module, name, LLVMFunctionType(result, params, n, 0));
    cc_target_attributes(u, c.function);
    c.b = LLVMCreateBuilderInContext(u->context);
    c.entry = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderAtEnd(
        c.entry, LLVMAppendBasicBlockInContext(u->context, c.function, "entry"));
    LLVMPositionBuilderBefore(c.entry, LLVMBuildBr(c.entry, find_block(&c, start)));
    for (unsigned k = 0; k < n; k++)
        pair(&c, LLVMGetParam(from, k), LLVMGetParam(c.function, k));
    for (unsigned k = 0; k < c.n; k++)
        if (LLVMValueIsBasicBlock(c.old[k]))
            copy_block(&c, LLVMValueAsBasicBlock(c.old[k]),
                       LLVMValueAsBasicBlock(c.copy[k]));
    for (unsigned k = 0, total = c.n; k < total; k++) {
        if (LLVMIsAPHINode(c.old[k]))
            link_phi(&c, c.old[k], c.copy[k]);
        else if (LLVMIsAInstruction(c.old[k]))
            link_operands(&c, c.old[k], c.copy[k]);
    }
    return c.function;
}
