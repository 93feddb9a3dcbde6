/* Calls of functions that are compiled for vectors: a function of one lane, marked by
   the front (front/fetches.c), is written once for each way in which kernels call it,
   and takes and returns vectors in registers. Here the call is written and the function
   declared; vectorize.c makes its code when all calls are known, as that of a region.
   Which of its parameters are the same in all lanes is part of what it is: a texture's
   record is one pointer, and branches on it are branches. The list of such functions is
   the unit's. */
#include "hostcc/vector/vector.h"

#include <stdlib.h>

static cc_type type_of(cc_vec *e, const cc_vector_function *f)
{
    unsigned n = LLVMCountParams(f->scalar);
    cc_type scalar = LLVMGlobalGetValueType(f->scalar),
            *t = cc_alloc((n + 1) * sizeof *t);
    LLVMGetParamTypes(scalar, t);
    for (unsigned k = 0; k < n; k++)
        t[k] = f->same >> k & 1 ? cc_flat(e, t[k]) : cc_wide(e, t[k]);
    t[n] = e->unit->i32;
    return LLVMFunctionType(cc_wide(e, LLVMGetReturnType(scalar)), t, n + f->masked, 0);
}

static cc_value declare(cc_vec *e, const cc_vector_function *f)
{
    static const char *const attributes[] = {"noinline", "nounwind", "willreturn"};
    const char *name = cc_format("%s.%u.%x.%s", cc_name(f->scalar), f->width, f->same,
                                 f->masked ? "masked" : "full");
    cc_value function = LLVMAddFunction(e->unit->module, name, type_of(e, f));
    cc_target_attributes(e->unit, function);
    for (unsigned k = 0; k < sizeof attributes / sizeof *attributes; k++)
        cc_attribute(e->unit, function, attributes[k]);
    cc_param_attribute(e->unit, function, (unsigned)LLVMAttributeFunctionIndex,
                       "memory", CC_READS);
    return function;
}

static cc_vector_function *find(cc_vec *e, const cc_vector_function *wanted)
{
    cc_vector_function **at = &e->unit->vector_functions;
    for (; *at; at = &(*at)->next)
        if ((*at)->scalar == wanted->scalar && (*at)->width == wanted->width &&
            (*at)->same == wanted->same && (*at)->masked == wanted->masked)
            return *at;
    *at = cc_alloc(sizeof **at);
    **at = *wanted;
    (*at)->function = declare(e, wanted);
    return *at;
}

/* What lies in memory of its own has no place yet in a vector. */
static bool has_memory(cc_value f)
{
    CC_EACH_INST_OF(i, f)
        if (LLVMIsAAllocaInst(i))
            return true;
    return false;
}

bool cc_vector_call(cc_vec *e, cc_value i)
{
    if (!cc_is_vector_call(i) || cc_same(e, i) || has_memory(LLVMGetCalledValue(i)))
        return false;
    cc_vector_function f = {.scalar = LLVMGetCalledValue(i),
                            .kernel = e->kernel,
                            .width = e->width,
                            .layout = e->linear,
                            .masked = e->mask};
    unsigned n = cc_nargs(i);
    cc_value *args = cc_alloc((n + 1) * sizeof *args);
    for (unsigned k = 0; k < n; k++) {
        cc_value v = LLVMGetOperand(i, k);
        bool same = cc_same(e, v);
        f.same |= (uint32_t)same << k;
        args[k] = same ? cc_scalar(e, v) : cc_lanes(e, v);
    }
    if (f.masked)
        args[n++] = cc_bits32(e, e->mask);
    cc_value function = find(e, &f)->function;
    cc_value call =
        LLVMBuildCall2(e->b, LLVMGlobalGetValueType(function), function, args, n, "");
    LLVMSetTailCall(call, 1); /* it sees no memory of the caller's own */
    LLVMAttributeRef cold = LLVMGetEnumAttributeAtIndex(
        f.scalar, LLVMAttributeFunctionIndex,
        LLVMGetEnumAttributeKindForName("cold", strlen("cold")));
    if (cold) /* registers are saved where it is called, not on the way around it */
        LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex, cold);
    cc_define(e, i, NULL, call);
    return true;
}

/* -- In such a function -- */

cc_value cc_emit_parameter(cc_vec *e, cc_value i)
{
    const char *number = cc_callee(i) + strlen(cc_functions[CC_FN_PARAMETER].name);
    cc_define(e, i, NULL, e->argument[strtoul(number, NULL, 10)]);
    return NULL;
}

cc_value cc_emit_answer(cc_vec *e, cc_value i)
{
    cc_value lanes = cc_lanes(e, LLVMGetOperand(i, 0));
    if (e->mask) {
        cc_value old = LLVMBuildLoad2(e->b, LLVMTypeOf(lanes), e->answer, "");
        lanes = cc_blend(e, e->mask, lanes, old);
    }
    LLVMBuildStore(e->b, lanes, e->answer);
    return NULL;
}
