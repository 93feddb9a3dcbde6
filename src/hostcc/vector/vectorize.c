/* From a region, the code of one thread up to its next suspension point, to a function
   that does the same for a vector of threads. */
#include "hostcc/vector/vector.h"
#include "hostcc/ir/clone.h"

cc_type cc_vector_type(cc_unit *u)
{
    cc_type t[CC_NPARAMS];
    for (unsigned k = 0; k < CC_NPARAMS; k++)
        t[k] = k <= CC_FRAME ? u->ptr : u->i32;
    return LLVMFunctionType(u->i32, t, CC_NPARAMS, 0);
}

/* Stretches within stretches are walked under masks again and again by full code. A
   region of 6,000 instructions took half as long to compile, and as long to run, where
   it stopped at 5,000 of them and not at 24,000; sixty branches within one another 0.83
   of it at twice their number and not at four times. */
#define LARGE 1000

static size_t most_walked(cc_value region)
{
    size_t all = cc_instructions(region);
    return 2 * (all < LARGE ? all : LARGE) + LARGE;
}

static cc_vec *begin(cc_unit *u, const cc_kernel *k, unsigned layout, cc_value region,
                     bool masked, cc_uniformity_rules rules)
{
    cc_vec *e = cc_alloc(sizeof *e);
    cc_cfg *cfg = cc_cfg_build(region);
    e->unit = u;
    e->kernel = k;
    e->cfg = cfg;
    e->width = rules.width;
    e->linear = layout == 1;
    e->masked = masked;
    e->layout = &k->layout[layout];
    e->uniformity = cc_uniformity_infer(cfg, rules);
    e->few = cc_choose_scalar_loops(e);
    e->again = cc_alloc((e->cfg->nloops + 1) * sizeof *e->again);
    e->alone = cc_choose_scalar_nodes(e);
    size_t values = (e->uniformity->count + 1) * sizeof(cc_value);
    e->home_scalar = cc_alloc(values);
    e->home_lanes = cc_alloc(values);
    e->known = cc_alloc((e->uniformity->count + 1) * sizeof *e->known);
    e->asked = cc_values_to_ask(e);
    e->argument = cc_alloc((LLVMCountParams(region) + 1) * sizeof(cc_value));
    e->home_mask = cc_alloc((cfg->n + 1) * sizeof(cc_value));
    e->full = cc_alloc((cfg->n + 1) * sizeof(cc_block));
    e->tail = cc_alloc((cfg->n + 1) * sizeof(cc_block));
    e->epoch = 1;
    e->most_walked = most_walked(region);
    return e;
}

static void begin_code(cc_vec *e)
{
    LLVMContextRef context = e->unit->context;
    cc_block entry = LLVMAppendBasicBlockInContext(context, e->function, "entry");
    cc_block start = LLVMAppendBasicBlockInContext(context, e->function, "start");
    LLVMSetLinkage(e->function, LLVMInternalLinkage);
    e->b = LLVMCreateBuilderInContext(context);
    e->entry = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderAtEnd(e->entry, entry);
    LLVMPositionBuilderBefore(e->entry, LLVMBuildBr(e->entry, start));
    LLVMPositionBuilderAtEnd(e->b, start);
}

static void write_code(cc_vec *e)
{
    if (e->masked)
        cc_emit_masked(e);
    else
        cc_emit_full(e);
}

cc_value cc_vectorize(cc_unit *u, const cc_kernel *k, unsigned layout, unsigned state,
                      bool masked, cc_uniformity_rules rules)
{
    cc_value region = k->layout[layout].region[state];
    cc_vec *e = begin(u, k, layout, region, masked, rules);
    e->suspends = e->layout->nstates > 1;
    const char *name = cc_format("%s.%s", cc_name(region), masked ? "masked" : "full");
    e->function = LLVMAddFunction(u->module, name, cc_vector_type(u));
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
    begin_code(e);
    write_code(e);
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

/* -- Functions of vectors (vector_calls.c) -- */

/* A copy of the function as a region: parameters that differ from lane to lane are what
   hc.parameter_ says, and the result goes to hc.answer_. */
static cc_value region_of(cc_unit *u, const cc_vector_function *f)
{
    cc_value zero = cc_int(u->i32, 0),
             region = cc_copy_from(u, LLVMGetEntryBasicBlock(f->scalar),
                                   cc_format("%s.region", cc_name(f->scalar)), zero);
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderBefore(b,
                              LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(region)));
    for (unsigned k = 0; k < LLVMCountParams(region); k++) {
        cc_value v = LLVMGetParam(region, k);
        if (f->same >> k & 1)
            continue;
        const char *name = cc_format("%s%u", cc_functions[CC_FN_PARAMETER].name, k);
        cc_type t = LLVMFunctionType(LLVMTypeOf(v), NULL, 0, 0);
        cc_value get = LLVMAddFunction(u->module, name, t);
        LLVMReplaceAllUsesWith(v, LLVMBuildCall2(b, t, get, NULL, 0, ""));
    }
    CC_EACH_INST_OF(i, region) {
        if (!LLVMIsAReturnInst(i))
            continue;
        cc_value v = LLVMGetOperand(i, 0);
        cc_type from = LLVMTypeOf(v), t = LLVMFunctionType(u->none, &from, 1, 0);
        cc_value answer =
            LLVMAddFunction(u->module, cc_functions[CC_FN_ANSWER].name, t);
        LLVMPositionBuilderBefore(b, i);
        LLVMBuildCall2(b, t, answer, &v, 1, "");
        LLVMBuildRet(b, zero);
        LLVMInstructionEraseFromParent(i);
    }
    return region;
}

/* Code of a region returns a state; this one what has been answered. */
static void return_answer(cc_vec *e, cc_type t)
{
    CC_EACH_INST_OF(i, e->function) {
        if (!LLVMIsAReturnInst(i))
            continue;
        LLVMPositionBuilderBefore(e->b, i);
        LLVMBuildRet(e->b, LLVMBuildLoad2(e->b, t, e->answer, ""));
        LLVMInstructionEraseFromParent(i);
    }
}

static void vectorize_function(cc_unit *u, const cc_vector_function *f)
{
    cc_uniformity_rules rules = {.width = f->width, .linear = f->layout == 1};
    cc_value region = region_of(u, f);
    cc_branch_to_loads(u, region, rules);
    cc_vec *e = begin(u, f->kernel, f->layout, region, f->masked, rules);
    unsigned n = LLVMCountParams(region);
    e->function = f->function;
    for (unsigned k = 0; k < n; k++)
        e->argument[k] = LLVMGetParam(e->function, k);
    e->entry_mask = f->masked ? LLVMGetParam(e->function, n) : cc_int(u->i32, ~0u);
    e->launch = e->frame = LLVMGetPoison(u->ptr); /* it knows of no thread */
    e->index[0] = e->index[1] = e->index[2] = LLVMGetPoison(u->i32);
    e->x0 = e->y = e->z = e->vector = LLVMGetPoison(u->i32);
    begin_code(e);
    cc_type t = LLVMGetReturnType(LLVMGlobalGetValueType(e->function));
    e->answer = cc_stack(e, t, "answer");
    LLVMBuildStore(e->entry, LLVMGetPoison(t), e->answer);
    write_code(e);
    return_answer(e, t);
    LLVMDeleteFunction(region);
}

/* One may call others. */
void cc_vector_functions(cc_unit *u)
{
    for (cc_vector_function *f = u->vector_functions; f; f = f->next)
        vectorize_function(u, f);
}
