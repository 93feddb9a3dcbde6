/* Memory checks: in front of each load, store, atomic operation and copy, a call of one
   of the functions hc.check... says what its address must lie in. Runs on scalar code
   when the optimizer is done with it, so that what is checked is what is accessed, and
   while variables still have names and sizes. An access through a pointer that has been
   checked in the same block, for as many bytes, is not checked again. */
#include "hostcc/check/check.h"
#include "hostcc/ir/map.h"
#include "hostcc/ir/pseudo.h"

#include <stdlib.h>

typedef struct {
    cc_unit *unit;
    const cc_kernel *kernel; /* NULL: a function that is not inlined */
    cc_builder b;
    cc_map *checked; /* pointer -> bytes, in this block */
} checker;

/* -- What is held against what -- */

static unsigned shift_of(unsigned alignment)
{
    return (unsigned)__builtin_ctz(alignment);
}

/* The bytes, and the alignment that must be looked at each time. */
static cc_value demand(checker *c, const cc_access *a, bool look)
{
    return cc_int(c->unit->i32, a->bytes | (look ? shift_of(a->alignment) << 28 : 0));
}

static hc_space space_of(cc_value variable)
{
    unsigned space = LLVMIsAGlobalVariable(variable)
                         ? LLVMGetPointerAddressSpace(LLVMTypeOf(variable))
                         : 4;
    return space == 3   ? HC_SPACE_SHARED
           : space == 4 ? HC_SPACE_CONSTANT
                        : HC_SPACE_GLOBAL;
}

static void by_bounds(checker *c, const cc_access *a, cc_root root)
{
    cc_unit *u = c->unit;
    const char *name = "";
    for (unsigned k = 0; k < c->kernel->nparams; k++)
        if (c->kernel->params[k].offset / 8 <= root.word)
            name = cc_name(LLVMGetParam(c->kernel->function, k));
    hc_access facts = {
        .way = HC_BY_BOUNDS, .space = HC_SPACE_GLOBAL, .bounds = root.word};
    cc_value args[] = {a->pointer, cc_int(u->i32, root.word),
                       demand(c, a, !cc_keeps_alignment(u, a->pointer, a->alignment)),
                       cc_access_row(u, a, &facts, name)};
    cc_call_function(u, c->b, CC_FN_CHECK_BOUNDS, u->none, args);
}

/* Of shared memory, of the module, of the parameters themselves. */
static void by_size(checker *c, const cc_access *a, cc_root root)
{
    cc_unit *u = c->unit;
    bool global = LLVMIsAGlobalVariable(root.origin);
    hc_access facts = {.way = HC_BY_SIZE, .space = space_of(root.origin)};
    for (unsigned k = 0; !global && k < c->kernel->nparams; k++)
        if (LLVMGetParam(c->kernel->function, k) == root.origin)
            facts.size = c->kernel->params[k].size;
    if (global)
        facts.size = cc_sizeof(u, LLVMGlobalGetValueType(root.origin));
    if (global && LLVMIsDeclaration(root.origin))
        return;
    cc_value to = LLVMBuildPtrToInt(c->b, a->pointer, u->i64, "");
    cc_value from = LLVMBuildPtrToInt(c->b, root.origin, u->i64, "");
    cc_value args[] = {LLVMBuildSub(c->b, to, from, ""), cc_int(u->i64, facts.size),
                       demand(c, a, !cc_keeps_alignment(u, a->pointer, a->alignment)),
                       cc_access_row(u, a, &facts, cc_name(root.origin))};
    cc_call_function(u, c->b, CC_FN_CHECK_SIZE, u->none, args);
}

static void check(checker *c, const cc_access *a)
{
    cc_root root = cc_root_of(c->unit, c->kernel, a->pointer);
    LLVMPositionBuilderBefore(c->b, a->at);
    LLVMSetCurrentDebugLocation2(c->b, LLVMInstructionGetDebugLoc(a->at));
    if (root.kind == CC_ROOT_PARAMETER)
        by_bounds(c, a, root);
    else if (root.kind == CC_ROOT_VARIABLE)
        by_size(c, a, root);
}

/* -- Accesses -- */

static unsigned size_of(checker *c, cc_value v)
{
    return cc_sizeof(c->unit, LLVMTypeOf(v));
}

/* False: i accesses no memory. */
static bool find_access(checker *c, cc_value i, cc_access *a)
{
    *a = (cc_access){.at = i};
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        a->kind = HC_READ;
        a->bytes = size_of(c, i);
        break;
    case LLVMStore:
        a->kind = HC_WRITE;
        a->bytes = size_of(c, LLVMGetOperand(i, 0));
        break;
    case LLVMAtomicRMW:
        a->kind = HC_ATOMIC;
        a->bytes = size_of(c, i);
        break;
    case LLVMAtomicCmpXchg:
        a->kind = HC_ATOMIC;
        a->bytes = size_of(c, LLVMGetOperand(i, 1));
        break;
    default:
        return false;
    }
    a->pointer = LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0);
    a->alignment = LLVMGetAlignment(i);
    return a->bytes > 0;
}

static void check_function(checker *c, cc_value function)
{
    CC_EACH_BLOCK(block, function) {
        c->checked = cc_map_new();
        CC_EACH_INST(i, block) {
            cc_access a;
            if (!find_access(c, i, &a) || cc_is_of_textures(c->unit, i) ||
                cc_map_get(c->checked, a.pointer) >= (int)a.bytes)
                continue;
            cc_map_put(c->checked, a.pointer, a.bytes);
            check(c, &a);
        }
    }
}

void cc_check_accesses(cc_unit *u)
{
    checker c = {.unit = u};
    if (!(u->options->checks & HC_CHECK_MEMORY))
        return;
    c.b = LLVMCreateBuilderInContext(u->context);
    for (unsigned k = 0; k < u->nkernels; k++) {
        c.kernel = &u->kernels[k];
        check_function(&c, c.kernel->function);
    }
}
