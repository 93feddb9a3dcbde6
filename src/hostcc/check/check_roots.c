/* What a pointer was made from: followed through address computations, casts, phis and
   selects, back to a parameter of the kernel or to a variable. */
#include "hostcc/check/check.h"
#include "hostcc/ir/addresses.h"
#include "hostcc/ir/map.h"

typedef struct {
    cc_unit *unit;
    const cc_kernel *kernel;
    cc_map *seen; /* a value that is met again adds nothing */
} search;

static cc_root find(search *s, cc_value v);

static cc_root unknown(void)
{
    return (cc_root){CC_ROOT_UNKNOWN, NULL, 0};
}

static cc_root meet(cc_root a, cc_root b)
{
    if (a.kind == CC_ROOT_NONE)
        return b;
    if (b.kind == CC_ROOT_NONE ||
        (a.kind == b.kind && a.origin == b.origin && a.word == b.word))
        return a;
    return unknown();
}

static int parameter_number(const search *s, cc_value v)
{
    if (!s->kernel || !LLVMIsAArgument(v))
        return -1;
    for (unsigned k = 0; k < s->kernel->nparams; k++)
        if (LLVMGetParam(s->kernel->function, k) == v)
            return (int)k;
    return -1;
}

static cc_root parameter_word(unsigned offset)
{
    return offset % 8 ? unknown() : (cc_root){CC_ROOT_PARAMETER, NULL, offset / 8};
}

/* A pointer that is a member of a struct parameter. */
static cc_root member(search *s, cc_value load)
{
    uint64_t offset = 0;
    cc_value p = LLVMGetOperand(load, 0);
    while (LLVMIsAGetElementPtrInst(p)) {
        if (!cc_address_parts(s->unit, p, cc_add_constant, &offset))
            return unknown();
        p = LLVMGetOperand(p, 0);
    }
    int k = parameter_number(s, p);
    if (k < 0 || !s->kernel->by_value[k] || offset >= s->kernel->params[k].size)
        return unknown();
    return parameter_word(s->kernel->params[k].offset + (unsigned)offset);
}

static cc_root of_instruction(search *s, cc_value v)
{
    cc_root all = {CC_ROOT_NONE, NULL, 0};
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAlloca:
        return (cc_root){CC_ROOT_LOCAL, v, 0};
    case LLVMGetElementPtr:
    case LLVMAddrSpaceCast:
    case LLVMBitCast:
    case LLVMFreeze:
        return find(s, LLVMGetOperand(v, 0));
    case LLVMSelect:
        return meet(find(s, LLVMGetOperand(v, 1)), find(s, LLVMGetOperand(v, 2)));
    case LLVMPHI:
        for (unsigned k = 0; k < LLVMCountIncoming(v); k++)
            all = meet(all, find(s, LLVMGetIncomingValue(v, k)));
        return all;
    case LLVMLoad:
        return member(s, v);
    default:
        return unknown();
    }
}

static cc_root find(search *s, cc_value v)
{
    if (LLVMIsAInstruction(v)) {
        if (cc_map_get(s->seen, v) >= 0)
            return (cc_root){CC_ROOT_NONE, NULL, 0};
        cc_map_put(s->seen, v, 1);
        return of_instruction(s, v);
    }
    int k = parameter_number(s, v);
    if (k >= 0)
        return s->kernel->by_value[k] ? (cc_root){CC_ROOT_VARIABLE, v, 0}
                                      : parameter_word(s->kernel->params[k].offset);
    if (LLVMIsAGlobalVariable(v))
        return (cc_root){CC_ROOT_VARIABLE, v, 0};
    if (LLVMIsAConstantExpr(v) && (LLVMGetConstOpcode(v) == LLVMGetElementPtr ||
                                   LLVMGetConstOpcode(v) == LLVMAddrSpaceCast))
        return find(s, LLVMGetOperand(v, 0));
    return unknown();
}

cc_root cc_root_of(cc_unit *u, const cc_kernel *k, cc_value pointer)
{
    search s = {u, k, cc_map_new()};
    cc_root root = find(&s, pointer);
    return root.kind == CC_ROOT_NONE ? unknown() : root;
}

/* -- Alignment -- */

static bool is_multiple(void *align, cc_value index, uint64_t scale)
{
    (void)index;
    return scale % *(unsigned *)align == 0;
}

static bool keeps(cc_unit *u, cc_value v, unsigned align, cc_map *seen)
{
    bool kept = true;
    if (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMAddrSpaceCast)
        return keeps(u, LLVMGetOperand(v, 0), align, seen);
    if (!LLVMIsAInstruction(v))
        return !LLVMIsAConstantExpr(v);
    if (cc_map_get(seen, v) >= 0)
        return true;
    cc_map_put(seen, v, 1);
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMGetElementPtr:
        return cc_address_parts(u, v, is_multiple, &align) &&
               keeps(u, LLVMGetOperand(v, 0), align, seen);
    case LLVMAddrSpaceCast:
    case LLVMBitCast:
    case LLVMFreeze:
        return keeps(u, LLVMGetOperand(v, 0), align, seen);
    case LLVMSelect:
        return keeps(u, LLVMGetOperand(v, 1), align, seen) &&
               keeps(u, LLVMGetOperand(v, 2), align, seen);
    case LLVMPHI:
        for (unsigned k = 0; k < LLVMCountIncoming(v) && kept; k++)
            kept = keeps(u, LLVMGetIncomingValue(v, k), align, seen);
        return kept;
    default: /* the root itself */
        return true;
    }
}

bool cc_keeps_alignment(cc_unit *u, cc_value pointer, unsigned align)
{
    return keeps(u, pointer, align, cc_map_new());
}
