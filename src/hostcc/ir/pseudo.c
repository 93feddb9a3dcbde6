/* Finds the functions of pseudo.def by their names, and calls them. Names are sorted
   once; of a family, the longest name in the table that a function's name starts with
   is the last one that does not come after it. */
#include "hostcc/ir/pseudo.h"

#include <stdlib.h>

enum { ONCE, AGAIN };

const cc_function cc_functions[CC_FN_COUNT] = {
    [CC_FN_NONE] = {"", 0, CC_RESULT_VARYING, ONCE, HC_ENTRY, HC_SYNC},
#define CC_FUNCTION(id, name, arguments, uniformity, again, state, op, emit) \
    [CC_FN_##                                                                \
        id] = {name, arguments, CC_RESULT_##uniformity, again, HC_##state, HC_##op},
#include "hostcc/ir/pseudo.def"
#undef CC_FUNCTION
};

static int compare(const void *a, const void *b)
{
    const cc_function_id *x = a, *y = b;
    return strcmp(cc_functions[*x].name, cc_functions[*y].name);
}

cc_function_id cc_function_named(const char *name)
{
    static cc_function_id sorted[CC_FN_COUNT];
    unsigned low = 0, high = CC_FN_COUNT;
    if (!sorted[1]) {
        for (unsigned k = 0; k < CC_FN_COUNT; k++)
            sorted[k] = k;
        qsort(sorted, CC_FN_COUNT, sizeof *sorted, compare);
    }
    while (high - low > 1) {
        unsigned middle = (low + high) / 2;
        if (strcmp(cc_functions[sorted[middle]].name, name) <= 0)
            low = middle;
        else
            high = middle;
    }
    const char *found = cc_functions[sorted[low]].name;
    size_t n = strlen(found);
    bool family = n && found[n - 1] == '_';
    return (family ? cc_prefixed(name, found) : !strcmp(name, found)) ? sorted[low]
                                                                      : CC_FN_NONE;
}

cc_function_id cc_function_of(cc_value i)
{
    const char *name = cc_callee(i);
    return *name ? cc_function_named(name) : CC_FN_NONE;
}

bool cc_is_check(cc_value i)
{
    cc_function_id f = cc_function_of(i);
    return f == CC_FN_CHECK_BOUNDS || f == CC_FN_CHECK_SIZE || f == CC_FN_CHECK_LOCAL ||
           f == CC_FN_CHECK_ADDRESS || f == CC_FN_CHECK_FREE || f == CC_FN_RACE ||
           f == CC_FN_WRITTEN_NEED || f == CC_FN_WRITTEN_SET || f == CC_FN_CHECK_COPY ||
           f == CC_FN_COPY;
}

bool cc_is_warp_function(cc_value i, hc_warp_op *op)
{
    const cc_function *f = &cc_functions[cc_function_of(i)];
    *op = f->op;
    return f->state == HC_WARP;
}

bool cc_is_of_vectors(cc_value f)
{
    return LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, CC_OF_VECTORS,
                                         sizeof CC_OF_VECTORS - 1);
}

bool cc_is_vector_call(cc_value i)
{
    cc_value f = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    return f && LLVMIsAFunction(f) && cc_is_of_vectors(f);
}

cc_value cc_declare_function(cc_unit *u, cc_function_id id, cc_type t)
{
    const char *name = cc_functions[id].name;
    cc_value f = LLVMGetNamedFunction(u->module, name);
    if (f)
        return f;
    f = LLVMAddFunction(u->module, name, t);
    cc_attribute(u, f, "nounwind");
    cc_attribute(u, f, "willreturn");
    if (id == CC_FN_TURNS || id == CC_FN_COUNTER) { /* memory that nothing else sees */
        cc_param_attribute(u, f, (unsigned)LLVMAttributeFunctionIndex, "memory", 12);
        cc_attribute(u, f, "nocallback");
        cc_attribute(u, f, "nomerge"); /* a counter each */
    }
    if (cc_functions[id].again) {
        cc_attribute(u, f, "speculatable");
        cc_attribute(u, f, "memory"); /* none */
    }
    return f;
}

cc_value cc_call_function(cc_unit *u, cc_builder b, cc_function_id id, cc_type result,
                          cc_value *args)
{
    cc_type t[6];
    unsigned n = cc_functions[id].arguments;
    for (unsigned k = 0; k < n; k++)
        t[k] = LLVMTypeOf(args[k]);
    cc_value f = cc_declare_function(u, id, LLVMFunctionType(result, t, n, 0));
    return LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, args, n, "");
}

cc_value cc_read_register(cc_unit *u, cc_builder b, const char *name)
{
    const char *full = cc_format(CC_REGISTER "%s", name);
    unsigned id = LLVMLookupIntrinsicID(full, strlen(full));
    cc_value f = LLVMGetIntrinsicDeclaration(u->module, id, NULL, 0);
    return LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, NULL, 0, "");
}

cc_register_id cc_register_of(cc_value i, unsigned *dim)
{
    static const char *const names[] = {[CC_TID] = "tid.",
                                        [CC_NTID] = "ntid.",
                                        [CC_CTAID] = "ctaid.",
                                        [CC_NCTAID] = "nctaid."};
    const char *reg = cc_register(i);
    *dim = 0;
    for (unsigned k = CC_TID; *reg && k <= CC_NCTAID; k++)
        if (cc_prefixed(reg, names[k])) {
            *dim = (unsigned)(reg[strlen(names[k])] - 'x');
            return k;
        }
    return CC_NO_REGISTER;
}
