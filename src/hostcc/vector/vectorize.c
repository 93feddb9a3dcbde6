/* From a region, the code of one thread up to its next suspension point, to a function
   that does the same for a vector of threads. */
#include "hostcc/vector/vector.h"

cc_type cc_vector_type(cc_unit *u)
{
    cc_type t[CC_NPARAMS];
    for (unsigned k = 0; k < CC_NPARAMS; k++)
        t[k] = k <= CC_FRAME ? u->ptr : u->i32;
    return LLVMFunctionType(u->i32, t, CC_NPARAMS, 0);
}

/* Stretches within stretches are walked under masks again and again by full code. A
   region of 6,000 instructions took half as long to compile, and as long to run, where
   it stopped at 5,000 of them and not at 24,000. */
#define LARGE 1000

static size_t most_walked(cc_value region)
{
    size_t all = cc_instructions(region);
    return 4 * (all < LARGE ? all : LARGE) + LARGE;
}

cc_value cc_vectorize(cc_unit *u, const cc_kernel *k, unsigned layout, unsigned state,
                      bool masked, cc_uniformity_rules rules)
{
    cc_vec *e = cc_alloc(sizeof *e);
    cc_value region = k->layout[layout].region[state];
    cc_cfg *cfg = cc_cfg_build(region);
    e->unit = u;
    e->kernel = k;
    e->cfg = cfg;
    e->width = k->width;
    e->linear = layout == 1;
    e->masked = masked;
    e->layout = &k->layout[layout];
    e->suspends = e->layout->nstates > 1;
    e->uniformity = cc_uniformity_infer(cfg, rules);
    e->few = cc_choose_scalar_loops(e);
    e->again = cc_alloc((e->cfg->nloops + 1) * sizeof *e->again);
    e->alone = cc_choose_scalar_nodes(e);
    const char *name = cc_format("%s.%s", cc_name(region), masked ? "masked" : "full");
    e->function = LLVMAddFunction(u->module, name, cc_vector_type(u));
    LLVMSetLinkage(e->function, LLVMInternalLinkage);
    cc_target_attributes(u, e->function);
    cc_attribute(u, e->function,
                 masked || cc_for_debuggers(u) ? "noinline" : "alwaysinline");
    cc_readable_param(u, e->function, CC_LAUNCH + 1, sizeof(hc_launch));
    cc_readable_param(u, e->function, CC_FRAME + 1, sizeof(hc_frame));
    e->launch = LLVMGetParam(e->function, CC_LAUNCH);
    e->frame = LLVMGetParam(e->function, CC_FRAME);
    for (unsigned d = 0; d < 3; d++)
        e->index[d] = LLVMGetParam(e->function, CC_BX + d);
    e->x0 = LLVMGetParam(e->function, CC_X0);
    e->y = LLVMGetParam(e->function, CC_Y);
    e->z = LLVMGetParam(e->function, CC_Z);
    e->vector = LLVMGetParam(e->function, CC_VECTOR);
    e->entry_mask = LLVMGetParam(e->function, CC_MASK);
    size_t values = (e->uniformity->count + 1) * sizeof(cc_value);
    e->home_scalar = cc_alloc(values);
    e->home_lanes = cc_alloc(values);
    e->known = cc_alloc((e->uniformity->count + 1) * sizeof *e->known);
    e->asked = cc_values_to_ask(e);
    e->argument = cc_alloc((k->nparams + 1) * sizeof(cc_value));
    e->home_mask = cc_alloc((cfg->n + 1) * sizeof(cc_value));
    e->full = cc_alloc((cfg->n + 1) * sizeof(cc_block));
    e->tail = cc_alloc((cfg->n + 1) * sizeof(cc_block));
    e->epoch = 1;
    e->most_walked = most_walked(region);

    cc_block entry = LLVMAppendBasicBlockInContext(u->context, e->function, "entry");
    cc_block start = LLVMAppendBasicBlockInContext(u->context, e->function, "start");
    e->b = LLVMCreateBuilderInContext(u->context);
    e->entry = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderAtEnd(e->entry, entry);
    LLVMPositionBuilderBefore(e->entry, LLVMBuildBr(e->entry, start));
    LLVMPositionBuilderAtEnd(e->b, start);
    if (masked)
        cc_emit_masked(e);
    else
        cc_emit_full(e);
    cc_write_counts(e);
    return e->function;
}

/* No end is one of diverged lanes. */
bool cc_ends_together(cc_value full)
{
    CC_EACH_BLOCK(at, full) {
        cc_value end = LLVMGetBasicBlockTerminator(at);
        cc_value state = LLVMIsAReturnInst(end) ? LLVMGetOperand(end, 0) : NULL;
        if (state && LLVMIsASelectInst(state) &&
            LLVMIsAConstantInt(LLVMGetOperand(state, 1)) &&
            (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(state, 1)) == HC_MIXED)
            return false;
    }
    return true;
}
