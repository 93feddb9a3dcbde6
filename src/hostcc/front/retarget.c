/* Takes clang's NVPTX module over to this machine: finds the kernels, puts the
   machine's triple, data layout and attributes in place of the GPU's, and tells the
   optimizer the ranges of special registers. */
#include "hostcc/front/front.h"

/* -- Kernels -- */

static void find_kernels(cc_unit *u)
{
    unsigned rows = LLVMGetNamedMetadataNumOperands(u->module, "nvvm.annotations");
    u->kernels = cc_alloc((rows + 1) * sizeof *u->kernels);
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f)) {
        if (!cc_annotation(u, f, "kernel"))
            continue;
        cc_kernel *k = &u->kernels[u->nkernels++];
        k->function = f;
        k->name = cc_format("%s", cc_name(f));
        k->max_threads = cc_annotation(u, f, "maxntidx");
        if (!k->max_threads || k->max_threads > 1024)
            k->max_threads = 1024;
    }
}

/* -- Attributes -- */

static void remove_attribute(cc_value f, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    if (kind)
        LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind);
    LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, name,
                                     (unsigned)strlen(name));
}

static void retarget_function(cc_unit *u, cc_value f)
{
    static const char *const gpu[] = {
        "target-cpu",  "target-features", "uniform-work-group-size",
        "noinline",    "optnone",         "norecurse",
        "stackprotect"};
    for (unsigned k = 0; k < sizeof gpu / sizeof *gpu; k++)
        remove_attribute(f, gpu[k]);
    if (!LLVMGetIntrinsicID(f))
        cc_target_attributes(u, f);
    LLVMSetVisibility(f, LLVMDefaultVisibility);
    LLVMSetFunctionCallConv(f, LLVMCCallConv);
    if (!LLVMIsDeclaration(f) && !cc_is_kernel(u, f))
        LLVMSetLinkage(f, LLVMInternalLinkage);
}

/* A struct parameter is the thread's own copy. It is made here, by hand: inlining would
   not know the address for a copy, and where the thread only reads, LLVM takes it away
   again. */
static void copy_struct_params(cc_unit *u, cc_kernel *k)
{
    unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
    unsigned n = LLVMCountParams(k->function);
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    k->by_value = cc_alloc(n + 1);
    for (unsigned p = 0; p < n; p++) {
        LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(k->function, p + 1, byval);
        if (!a)
            continue;
        cc_value param = LLVMGetParam(k->function, p);
        cc_type t = LLVMGetTypeAttributeValue(a);
        unsigned align = LLVMABIAlignmentOfType(u->layout, t);
        k->by_value[p] = true;
        LLVMPositionBuilderBefore(
            b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(k->function)));
        cc_value copy = LLVMBuildAlloca(b, t, "");
        LLVMReplaceAllUsesWith(param, copy);
        LLVMBuildMemCpy(b, copy, align, param, align, cc_int(u->i64, cc_sizeof(u, t)));
        LLVMRemoveEnumAttributeAtIndex(k->function, p + 1, byval);
        const struct {
            const char *name;
            uint64_t value;
        } promise[] = {{"noalias", 0},
                       {"readonly", 0},
                       {"nocapture", 0},
                       {"align", align},
                       {"dereferenceable", cc_sizeof(u, t)}};
        for (unsigned j = 0; j < sizeof promise / sizeof *promise; j++) {
            cc_param_attribute(u, k->function, p + 1, promise[j].name,
                               promise[j].value);
        }
    }
}

/* The host writes device variables behind LLVM's back: their values are never known. */
static void free_globals(cc_unit *u)
{
    for (cc_value g = LLVMGetFirstGlobal(u->module); g; g = LLVMGetNextGlobal(g)) {
        if (LLVMIsExternallyInitialized(g)) {
            LLVMSetExternallyInitialized(g, 0);
            LLVMSetGlobalConstant(g, 0);
            LLVMSetLinkage(g, LLVMExternalLinkage);
        }
        LLVMSetVisibility(g, LLVMDefaultVisibility);
    }
}

/* -- Ranges of special registers -- */

static void bound_registers(cc_unit *u)
{
    static const struct {
        const char *name;
        uint64_t range[2];
    } rows[] = {{CC_REGISTER "tid.", {0, 1024}},
                {CC_REGISTER "ntid.", {1, 1025}},
                {CC_REGISTER "ctaid.", {0, 0x7fffffff}},
                {CC_REGISTER "nctaid.", {1, 0x80000000}}};
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++)
            for (LLVMUseRef use = LLVMGetFirstUse(f);
                 use && cc_prefixed(cc_name(f), rows[r].name);
                 use = LLVMGetNextUse(use))
                cc_note(u, LLVMGetUser(use), "range", 2, u->i32, rows[r].range);
}

void cc_retarget(cc_unit *u)
{
    cc_translate_ptx(u);
    cc_read_builtin_variables(u);
    if (!cc_by_thread(u)) /* each has a stack */
        cc_move_stack_memory(u);
    find_kernels(u);
    LLVMSetTarget(u->module, LLVMGetTargetMachineTriple(u->machine));
    LLVMSetModuleDataLayout(u->module, u->layout);
    cc_define_behaviour(u);
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        retarget_function(u, f);
    free_globals(u);
    cc_find_references(u);
    cc_find_parameters(u);
    bound_registers(u);
    for (unsigned k = 0; k < u->nkernels; k++)
        copy_struct_params(u, &u->kernels[k]);
    cc_shared_tables(u);
    cc_mark_inlining(u);
}
