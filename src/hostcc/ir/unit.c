/* Shared by all stages: memory that is never given back, the way to refuse, small
   builders, and the target machine that every function is compiled for. */
#include "hostcc/ir/unit.h"

#include <malloc.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

void cc_refuse(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "hostcc: error: ");
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}

void *cc_alloc(size_t bytes)
{
    void *p = calloc(1, bytes ? bytes : 1);
    if (!p)
        cc_refuse("out of memory");
    return p;
}

char *cc_format(const char *format, ...)
{
    char *text;
    va_list args;
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        cc_refuse("out of memory");
    va_end(args);
    return text;
}

void cc_passes(cc_unit *u, const char *pipeline)
{
    LLVMPassBuilderOptionsRef o = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetLoopVectorization(o, 0);
    LLVMPassBuilderOptionsSetSLPVectorization(o, 0);
    LLVMPassBuilderOptionsSetVerifyEach(o, getenv("HOSTCC_VERIFY") != NULL);
    LLVMErrorRef error = LLVMRunPasses(u->module, pipeline, u->machine, o);
    if (error)
        cc_refuse("internal: %s", LLVMGetErrorMessage(error));
}

bool cc_is_kernel(const cc_unit *u, cc_value function)
{
    for (unsigned k = 0; k < u->nkernels; k++)
        if (u->kernels[k].function == function)
            return true;
    return false;
}

/* The number in a row !{global, key, number} of !nvvm.annotations; 0: no such row. */
unsigned cc_annotation(cc_unit *u, cc_value global, const char *key)
{
    unsigned n = LLVMGetNamedMetadataNumOperands(u->module, "nvvm.annotations"), length;
    cc_value *row = cc_alloc((n + 1) * sizeof *row), field[3];
    LLVMGetNamedMetadataOperands(u->module, "nvvm.annotations", row);
    for (unsigned i = 0; i < n; i++) {
        LLVMGetMDNodeOperands(row[i], field);
        if (field[0] == global && !strcmp(LLVMGetMDString(field[1], &length), key))
            return (unsigned)LLVMConstIntGetZExtValue(field[2]);
    }
    return 0;
}

size_t cc_instructions(cc_value f)
{
    size_t n = 0;
    CC_EACH_INST_OF(i, f)
        n++;
    return n;
}

unsigned cc_sizeof(cc_unit *u, cc_type t)
{
    return (unsigned)LLVMABISizeOfType(u->layout, t);
}

/* Elements of an array are their whole size apart, those of a vector as many bits as
   they have: lanes of bools and of odd bit-fields are kept as wider integers. */
cc_type cc_stored(const cc_unit *u, cc_type t)
{
    return cc_kind(t) == LLVMIntegerTypeKind
               ? LLVMIntTypeInContext(u->context,
                                      8 * (unsigned)LLVMABISizeOfType(u->layout, t))
               : t;
}

cc_value cc_int(cc_type t, uint64_t v)
{
    return LLVMConstInt(t, v, 1); /* of more than 64 bits: v may be negative */
}

void cc_param_attribute(cc_unit *u, cc_value function, unsigned index, const char *name,
                        uint64_t value)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(function, index,
                            LLVMCreateEnumAttribute(u->context, kind, value));
}

void cc_attribute(cc_unit *u, cc_value function, const char *name)
{
    cc_param_attribute(u, function, (unsigned)LLVMAttributeFunctionIndex, name, 0);
}

void cc_text_attribute(cc_unit *u, cc_value function, const char *name,
                       const char *text)
{
    LLVMAttributeRef a = LLVMCreateStringAttribute(
        u->context, name, (unsigned)strlen(name), text, (unsigned)strlen(text));
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, a);
}

unsigned cc_number_of_attribute(cc_value function, const char *name)
{
    unsigned length;
    LLVMAttributeRef a = LLVMGetStringAttributeAtIndex(
        function, LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));
    return a ? (unsigned)strtoul(LLVMGetStringAttributeValue(a, &length), NULL, 10) : 0;
}

/* Without these LLVM compiles for the oldest processor, or with half-wide vectors, and
   a frame of megabytes reaches past the page that guards the end of a stack. */
void cc_target_attributes(cc_unit *u, cc_value function)
{
    cc_text_attribute(u, function, "target-cpu", u->cpu);
    cc_text_attribute(u, function, "target-features", u->features);
    cc_text_attribute(u, function, "prefer-vector-width",
                      cc_format("%u", u->vector_bits));
    cc_text_attribute(u, function, "probe-stack", "inline-asm");
    cc_attribute(u, function, "nounwind");
}

/* Parameter p (from 1) of generated code: memory of its own, to be read any time. */
void cc_readable_param(cc_unit *u, cc_value function, unsigned p, size_t bytes)
{
    cc_param_attribute(u, function, p, "noalias", 0);
    cc_param_attribute(u, function, p, "dereferenceable", bytes);
    cc_param_attribute(u, function, p, "align", 8);
}

cc_value cc_offset(cc_unit *u, cc_builder b, cc_value base, size_t offset)
{
    cc_value at = cc_int(u->i64, offset);
    return offset ? LLVMBuildInBoundsGEP2(b, u->i8, base, &at, 1, "") : base;
}

void cc_note(cc_unit *u, cc_value i, const char *name, unsigned n, cc_type t,
             const uint64_t *value)
{
    LLVMMetadataRef node, number[2];
    unsigned kind = LLVMGetMDKindIDInContext(u->context, name, (unsigned)strlen(name));
    for (unsigned k = 0; k < n; k++)
        number[k] = LLVMValueAsMetadata(cc_int(t, value[k]));
    node = LLVMMDNodeInContext2(u->context, number, n);
    LLVMSetMetadata(i, kind, LLVMMetadataAsValue(u->context, node));
}

bool cc_is_noted(cc_unit *u, cc_value i, const char *name)
{
    unsigned kind = LLVMGetMDKindIDInContext(u->context, name, (unsigned)strlen(name));
    return LLVMGetMetadata(i, kind);
}

void cc_mark_seldom(cc_unit *u, cc_value branch)
{
    LLVMMetadataRef weights[] = {
        LLVMMDStringInContext2(u->context, "branch_weights", 14),
        LLVMValueAsMetadata(cc_int(u->i32, 1)),
        LLVMValueAsMetadata(cc_int(u->i32, 1 << 20))};
    LLVMSetMetadata(
        branch, LLVMGetMDKindIDInContext(u->context, "prof", 4),
        LLVMMetadataAsValue(u->context, LLVMMDNodeInContext2(u->context, weights, 3)));
}

/* A node of metadata of a loop names itself first. */
void cc_unroll(cc_unit *u, cc_value branch, unsigned turns)
{
    static const char count[] = "llvm.loop.unroll.count";
    LLVMMetadataRef option[] = {
        LLVMMDStringInContext2(u->context, count, sizeof count - 1),
        LLVMValueAsMetadata(cc_int(u->i32, turns))};
    LLVMMetadataRef own = LLVMTemporaryMDNode(u->context, NULL, 0);
    LLVMMetadataRef node[] = {own, LLVMMDNodeInContext2(u->context, option, 2)};
    LLVMMetadataRef loop = LLVMMDNodeInContext2(u->context, node, 2);
    LLVMMetadataReplaceAllUsesWith(own, loop);
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(u->context, "llvm.loop", 9),
                    LLVMMetadataAsValue(u->context, loop));
}

/* A load of memory that does not change while the function runs. `bytes`: so many bytes
   behind a loaded pointer may be read at any time. Both let LLVM hoist loads in
   branches out of loops. */
cc_value cc_fixed_load(cc_unit *u, cc_builder b, cc_type t, cc_value p, size_t bytes)
{
    cc_value load = LLVMBuildLoad2(b, t, p, "");
    cc_note(u, load, CC_INVARIANT, 0, NULL, NULL);
    if (bytes) {
        cc_note(u, load, "dereferenceable", 1, u->i64, (uint64_t[]){bytes});
        cc_note(u, load, "align", 1, u->i64, (uint64_t[]){16});
    }
    return load;
}

/* Of a launch: from 1 to 1024, so that LLVM knows that counters up to it do not wrap
   around. */
cc_value cc_block_dimension(cc_unit *u, cc_builder b, cc_value launch, unsigned dim)
{
    size_t at = offsetof(hc_launch, block) + 4 * dim;
    cc_value load = cc_fixed_load(u, b, u->i32, cc_offset(u, b, launch, at), 0);
    cc_note(u, load, "range", 2, u->i32, (uint64_t[]){1, 1025});
    return load;
}

cc_value cc_vectors_of_block(cc_unit *u, cc_builder b, const cc_value block_dim[3],
                             unsigned width, bool linear)
{
    cc_value rows = LLVMBuildMul(b, block_dim[1], block_dim[2], ""),
             row = linear ? LLVMBuildMul(b, block_dim[0], rows, "") : block_dim[0];
    cc_value n = LLVMBuildAdd(b, row, cc_int(u->i32, width - 1), "");
    n = LLVMBuildUDiv(b, n, cc_int(u->i32, width), "");
    return linear ? n : LLVMBuildMul(b, n, rows, "");
}

cc_value cc_slot_address(cc_unit *u, cc_builder b, cc_value context, cc_value vectors,
                         cc_value vector, uint64_t offset, uint64_t bytes)
{
    cc_value at = LLVMBuildZExt(b, vectors, u->i64, ""),
             number = LLVMBuildZExt(b, vector, u->i64, "");
    at = LLVMBuildMul(b, at, cc_int(u->i64, offset), "");
    number = LLVMBuildMul(b, number, cc_int(u->i64, bytes), "");
    at = LLVMBuildAdd(b, at, number, "");
    return LLVMBuildInBoundsGEP2(b, u->i8, context, &at, 1, "slot");
}

void cc_dump(cc_unit *u, const char *stage)
{
    const char *wanted = getenv("HOSTCC_DUMP");
    if (!wanted || !strstr(wanted, stage))
        return;
    char *text = LLVMPrintModuleToString(u->module);
    fprintf(stderr, "; -- after %s\n%s", stage, text);
    if (LLVMVerifyModule(u->module, LLVMReturnStatusAction, &text))
        cc_refuse("internal: after %s: %s", stage, text);
}

/* Of this machine, or of the level that option --cpu names: dumps are then the same on
   every machine, and the image is refused by all (image_table.c). */
static void choose_cpu(cc_unit *u)
{
    static const struct {
        char *cpu, *features; /* of the features, the one that tells the registers */
    } levels[] = {
        {"x86-64-v2", ""}, {"x86-64-v3", "+avx2"}, {"x86-64-v4", "+avx512vl"}};
    const char *wanted = u->options->cpu;
    u->cpu = wanted ? NULL : LLVMGetHostCPUName();
    u->features = wanted ? NULL : LLVMGetHostCPUFeatures();
    for (unsigned k = 0; wanted && k < sizeof levels / sizeof *levels; k++)
        if (!strcmp(wanted, levels[k].cpu)) {
            u->cpu = levels[k].cpu;
            u->features = levels[k].features;
        }
    if (!u->cpu)
        cc_refuse("--cpu=%s: only x86-64-v2, x86-64-v3 and x86-64-v4 are known",
                  wanted);
    u->vector_bits = strstr(u->features, "+avx512vl") ? 512
                     : strstr(u->features, "+avx2")   ? 256
                                                      : 128;
    if (u->options->no_avx512 && u->vector_bits == 512) {
        u->features =
            cc_format("%s,-avx512f", u->features); /* and all that build on it */
        u->vector_bits = 256;
    }
    /* Else LLVM takes gathers to be for few processors of AVX2 and makes a branch a
       lane of those under masks: a kernel with 300 took a minute. What is faster for
       all lanes gather.c knows. */
    if (u->vector_bits == 256)
        u->features = cc_format("%s,+fast-gather", u->features);
}

/* In large pages, if the system has them: with templates of CUB, of which a compilation
   takes 100 MB, a tenth of the time went to faults of small ones. */
static void ask_for_memory_once(void)
{
    size_t more = 128 << 20, page = 2 << 20;
    char *start = sbrk(0);
    mallopt(M_TOP_PAD, (int)more);
    mallopt(M_MMAP_THRESHOLD, 64 << 20);
    void *volatile rest = malloc(page); /* more than is left */
    free(rest);
    char *end = sbrk(0);
    start += -(uintptr_t)start % page;
    if (start < end)
        madvise(start, (size_t)(end - start), MADV_HUGEPAGE);
}

void cc_unit_begin(cc_unit *u)
{
    char *triple = LLVMGetDefaultTargetTriple(), *error;
    LLVMTargetRef target;
    ask_for_memory_once();
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    if (cc_by_thread(u))
        LLVMInitializeNativeAsmParser(); /* of directives (thread_entries.c) */
    /* There are no other ways to say these. The second saves looking for variables, the
       third a second schedule of each block, which LLVM makes for AMD's processors:
       they look ahead themselves, and for long blocks it takes a tenth of the time. The
       fourth: the one schedule compares all accesses of a block to memory with one
       another up to 1000 of them, which took half of the time for kernels of long
       blocks. The fifth: LLVM looks for scalar code that could run on masks, for each
       register anew through all that has to do with it, which took two fifths of the
       time for a block of 5,000 integers, and finds none. An instruction sunk below a
       barrier would leave all its operands to be saved there: regions are cut first
       (state_machine.c). Of two stores of which one is made, check mode tells of the
       one that was; and each of its checks may call, so a kernel has thousands of
       places around which registers are split, where LLVM looked at its 10,000 nearest
       for each: half of the time. */
    const char *const set[] = {"hostcc",
                               "--scalarize-load-store",
                               "--experimental-debug-variable-locations=false",
                               "--disable-post-ra=true",
                               "--dag-maps-huge-region=400",
                               "--disable-x86-domain-reassignment",
                               "--instcombine-code-sinking=false",
                               "--simplifycfg-merge-cond-stores=false",
                               "--grow-region-complexity-budget=100"};
    LLVMParseCommandLineOptions(u->options->checks ? 9 : 7, set, NULL);
    if (LLVMGetTargetFromTriple(triple, &target, &error))
        cc_refuse("%s", error);
    choose_cpu(u);
    u->machine = LLVMCreateTargetMachine(target, triple, u->cpu, u->features,
                                         u->options->level ? LLVMCodeGenLevelDefault
                                                           : LLVMCodeGenLevelNone,
                                         LLVMRelocPIC, LLVMCodeModelDefault);
    u->layout = LLVMCreateTargetDataLayout(u->machine);
    u->context = LLVMContextCreate();
    u->i1 = LLVMInt1TypeInContext(u->context);
    u->i8 = LLVMInt8TypeInContext(u->context);
    u->i16 = LLVMInt16TypeInContext(u->context);
    u->i32 = LLVMInt32TypeInContext(u->context);
    u->i64 = LLVMInt64TypeInContext(u->context);
    u->f32 = LLVMFloatTypeInContext(u->context);
    u->f64 = LLVMDoubleTypeInContext(u->context);
    u->ptr = LLVMPointerTypeInContext(u->context, 0);
    u->none = LLVMVoidTypeInContext(u->context);
}
