/* LLVM's scalar optimizations of one thread's code, whose work the lanes would multiply
   later: everything is inlined that can be. Vectors of the source become scalars. */
#include "hostcc/front/front.h"
#include "hostcc/ir/pseudo.h"

/* -- Vectors in the source -- */

static unsigned elements(cc_type t)
{
    return cc_kind(t) == LLVMVectorTypeKind ? LLVMGetVectorSize(t) : 1;
}

/* The bits of element k of v, or of v itself, as an integer of type `whole`. */
static cc_value element_bits(cc_unit *u, cc_builder b, cc_value v, unsigned k,
                             cc_type whole)
{
    cc_type t = LLVMTypeOf(v);
    if (cc_kind(t) == LLVMVectorTypeKind)
        v = LLVMBuildExtractElement(b, v, cc_int(u->i64, k), "");
    unsigned bits = LLVMGetIntTypeWidth(whole) / elements(t);
    v = LLVMBuildBitCast(b, v, LLVMIntTypeInContext(u->context, bits), "");
    v = LLVMBuildZExtOrBitCast(b, v, whole, "");
    return LLVMBuildShl(b, v, cc_int(whole, (uint64_t)k * bits), "");
}

/* Between vectors and other types there is only the way over one integer. */
static cc_value reinterpreted(cc_unit *u, cc_builder b, cc_value v, cc_type to)
{
    cc_type from = LLVMTypeOf(v);
    unsigned total = (unsigned)LLVMSizeOfTypeInBits(u->layout, from);
    unsigned bits = total / elements(to);
    cc_type whole = LLVMIntTypeInContext(u->context, total);
    cc_type part = LLVMIntTypeInContext(u->context, bits);
    cc_value all = cc_int(whole, 0), result = LLVMGetPoison(to);
    for (unsigned k = 0; k < elements(from); k++)
        all = LLVMBuildOr(b, all, element_bits(u, b, v, k, whole), "");
    if (elements(to) == 1)
        return LLVMBuildBitCast(b, all, to, "");
    for (unsigned k = 0; k < elements(to); k++) {
        cc_value one = LLVMBuildLShr(b, all, cc_int(whole, (uint64_t)k * bits), "");
        one = LLVMBuildTruncOrBitCast(b, one, part, "");
        one = LLVMBuildBitCast(b, one, LLVMGetElementType(to), "");
        result = LLVMBuildInsertElement(b, result, one, cc_int(u->i64, k), "");
    }
    return result;
}

/* The scalarizer leaves bit casts to and from vectors. */
static void reinterpret_vectors(cc_unit *u)
{
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    for (unsigned k = 0; k < u->nkernels; k++)
        CC_EACH_INST_OF(i, u->kernels[k].function) {
            if (!LLVMIsABitCastInst(i) ||
                elements(LLVMTypeOf(i)) == elements(LLVMTypeOf(LLVMGetOperand(i, 0))))
                continue;
            LLVMPositionBuilderBefore(b, i);
            cc_value v = reinterpreted(u, b, LLVMGetOperand(i, 0), LLVMTypeOf(i));
            LLVMReplaceAllUsesWith(i, v);
            LLVMInstructionEraseFromParent(i);
        }
}

/* -- Simplification -- */

static const char inlined_at_level_0[] = "always-inline,globaldce";
static const char at_level_0[] = "function(lower-expect,sroa,simplifycfg,scalarizer)";
/* Functions are simplified before they are inlined, callees first: else what the device
   library does in functions of functions is simplified once for each place of it. So
   are loops of a known length, or 200 products of matrices are 3,000 loops of a kernel.
 */
static const char inlined[] =
    "cgscc(inline<only-mandatory>,function(lower-expect,sroa,early-cse,"
    "simplifycfg," CC_INSTCOMBINE ",loop(loop-unroll-full))),globaldce";
static const char at_level_3[] =
    "function(sroa,early-cse<memssa>,simplifycfg," CC_INSTCOMBINE ",simplifycfg,"
    "correlated-propagation,reassociate,"
    "loop-mssa(loop-instsimplify,loop-simplifycfg,loop-rotate,licm),"
    "simplifycfg," CC_INSTCOMBINE ",loop(indvars,loop-deletion,loop-unroll-full),"
    "sroa,early-cse<memssa>)";
static const char behind_loops[] =
    "function(gvn,sccp,bdce," CC_INSTCOMBINE ",dse,adce,simplifycfg,scalarizer)";

/* A local array that a loop counts through stays memory, with an address a lane, unless
   the loop is unrolled: then so are longer ones, as nvcc does it. A sort of 24 numbers
   is 276 branches in loops, or as many minima and maxima. GVN does not add values to
   branches before (PRE): where a counter is computed on each of two, LLVM does not see
   how far it counts, and leaves a way out of the loop in each copy. */
static const char unrolled[] =
    "function(gvn<no-pre;no-load-pre>,sccp,bdce," CC_INSTCOMBINE
    ",dse,adce,simplifycfg,"
    "loop-unroll<O3;no-partial;no-peeling;no-runtime;no-upperbound>,"
    "sroa,early-cse<memssa>)";

static bool has_local_array(const cc_unit *u)
{
    for (unsigned k = 0; k < u->nkernels; k++)
        CC_EACH_INST_OF(i, u->kernels[k].function)
            if (LLVMIsAAllocaInst(i) &&
                cc_kind(LLVMGetAllocatedType(i)) == LLVMArrayTypeKind)
                return true;
    return false;
}

/* The names by which CCCL says what a device does not have. */
static void refuse_newer(const char *name)
{
    static const char before[] = "__cuda_ptx_",
                      behind[] = "_is_not_supported_before_SM_";
    const char *end = strstr(name, behind);
    if (end && cc_prefixed(name, before)) {
        const char *what = name + strlen(before), *level = end + strlen(behind);
        cc_refuse("'%.*s' of CCCL needs sm_%.*s: the host device is sm_75, whatever "
                  "-arch says",
                  (int)(end - what), what, (int)strcspn(level, "_"), level);
    }
}

/* Every function and variable still in use must be defined in one of the objects. */
static void refuse_undefined(cc_unit *u)
{
    for (cc_value g = LLVMGetFirstGlobal(u->module); g; g = LLVMGetNextGlobal(g))
        if (LLVMIsDeclaration(g) && LLVMGetFirstUse(g) &&
            LLVMGetPointerAddressSpace(LLVMTypeOf(g)) != 3)
            cc_refuse("variable '%s' is declared but not defined", cc_name(g));
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f)) {
        const char *name = cc_name(f);
        if (LLVMIsDeclaration(f) && LLVMGetFirstUse(f) && !cc_prefixed(name, "llvm.") &&
            cc_function_named(name) == CC_FN_NONE) {
            refuse_newer(name);
            cc_refuse("function '%s' is declared but not defined", name);
        }
    }
}

/* A load that is done before it is known to be wanted is an access that the source does
   not make. */
static void keep_loads_in_place(cc_unit *u)
{
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            cc_attribute(u, f, "sanitize_thread");
}

/* Of functions that are not for a debugger (scalar_functions.c). */
static const char of_library[] = "function(sroa,early-cse,simplifycfg),"
                                 "always-inline,globaldce";

void cc_simplify(cc_unit *u)
{
    bool level = u->options->level > 0;
    if (cc_by_thread(u)) {
        cc_forget_library_variables(u);
        cc_place_carry(u);
        cc_passes(u, of_library);
        cc_load_references(u);
        cc_flush_denormals(u);
        cc_return_at_exits(u);
        refuse_undefined(u);
        return;
    }
    if (u->options->checks & (HC_CHECK_RACE | HC_CHECK_INIT))
        keep_loads_in_place(u);
    cc_passes(u, level ? inlined : inlined_at_level_0);
    if (level)
        cc_inline_fetches(u);
    cc_place_carry(u);
    cc_passes(u, level ? at_level_3 : at_level_0);
    if (level && has_local_array(u))
        cc_passes(u, unrolled);
    if (level)
        cc_passes(u, behind_loops);
    cc_return_at_exits(u);
    reinterpret_vectors(u);
    cc_forward_copies(u);
    cc_load_references(u);
    cc_passes(u, level ? "function(" CC_INSTCOMBINE ",simplifycfg),globaldce"
                       : "function(instsimplify),globaldce");
    cc_flush_denormals(u);
    cc_refuse_carry_into_functions(u);
    refuse_undefined(u);
}
