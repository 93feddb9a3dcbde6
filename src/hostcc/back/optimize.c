/* LLVM's scalar optimizations over vector code. Its vectorizers stay off. */
#include "hostcc/back/back.h"
#include "hostcc/split/split.h"

/* Calls of the C library had names by which earlier stages knew them as pure; from here
   on they have the library's. */
static void name_libm(cc_unit *u)
{
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        if (cc_prefixed(cc_name(f), CC_LIBM)) {
            char *name = cc_format("%s", cc_name(f) + strlen(CC_LIBM));
            LLVMSetValueName2(f, name, strlen(name));
        }
}

/* Kernels have become functions for blocks, but where threads run one at a time. The
   address of one, in an initializer as of `__device__ void (*start)(float *) =
   scale<4>;`, which makes the instance, is of no use to a thread, which cannot launch
   it. */
static void delete_kernel(cc_value f)
{
    if (!LLVMIsDeclaration(f) && LLVMGetFirstUse(f))
        return;
    LLVMTypeRef pointer = LLVMTypeOf(f);
    cc_value nowhere =
        LLVMConstInt(LLVMInt64TypeInContext(LLVMGetTypeContext(pointer)), 1, 0);
    LLVMReplaceAllUsesWith(f, LLVMConstIntToPtr(nowhere, pointer));
    LLVMDeleteFunction(f);
}

void cc_inline(cc_unit *u)
{
    for (unsigned k = 0; k < u->nkernels; k++)
        delete_kernel(u->kernels[k].function);
    if (u->deferred) /* nothing refers to their code */
        cc_passes(u, "globaldce");
    if (u->known_blocks) /* many copies are made: of little code */
        cc_passes(u, "function(sroa,early-cse)");
    cc_passes(u, "always-inline,globaldce");
    if (u->known_blocks)
        cc_place_known_contexts(u);
    name_libm(u);
}

void cc_optimize(cc_unit *u)
{
    if (u->options->level == 0) {
        cc_passes(u, "function(sroa,early-cse,simplifycfg)");
        return;
    }
    cc_place_fused(u);
    cc_passes(u, "function(sroa,early-cse<memssa>,simplifycfg," CC_INSTCOMBINE
                 ",simplifycfg,"
                 "loop-mssa(loop-instsimplify,loop-rotate,licm),simplifycfg,"
                 "loop(indvars,loop-deletion,loop-unroll-full),sroa,"
                 "early-cse<memssa>,gvn," CC_INSTCOMBINE ",bdce,dse,"
                 "loop-mssa(licm,loop-deletion),simplifycfg,loop-unroll<partial;no-"
                 "runtime;O3>,adce),"
                 "globaldce");
}
